//! Hosts a block in FutureSDR: its ports are views of FutureSDR's buffers, and FutureSDR schedules its next call.
#![allow(dead_code)] // not every flowgraph has every kind of block

use futuresdr::runtime::Timer;
use futuresdr::runtime::dev::{CpuBufferReader, CpuBufferWriter, WorkIo};
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::time::Duration;

use crate::weir::{Instance, Next, Port, Turn};

/// Interval at which a block that has ended but stays checks whether it may end.
const STAY: Duration = Duration::from_millis(5);

/// Returns an input port. The order matters: if the writer has ended before the slice is taken, the slice has all of
/// its items.
pub fn reader<R: CpuBufferReader>(end: &mut R) -> Port {
    extern "C" fn consume<R: CpuBufferReader>(end: *mut c_void, items: usize) {
        unsafe { (*end.cast::<R>()).consume(items) }
    }
    let over = end.finished();
    let items = end.slice();
    let (start, size) = (items.as_ptr().cast_mut().cast(), items.len());
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

/// Calls the block from `Kernel::work`. Returns true if the caller must report to the readers that no more items come.
pub fn work(instance: &mut Instance, io: &mut WorkIo, ins: &[Port], outs: &[Port]) -> bool {
    let turn = instance.turn(ins, outs);
    schedule(io, &turn)
}

/// Like `work`, for a source.
pub fn fill<W: CpuBufferWriter>(instance: &mut Instance, io: &mut WorkIo, output: &mut W) -> bool {
    let space = output.slice();
    let (_, written, closes) = pass(instance, io, (null(), 0), (space.as_mut_ptr().cast(), space.len()));
    produce(output, written);
    closes
}

/// Like `work`, for a sink.
pub fn read<R: CpuBufferReader>(instance: &mut Instance, io: &mut WorkIo, input: &mut R) -> bool {
    if input.finished() {
        return work(instance, io, &[reader(input)], &[]);
    }
    let items = input.slice();
    let (read, _, closes) = pass(instance, io, (items.as_ptr().cast(), items.len()), (null_mut(), 0));
    consume(input, read);
    closes
}

/// Like `work`, for a block with one input and one output.
pub fn turn_into<R: CpuBufferReader, W: CpuBufferWriter>(
    instance: &mut Instance,
    io: &mut WorkIo,
    input: &mut R,
    output: &mut W,
) -> bool {
    if input.finished() {
        return work(instance, io, &[reader(input)], &[writer(output)]);
    }
    let (items, space) = (input.slice(), output.slice());
    let from = (items.as_ptr().cast(), items.len());
    let (read, written, closes) = pass(instance, io, from, (space.as_mut_ptr().cast(), space.len()));
    produce(output, written);
    consume(input, read);
    closes
}

/// Makes a direct call. Returns the items read and written, and as `work` does.
#[inline(always)]
fn pass(instance: &mut Instance, io: &mut WorkIo, from: (*const c_void, usize), into: (*mut c_void, usize)) -> (usize, usize, bool) {
    match instance.pass(from.0, from.1, into.0, into.1) {
        None => (from.1, into.1, false),
        Some(rest) => (rest.read, rest.written, schedule(io, &rest.turn)),
    }
}

fn consume<R: CpuBufferReader>(input: &mut R, items: usize) {
    if items != 0 {
        input.consume(items);
    }
}

fn produce<W: CpuBufferWriter>(output: &mut W, items: usize) {
    if items != 0 {
        output.produce(items);
    }
}

/// Requests the next call.
fn schedule(io: &mut WorkIo, turn: &Turn) -> bool {
    match turn.next {
        Next::AtChange => {}
        Next::AtOnce | Next::Closes => io.call_again = true,
        Next::AtTime => io.block_on(Timer::after(turn.wait())),
        Next::Over => io.finished = true,
        Next::Stays => io.block_on(Timer::after(STAY)),
    }
    turn.next == Next::Closes
}
