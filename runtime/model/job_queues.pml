/* The part of jobs.pml that moves jobs: into a queue, out of a queue, and to the sleeper that is woken for one.
 *
 *   put, wake_sleeper    JobPool::put, wake_sleeper, Sleepers::choose (src/job_pool.cpp)
 *   wake, claim          JobPool::wake, TaskState::wake and claim
 *   take, steal          JobPool::take, steal. RINGS: one JobRing per worker (work_stealing). Otherwise the queued
 *                        states are the queue (thread_pool). A thief looks at one place after the other.
 */
inline notify(w) {
    if
    :: waits[w] ->
        if
        :: atomic { drained && waits[w] -> waits[w] = false; waking[w]++ };   /* the exchange */
           epoch[w]++;
           atomic { asleep[w] = false; waking[w]-- }
        :: drained && !waits[w]
        fi
    :: else
    fi
}

inline wake_sleeper() {
    atomic {
        do
        :: chosen = 0;
           do
           :: chosen < WORKERS && !registered[chosen] -> chosen++
           :: else -> break
           od;
           if
           :: chosen == WORKERS -> chosen = NONE; break
           :: chosen < WORKERS && drained -> registered[chosen] = false; break
           :: chosen < WORKERS && undrained -> drained   /* exchanges the loaded value, which may have changed */
           fi
        od
    };
    if
    :: chosen != NONE -> notify(chosen)
    :: else
    fi;
    chosen = 0
}

inline put(j) {
#ifdef RINGS
    store_put(j);
#endif
    wake_sleeper();
    atomic {
        assert(WORKERS != 2 || !asleep[1 - me] || waking[1 - me] != 0 || !is_queued(me, j));   /* as in `sees_to` */
        hand[me] = NONE
    }
}

#ifdef NO_RERUN
#define needs_no_wake(w, j) (state[j] != idle)
#else
#define needs_no_wake(w, j) (yields(w, j) || (state[j] != idle && state[j] != running))
#endif

inline wake(j) {
    atomic {
        woke = false;
        if
        :: drained && state[j] == idle -> state[j] = queued; woke = true; hand[me] = j
#ifndef NO_RERUN
        :: drained && state[j] == running && !yields(me, j) -> state[j] = rerun
#endif
#ifdef PUT_TWICE
        :: state[j] == rerun -> woke = true
#endif
        :: needs_no_wake(me, j)
        fi
    };
    if
    :: woke -> woke = false; put(j)
    :: else
    fi
}

inline enter(j) { on[j]++; assert(on[j] == 1) }

/* Claim the next of this worker's own jobs. NONE: it has none. */
inline take(j) {
    j = NONE;
#ifdef RINGS
    atomic {
        if
        :: nempty(ring[me]) || puts(me) ->
            drained;   /* the exchange */
            if
            :: nempty(ring[me]) -> ring[me]?j; taken[me] = j
            :: empty(ring[me])
            fi
        :: empty(ring[me]) && !puts(me)
        fi
    };
    if
    :: j != NONE -> atomic { assert(state[j] == queued); state[j] = running; taken[me] = NONE; enter(j) }
    :: else
    fi
#else
    try = 0;
    do
    :: try < JOBS ->
        if
        :: try * WORKERS / JOBS == me && is_queued(me, try) -> claim(j)
        :: else -> try++
        fi
    :: else -> break
    od;
    try = 0
#endif
}

inline steal(j) {
#ifdef RINGS
    try = 0;
    do
    :: try < WORKERS ->
        atomic {
            if
            :: try != me && nempty(ring[try]) && drained -> ring[try]?j; taken[me] = j; assert(state[j] == queued); try = WORKERS
            :: try == me || empty(ring[try]) -> try++
            fi
        }
    :: else -> break
    od;
    if
    :: j != NONE -> atomic { state[j] = running; taken[me] = NONE; enter(j) }
    :: else
    fi;
    try = 0
#else
    try = 0;
    do
    :: try < JOBS ->
        if
        :: is_queued(me, try) -> claim(j)
        :: else -> try++
        fi
    :: else -> break
    od;
    try = 0
#endif
}

/* Claim the job `try`. Ends the search on success. */
inline claim(j) {
    atomic {
        drained;
        if
#ifdef CLAIM_BLINDLY
        :: true -> state[try] = running; j = try; enter(j); try = JOBS
#else
        :: state[try] == queued -> state[try] = running; j = try; enter(j); try = JOBS
        :: else
#endif
        fi
    }
}
