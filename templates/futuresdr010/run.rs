//! A run under FutureSDR: its threads become workers, the flowgraph runs, and the threads leave the run.
#![allow(dead_code)] // local domains need only a part of it

use futuresdr::runtime::scheduler::Scheduler;
use futuresdr::runtime::{Flowgraph, Runtime, block_on, config};
use std::collections::BTreeSet;
use std::sync::{Arc, Barrier, mpsc};
use std::thread;
use std::time::Duration;

use crate::weir::Run;

/// Runs the flowgraph. The process may use `cpus` (ascending), or its present CPUs if `cpus` is empty. `make` returns a
/// scheduler with `workers` threads on these CPUs.
pub fn run<S: Scheduler>(run: Run, workers: usize, cpus: &[usize], flowgraph: Flowgraph, make: impl FnOnce() -> S) {
    config::set("log_level", "warn"); // a measured run needs no informational log lines
    if !run.keep_to(cpus) {
        return;
    }
    let runtime = Runtime::with_scheduler(make());
    on_each_thread(&runtime, workers, move || run.enter());
    flow(run, &runtime, flowgraph);
    let parting = Arc::new(Barrier::new(workers));
    on_each_thread(&runtime, workers, move || {
        parting.wait();
        run.leave();
    });
}

/// Returns one CPU per worker, all different. If there are too few, the run fails, and this returns None.
pub fn own_cpus(run: Run, cpus: &[&[usize]]) -> Option<Vec<usize>> {
    let own: Vec<usize> = cpus.iter().map(|cpus| cpus[0]).collect();
    let different: BTreeSet<usize> = own.iter().copied().collect();
    if different.len() < own.len() {
        run.fail(&format!(
            "FutureSDR binds each worker to a CPU of its own, but {} workers have only the CPUs {different:?}: give each worker \
             its own CPU in `affinity`, or request fewer workers",
            own.len()
        ));
        return None;
    }
    Some(own)
}

/// Runs `work` once on each thread of the scheduler. `work` must not return before it has begun on all threads: each
/// call then occupies its own thread.
fn on_each_thread<S: Scheduler>(runtime: &Runtime<S>, threads: usize, work: impl Fn() + Clone + Send + 'static) {
    let (begun, begins) = mpsc::channel();
    let tasks: Vec<_> = (0..threads)
        .map(|_| {
            let (begun, work) = (begun.clone(), work.clone());
            let task = runtime.spawn(async move {
                begun.send(()).expect("it is waited for");
                work();
            });
            begins.recv().expect("a thread is free for it");
            task
        })
        .collect();
    for task in tasks {
        block_on(task);
    }
}

/// Runs the flowgraph. It may have local domains besides the runtime's scheduler.
pub fn flow<S: Scheduler>(run: Run, runtime: &Runtime<S>, flowgraph: Flowgraph) {
    let running = match runtime.start(flowgraph) {
        Ok(running) => running,
        Err(error) => return run.fail(&error.to_string()),
    };
    let handle = running.handle();
    let (over, is_over) = mpsc::channel::<()>();
    // Stop FutureSDR when the run has to stop, because a block that waits for its neighbours does not notice this.
    let stopper = thread::spawn(move || {
        while is_over.recv_timeout(Duration::from_millis(20)) == Err(mpsc::RecvTimeoutError::Timeout) {
            if run.is_stopping() {
                let _ = block_on(handle.stop());
                return;
            }
        }
    });
    if let Err(error) = running.wait() {
        run.fail(&error.to_string());
    }
    drop(over);
    stopper.join().expect("it does not panic");
}
