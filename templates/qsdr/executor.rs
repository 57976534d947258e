//! Executor that works like the one of qsdr's benchmark, because the crate has none: a waiting thread polls for a while
//! before it sleeps.
#![allow(dead_code)] // not every scheduler uses it

use anyhow::Result;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use crate::flowgraph::Task;
use crate::weir::Run;

const SPINS: usize = 1 << 10;

struct Notify {
    thread: Thread,
    is_woken: AtomicBool,
}

impl Wake for Notify {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if !self.is_woken.swap(true, Ordering::Release) {
            self.thread.unpark();
        }
    }
}

pub fn block_on<F: Future>(future: F) -> F::Output {
    let notify = Arc::new(Notify {
        thread: thread::current(),
        is_woken: AtomicBool::new(false),
    });
    let waker = Waker::from(notify.clone());
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        for _ in 0..SPINS {
            if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
                return output;
            }
        }
        while !notify.is_woken.swap(false, Ordering::Acquire) {
            thread::park();
        }
    }
}

/// Runs `future` on this thread, as the given worker of the run.
pub fn work_as<F: Future>(run: Run, worker: usize, future: F) -> F::Output {
    run.enter_as(worker);
    let output = block_on(future);
    run.leave();
    output
}

/// Runs each task on its own thread: task n as worker n.
pub fn on_threads(run: Run, tasks: Vec<Task>) -> Result<()> {
    thread::scope(|scope| {
        let threads: Vec<_> = tasks
            .into_iter()
            .enumerate()
            .map(|(worker, task)| scope.spawn(move || work_as(run, worker, task)))
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("it does not panic"))
    })
}
