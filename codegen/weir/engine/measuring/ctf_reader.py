"""Reads a CTF trace with Babeltrace's Python bindings: what codegen/native/trace_reader does, a few times slower.

    python3 ctf_reader.py TRACE [EVENT]...

Records on standard output in the order of time, then one JSON object on standard error, as the native reader writes
them. Exit code 0: read to its end; 1: not. It imports nothing of Weir: the Python that has the bindings need not be
ours. What a record is stands here: `codegen/make_results.py` makes the C++ of it.
"""

import json
import struct
import sys

#: Field of a record -> its type, as `struct` has it, and its meaning.
FIELDS = {
    "time_ns": ("q", "CLOCK_MONOTONIC"),
    "value": ("Q", "boundary k (tx, rx), items (work_exit), index of a job's first block (steal), else 0"),
    "since_ns": ("q", "tx of a paced source: when the boundary item was due; rx: when the call of `work` that "
                      "consumed it was entered; else 0"),
    "id": ("I", "index of the block (tx, rx, work_*) or of the worker (park, unpark, steal)"),
    "thread": ("i", "its id in the kernel; -1 where nobody says"),
    "cpu": ("h", "-1 where nobody says"),
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
    """The trace is damaged, or is none."""


def read(trace, wanted, out, streams):
    """Writes the records of the events `wanted` to `out`; counts into `streams`, a dict of dicts. Unreadable."""
    import bt2

    number = {f"weir:{name}": i for i, name in enumerate(EVENTS)}
    layouts = {f"weir:{name}": LAYOUTS[name] for name in wanted}

    counters: dict = {}

    def counts(stream):
        return streams.setdefault(stream.addr, {"id": stream.id, "cpu": -1, "events": 0, "discarded_events": 0,
                                                "discarded_packets": 0})

    def discarded(stream, count):
        # The counter that a packet has may be older than that of the packet before: then `count` is 2^64 less.
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
                # The raw clock, CLOCK_MONOTONIC: a paced source's scheduled time is on it too.
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
    """The innermost message of Babeltrace's chain of causes, on one line."""
    try:
        return " ".join(str(error[0].message).split())
    except (TypeError, IndexError, KeyError, AttributeError):
        return " ".join(str(error).split())[:300]


def main(trace, *events):
    """Writes the events of a trace to stdout; the format is that of the native reader."""
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
