/* Stores that wait in a buffer of their thread before others see them: x86-TSO. A thread's stores become visible in
 * their order; one that is seq_cst is followed by a fence, and so is every read-modify-write, before which the buffer
 * runs empty. A store that is only released has no fence: a load behind it may be served while it still waits.
 *
 * Who includes this defines THREADS, BUFFERED (stores that fit) and `inline appear(who, what, which)`, the effect of a
 * store once it is visible; threads have a number `me`. A thread that loads what may wait in its own buffer looks there
 * first (`buffer[me]??[...]`).
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
