//! Hosts a block in FutureSDR: its ports are views of FutureSDR's buffers, and FutureSDR schedules its next call.
#![allow(dead_code)] // not every flowgraph has every kind of buffer

use futuresdr::runtime::dev::{CpuBufferReader, CpuBufferWriter, InplaceBuffer, InplaceReader, InplaceWriter, WorkIo};
use futuresdr::runtime::{Result, Timer};
use std::ffi::c_void;
use std::time::Duration;

use crate::weir::{Instance, Next, Port, Turn};

/// Interval at which a block that has ended but stays checks whether it may end.
const STAY: Duration = Duration::from_millis(5);

/// Returns an input port. The order matters: a circuit has no more items only once its last buffer is taken.
pub fn reader<R: CpuBufferReader>(end: &mut R) -> Port {
    extern "C" fn consume<R: CpuBufferReader>(end: *mut c_void, items: usize) {
        unsafe { (*end.cast::<R>()).consume(items) }
    }
    let items = end.slice();
    let (start, size) = (items.as_ptr().cast_mut().cast(), items.len());
    let over = end.finished();
    Port::new(start, size, over, end, consume::<R>)
}

/// Returns an output port.
pub fn writer<W: CpuBufferWriter>(end: &mut W) -> Port {
    extern "C" fn produce<W: CpuBufferWriter>(end: *mut c_void, items: usize) {
        unsafe { (*end.cast::<W>()).produce(items) }
    }
    let items = end.slice();
    let (start, size) = (items.as_mut_ptr().cast(), items.len());
    Port::new(start, size, false, end, produce::<W>)
}

/// First buffer of a circuit, which a block fills that does not work in place.
pub struct Filled<B> {
    buffer: Option<B>,
    items: usize,
}

impl<B> Default for Filled<B> {
    fn default() -> Self {
        Self { buffer: None, items: 0 }
    }
}

impl<B: InplaceBuffer> Filled<B> {
    /// Returns an output port over an empty buffer, if there is one.
    pub fn port<W: InplaceWriter<Buffer = B>>(&mut self, end: &mut W) -> Port {
        self.buffer = self.buffer.take().or_else(|| end.get_empty_buffer());
        let space = match &mut self.buffer {
            Some(buffer) => buffer.slice(),
            None => &mut [],
        };
        let (start, size) = (space.as_mut_ptr().cast(), space.len());
        Port::new(start, size, false, &mut self.items, count)
    }

    /// Passes on what the call has written.
    pub fn pass<W: InplaceWriter<Buffer = B>>(&mut self, end: &mut W, io: &mut WorkIo) -> Result<()> {
        if self.items != 0
            && let Some(mut buffer) = self.buffer.take()
        {
            buffer.set_valid(std::mem::take(&mut self.items));
            end.put_full_buffer(buffer)?;
            io.call_again |= end.has_more_buffers();
        }
        Ok(())
    }
}

extern "C" fn count(end: *mut c_void, items: usize) {
    unsafe { *end.cast::<usize>() += items }
}

/// Calls the block from `Kernel::work`. Returns true if the caller must report to the readers that no more items come.
/// FutureSDR also makes the next call at the end of `timer`.
pub fn work(instance: &mut Instance, timer: &mut Option<Timer>, io: &mut WorkIo, ins: &[Port], outs: &[Port]) -> bool {
    next(instance.turn(ins, outs), timer, io)
}

/// Like `work`, for a block that works in place: it takes a buffer of a circuit, and passes it on.
pub fn change<R, W>(instance: &mut Instance, timer: &mut Option<Timer>, io: &mut WorkIo, input: &mut R, output: &mut W) -> Result<bool>
where
    R: InplaceReader,
    W: InplaceWriter<Item = R::Item, Buffer = R::Buffer>,
{
    let mut buffer = input.get_full_buffer();
    let over = input.finished();
    let items = match &mut buffer {
        Some(buffer) => buffer.slice(),
        None => &mut [],
    };
    let (mut read, mut written) = (0, 0);
    let turn = loop {
        let ins = [Port::new(items[read..].as_mut_ptr().cast(), items.len() - read, over, &mut read, count)];
        let outs = [Port::new(items[written..].as_mut_ptr().cast(), items.len() - written, false, &mut written, count)];
        let turn = instance.turn(&ins, &outs);
        // Nothing else may change the rest of the buffer, so the block goes on at once.
        if turn.next != Next::AtOnce || read == items.len() {
            break turn;
        }
    };
    if let Some(mut buffer) = buffer
        && written != 0
    {
        buffer.set_valid(written);
        output.put_full_buffer(buffer)?;
    }
    io.call_again |= input.has_more_buffers();
    Ok(next(turn, timer, io))
}

fn next(turn: Turn, timer: &mut Option<Timer>, io: &mut WorkIo) -> bool {
    *timer = None;
    match turn.next {
        Next::AtChange => {}
        Next::AtOnce | Next::Closes => io.call_again = true,
        Next::AtTime => *timer = Some(Timer::after(turn.wait())),
        Next::Over => io.finished = true,
        Next::Stays => *timer = Some(Timer::after(STAY)),
    }
    turn.next == Next::Closes
}
