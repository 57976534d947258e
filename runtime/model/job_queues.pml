/* The part of jobs.pml that hands jobs over: into a queue, out of one, and to whom it is told.
 *
 *   put, wake_sleeper    JobPool::put, wake_sleeper, Sleepers::choose (src/job_pool.cpp)
 *   wake, claim          JobPool::wake, TaskState::wake and claim
 *   take, steal          JobPool::take, steal. RINGS: JobRing, one a worker (work_stealing); otherwise a queued state
 *                        is the queue (thread_pool). A thief looks at one place after the other.
 */
inline notify(w) {
    if
    :: waiters[w] != 0 -> epoch[w]++; asleep[w] = false
    :: else
    fi
}

inline wake_sleeper() {
    d_step {
        chosen = 0;
        do
        :: chosen < WORKERS && !in_bed[chosen] -> chosen++
        :: else -> break
        od;
        if
        :: chosen < WORKERS -> in_bed[chosen] = false
        :: else -> chosen = NONE
        fi
    };
    if
    :: chosen != NONE -> notify(chosen)
    :: else
    fi;
    chosen = 0
}

inline put(j) {
#ifdef RINGS
    atomic {
        assert(nfull(ring[me]));   /* a job is in one place at a time, so there is a place for each */
        ring[me]!j
    };
#endif
    wake_sleeper();
    hand[me] = NONE
}

inline wake(j) {
    d_step {
        woke = false;
        if
        :: state[j] == idle -> state[j] = queued; woke = true; hand[me] = j
#ifndef NO_RERUN
        :: state[j] == running -> state[j] = rerun
#endif
#ifdef PUT_TWICE
        :: state[j] == rerun -> woke = true
#endif
        :: else
        fi
    };
    if
    :: woke -> woke = false; put(j)
    :: else
    fi
}

inline enter(j) { on[j]++; assert(on[j] == 1) }

/* The next of this worker's own jobs, claimed; NONE: there was none. */
inline take(j) {
    j = NONE;
#ifdef RINGS
    atomic {
        if
        :: nempty(ring[me]) -> ring[me]?j; taken[me] = j
        :: else
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
        :: try * WORKERS / JOBS == me && state[try] == queued -> claim(j)
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
            :: try != me && nempty(ring[try]) -> ring[try]?j; taken[me] = j; assert(state[j] == queued); try = WORKERS
            :: else -> try++
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
        :: state[try] == queued -> claim(j)
        :: else -> try++
        fi
    :: else -> break
    od;
    try = 0
#endif
}

/* Of the job `try`; ends the search when it succeeds. */
inline claim(j) {
    atomic {
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
