"""C++ headers of trace records, generated from the layouts in `weir.engine.measuring.ctf_reader`."""

from __future__ import annotations

import struct
import textwrap
from collections.abc import Iterator

from weir.engine.measuring.ctf_reader import EVENTS, FIELDS, LAYOUTS, RECORD

#: Maximum width of the lines in the header.
COLUMNS = 118

TYPES = {"q": "std::int64_t", "Q": "std::uint64_t", "I": "std::uint32_t", "i": "std::int32_t", "h": "std::int16_t"}

HEAD = """// {subject} Made by codegen/make_results.py of
// codegen/weir/engine/measuring/ctf_reader.py: not to be edited.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weir::{place} {{

enum class Event : std::uint8_t {{ {events} }};

/// One event, in the byte order of the machine.
struct Record {{
{members}
}};
static_assert(sizeof(Record) == {size} && offsetof(Record, event) == {event});

"""

LAYOUT = """/// A tracepoint of the provider `weir`, and which of its fields go where in a record; "": none does.
/// A trace may lack the one of since_ns.
struct EventLayout {{
    const char* name;
    const char* id;
    const char* value;
    const char* since_ns;
}};

/// By Event.
inline constexpr EventLayout kEvents[] = {{
{layouts}
}};

"""


def of_programs() -> str:
    """Return the header with which a program records events in memory."""
    return _header("An event as a program records it in memory.", "trace")


def of_reader() -> str:
    """Return the header with which the reader of CTF traces writes records, and the tracepoints that it reads."""
    rows = (", ".join(f'"{name or ""}"' for name in (f"weir:{event}", *layout)) for event, layout in LAYOUTS.items())
    layouts = "\n".join(f"    {{{row}}}," for row in rows)
    return _header("An event as the reader writes it.", "reader", LAYOUT.format(layouts=layouts))


def _header(subject: str, place: str, more: str = "") -> str:
    names = list(FIELDS)
    before = "".join(kind for kind, _ in list(FIELDS.values())[:names.index("event")])
    return HEAD.format(subject=subject, place=place, events=", ".join(EVENTS), size=RECORD.size,
                       event=struct.calcsize(f"={before}"),
                       members="\n".join(line for name in names for line in _member(name))) + more + \
        f"}}  // namespace weir::{place}\n"


def _member(name: str) -> Iterator[str]:
    kind, meaning = FIELDS[name]
    if meaning:
        yield from textwrap.wrap(meaning, COLUMNS, initial_indent="    /// ", subsequent_indent="    /// ")
    if kind.endswith("x"):
        yield f"    std::uint8_t {name}[{kind[:-1]}];"
    else:
        yield f"    {'Event' if name == 'event' else TYPES[kind]} {name};"
