"""Writes the files generated from the model of results, the registry of reasons and the records of traces.

The sources are `codegen/weir/schema/results.model.json`, `REASONS` in `codegen/weir/codes.py` and
`codegen/weir/engine/measuring/ctf_reader.py`. `--check` only lists the files that are out of date.

/usr/bin/python3 codegen/make_results.py [--check]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "codegen"))

from record_header import of_programs, of_reader  # noqa: E402
from results_header import header, reason_codes  # noqa: E402
from weir.codes import REASONS  # noqa: E402
from weir.engine.results_model import Field, Kind, Record, model, records  # noqa: E402
from weir.model.document import jsontext  # noqa: E402
from weir.model.document.shape import SCHEMA_FOLDER  # noqa: E402

MADE_OF = "codegen/weir/schema/results.model.json"


def schema() -> str:
    """Return results.schema.json, with one definition for each object."""
    root, *others = records().values()
    named = {it.kind.base for record in records().values() for it in record.fields.values()}
    return jsontext.write({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://weir.invalid/schema/results.schema.json",
        "title": root.title, **_shape_of(root), "patternProperties": {"^x_": {}},
        "$defs": {record.id: _shape_of(record) for record in others if record.id in named}})


def _shape_of(record: Record) -> dict[str, object]:
    properties = {name: _described(_shape(it.kind), it) for name, it in record.fields.items()}
    return {**({"description": record.meaning} if record.meaning else {}), "type": "object", "properties": properties,
            "required": list(properties), "additionalProperties": False}


def _described(shape: dict[str, object], it: Field) -> dict[str, object]:
    told = it.meaning or model()["types"].get(it.kind.base, {}).get("meaning")
    return {**shape, "description": told} if told else shape


def _shape(kind: Kind) -> dict[str, object]:
    if kind.form == "[]":
        return {"type": "array", "items": _shape(kind.inner)}
    if kind.form == "{}":
        return {"type": "object", "additionalProperties": _shape(kind.inner)}
    if kind.form == "?":
        inner = _shape(kind.inner)
        if set(inner) & {"$ref", "enum", "items"}:
            return {"oneOf": [{"type": "null"}, inner]}
        return {**inner, "type": [inner["type"], "null"]}
    return {"$ref": f"#/$defs/{kind.base}"} if kind.base in records() else dict(model()["types"][kind.base]["schema"])


def page() -> str:
    """Return docs/results.md: a table for each object, one of the metrics, and one of the reasons."""
    return "\n\n".join([PAGE, *map(_section, records().values()), *_metrics(), *_reasons()]) + "\n"


PAGE = f"""# The fields of results.json

Every field with its unit and its meaning; [measuring.md](measuring.md) says how the numbers are measured. Not measured
is null. *Who* says whether the program writes a field or the runner, which fills it in. A field marked † is missing in
results of earlier versions, and null when these are read.

This page is printed by `codegen/make_results.py` from `{MADE_OF}` and `codegen/weir/codes.py`."""


def _section(record: Record) -> str:
    title = f"`{record.id}`" if record.id != "results" else "`results.json`"
    rows = [_row(part) for part in record.parts]
    table = "\n".join(["| field | type | unit | who | meaning |", "| --- | --- | --- | --- | --- |", *rows])
    return f"## {title}\n\n" + (f"{_sentence(record.meaning)}\n\n" if record.meaning else "") + table


def _row(part: Field | str) -> str:
    if isinstance(part, str):
        return f"| all of `{part}` | | | | |"
    changed = f" ({part.changed})" if part.changed else ""
    return (f"| `{part.name}`{'†' if part.later else ''} | {_type(part.kind)} | {part.unit} | {part.by} | "
            f"{part.meaning}{changed} |")


def _type(kind: Kind) -> str:
    """Return the type in words, such as `list of sink, or null`."""
    if kind.form:
        return {"?": "{} or null", "[]": "list of {}", "{}": "{} by name"}[kind.form].format(_type(kind.inner))
    values = [] if kind.base in records() else model()["types"][kind.base]["schema"].get("enum", [])
    words = {"yes": "true or false", "amount": "number from 0", "share": "number from 0 to 1", "three": "three numbers",
             "bin": "items and calls", "anything": "object", "numbers": "numbers by name"}
    return ", ".join(values) or (f"`{kind.base}`" if kind.base in records() else words.get(kind.base, kind.base))


def _metrics() -> Iterator[str]:
    yield ("## Metrics\n\nThe numbers that `weir compare` holds against each other, by their `--metric`. A gate "
           "decides: *flat out* where a source runs as fast as it can, *paced* where all have a schedule.")
    rows = [f"| `{it['id']}` | {it['title']} | `{it['at']}`{_over(it)} | {it['better']} | "
            f"{it.get('gate', '').replace('_', ' ')} |" for it in model()["metrics"]]
    yield "\n".join(["| metric | title | from | better | gate |", "| --- | --- | --- | --- | --- |", *rows])


def _over(metric: Mapping) -> str:
    return f" over `{metric['over']['at']}`" if "over" in metric else ""


def _reasons() -> Iterator[str]:
    yield ("## Reasons\n\nWhy a run ended as it did. The worst reason is the run's status. N_ is a note, W_ a warning, "
           "E_ an error.")
    yield "\n".join(["| code | status | meaning |", "| --- | --- | --- |",
                     *(f"| `{code}` | {it.status} | {it.meaning} |" for code, it in REASONS.items())])


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:].removesuffix(".") + "."


def made() -> dict[Path, str]:
    """Return the generated files with their texts."""
    return {SCHEMA_FOLDER / "results.schema.json": schema(), ROOT / "docs/results.md": page(),
            ROOT / "runtime/src/results_fields.hpp": header(MADE_OF),
            ROOT / "runtime/include/weir/reason_codes.hpp": reason_codes(),
            ROOT / "runtime/include/weir/trace_record.hpp": of_programs(),
            ROOT / "codegen/native/trace_reader/record.hpp": of_reader()}


def main() -> int:
    """Write the outdated files, or list them with --check. Returns the exit code."""
    stale = [path for path, text in made().items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        print(path.relative_to(ROOT))
        if "--check" not in sys.argv:
            path.write_text(made()[path], encoding="utf-8")
    return int(bool(stale) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
