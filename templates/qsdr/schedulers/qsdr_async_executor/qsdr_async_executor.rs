//! Blocks as tasks of async-executor, which steals work between its threads.

use anyhow::Result;
use async_executor::Executor;
use futures::FutureExt;
use futures::channel::oneshot;
use futures::executor::block_on;
use std::thread;
use std::time::Duration;

use crate::executor::work_as;
use crate::flowgraph::Task;
use crate::weir::Run;

/// Timer of async-io, the companion of async-executor.
pub async fn sleep(time: Duration) {
    async_io::Timer::after(time).await;
}

/// `tasks` has one task per block.
pub fn run(run: Run, workers: usize, tasks: Vec<Task>) -> Result<()> {
    let executor = Executor::new();
    let tasks: Vec<_> = tasks.into_iter().map(|task| executor.spawn(task)).collect();
    let (over, is_over) = oneshot::channel::<()>();
    let is_over = is_over.shared();
    thread::scope(|scope| {
        for worker in 0..workers {
            let (executor, is_over) = (&executor, is_over.clone());
            scope.spawn(move || work_as(run, worker, executor.run(is_over)));
        }
        let ended = block_on(async {
            for task in tasks {
                task.await?;
            }
            Ok(())
        });
        drop(over);
        ended
    })
}
