//! FutureSDR's flow: a thread a CPU, to each of which the blocks of a worker are bound, and run in order.

use futuresdr::runtime::scheduler::FlowScheduler;
use futuresdr::runtime::{BlockId, Flowgraph};

use crate::flowgraph::BLOCKS;
use crate::run;
use crate::weir::Run;

/// `cpus`: one for each worker.
pub fn run(run: Run, flowgraph: Flowgraph, cpus: &[&[usize]]) -> Option<Flowgraph> {
    let own = run::own_cpus(run, cpus)?;
    // Its threads are in the order of their CPUs.
    let mut bound: Vec<(usize, &[usize])> = own.iter().copied().zip(BLOCKS.iter().copied()).collect();
    bound.sort();
    run::run(run, bound.len(), &own, flowgraph, || {
        FlowScheduler::with_pinned_blocks(
            bound
                .iter()
                .map(|(_, blocks)| blocks.iter().map(|block| BlockId(*block)).collect())
                .collect(),
        )
    })
}
