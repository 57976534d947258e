//! qsdr's benchmark with a custom strategy: one thread per worker, which runs its blocks in turn.

use anyhow::Result;
use std::time::Duration;

use crate::executor::on_threads;
use crate::flowgraph::Task;
use crate::weir::Run;

/// qsdr has no timers, so this uses the timer of async-io, which wakes the waiting block from another thread.
pub async fn sleep(time: Duration) {
    async_io::Timer::after(time).await;
}

/// `tasks` has one task per worker.
pub fn run(run: Run, _workers: usize, tasks: Vec<Task>) -> Result<()> {
    on_threads(run, tasks)
}
