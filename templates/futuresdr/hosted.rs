//! Hosts a block in FutureSDR: its ports are views of FutureSDR's buffers, and FutureSDR schedules its next call.

use futuresdr::runtime::Timer;
use futuresdr::runtime::dev::{CpuBufferReader, CpuBufferWriter, WorkIo};
use std::ffi::c_void;
use std::time::Duration;

use crate::weir::{Instance, Next, Port};

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
    match turn.next {
        Next::AtChange => {}
        Next::AtOnce | Next::Closes => io.call_again = true,
        Next::AtTime => io.block_on(Timer::after(turn.wait())),
        Next::Over => io.finished = true,
        Next::Stays => io.block_on(Timer::after(STAY)),
    }
    turn.next == Next::Closes
}
