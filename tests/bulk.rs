//! Long work: nothing holds a worker.

#[path = "bulk/run.rs"]
mod run;

use erlet::vm::{Outcome, Vm};
use run::run;

/// With one worker, a process that ticks does so only if what goes on beside it has left the worker, or gives way.
#[test]
fn a_ticker_goes_on_beside_long_work_on_the_only_worker() {
    let outcome = run("long.erl", include_str!("bulk/long.erl"), Vm::builder().threads(1));
    assert_eq!(outcome, Outcome::Finished);
}
