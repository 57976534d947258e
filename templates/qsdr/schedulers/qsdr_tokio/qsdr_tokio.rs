//! Blocks as tasks of tokio's work-stealing runtime.

use anyhow::Result;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::runtime::Builder;

use crate::flowgraph::Task;
use crate::weir::Run;

/// tokio's timer has a resolution of one millisecond.
pub async fn sleep(time: Duration) {
    tokio::time::sleep(time).await;
}

/// `tasks` has one task per block.
pub fn run(run: Run, workers: usize, tasks: Vec<Task>) -> Result<()> {
    let next = AtomicUsize::new(0);
    let runtime = Builder::new_multi_thread()
        .worker_threads(workers)
        .enable_time()
        .on_thread_start(move || run.enter_as(next.fetch_add(1, Ordering::Relaxed)))
        .on_thread_stop(move || run.leave())
        .build()?;
    let tasks: Vec<_> = tasks.into_iter().map(|task| runtime.spawn(task)).collect();
    runtime.block_on(async {
        for task in tasks {
            task.await??;
        }
        Ok(())
    })
}
