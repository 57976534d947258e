/* Jobs that move between workers: the states of TaskState, the queues, and which sleeping worker a thread wakes.
 *
 *   wake, claim, rest, yield, finish    TaskState (include/weir/task_state.hpp). Each is one step: a
 *                                       compare-and-exchange takes effect at once, and a wake that changes nothing
 *                                       takes effect at its load. A failed rest is two steps.
 *   put, wake_sleeper, take, steal      job_queues.pml
 *   Worker                              JobPool::work, SleeperSlot, turn, after_turn (src/job_pool.cpp); Waiting::park
 *                                       as in park.pml
 *   step                                Node::advance on rings of CAPACITY items; a turn ends after any step that moved
 *   tell                                Node::close: a turn's fence, and then the wake-ups for the moved items
 *   stop                                Run::stop
 *
 * The JOBS jobs form a chain of one task each, from a source of ITEMS items to a sink. A job is on one worker at a
 * time. A queue never lacks a place for a job. No worker falls asleep while a queued job has no worker that will run
 * it. At the end, every job is done and every worker has left.
 *
 * Options: JOBS, WORKERS, ITEMS, CAPACITY, RINGS, STOP (stop is called at any moment), STORE_BUFFERS
 * (store_buffers.pml). Mutations, each of which spin must find: NO_RERUN, REST_BLINDLY, CLAIM_BLINDLY (without RINGS),
 * FORGET_TO_PUT (with RINGS), WAKE_BEFORE_STORE, NO_LOOK_AGAIN, LATE_REGISTRATION, NO_COMPARE, NOBODY_WAKES_AT_THE_END,
 * STOP_WAKES_ONE (with STOP), PUT_TWICE (with RINGS), FORGET_TO_TELL (the writer of the items that were read). With
 * STORE_BUFFERS: NO_FENCE (a turn without fence); RELEASE_PUT (with RINGS) and RELEASE_YIELD (without), a store without
 * fence; and WEAK_ENTER_SLEEPERS: a worker's entry among the sleepers becomes visible only after the look that follows,
 * which x86 does not do but other machines may.
 */
#ifndef JOBS
#define JOBS 3
#endif
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef CAPACITY
#define CAPACITY 1
#endif
#define NONE 255

mtype = { idle, queued, running, rerun, done };
mtype state[JOBS];
byte on[JOBS];                 /* workers that run the job: 0 or 1 */
byte live = JOBS;
bool stopping;

byte written[JOBS];            /* items on the stream behind each job */
byte read[JOBS];
bool ended[JOBS];

/* The thread's own view of its stores, `wrote` and `took`, and the view of other threads, `written` and `read`. */
#ifdef STORE_BUFFERS
mtype = { an_item_written, an_item_read, the_end, a_yield, a_put, a_sleeper, a_cancel };
byte wrote[JOBS];
byte took[JOBS];
#define yields(w, j) buffer[w]??[a_yield,eval(j)]
#define puts(w) buffer[w]??[a_put,_]
#else
#define wrote written
#define took read
#define drained true
#define undrained false
#define yields(w, j) false
#define puts(w) false
#endif

bool registered[WORKERS];          /* Sleepers */
bool waits[WORKERS];           /* EventCount */
byte waking[WORKERS];          /* threads that took `waits` and have not woken the worker yet */
byte epoch[WORKERS];
bool asleep[WORKERS];
#ifdef RINGS
chan ring[WORKERS] = [JOBS] of { byte };
#endif
byte hand[WORKERS] = NONE;     /* the job that a worker is about to put, or has put and is finding a sleeper for */
byte taken[WORKERS] = NONE;    /* the job that a worker took from a ring and has not yet claimed */

/* With two workers: when one falls asleep, the other one still has every queued job in hand, or a thread wakes the
 * first. */
#define is_queued(w, j) (state[j] == queued || yields(w, j))
#define sees_to(w, j) (WORKERS != 2 || !is_queued(1 - w, j) || hand[1 - w] == j || taken[1 - w] == j || waking[w] != 0)

#include "job_stores.pml"
#include "job_queues.pml"

inline commit_output(j) {
#ifdef WAKE_BEFORE_STORE
    wake(j + 1);
    store_written(j)
#else
    store_written(j);
    told_readers = true
#endif
}

inline commit_input(j) {
    store_read(j - 1);
    told_writer = true
}

/* End of a turn. */
inline tell(j) {
    if
    :: told_readers || told_writer -> fence
    :: else
    fi;
    if
    :: told_readers -> told_readers = false; wake(j + 1)
    :: else
    fi;
    if
    :: told_writer -> told_writer = false;
#ifndef FORGET_TO_TELL
        wake(j - 1)
#endif
    :: else
    fi
}

/* One step of the task. Its result is in `found`. */
inline step(j) {
    saw_end = (j != 0 && ended[j - 1]);   /* load the end first, then the index (StreamBase::readable) */
    if
    :: j != 0 && written[j - 1] == took[j - 1] -> found = (saw_end -> over : blocked)
    :: j == 0 && wrote[0] == ITEMS -> found = over
    :: else ->
        if
        :: j != JOBS - 1 && wrote[j] - read[j] == CAPACITY -> found = blocked
        :: else ->
            found = moved;
            if
            :: j != JOBS - 1 -> commit_output(j)
            :: else
            fi;
            if
            :: j != 0 -> commit_input(j)
            :: else
            fi
        fi
    fi;
    saw_end = false;
    if
    :: found == over && j != JOBS - 1 -> store_end(j); told_readers = true
    :: else
    fi
}

mtype = { moved, blocked, over };

proctype Worker(byte me) {
    byte job = NONE, next = NONE, chosen, try, key;
    bool woke, told_readers, told_writer, saw_end, prepared, lying;
    mtype found;
    do
    :: stopping || live == 0 -> break
    :: else ->
        if
        :: job == NONE ->
#ifdef NO_LOOK_AGAIN
            if
            :: !prepared -> take(job); if :: job == NONE -> steal(job) :: else fi
            :: else
            fi;
#else
            take(job);
            if
            :: job == NONE -> steal(job)
            :: else
            fi;
#endif
            if
            :: job == NONE && !prepared ->
                key = epoch[me];
                atomic { drained -> waits[me] = true };
                prepared = true;
#ifndef LATE_REGISTRATION
                lying = true;
                enter_sleepers()
#endif
            :: job == NONE && prepared ->
#ifdef LATE_REGISTRATION
                lying = true;
                enter_sleepers();
#endif
                atomic {
                    if
#ifndef NO_COMPARE
                    :: epoch[me] != key
#endif
                    :: else ->
                        asleep[me] = true;
                        for (try : 0 .. JOBS - 1) { assert(sees_to(me, try)) }
                        try = 0
                    fi
                };
                !asleep[me];
                store_cancel();
                d_step { prepared = false; key = 0 };
                d_step { drained -> lying = false; registered[me] = false }
            :: else ->
                if
                :: prepared ->
                    /* Chosen to be woken for another job than the one found: another sleeper must take that job. */
                    d_step {
                        drained;
                        woke = lying && !registered[me];
                        lying = false;
                        registered[me] = false
                    };
                    if
                    :: woke -> woke = false; wake_sleeper()
                    :: else
                    fi;
                    store_cancel();
                    d_step { prepared = false; key = 0 }
                :: else
                fi
            fi
        :: else ->
            /* A turn: steps until one finds too little, or any smaller number of steps. */
            do
            :: step(job); if :: found != moved -> break :: else fi
            :: found == moved -> break
            od;
            tell(job);
            if
            :: found == over ->
                d_step { drained -> on[job]--; state[job] = done; job = NONE };
                atomic { drained -> live--; next = (live == 0 -> 0 : NONE) };
#ifndef NOBODY_WAKES_AT_THE_END
                if
                :: next == 0 ->
                    do
                    :: next < WORKERS -> notify(next); next++
                    :: else -> break
                    od
                :: else
                fi;
#endif
                next = NONE
            :: found == blocked ->
                on[job]--;
                atomic {
                    drained;
                    if
#ifdef REST_BLINDLY
                    :: true -> state[job] = idle; job = NONE
#else
                    :: state[job] == running -> state[job] = idle; job = NONE
                    :: else
#endif
                    fi
                };
                if
                :: job != NONE ->
                    store_yield(job);
                    take(next);
                    if
                    :: next == NONE ->
                        atomic {
                            drained;
                            if
                            :: state[job] == queued -> state[job] = running; enter(job)
                            :: else -> job = NONE
                            fi;
                            hand[me] = NONE
                        }
                    :: next == job -> hand[me] = NONE; next = NONE
                    :: else ->
#ifndef FORGET_TO_PUT
                        put(job);
#endif
                        job = next;
                        next = NONE
                    fi
                :: else
                fi
            :: else ->
                take(next);
                if
                :: next != NONE ->
                    on[job]--;
                    store_yield(job);
#ifndef FORGET_TO_PUT
                    put(job);
#endif
                    job = next;
                    next = NONE
                :: else
                fi
            fi;
            found = 0
        fi
    od;
    atomic { drained -> registered[me] = false };
    if
    :: prepared -> store_cancel()
    :: else
    fi;
    drained;
    assert(!waits[me]);
#ifndef STOP
    assert(live == 0 && written[JOBS - 2] == ITEMS && read[JOBS - 2] == ITEMS)
#endif
}

#ifdef STOP
proctype Stopper() {
    byte w, me = WORKERS;
    stopping = true;
    do
#ifdef STOP_WAKES_ONE
    :: w < 1 -> notify(w); w++
#else
    :: w < WORKERS -> notify(w); w++
#endif
    :: else -> break
    od
}
#endif

init {
    byte i;
    d_step {
        for (i : 0 .. JOBS - 1) {
            state[i] = queued;
#ifdef RINGS
            ring[i * WORKERS / JOBS]!i
#endif
        }
    };
    atomic {
        for (i : 0 .. WORKERS - 1) {
            run Worker(i)
#ifdef STORE_BUFFERS
            ; run Buffer(i)
#endif
        }
#ifdef STOP
        run Stopper()
#endif
    }
}
