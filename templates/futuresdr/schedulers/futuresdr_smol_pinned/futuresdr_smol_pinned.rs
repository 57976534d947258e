//! FutureSDR's smol executor with a thread a CPU, between which blocks move.

use futuresdr::runtime::Flowgraph;
use futuresdr::runtime::scheduler::SmolScheduler;

use crate::run;
use crate::weir::Run;

/// `cpus`: one for each worker.
pub fn run(run: Run, flowgraph: Flowgraph, cpus: &[&[usize]]) -> Option<Flowgraph> {
    let own = run::own_cpus(run, cpus)?;
    run::run(run, own.len(), &own, flowgraph, || SmolScheduler::new(own.len(), true))
}
