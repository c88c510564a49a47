//! Futures of host functions: run by an executor of the host's, dropped when their caller dies.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use super::function::complete;
use super::module::BoxFuture;
use crate::runtime::host::Completion;
use crate::value::IntoTerm;

/// What the caller's process and the task have in common.
#[derive(Default)]
struct Shared {
    is_unwanted: AtomicBool,
    /// Wakes the task, so that it sees that nobody wants it.
    waker: Mutex<Option<Waker>>,
}

/// Kept by the process that waits; dropped when it dies, or waits for another task, or at the machine's end.
struct Wanted(Arc<Shared>);

impl Drop for Wanted {
    fn drop(&mut self) {
        // Release pairs with the Acquire in `poll`: a task that is polled after this sees it.
        self.0.is_unwanted.store(true, Ordering::Release);
        let waker = self.0.waker.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(waker) = waker {
            // Foreign code, outside the lock; its panic is its own.
            let _ = catch_unwind(AssertUnwindSafe(|| waker.wake()));
        }
    }
}

struct Task<F> {
    future: Option<Pin<Box<F>>>,
    completion: Option<Completion>,
    shared: Arc<Shared>,
}

impl<F> Future for Task<F>
where
    F: Future,
    F::Output: IntoTerm,
{
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let task = &mut *self;
        // The waker first: whoever declares the task unwanted after the look below finds it.
        *task.shared.waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(cx.waker().clone());
        let unwanted = task.shared.is_unwanted.load(Ordering::Acquire);
        let Some(future) = task.future.as_mut().filter(|_| !unwanted) else {
            task.future = None;
            task.completion = None;
            return Poll::Ready(());
        };
        let output = match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(output)) => Some(output),
            Err(_) => None,
        };
        task.future = None;
        task.shared.waker.lock().unwrap_or_else(PoisonError::into_inner).take();
        // After a panic the completion answers when it is dropped.
        if let (Some(completion), Some(output)) = (task.completion.take(), output) {
            complete(completion, output);
        }
        Poll::Ready(())
    }
}

/// Gives the future to the executor. What this returns must be kept as long as the answer is wanted.
pub(super) fn start<F>(future: F, completion: Completion, executor: impl Fn(BoxFuture)) -> Box<dyn Any + Send>
where
    F: Future + Send + 'static,
    F::Output: IntoTerm,
{
    let shared = Arc::new(Shared::default());
    let task = Task { future: Some(Box::pin(future)), completion: Some(completion), shared: shared.clone() };
    // An executor that panics drops the task, and with it the completion, which answers.
    let _ = catch_unwind(AssertUnwindSafe(|| executor(Box::pin(task))));
    Box::new(Wanted(shared))
}
