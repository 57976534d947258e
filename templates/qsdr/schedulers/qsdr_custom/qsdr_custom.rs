//! qsdr's benchmark with a custom strategy: a thread for each worker, which runs its blocks in turn.

use anyhow::Result;
use std::time::Duration;

use crate::executor::on_threads;
use crate::flowgraph::Task;
use crate::weir::Run;

/// qsdr has no timers: that of async-io wakes its waiter from a thread of its own.
pub async fn sleep(time: Duration) {
    async_io::Timer::after(time).await;
}

/// `tasks`: one for each worker.
pub fn run(run: Run, _workers: usize, tasks: Vec<Task>) -> Result<()> {
    on_threads(run, tasks)
}
