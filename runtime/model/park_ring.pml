/* A ring between two bound workers that both park, with store buffers (store_buffers.pml): no wake-up is lost because
 * the stores of indices and flags are seq_cst, and one is lost when any of them is not.
 *
 *   write, read, end  StreamBase::produce, consume, end (include/weir/stream.hpp, src/stream.cpp)
 *   prepare, notify   EventCount (include/weir/wait.hpp); its counters change by read-modify-writes
 *   Writer, Reader    run_bound_worker (src/worker_loop.cpp) and Waiting::park, as in park.pml
 *   Stopper           Run::stop (src/run.cpp)
 *
 * Options: ITEMS, CAPACITY, STOP (stop is called at any moment).
 * Mutations, each of which must be found: RELEASE_WRITE, RELEASE_READ, RELEASE_END, RELEASE_STOP (with STOP): the store
 * has no fence. They stand for a weaker load of `waiters_` behind it as well. WEAK_PREPARE: the increment of `waiters_`
 * becomes visible after the look that follows it, which x86 does not do and other machines may.
 */
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef CAPACITY
#define CAPACITY 1
#endif
#define WRITER 0
#define READER 1
#define STOPPER 2
#define THREADS 3
#define BUFFERED 4

mtype = { write_index, read_index, end_flag, stop_flag, waiter };

byte write;
byte read;
bool ended;
bool stopping;
byte waiters[2];
byte epoch[2];
bool asleep[2];

inline appear(who, what, which) {
    if
    :: what == write_index -> write = which
    :: what == read_index -> read = which
    :: what == end_flag -> ended = true
    :: what == stop_flag -> stopping = true
    :: what == waiter -> waiters[who] = which
    fi
}

#include "store_buffers.pml"

inline notify(w) {
    if
    :: waiters[w] != 0 -> atomic { drained -> epoch[w]++ }; asleep[w] = false
    :: else
    fi
}

inline change_waiters(n) {
#ifdef WEAK_PREPARE
    buffer[me]!waiter,n
#else
    atomic { drained -> waiters[me] = n }
#endif
}

/* What a worker does after a pass: `moved` says how it went. */
inline moved_or_idle() {
    if
    :: moved && prepared -> change_waiters(0); prepared = false
    :: moved && !prepared
    :: !moved && !prepared -> change_waiters(1); key = epoch[me]; prepared = true
    :: !moved && prepared ->
        atomic {
            if
            :: epoch[me] == key -> asleep[me] = true
            :: else
            fi
        };
        !asleep[me];
        change_waiters(0);
        prepared = false
    fi;
    d_step { moved = false; key = (prepared -> key : 0) }
}

proctype Writer() {
    byte me = WRITER, n, key;
    bool prepared, moved;
    do
    :: stopping -> break
    :: n == ITEMS ->
        buffer[me]!end_flag,0;
#ifndef RELEASE_END
        drained;
#endif
        notify(READER);
        break
    :: else ->
        if
        :: n - read < CAPACITY ->
            n++;
            buffer[me]!write_index,n;
#ifndef RELEASE_WRITE
            drained;
#endif
            notify(READER);
            moved = true
        :: else
        fi;
        moved_or_idle()
    od
}

proctype Reader() {
    byte me = READER, n, key;
    bool prepared, moved, saw_end;
    do
    :: stopping -> break
    :: else ->
        saw_end = ended;
        if
        :: write > n ->
            n++;
            buffer[me]!read_index,n;
#ifndef RELEASE_READ
            drained;
#endif
            notify(WRITER);
            moved = true
        :: write == n && saw_end -> break
        :: else
        fi;
        saw_end = false;
        moved_or_idle()
    od
#ifndef STOP
    ; assert(n == ITEMS)
#endif
}

#ifdef STOP
proctype Stopper() {
    byte me = STOPPER;
    buffer[me]!stop_flag,0;
#ifndef RELEASE_STOP
    drained;
#endif
    notify(WRITER);
    notify(READER)
}
#endif

init {
    atomic {
        run Buffer(WRITER);
        run Buffer(READER);
        run Writer();
        run Reader();
#ifdef STOP
        run Buffer(STOPPER);
        run Stopper()
#endif
    }
}
