"""Reads a CTF trace into columns, in a process of its own: on some damaged traces Babeltrace 2 aborts its process.

`python3 ctf_reader.py TRACE OUT.npz`. Exit code 0: read to its end; 1: unreadable, the reason on stderr; 3: no
bindings.
"""

import sys
from array import array

UNREADABLE, NO_BINDINGS = 1, 3


def read(trace: str, out: str) -> int:
    try:
        import bt2
        import numpy
    except ImportError as error:
        print(error, file=sys.stderr)
        return NO_BINDINGS
    received, block, k, time_ns, scheduled_ns = array("b"), array("I"), array("Q"), array("q"), array("q")
    events = discarded = 0
    try:
        for message in bt2.TraceCollectionMessageIterator(trace):
            kind = type(message)
            if kind is bt2._EventMessageConst:
                events += 1
                event = message.event
                name = event.name
                if name == "weir:tx":
                    fields = event.payload_field
                    received.append(0)
                    scheduled_ns.append(int(fields["scheduled_ns"]))
                elif name == "weir:rx":
                    fields = event.payload_field
                    received.append(1)
                    scheduled_ns.append(0)
                else:
                    continue
                block.append(int(fields["block"]))
                k.append(int(fields["k"]))
                # The raw clock, CLOCK_MONOTONIC: a paced source's scheduled time is on it too.
                time_ns.append(message.default_clock_snapshot.value)
            elif kind in (bt2._DiscardedEventsMessageConst, bt2._DiscardedPacketsMessageConst):
                discarded += message.count or 1
    except (bt2._Error, ValueError, OSError, KeyError) as error:
        print(first_cause(error), file=sys.stderr)
        return UNREADABLE
    columns = {"received": received, "block": block, "k": k, "time_ns": time_ns, "scheduled_ns": scheduled_ns}
    numpy.savez(out, events=events, discarded=discarded, **{name: numpy.array(c) for name, c in columns.items()})
    return 0


def first_cause(error: Exception) -> str:
    """The innermost message of Babeltrace's chain of causes, on one line."""
    try:
        return " ".join(str(error[0].message).split())
    except (TypeError, IndexError, KeyError, AttributeError):
        return " ".join(str(error).split())[:300]


if __name__ == "__main__":
    sys.exit(read(sys.argv[1], sys.argv[2]))
