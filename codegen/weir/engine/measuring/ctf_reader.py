"""Read a CTF trace with Babeltrace's Python bindings, a few times slower than codegen/native/trace_reader.

    python3 ctf_reader.py TRACE [EVENT]...

Like the native reader, it writes records in order of time to standard output, then one JSON object to standard error.
The exit code is 0 if it read the whole trace, else 1. It imports nothing of Weir, because it may need another Python,
which has the bindings. This file defines the record: `codegen/make_results.py` generates its C++.
"""

import json
import struct
import sys

#: Field of a record -> its type, as `struct` has it, and its meaning.
FIELDS = {
    "time_ns": ("q", "CLOCK_MONOTONIC"),
    "value": ("Q", "boundary k (tx, rx), items (work_exit), index of a job's first block (steal), else 0"),
    "since_ns": ("q", "tx of a paced source: due time of the boundary item; rx: start of the call of `work` that "
                      "consumed it; else 0"),
    "id": ("I", "index of the block (tx, rx, work_*) or of the worker (park, unpark, steal)"),
    "thread": ("i", "thread id in the kernel; -1 if unknown"),
    "cpu": ("h", "-1 if unknown"),
    "event": ("B", ""),
    "reserved": ("5x", "0"),
}
RECORD = struct.Struct("=" + "".join(kind for kind, _ in FIELDS.values()))

#: Event -> the fields of its tracepoint that become id, value and since_ns of its record. A trace may lack the last.
LAYOUTS = {
    "tx": ("block", "k", "scheduled_ns"),
    "rx": ("block", "k", "entry_ns"),
    "work_entry": ("block", None, None),
    "work_exit": ("block", "items", None),
    "park": ("worker", None, None),
    "unpark": ("worker", None, None),
    "steal": ("worker", "block", None),
}
EVENTS = tuple(LAYOUTS)


class Unreadable(Exception):
    """The trace is damaged, or the folder contains none."""


def read(trace, wanted, out, streams):
    """Write the records of the `wanted` events to `out`; count into `streams`, a dict of dicts. Raises Unreadable."""
    import bt2

    number = {f"weir:{name}": i for i, name in enumerate(EVENTS)}
    layouts = {f"weir:{name}": LAYOUTS[name] for name in wanted}

    counters: dict = {}

    def counts(stream):
        return streams.setdefault(stream.addr, {"id": stream.id, "cpu": -1, "events": 0, "discarded_events": 0,
                                                "discarded_packets": 0})

    def discarded(stream, count):
        # A packet's counter may be older than that of the previous packet: `count` then wraps around at 2^64.
        at = counters[stream.addr] = (counters.get(stream.addr, 0) + count) % 2**64
        of = counts(stream)
        of["discarded_events"] = max(of["discarded_events"], at)

    try:
        for message in bt2.TraceCollectionMessageIterator(trace):
            kind = type(message)
            if kind is bt2._EventMessageConst:
                event = message.event
                of = counts(event.stream)
                of["events"] += 1
                layout = layouts.get(event.name)
                if layout is None:
                    continue
                fields, context = event.payload_field, event.common_context_field
                id_, value = (int(fields[name]) if name else 0 for name in layout[:2])
                since_ns = int(fields[layout[2]]) if layout[2] and layout[2] in fields else 0
                thread = int(context["vtid"]) if context is not None and "vtid" in context else -1
                # Use the raw clock, CLOCK_MONOTONIC, like the due times of paced sources.
                out.write(RECORD.pack(message.default_clock_snapshot.value, value, since_ns, id_, thread,
                                      of["cpu"], number[event.name]))
            elif kind is bt2._PacketBeginningMessageConst:
                context = message.packet.context_field
                if context is not None and "cpu_id" in context:
                    counts(message.packet.stream)["cpu"] = int(context["cpu_id"])
            elif kind is bt2._DiscardedEventsMessageConst:
                discarded(message.stream, message.count or 1)
            elif kind is bt2._DiscardedPacketsMessageConst:
                counts(message.stream)["discarded_packets"] += message.count or 1
    except (bt2._Error, ValueError, OSError, KeyError) as error:
        raise Unreadable(first_cause(error)) from None


def first_cause(error):
    """Return the innermost message of Babeltrace's chain of causes, on one line."""
    try:
        return " ".join(str(error[0].message).split())
    except (TypeError, IndexError, KeyError, AttributeError):
        return " ".join(str(error).split())[:300]


def main(trace, *events):
    """Write the events of a trace to stdout, in the format of the native reader."""
    streams: dict = {}
    error = None
    with open(sys.stdout.fileno(), "wb", buffering=1 << 20, closefd=False) as out:
        try:
            read(trace, events or EVENTS, out, streams)
        except (Unreadable, ImportError) as fault:
            error = str(fault)
    print(json.dumps({"error": error, "streams": list(streams.values())}), file=sys.stderr)
    return 1 if error else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
