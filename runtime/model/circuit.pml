/* A circuit: a writer, stages that change items where they lie, a reader, and the writer's space that comes back from it.
 *
 *   Writer   StreamBase::writable and produce of the first ring (include/weir/stream.hpp); its space is that of `last_`
 *   Stage    Fired::fire of a block that works in place: readable of one ring, consume of it, produce of the ring over it
 *   Reader   readable, consume and detach of the last ring
 *
 * `write[i]` is the index of ring i, `last_read` that of the last ring's reader; those of the others free nothing. Items are
 * touched in steps of their own: a stage looks at one and changes it later. Each item comes through all stages once, in
 * order, and nobody touches one that another has; who reads the last ring may leave early, and all others go on.
 *
 * Options: ITEMS, CAPACITY, STAGES, LEAVES_AFTER (items that the reader takes; ITEMS + 1: it stays).
 * Mutations, each of which must be found: FREE_BY_FIRST_READER, PUBLISH_BEFORE_CHANGE, FREE_BEFORE_READ,
 * FREE_ALL_WHEN_LEFT, WAIT_FOR_THE_DETACHED.
 */
#ifndef ITEMS
#define ITEMS 5
#endif
#ifndef CAPACITY
#define CAPACITY 3
#endif
#ifndef STAGES
#define STAGES 2
#endif
#ifndef LEAVES_AFTER
#define LEAVES_AFTER (ITEMS + 1)
#endif
#define UNWRITTEN 255

byte item[CAPACITY] = UNWRITTEN;
byte through[CAPACITY];     /* how many stages it has come through */
byte write[STAGES + 1];
byte last_read;
bool detached;

#ifdef FREE_BY_FIRST_READER
#define freed write[1]
#else
#ifdef WAIT_FOR_THE_DETACHED
#define freed last_read
#else
#ifdef FREE_ALL_WHEN_LEFT
#define freed (detached -> write[0] : last_read)
#else
#define freed (detached -> write[STAGES] : last_read)
#endif
#endif
#endif

proctype Writer() {
    byte n;
    for (n : 0 .. ITEMS - 1) {
        write[0] - freed < CAPACITY;
        item[n % CAPACITY] = n;
        through[n % CAPACITY] = 0;
        write[0]++
    }
}

proctype Stage(byte number) {
    byte n;
    for (n : 0 .. ITEMS - 1) {
        write[number - 1] > n;
        assert(item[n % CAPACITY] == n && through[n % CAPACITY] == number - 1);
#ifdef PUBLISH_BEFORE_CHANGE
        write[number]++;
        through[n % CAPACITY] = number
#else
        through[n % CAPACITY] = number;
        assert(item[n % CAPACITY] == n);
        write[number]++
#endif
    }
}

proctype Reader() {
    byte n;
    do
    :: n == ITEMS || n == LEAVES_AFTER -> break
    :: else ->
        write[STAGES] > n;
#ifdef FREE_BEFORE_READ
        last_read++;
        assert(item[n % CAPACITY] == n && through[n % CAPACITY] == STAGES);
#else
        assert(item[n % CAPACITY] == n && through[n % CAPACITY] == STAGES);
        last_read++;
#endif
        n++
    od;
    detached = true
}

init {
    byte number;
    atomic {
        run Writer();
        for (number : 1 .. STAGES) {
            run Stage(number)
        }
        run Reader()
    }
}
