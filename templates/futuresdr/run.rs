//! A run under FutureSDR: its workers meet, the flowgraph flows, and its workers part.

use futuresdr::runtime::scheduler::Scheduler;
use futuresdr::runtime::{Flowgraph, Result, Runtime, config};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::time::Duration;

use crate::weir::Run;

/// `scheduler` has as many threads as the plan has workers. `number`: which worker a thread is that comes as the n-th.
pub fn run<S: Scheduler + Sync>(run: Run, flowgraph: Flowgraph, scheduler: S, workers: usize, number: fn(usize) -> usize) -> Result<()> {
    config::set("ctrlport_enable", false);
    let runtime = Runtime::with_scheduler(scheduler);
    let parted = Arc::new(Barrier::new(workers));
    // A task that blocks has a thread to itself: so each of them becomes a worker.
    let workers: Vec<_> = (0..workers).map(|nth| runtime.spawn(async move {
        let worker = number(nth);
        run.enter(worker);
        worker
    })).collect();
    for worker in workers {
        Runtime::block_on(worker);
    }
    Ok(())
}
