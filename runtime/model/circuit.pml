/* A circuit: a writer, stages that change items in place, and a reader that gives the space back to the writer.
 *
 *   Writer   StreamBase::writable and produce of the first ring (include/weir/stream.hpp); its space is that of `last_`
 *   Stage    Fired::fire of a block that works in place: readable and consume of one ring, produce of the ring over it
 *   Reader   readable, consume and detach of the last ring
 *
 * `write[i]` is the write index of ring i, and `last_read` the index of the last ring's reader. The other read indices
 * free no space. A stage looks at an item and changes it in separate steps. Each item passes all stages once, in order,
 * and no process touches an item that another one has. The reader may leave early, and all others continue.
 *
 * Options: ITEMS, CAPACITY, STAGES, LEAVES_AFTER (items that the reader takes; ITEMS + 1: it stays).
 * Mutations, each of which spin must find: FREE_BY_FIRST_READER, PUBLISH_BEFORE_CHANGE, FREE_BEFORE_READ,
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
byte through[CAPACITY];     /* number of stages that the item has passed */
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
