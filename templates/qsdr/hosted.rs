//! Hosts a block in qsdr: its work on one quantum per port.
#![allow(dead_code)] // not every flowgraph has every kind of block

use anyhow::{Result, bail};
use qsdr::buffers::CacheAlignedBuffer;
use qsdr::{BlockWorkStatus, Quantum, WorkStatus};
use std::ffi::c_void;
use std::fmt::Debug;
use std::ptr::null_mut;
use std::time::Duration;

use crate::scheduler::sleep;
use crate::weir::{Instance, Next, Port, Run, Turn};

/// Item of a stream.
pub trait Item: Copy + Debug + Default + Send + Sync + 'static {}
impl<T: Copy + Debug + Default + Send + Sync + 'static> Item for T {}

/// Quantum of items, which circulates.
pub type Items<T> = Quantum<CacheAlignedBuffer<T>>;

/// Complex item with the layout of `std::complex<float>`.
pub type Complex32 = [f32; 2];

/// Makes the quanta of a circuit: `count` quanta of `items` items each.
pub fn quanta<T: Item>(count: usize, items: usize) -> std::vec::IntoIter<Items<T>> {
    let quanta: Vec<_> = (0..count).map(|_| quantum(items)).collect();
    quanta.into_iter()
}

pub fn quantum<T: Item>(items: usize) -> Items<T> {
    Quantum::new(CacheAlignedBuffer::new(items))
}

/// Quantum during a call, with the number of items consumed or produced.
pub struct Span {
    start: *mut c_void,
    item_bytes: usize,
    items: usize,
    moved: usize,
}

// Safe to send, because a span moves together with its quantum.
unsafe impl Send for Span {}

impl Span {
    /// Makes a span to read.
    pub fn of<T: Item>(quantum: &Items<T>) -> Self {
        let items = quantum.as_slice();
        Self {
            start: items.as_ptr().cast_mut().cast(),
            item_bytes: size_of::<T>(),
            items: items.len(),
            moved: 0,
        }
    }

    /// Makes a span to write, over the whole quantum.
    pub fn space<T: Item>(quantum: &mut Items<T>) -> Self {
        if quantum.left_margin_len() != 0 || quantum.right_margin_len() != 0 {
            quantum.set_margins(0, 0);
        }
        Self::over(quantum)
    }

    /// Makes a span to change in place.
    fn over<T: Item>(quantum: &mut Items<T>) -> Self {
        let items = quantum.as_mut_slice();
        Self {
            start: items.as_mut_ptr().cast(),
            item_bytes: size_of::<T>(),
            items: items.len(),
            moved: 0,
        }
    }

    pub fn is_written(&self) -> bool {
        self.moved != 0
    }

    /// Cuts the quantum to its written part. Only the last quantum may be shorter than the others.
    pub fn cut<T: Item>(&self, quantum: &mut Items<T>) {
        if self.left() != 0 {
            quantum.shrink_right(self.left());
        }
    }

    fn after(self, moved: usize) -> Self {
        Self { moved, ..self }
    }

    fn left(&self) -> usize {
        self.items - self.moved
    }

    fn port(&mut self) -> Port {
        let rest = self.start.wrapping_byte_add(self.moved * self.item_bytes);
        Port::counting(rest, self.left(), &mut self.moved)
    }
}

/// Quanta during a call that did not move all of their items. `turn` is the request after it.
pub struct Begun<const I: usize, const O: usize> {
    turn: Turn,
    ins: [Span; I],
    outs: [Span; O],
}

/// Block of Weir behind a qsdr block. It leaves the run when dropped.
#[derive(Debug)]
pub struct Hosted {
    instance: Instance,
    run: Run,
    unread: usize,
}

impl Drop for Hosted {
    fn drop(&mut self) {
        self.instance.left_unread(self.unread);
    }
}

impl Hosted {
    /// `circuits`: number of items in the circuit of each output.
    pub fn new(run: Run, number: usize, circuits: &[usize]) -> Self {
        let instance = run.instance(number);
        for (output, items) in circuits.iter().enumerate() {
            instance.granted(output, *items);
        }
        Self { instance, run, unread: 0 }
    }

    // Calls on one quantum per port. Most calls move all items: then they return None. Otherwise the rest of the work
    // must follow. It is apart, so that most calls neither make a future for it nor store the spans.

    /// Does the work of a source.
    pub fn fill<T: Item>(&mut self, quantum: &mut Items<T>) -> Option<Box<Begun<0, 1>>> {
        self.pass([], [Span::space(quantum)])
    }

    /// Does the work of a sink.
    pub fn read<T: Item>(&mut self, quantum: &Items<T>) -> Option<Box<Begun<1, 0>>> {
        self.pass([Span::of(quantum)], [])
    }

    /// Does the work of a block that works in place.
    pub fn change<T: Item>(&mut self, quantum: &mut Items<T>) -> Option<Box<Begun<1, 1>>> {
        let spans = ([Span::over(quantum)], [Span::over(quantum)]);
        self.pass(spans.0, spans.1)
    }

    /// Does the work of a block that reads from one circuit and writes into another.
    pub fn turn_into<T: Item, U: Item>(&mut self, from: &Items<T>, into: &mut Items<U>) -> Option<Box<Begun<1, 1>>> {
        self.pass([Span::of(from)], [Span::space(into)])
    }

    /// Does the rest of the work, and cuts the quantum to its written part.
    pub async fn finish_into<T: Item, const I: usize>(
        &mut self,
        mut begun: Box<Begun<I, 1>>,
        quantum: &mut Items<T>,
    ) -> Result<WorkStatus> {
        let status = self.finish(&mut begun).await?;
        begun.outs[0].cut(quantum);
        Ok(status)
    }

    /// Does the rest of the work of a sink.
    pub async fn finish_reading(&mut self, mut begun: Box<Begun<1, 0>>) -> Result<BlockWorkStatus> {
        Ok(self.finish(&mut begun).await?.into())
    }

    /// Does all possible work on one quantum per port. Returns the spans of the outputs after it.
    pub async fn work<const I: usize, const O: usize>(
        &mut self,
        mut ins: [Span; I],
        mut outs: [Span; O],
    ) -> Result<(WorkStatus, [Span; O])> {
        let turn = self.call(&mut ins, &mut outs);
        let mut begun = Begun { turn, ins, outs };
        let status = self.finish(&mut begun).await?;
        Ok((status, begun.outs))
    }

    #[inline(always)]
    fn pass<const I: usize, const O: usize>(&mut self, ins: [Span; I], outs: [Span; O]) -> Option<Box<Begun<I, O>>> {
        let (from, in_size) = ins.first().map_or((null_mut(), 0), |span| (span.start, span.items));
        let (into, out_size) = outs.first().map_or((null_mut(), 0), |span| (span.start, span.items));
        let rest = self.instance.pass(from, in_size, into, out_size)?;
        Some(Box::new(Begun {
            turn: rest.turn,
            ins: ins.map(|span| span.after(rest.read)),
            outs: outs.map(|span| span.after(rest.written)),
        }))
    }

    /// Does the rest of the work: several calls if the block waits for a time, or if a source produces less than a
    /// quantum.
    async fn finish<const I: usize, const O: usize>(&mut self, begun: &mut Begun<I, O>) -> Result<WorkStatus> {
        let Begun { turn, ins, outs } = begun;
        loop {
            match turn.next {
                Next::AtOnce => {}
                Next::AtTime => self.wait(turn).await,
                Next::AtChange if turn.wants_more => bail!("a block needs more items than a quantum has"),
                Next::AtChange => break,
                Next::Over | Next::Closes | Next::Stays if outs.iter().any(Span::is_written) => return Ok(WorkStatus::DoneWithOutput),
                Next::Over | Next::Closes | Next::Stays => return Ok(WorkStatus::DoneWithoutOutput),
            }
            *turn = self.call(ins, outs);
        }
        // The items left of the last quantum are too few for a firing.
        self.unread = ins.iter().map(Span::left).min().unwrap_or(0);
        Ok(if O == 0 || outs.iter().any(Span::is_written) {
            WorkStatus::Run
        } else {
            WorkStatus::DoneWithoutOutput
        })
    }

    fn call<const I: usize, const O: usize>(&mut self, ins: &mut [Span; I], outs: &mut [Span; O]) -> Turn {
        self.instance
            .turn(&ins.each_mut().map(Span::port), &outs.each_mut().map(Span::port))
    }

    /// Sleeps in steps, because the run may stop earlier.
    async fn wait(&self, turn: &Turn) {
        const PIECE: Duration = Duration::from_millis(20);
        loop {
            let left = turn.wait();
            if left.is_zero() || self.run.is_stopping() {
                return;
            }
            sleep(left.min(PIECE)).await;
        }
    }
}
