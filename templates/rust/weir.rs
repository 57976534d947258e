//! Rust interface of `weir/hosted/weir_hosted.h`: the flowgraph's blocks, which are C++, and the run that measures
//! them.

#![allow(dead_code)] // no target uses all of it

use std::env;
use std::ffi::{CString, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStringExt;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One port of a block in one call.
#[repr(C)]
pub struct Port {
    items: *mut c_void,
    size: usize,
    over: bool,
    end: *mut c_void,
    moved: Option<extern "C" fn(*mut c_void, usize)>,
}

impl Port {
    /// `items` points to `size` items to read, or to the space for them. `over`: these are the last items of the input.
    /// The block calls `moved` with `end` and the number of items that it has consumed or produced.
    pub fn new<E>(items: *mut c_void, size: usize, over: bool, end: &mut E, moved: extern "C" fn(*mut c_void, usize)) -> Self {
        Self {
            items,
            size,
            over,
            end: (end as *mut E).cast(),
            moved: Some(moved),
        }
    }

    /// Like `new`, with the last items not yet known. The block adds the number of items that it has consumed or produced
    /// to `moved`.
    pub fn counting(items: *mut c_void, size: usize, moved: &mut usize) -> Self {
        Self {
            items,
            size,
            over: false,
            end: (moved as *mut usize).cast(),
            moved: None,
        }
    }
}

/// Time of a block's next call.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// When items or space arrive.
    AtChange,
    AtOnce,
    /// At `wake_ns`.
    AtTime,
    /// Never: the block has ended.
    Over,
    /// The block has ended. Report the end to its readers, but do not end the block yet, because other blocks would end
    /// with it. It discards its input.
    Closes,
    /// After `Closes`: at a change, and at intervals, because nothing reports that the other blocks have ended.
    Stays,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    pub next: Next,
    pub moved: bool,
    pub wants_more: bool,
    wake_ns: i64,
}

impl Turn {
    /// Returns the time left until `wake_ns`.
    pub fn wait(&self) -> std::time::Duration {
        let mut now = Timespec { tv_sec: 0, tv_nsec: 0 };
        unsafe { clock_gettime(CLOCK_MONOTONIC, &mut now) };
        let left = self.wake_ns - (now.tv_sec * 1_000_000_000 + now.tv_nsec);
        std::time::Duration::from_nanos(left.max(0) as u64)
    }
}

/// Result of a direct call that did not move all items.
#[repr(C)]
pub struct Rest {
    pub turn: Turn,
    /// Items that the call moved.
    pub read: usize,
    pub written: usize,
}

/// Shorter way to call a block with at most one input and one output. `call` is None for other blocks.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
struct Direct {
    block: *mut c_void,
    call: Option<unsafe extern "C" fn(*mut c_void, *const c_void, usize, *mut c_void, usize, *mut Rest) -> bool>,
}

// Safe, because any thread may call the C++ block, one at a time.
unsafe impl Send for Direct {}
unsafe impl Sync for Direct {}

#[repr(C)]
struct Timespec {
    tv_sec: i64,
    tv_nsec: i64,
}

const CLOCK_MONOTONIC: c_int = 1;

enum RawRun {}

unsafe extern "C" {
    fn clock_gettime(clock: c_int, time: *mut Timespec) -> c_int;
    fn weir_main(argc: c_int, argv: *mut *mut c_char, go: extern "C" fn(*mut RawRun)) -> c_int;
    fn weir_turn_of(run: *mut RawRun, instance: usize, ins: *const Port, outs: *const Port) -> Turn;
    fn weir_direct_of(run: *mut RawRun, instance: usize) -> Direct;
    fn weir_left(run: *mut RawRun, instance: usize, unread: usize);
    fn weir_granted(run: *mut RawRun, instance: usize, output: usize, items: usize);
    fn weir_unwatched(run: *const RawRun, instance: usize) -> bool;
    fn weir_stand_aside(run: *mut RawRun, instance: usize);
    fn weir_report_items(run: *mut RawRun, instance: usize, items_in: u64, items_out: u64);
    fn weir_recorded(run: *const RawRun, instance: usize, output: usize) -> bool;
    fn weir_record(run: *mut RawRun, instance: usize, output: usize, items: *const c_void, count: usize);
    fn weir_stopping(run: *const RawRun) -> bool;
    fn weir_failed(run: *mut RawRun, message: *const c_char);
    fn weir_enter(run: *mut RawRun);
    fn weir_leave(run: *mut RawRun);
    fn weir_enter_as(run: *mut RawRun, worker: usize);
    fn weir_keep_to(run: *mut RawRun, cpus: *const usize, count: usize) -> bool;
}

/// Run in progress. It outlives its threads and its blocks.
#[derive(Clone, Copy, Debug)]
pub struct Run(*mut RawRun);

// Safe, because any thread of the run may call the C++ run.
unsafe impl Send for Run {}
unsafe impl Sync for Run {}

impl Run {
    /// Returns the block with this number in the plan.
    pub fn instance(self, number: usize) -> Instance {
        let direct = unsafe { weir_direct_of(self.0, number) };
        Instance { run: self, number, direct }
    }

    /// Returns true if the run has to stop: on request, or after a failure.
    pub fn is_stopping(self) -> bool {
        unsafe { weir_stopping(self.0) }
    }

    /// Pins this thread, and the threads that it creates later, to `cpus`, or to its present CPUs if `cpus` is empty.
    /// If that is impossible, the run fails, and this returns false.
    pub fn keep_to(self, cpus: &[usize]) -> bool {
        unsafe { weir_keep_to(self.0, cpus.as_ptr(), cpus.len()) }
    }

    /// Fails the run with this message.
    pub fn fail(self, message: &str) {
        let message = CString::new(message.replace('\0', " ")).expect("there is no NUL in it");
        unsafe { weir_failed(self.0, message.as_ptr()) }
    }

    /// Makes this thread a worker of the run: the worker that has its CPU, or another one. Call it before the thread
    /// calls an instance. Returns after the start barrier.
    pub fn enter(self) {
        unsafe { weir_enter(self.0) }
    }

    /// Like `enter`, but as the given worker, pinned to that worker's CPUs.
    pub fn enter_as(self, worker: usize) {
        unsafe { weir_enter_as(self.0, worker) }
    }

    /// Leaves the run. Call it at the end, on the thread that entered.
    pub fn leave(self) {
        unsafe { weir_leave(self.0) }
    }
}

/// Block of the flowgraph. Only one thread may call it at a time.
#[derive(Clone, Debug)]
pub struct Instance {
    run: Run,
    number: usize,
    direct: Direct,
}

impl Instance {
    /// Calls the block's work. `ins` and `outs` are in the order of the ports.
    pub fn turn(&mut self, ins: &[Port], outs: &[Port]) -> Turn {
        unsafe { weir_turn_of(self.run.0, self.number, ins.as_ptr(), outs.as_ptr()) }
    }

    /// Calls the work of a block with at most one input and one output, with the last items not yet known. Returns None if
    /// the call moved all items and the next call is due at a change. The sizes are in items; 0 if there is no such port.
    #[inline(always)]
    pub fn pass(&mut self, input: *const c_void, in_size: usize, output: *mut c_void, out_size: usize) -> Option<Rest> {
        let call = self.direct.call.expect("it has at most one input and one output");
        let mut rest = MaybeUninit::<Rest>::uninit();
        // Safe, because the call has set `rest` if it returns false.
        unsafe {
            if call(self.direct.block, input, in_size, output, out_size, rest.as_mut_ptr()) {
                return None;
            }
            Some(rest.assume_init())
        }
    }

    /// Reports that there are no more calls of the block.
    pub fn left(&mut self) {
        self.left_unread(0);
    }

    /// Like `left`, with this many items left at an input.
    pub fn left_unread(&mut self, items: usize) {
        unsafe { weir_left(self.run.0, self.number, items) }
    }

    /// Reports the size of the buffer behind an output.
    pub fn granted(&self, output: usize, items: usize) {
        unsafe { weir_granted(self.run.0, self.number, output, items) }
    }

    /// Returns true if the run needs only the block's item counts.
    pub fn is_unwatched(&self) -> bool {
        unsafe { weir_unwatched(self.run.0, self.number) }
    }

    /// Reports that a native block of the peer runtime replaces this block in this run.
    pub fn stand_aside(&self) {
        unsafe { weir_stand_aside(self.run.0, self.number) }
    }

    /// Reports the items that the native block has moved so far.
    pub fn report_items(&self, items_in: u64, items_out: u64) {
        unsafe { weir_report_items(self.run.0, self.number, items_in, items_out) }
    }

    /// Returns true if the run records the items of this output.
    pub fn is_recorded(&self, output: usize) -> bool {
        unsafe { weir_recorded(self.run.0, self.number, output) }
    }

    pub fn record<T>(&self, output: usize, items: &[T]) {
        unsafe { weir_record(self.run.0, self.number, output, items.as_ptr().cast(), items.len()) }
    }
}

static GO: AtomicUsize = AtomicUsize::new(0);

extern "C" fn call_go(run: *mut RawRun) {
    // Safe, because `main` stored a function of this type.
    let go: fn(Run) = unsafe { std::mem::transmute(GO.load(Ordering::Acquire)) };
    go(Run(run));
}

/// Runs the whole program: options, runs, results. `go` makes one run and returns at its end. Returns the exit code.
pub fn main(go: fn(Run)) -> i32 {
    GO.store(go as usize, Ordering::Release);
    let arguments: Vec<CString> = env::args_os()
        .map(|argument| CString::new(argument.into_vec()).expect("the kernel gives no NUL"))
        .collect();
    let mut pointers: Vec<*mut c_char> = arguments.iter().map(|argument| argument.as_ptr().cast_mut()).collect();
    pointers.push(std::ptr::null_mut());
    unsafe { weir_main(arguments.len() as c_int, pointers.as_mut_ptr(), call_go) }
}
