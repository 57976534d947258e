//! FutureSDR's flow scheduler: one thread per CPU; each runs the blocks of one worker in order.

use futuresdr::runtime::scheduler::FlowScheduler;
use futuresdr::runtime::{BlockId, Flowgraph};

use crate::flowgraph::BLOCKS;
use crate::run;
use crate::weir::Run;

/// `cpus` has one CPU per worker.
pub fn run(run: Run, flowgraph: Flowgraph, cpus: &[&[usize]]) {
    let Some(own) = run::own_cpus(run, cpus) else {
        return;
    };
    // The scheduler orders its threads by CPU, so sort the workers by CPU, too.
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
