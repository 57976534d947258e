//! All blocks in turn on one thread, as in the single-core part of qsdr's benchmark.

use anyhow::Result;
use std::time::Duration;

use crate::executor::on_threads;
use crate::flowgraph::Task;
use crate::weir::Run;

/// qsdr has no timers, so this uses the timer of async-io, which wakes the waiting block from another thread.
pub async fn sleep(time: Duration) {
    async_io::Timer::after(time).await;
}

/// `tasks` has one task with all blocks.
pub fn run(run: Run, _workers: usize, tasks: Vec<Task>) -> Result<()> {
    on_threads(run, tasks)
}
