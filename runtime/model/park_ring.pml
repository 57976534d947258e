/* A ring between two bound workers that both park, with store buffers (store_buffers.pml). No wake-up is lost, because
 * a fence separates the stores of a turn from the look for sleepers. Without the fence, a wake-up is lost.
 *
 *   write, read, end  StreamBase::produce, consume, end (include/weir/stream.hpp, src/stream.cpp): released stores
 *   tell              Node::close (include/weir/node.hpp): the fence of a turn, and its one notification
 *   prepare, notify   EventCount (include/weir/wait.hpp); cancel is a store like any other
 *   Writer, Reader    run_bound_worker (src/worker_loop.cpp) and Waiting::park, as in park.pml. A turn ends when the
 *                     worker is blocked, or after any commit
 *   Stopper           Run::stop (src/run.cpp)
 *
 * Options: ITEMS, CAPACITY, STOP (stop is called at any moment).
 * Mutations, each of which spin must find: NO_FENCE_WRITER and NO_FENCE_READER (no fence in the turns of that end),
 * NO_FENCE_END (none in the writer's last turn), RELEASE_STOP (with STOP: no fence after the store). Each also covers
 * a weaker load of `waits_` after the fence. WEAK_PREPARE: the worker's flag that it waits becomes visible only after
 * the look that follows, which x86 does not do but other machines may.
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
#define BUFFERED 6

#ifdef NO_FENCE_WRITER
#define FENCED_WRITER false
#else
#define FENCED_WRITER true
#endif
#ifdef NO_FENCE_READER
#define FENCED_READER false
#else
#define FENCED_READER true
#endif
#ifdef NO_FENCE_END
#define FENCED_END false
#else
#define FENCED_END true
#endif

mtype = { write_index, read_index, end_flag, stop_flag, waiter };

byte write;
byte read;
bool ended;
bool stopping;
bool waits[2];
byte epoch[2];
bool asleep[2];

inline appear(who, what, which) {
    if
    :: what == write_index -> write = which
    :: what == read_index -> read = which
    :: what == end_flag -> ended = true
    :: what == stop_flag -> stopping = true
    :: what == waiter -> waits[who] = which
    fi
}

#include "store_buffers.pml"

inline notify(w) {
    if
    :: waits[w] ->
        if
        :: atomic { drained && waits[w] -> waits[w] = false }; epoch[w]++; asleep[w] = false
        :: drained && !waits[w]
        fi
    :: else
    fi
}

/* `fenced`: this turn has its fence. */
inline tell(w, fenced) {
    if
    :: fenced -> drained
    :: else
    fi;
    notify(w)
}

inline prepare() {
    key = epoch[me];
#ifdef WEAK_PREPARE
    buffer[me]!waiter,true;
#else
    atomic { drained -> waits[me] = true };
#endif
    prepared = true
}

inline cancel() {
    buffer[me]!waiter,false;
    prepared = false
}

/* End of a worker's pass. `moved`: the pass moved an item. */
inline moved_or_idle() {
    if
    :: moved && prepared -> cancel()
    :: moved && !prepared
    :: !moved && !prepared -> prepare()
    :: !moved && prepared ->
        atomic {
            if
            :: epoch[me] == key -> asleep[me] = true
            :: else
            fi
        };
        !asleep[me];
        cancel()
    fi;
    d_step { moved = false; key = (prepared -> key : 0) }
}

proctype Writer() {
    byte me = WRITER, n, key;
    bool prepared, moved, over;
    do
    :: stopping || over -> break
    :: else ->
        do
        :: n < ITEMS && n - read < CAPACITY -> n++; buffer[me]!write_index,n; moved = true
        :: n == ITEMS -> buffer[me]!end_flag,0; moved = true; over = true; break
        :: moved || (n < ITEMS && n - read >= CAPACITY) -> break
        od;
        if
        :: over -> tell(READER, FENCED_END)
        :: moved && !over -> tell(READER, FENCED_WRITER)
        :: else
        fi;
        moved_or_idle()
    od
}

proctype Reader() {
    byte me = READER, n, key;
    bool prepared, moved, saw_end, over;
    do
    :: stopping || over -> break
    :: else ->
        do
        :: saw_end = ended;
           if
           :: write > n -> n++; buffer[me]!read_index,n; moved = true
           :: write == n && saw_end -> moved = true; over = true; break
           :: else -> break
           fi
        :: moved -> break
        od;
        saw_end = false;
        if
        :: moved -> tell(WRITER, FENCED_READER)
        :: else
        fi;
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
