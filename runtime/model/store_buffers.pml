/* Stores that wait in a buffer of their thread before other threads see them: x86-TSO. A thread's stores become visible
 * in program order. A fence follows each seq_cst store, and each read-modify-write first waits until the buffer is
 * empty. A release store has no fence: a load after it may be served while the store still waits.
 *
 * A model that includes this file defines THREADS, BUFFERED (capacity of a buffer in stores) and
 * `inline appear(who, what, which)`, the effect of a store once it is visible. Threads have a number `me`. A thread
 * that loads a variable that its own buffer may hold looks there first (`buffer[me]??[...]`).
 */
chan buffer[THREADS] = [BUFFERED] of { mtype, byte };

#define drained empty(buffer[me])
#define undrained nempty(buffer[me])

proctype Buffer(byte who) {
    mtype what;
    byte which;
end:
    do
    :: atomic { buffer[who]?what,which -> appear(who, what, which); what = 0; which = 0 }
    od
}
