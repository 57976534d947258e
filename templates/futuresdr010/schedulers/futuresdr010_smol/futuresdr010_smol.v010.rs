//! FutureSDR's default scheduler: threads of the smol executor, with blocks that move between them.

use futuresdr::runtime::Flowgraph;
use futuresdr::runtime::scheduler::SmolScheduler;

use crate::run;
use crate::weir::Run;

/// All workers have the same `cpus`; without CPUs, they have no affinity.
pub fn run(run: Run, flowgraph: Flowgraph, cpus: &[&[usize]]) {
    let workers = cpus.len();
    run::run(run, workers, cpus[0], flowgraph, || SmolScheduler::with_config(workers, false))
}
