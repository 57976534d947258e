/* The stores of jobs.pml: at once, or with STORE_BUFFERS through the worker's store buffer.
 *
 *   store_written, store_read, store_end    StreamBase::produce, consume, end (include/weir/stream.hpp, src/stream.cpp)
 *   fence                                   fence_before_waking (include/weir/wait.hpp), once a turn
 *   store_cancel                            EventCount::cancel
 *   store_yield                             TaskState::yield (include/weir/task_state.hpp)
 *   store_put                               JobRing::put (include/weir/job_ring.hpp)
 *   enter_sleepers                          Sleepers::add (include/weir/job_pool.hpp), a read-modify-write
 */
#ifdef STORE_BUFFERS
#define THREADS WORKERS + 1
#define BUFFERED 4

inline appear(who, what, which) {
    if
    :: what == an_item_written -> written[which]++
    :: what == an_item_read -> read[which]++
    :: what == the_end -> ended[which] = true
    :: what == a_yield -> state[which] = queued
    :: what == a_sleeper -> registered[which] = true
    :: what == a_cancel -> waits[which] = false
#ifdef RINGS
    :: what == a_put -> assert(nfull(ring[who])); ring[who]!which
#endif
    fi
}

#include "store_buffers.pml"
#endif

inline store_written(j) {
#ifdef STORE_BUFFERS
    atomic { buffer[me]!an_item_written,j; wrote[j]++ }
#else
    written[j]++
#endif
}

inline store_read(j) {
#ifdef STORE_BUFFERS
    atomic { buffer[me]!an_item_read,j; took[j]++ }
#else
    read[j]++
#endif
}

inline store_end(j) {
#ifdef STORE_BUFFERS
    buffer[me]!the_end,j
#else
    ended[j] = true
#endif
}

inline store_cancel() {
#ifdef STORE_BUFFERS
    buffer[me]!a_cancel,me
#else
    waits[me] = false
#endif
}

#ifdef NO_FENCE
#define fence skip
#else
#define fence drained
#endif

inline store_yield(j) {
#ifdef STORE_BUFFERS
    atomic { buffer[me]!a_yield,j; hand[me] = j }
#ifndef RELEASE_YIELD
    ; drained
#endif
#else
    atomic { state[j] = queued; hand[me] = j }
#endif
}

inline store_put(j) {
#ifdef STORE_BUFFERS
    buffer[me]!a_put,j
#ifndef RELEASE_PUT
    ; drained
#endif
#else
    atomic {
        assert(nfull(ring[me]));   /* a job is in one place at a time, so the ring has a slot for each */
        ring[me]!j
    }
#endif
}

inline enter_sleepers() {
#ifdef WEAK_ENTER_SLEEPERS
    buffer[me]!a_sleeper,me
#else
    atomic { drained -> registered[me] = true }
#endif
}
