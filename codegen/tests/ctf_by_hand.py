"""Traces in LTTng's format, written by hand: the metadata as text, and one stream of one packet."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from pathlib import Path

METADATA = """/* CTF 1.8 */
typealias integer {{ size = 16; align = 8; signed = false; }} := uint16_t;
typealias integer {{ size = 32; align = 8; signed = false; }} := uint32_t;
typealias integer {{ size = 64; align = 8; signed = false; }} := uint64_t;
typealias integer {{ size = 64; align = 8; signed = true; }} := int64_t;
trace {{ major = 1; minor = 8; byte_order = le; }};
clock {{ name = "monotonic"; freq = 1000000000; offset = 0; }};
typealias integer {{ size = 64; align = 8; signed = false; map = clock.monotonic.value; }} := stamp_t;
stream {{ event.header := struct {{ stamp_t timestamp; uint16_t id; }}; }};
event {{ name = "weir:tx"; id = 0; fields := struct {{ uint32_t block; uint64_t {k}; int64_t scheduled_ns; }}; }};
event {{ name = "weir:rx"; id = 1; fields := struct {{ uint32_t block; uint64_t k; int64_t entry_ns; }}; }};
"""
#: For packets with a counter of the events discarded before their end.
COUNTED = METADATA.replace("stream {{",
                           """stream {{ packet.context := struct {{ stamp_t timestamp_begin; stamp_t timestamp_end;
  uint64_t content_size; uint64_t packet_size; uint64_t events_discarded; }};""")
TX, RX = 0, 1

#: (event, time in ns, block, k, scheduled_ns or entry_ns)
Event = tuple[int, int, int, int, int]


def write_trace(folder: Path, events: Iterable[Event], k: str = "k", cut: int = 0) -> Path:
    """Write a trace. `k`: name of that field of tx events; `cut`: bytes missing at the end."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "metadata").write_text(METADATA.format(k=k))
    data = b"".join(struct.pack("<QHIQq", time, event, *fields)
                    for event, time, *fields in sorted(events, key=lambda e: e[1]))
    (folder / "stream_0").write_bytes(data[:len(data) - cut])
    return folder


def write_counters(folder: Path, counters: Iterable[int]) -> Path:
    """Write one packet with one event for each counter of discarded events."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "metadata").write_text(COUNTED.format(k="k"))
    made = b""
    for i, counter in enumerate(counters):
        event = struct.pack("<QHIQq", 10 * i + 1, TX, 0, i, 0)
        bits = 8 * (struct.calcsize("<5Q") + len(event))
        made += struct.pack("<5Q", 10 * i, 10 * i + 9, bits, bits, counter) + event
    (folder / "stream_0").write_bytes(made)
    return folder
