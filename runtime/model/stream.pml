/* A ring between a writer and two readers: the items that each end may touch, end of stream, and readers that leave.
 *
 *   Writer   StreamBase::writable, produce, end (include/weir/stream.hpp, src/stream.cpp); Node::all_readers_left and
 *            finish
 *   Reader   StreamBase::readable, consume, detach; a reader that leaves early is a head downstream of the stream
 *
 * Each index is stored in a separate step: the writer's after it wrote the items, a reader's after it read them.
 * Waiting is a guard on the change that `wake` announces; park.pml and jobs.pml show that no wake-up is lost. Each
 * reader gets every item once, in order and whole. The reader that stays gets all items. No thread waits for a reader
 * that has left.
 *
 * Options: ITEMS, CAPACITY, LEAVES_AFTER (items that reader 1 takes; ITEMS + 1: it stays), BOTH_LEAVE.
 * Mutations, each of which spin must find: INDEX_BEFORE_END, PUBLISH_BEFORE_WRITE, FREE_BEFORE_READ,
 * WAIT_FOR_THE_DETACHED, NO_DETACH, END_BEFORE_LAST_ITEM.
 */
#ifndef ITEMS
#define ITEMS 6
#endif
#ifndef CAPACITY
#define CAPACITY 2
#endif
#ifndef LEAVES_AFTER
#define LEAVES_AFTER 2
#endif
#define READERS 2
#define UNWRITTEN 255

byte slot[CAPACITY] = UNWRITTEN;
byte write;
byte read[READERS];
bool detached[READERS];
byte attached = READERS;
bool ended;

#define holds(r) (READER_COUNTS(r) && write - read[r] == CAPACITY)
#ifdef WAIT_FOR_THE_DETACHED
#define READER_COUNTS(r) true
#else
#define READER_COUNTS(r) !detached[r]
#endif
#define closed (attached == 0)

proctype Writer() {
    byte n, slowest, r;
    do
    :: n < ITEMS && closed -> break
    :: n < ITEMS && !closed ->
        /* slowest_read: one reader after the other. A reader that moves on in the meantime only adds space. */
        slowest = write;
        for (r : 0 .. READERS - 1) {
            if
            :: READER_COUNTS(r) ->
                if
                :: read[r] < slowest -> slowest = read[r]
                :: else
                fi
            :: else
            fi
        }
        r = 0;
        if
        :: write - slowest < CAPACITY ->
#ifdef PUBLISH_BEFORE_WRITE
            write++;
            slot[n % CAPACITY] = n;
#else
#ifdef END_BEFORE_LAST_ITEM
            if
            :: n == ITEMS - 1 -> ended = true
            :: else
            fi;
#endif
            slot[n % CAPACITY] = n;
            write++;
#endif
            n++
        :: else -> (!(holds(0) || holds(1)) || closed)
        fi
    :: else -> break
    od;
    ended = true
}

proctype Reader(byte me; byte leaves_after) {
    byte n, known_write;
    bool known_ended;
    do
    :: n == leaves_after -> break
    :: else ->
#ifdef INDEX_BEFORE_END
        known_write = write;
        known_ended = ended;
#else
        known_ended = ended;
        known_write = write;
#endif
        if
        :: known_write > n ->
#ifdef FREE_BEFORE_READ
            read[me]++;
            assert(slot[n % CAPACITY] == n);
#else
            assert(slot[n % CAPACITY] == n);
            read[me]++;
#endif
            n++
        :: known_write == n && known_ended -> break
        :: else -> (write > n || ended)
        fi
    od;
    assert(n == ITEMS || n == leaves_after);
#ifndef NO_DETACH
    detached[me] = true;
    attached--
#endif
}

init {
    atomic {
        run Writer();
#ifdef BOTH_LEAVE
        run Reader(0, LEAVES_AFTER + 1);
#else
        run Reader(0, ITEMS + 1);
#endif
        run Reader(1, LEAVES_AFTER)
    }
}
