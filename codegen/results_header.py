"""C++ headers that write results.json, generated from the model: a struct for each object, a member for each field."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from weir.codes import REASONS, STATUSES
from weir.engine.results_model import Field, Kind, Record, model, records

#: Maximum width of the lines in the header.
COLUMNS = 118

REASON_CODES = """// Reasons that a program gives for how its run ended. Generated from codegen/weir/codes.py by
// codegen/make_results.py; do not edit.
#pragma once

#include <cstdint>
#include <string_view>

namespace weir {{

/// Statuses in ascending severity: the worst of a run's reasons is its status.
enum class RunStatus : std::uint8_t {{ {statuses} }};

constexpr std::string_view kStatusNames[] = {{{names}}};

enum class ReasonCode : std::uint8_t {{
{codes}
}};

struct ReasonSpec {{
    std::string_view name;
    RunStatus status;  ///< what it makes of the run; `ok`: a note or a warning
}};

/// Reasons, indexed by ReasonCode.
constexpr ReasonSpec kReasons[] = {{
{specs}
}};

}}  // namespace weir
"""

HEAD = """// The fields of results.json as a program writes them. Made by codegen/make_results.py of {made_of}:
// not to be edited.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results_values.hpp"
#include "weir/json_writer.hpp"

namespace weir::fields {{

"""

TAIL = "}  // namespace weir::fields\n"


def header(made_of: str) -> str:
    """Return the C++ header. `made_of`: its sources, for the first line."""
    return HEAD.format(made_of=made_of) + "\n\n".join(map(_struct, _inner_first())) + "\n\n" + TAIL


def _inner_first() -> list[Record]:
    """Return the objects that a program writes, each after its members' types."""
    found: dict[str, Record] = {}

    def add(record: Record) -> None:
        for part in record.parts:
            inner = part if isinstance(part, str) else part.kind.base if _is_written(part) else ""
            if inner in records():
                add(records()[inner])
        found.setdefault(record.id, record)

    add(records()["results"])
    return list(found.values())


def _struct(record: Record) -> str:
    members = [f"    {_member(part)}" for part in record.parts if isinstance(part, str) or _has_member(part)]
    layout = ["    static constexpr bool kBlock = true;"] if record.layout == "block" else []
    calls = " ".join(map(_call, record.parts))
    body = [f"    void members(JsonWriter& json) const {{ {calls} }}"]
    if len(body[0]) > COLUMNS:
        lines = textwrap.wrap(calls.replace(", ", ",\0"), COLUMNS, initial_indent=" " * 8, subsequent_indent=" " * 8)
        body = ["    void members(JsonWriter& json) const {", *(line.replace("\0", " ") for line in lines), "    }"]
    return "\n".join([*_comment(record), f"struct {_name(record.id)} {{", *members, *layout, *body, "};"])


def _comment(record: Record) -> Iterator[str]:
    if record.meaning:
        yield from textwrap.wrap(f"{record.meaning[0].upper()}{record.meaning[1:].removesuffix('.')}.", COLUMNS,
                                 initial_indent="/// ", subsequent_indent="/// ")


def _is_written(it: Field) -> bool:
    """Return whether the program writes a field. A program leaves fields of the runner null."""
    if it.by == "runner" and it.kind.form != "?":
        raise ValueError(f"{it.name} is the runner's, so that a program leaves it null: its type must end in `?`")
    return it.by != "runner"


def _has_member(it: Field) -> bool:
    return _is_written(it) and _constant(it) is None


def _constant(it: Field) -> object:
    return model()["types"].get(it.kind.base, {}).get("schema", {}).get("const")


def _member(part: Field | str) -> str:
    return f"{_name(part)} {part};" if isinstance(part, str) else f"Given<{_type(part.kind)}> {part.name};"


def _call(part: Field | str) -> str:
    if isinstance(part, str):
        return f"{part}.members(json);"
    if not _is_written(part):
        return f'json.null_field("{part.name}");'
    return f'put(json, "{part.name}", {part.name});' if _has_member(part) else \
        f'json.field("{part.name}", {_constant(part)});'


def _type(kind: Kind) -> str:
    if kind.form:
        form = {"?": "std::optional<{}>", "[]": "std::vector<{}>", "{}": "ByName<{}>"}[kind.form]
        return form.format(_type(kind.inner))
    return _name(kind.base) if kind.base in records() else model()["types"][kind.base]["cpp"]


def _name(record: str) -> str:
    """Return the C++ name of a record: latency_pair becomes LatencyPair."""
    return record.title().replace("_", "")


def reason_codes() -> str:
    """Return reason_codes.hpp: the statuses of runs, and the reasons that programs give."""
    given = {code: it for code, it in REASONS.items() if it.program}
    return REASON_CODES.format(
        statuses=", ".join(STATUSES), names=", ".join(f'"{it}"' for it in STATUSES),
        codes="\n".join(f"    {code}," for code in given),
        specs="\n".join(f'    {{"{code}", RunStatus::{it.status}}},' for code, it in given.items()))
