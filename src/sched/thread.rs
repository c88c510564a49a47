//! Workers on threads of their own, started when first needed.

use std::sync::{Arc, Mutex, PoisonError};

use super::Driver;
use crate::runtime::Runtime;
use crate::runtime::outside::Presence;
use crate::runtime::queues::LocalQueues;

/// Gets the machine's workers ready: each counts as asleep until it is woken for the first time, when its thread is started.
pub fn prepare(rt: &Arc<Runtime>, locals: Vec<LocalQueues>) {
    let waiting: Vec<Mutex<Option<LocalQueues>>> =
        locals.into_iter().map(|local| Mutex::new(Some(local))).collect();
    for worker in 0..waiting.len() {
        rt.idle.sleep(worker, false);
    }
    // The starter lives in the runtime and must not keep it alive.
    let weak = Arc::downgrade(rt);
    rt.set_starter(Box::new(move |index| {
        let local = waiting[index].lock().unwrap_or_else(PoisonError::into_inner).take();
        if let (Some(local), Some(rt)) = (local, weak.upgrade()) {
            start(rt, index, local);
        }
    }));
}

fn start(rt: Arc<Runtime>, index: usize, local: LocalQueues) {
    let thread = std::thread::Builder::new().name(format!("erlet-{index}"));
    let started = thread.spawn(move || {
        let _present = Presence::of(&rt);
        // Without a poll the worker cannot sleep, and without it nothing would run: the machine stops.
        match Driver::new(Arc::clone(&rt), index, local, true) {
            Ok(mut driver) => {
                rt.idle.woke(index);
                driver.start_searching();
                driver.run();
            }
            Err(_) => rt.stop(),
        }
    });
    drop(started);
}
