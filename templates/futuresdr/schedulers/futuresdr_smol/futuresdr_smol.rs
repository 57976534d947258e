//! FutureSDR's default: threads of the smol executor, between which blocks move.

use futuresdr::runtime::Flowgraph;
use futuresdr::runtime::scheduler::SmolScheduler;

use crate::run;
use crate::weir::Run;

/// `cpus`: those that all threads have; none: they are not kept to any.
pub fn run(run: Run, flowgraph: Flowgraph, cpus: &[&[usize]]) -> Option<Flowgraph> {
    let workers = cpus.len();
    run::run(run, workers, cpus[0], flowgraph, || SmolScheduler::new(workers, false))
}
