//! FutureSDR's local domains: one pinned thread per worker, whose local executor runs the blocks of the worker.

use futuresdr::runtime::scheduler::dev::LocalDomainSpec;
use futuresdr::runtime::scheduler::{BasicLocalScheduler, LocalScheduler, SmolScheduler, Task};
use futuresdr::runtime::{Error, Flowgraph, LocalDomain, Runtime, config};
use std::future::Future;
use std::sync::Mutex;

use crate::run;
use crate::weir::Run;

/// Run of which the threads of local domains become workers: FutureSDR makes their executors itself.
static CURRENT: Mutex<Option<Run>> = Mutex::new(None);

/// FutureSDR's local executor. Its thread is a worker while the flowgraph runs.
#[derive(Default)]
pub struct Worker(BasicLocalScheduler);

impl LocalScheduler for Worker {
    fn spawn<T: 'static>(&self, future: impl Future<Output = T> + 'static) -> Task<T> {
        self.0.spawn(future)
    }

    async fn run<'a, T: 'a>(&'a self, future: impl Future<Output = T> + 'a) -> T {
        self.0.run(future).await
    }

    async fn run_local_domain<'a, Shutdown>(&'a self, spec: LocalDomainSpec<'a, Shutdown>) -> Result<(), Error>
    where
        Shutdown: Future + Unpin + 'a,
    {
        let run = CURRENT.lock().expect("no thread panics with it").expect("a run made this domain");
        run.enter_as(spec.domain_id() - 1); // FutureSDR counts domains from 1
        let ended = self.0.run_local_domain(spec).await;
        run.leave();
        ended
    }
}

/// Makes the domain of the next worker.
pub fn domain(run: Run, flowgraph: &mut Flowgraph, cpu: usize) -> Result<LocalDomain<Worker>, Error> {
    *CURRENT.lock().expect("no thread panics with it") = Some(run);
    flowgraph.local_domain_pinned_with_scheduler::<Worker>(cpu)
}

/// All blocks are in local domains. The one thread beside them only starts and ends the run.
pub fn run(run: Run, flowgraph: Flowgraph, _cpus: &[&[usize]]) {
    config::set("log_level", "warn"); // a measured run needs no informational log lines
    run::flow(run, &Runtime::with_scheduler(SmolScheduler::with_config(1, false)), flowgraph);
}
