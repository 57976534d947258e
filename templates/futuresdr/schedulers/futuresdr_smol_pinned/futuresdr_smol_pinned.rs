//! FutureSDR's smol executor with one thread per CPU, and blocks that move between them.

use futuresdr::runtime::Flowgraph;
use futuresdr::runtime::scheduler::SmolScheduler;

use crate::run;
use crate::weir::Run;

/// `cpus` has one CPU per worker.
pub fn run(run: Run, flowgraph: Flowgraph, cpus: &[&[usize]]) -> Option<Flowgraph> {
    let own = run::own_cpus(run, cpus)?;
    run::run(run, own.len(), &own, flowgraph, || SmolScheduler::new(own.len(), true))
}
