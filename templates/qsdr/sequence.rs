//! Blocks that one worker runs in turn, with qsdr's own `sequence2` to `sequence8`.

use futures::stream::{FusedStream, Stream};
use pin_project_lite::pin_project;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

/// Makes a sequence of at most eight streams.
macro_rules! in_turn {
    ($only:expr) => { $only };
    ($($stream:expr),+) => {{
        let together = $crate::sequence::Together::default();
        $crate::sequence::in_turn!(@ $(together.with($stream)),+)
    }};
    (@ $a:expr, $b:expr) => { qsdr::scheduler::sequence2($a, $b) };
    (@ $a:expr, $b:expr, $c:expr) => { qsdr::scheduler::sequence3($a, $b, $c) };
    (@ $a:expr, $b:expr, $c:expr, $d:expr) => { qsdr::scheduler::sequence4($a, $b, $c, $d) };
    (@ $a:expr, $b:expr, $c:expr, $d:expr, $e:expr) => { qsdr::scheduler::sequence5($a, $b, $c, $d, $e) };
    (@ $a:expr, $b:expr, $c:expr, $d:expr, $e:expr, $f:expr) => { qsdr::scheduler::sequence6($a, $b, $c, $d, $e, $f) };
    (@ $a:expr, $b:expr, $c:expr, $d:expr, $e:expr, $f:expr, $g:expr) => { qsdr::scheduler::sequence7($a, $b, $c, $d, $e, $f, $g) };
    (@ $a:expr, $b:expr, $c:expr, $d:expr, $e:expr, $f:expr, $g:expr, $h:expr) => {
        qsdr::scheduler::sequence8($a, $b, $c, $d, $e, $f, $g, $h)
    };
}
pub(crate) use in_turn;

/// Streams of one sequence. qsdr ends a sequence when one stream ends while all other streams wait. So a stream that
/// has ended waits until all of them have ended.
#[derive(Default)]
pub struct Together {
    left: Arc<AtomicUsize>,
}

impl Together {
    pub fn with<S: FusedStream>(&self, stream: S) -> Member<S> {
        self.left.fetch_add(1, Ordering::Relaxed);
        Member {
            stream,
            left: self.left.clone(),
            is_over: false,
        }
    }
}

pin_project! {
    pub struct Member<S> {
        #[pin]
        stream: S,
        left: Arc<AtomicUsize>,
        is_over: bool,
    }
}

impl<S: FusedStream> Stream for Member<S> {
    type Item = S::Item;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        let this = self.project();
        if !this.stream.is_terminated() {
            if let Some(item) = ready!(this.stream.poll_next(cx)) {
                return Poll::Ready(Some(item));
            }
            this.left.fetch_sub(1, Ordering::Relaxed);
        }
        *this.is_over = this.left.load(Ordering::Relaxed) == 0;
        if *this.is_over { Poll::Ready(None) } else { Poll::Pending }
    }
}

impl<S: FusedStream> FusedStream for Member<S> {
    fn is_terminated(&self) -> bool {
        self.is_over
    }
}
