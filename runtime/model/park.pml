/* Parking: EventCount and Waiting.
 *
 *   pass, idle      run_bound_worker (src/worker_loop.cpp): a pass over everything, then Waiting::idle or moved
 *   park            Waiting::park (src/wait.cpp): prepare, one more pass, wait; no spinning, which only adds passes
 *   prepare/cancel  EventCount (include/weir/wait.hpp)
 *   futex_wait      EventCount::wait: FUTEX_WAIT compares and queues under Linux's lock, so it is one step
 *   notify          EventCount::notify and wake_up: of all threads that find the worker waiting, one wakes it
 *   stop            Run::stop (src/run.cpp)
 *
 * One worker, NOTIFIERS threads that commit ITEMS items each, and a thread that calls stop once all items are consumed
 * (with EARLY_STOP: at any moment). The worker may sleep only if some thread will wake it. Otherwise the run ends in an
 * invalid end state, which spin reports.
 *
 * Options: NOTIFIERS, ITEMS, EARLY_STOP, TIMED (a wait has a time limit, so it may return at any moment, which hides
 * lost wake-ups).
 * Mutations, each of which spin must find: NO_LOOK_AGAIN, KEY_AFTER_LOOK, KEY_AFTER_WAITS, NO_COMPARE,
 * NOTIFY_BEFORE_STORE, SILENT_STOP, CANCEL_FORGOTTEN (with TIMED), STOP_NOT_LOOKED_AT. Weak stores:
 * park_ring.pml.
 */
#ifndef NOTIFIERS
#define NOTIFIERS 2
#endif
#ifndef ITEMS
#define ITEMS 2
#endif

byte items;        /* on the streams that the worker reads */
byte consumed;
bool stopping;
bool stop_is_over; /* stop() has returned */

bool waits;
byte waking;       /* notifiers that found the worker waiting and have not increased the epoch yet */
byte epoch;        /* bounded by the number of wake-ups in a run */
bool asleep;       /* in Linux's queue */

inline wake_up() {
    atomic { epoch++; waking-- };
    asleep = false   /* FUTEX_WAKE: after the increment, in a separate step */
}

inline notify() {
    if
    :: waits ->
        if
        :: atomic { waits -> waits = false; waking++ }; wake_up()   /* the exchange */
        :: !waits
        fi
    :: else
    fi
}

inline prepare() {
#ifdef KEY_AFTER_WAITS
    waits = true;
    key = epoch;
#else
    key = epoch;
    waits = true;
#endif
    prepared = true
}

proctype Notifier() {
    byte i;
    for (i : 1 .. ITEMS) {
#ifdef NOTIFY_BEFORE_STORE
        notify();
        items++
#else
        items++;
        notify()
#endif
    }
}

proctype Stopper() {
#ifndef EARLY_STOP
    consumed == NOTIFIERS * ITEMS;
#endif
    stopping = true;
#ifndef SILENT_STOP
    notify();
#endif
    stop_is_over = true
}

proctype Worker() {
    byte key;
    bool prepared, moved;
    do
    :: stopping -> break
    :: else ->
        /* A pass takes one item if there is one. */
        moved = false;
#ifdef NO_LOOK_AGAIN
        if
        :: prepared
        :: !prepared && items > consumed -> consumed++; moved = true
        :: else
        fi;
#else
        if
        :: items > consumed -> consumed++; moved = true
        :: else
        fi;
#endif
#ifdef KEY_AFTER_LOOK
        if
        :: prepared -> key = epoch
        :: else
        fi;
#endif
        if
        :: moved && prepared -> waits = false; prepared = false
        :: moved && !prepared
        :: !moved && !prepared -> prepare()
#ifdef STOP_NOT_LOOKED_AT
            ; goto last_pass
#endif
        :: !moved && prepared ->
#ifdef STOP_NOT_LOOKED_AT
last_pass:  if
            :: items > consumed -> consumed++; waits = false; prepared = false; goto awake
            :: else
            fi;
#endif
            atomic {
                if
#ifndef NO_COMPARE
                :: epoch != key -> goto woken
#endif
                :: else ->
                    /* No worker falls asleep once stop has returned, unless a thread is about to wake it. */
                    assert(!stop_is_over || waking != 0);
                    asleep = true
                fi
            }
            if
            :: !asleep
#ifdef TIMED
            :: asleep = false
#endif
            fi;
woken:
#ifndef CANCEL_FORGOTTEN
            waits = false;
#endif
            prepared = false;
awake:      skip
        fi
    od;
    if
    :: prepared -> waits = false   /* ~Waiting */
    :: else
    fi;
    assert(!waits);
#ifndef EARLY_STOP
    assert(consumed == NOTIFIERS * ITEMS)
#endif
}

init {
    byte i;
    atomic {
        run Worker();
        run Stopper();
        for (i : 1 .. NOTIFIERS) { run Notifier() }
    }
}
