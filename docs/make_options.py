"""Prints docs/options.md: the options of a project's run and of its deployments.

/usr/bin/python3 docs/make_options.py > docs/options.md
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "codegen"))

from weir.model.document.options import OF_DEPLOYMENT, OF_RUN  # noqa: E402
from weir.model.document.shape import alternatives, schema  # noqa: E402

HEAD = """# Options

What a project may say of its run, under `run`, and of each deployment, under `deployments/0` and so on. The path
is that of the value in the file: `./weir run P --set /run/items=1M` sets one for a run, `/deployments/*/…` sets one of
every deployment, and `./weir sweep P --vary chunk_items=256,1024 --out s6` varies one that has a name for sweeps. The
editor says the same of its fields.

This page is printed by `docs/make_options.py` from `codegen/weir/schema/project.schema.json`."""
COLUMNS = "| path | values | without it | in sweeps | what it says |\n| --- | --- | --- | --- | --- |"


def page() -> str:
    """Return the page, with one newline at its end."""
    sections = {"A deployment": OF_DEPLOYMENT, "A run": OF_RUN}
    return "\n\n".join([HEAD, *(f"## {title}\n\n" + "\n".join([COLUMNS, *rows(options)])
                                for title, options in sections.items())]) + "\n"


def rows(options: Mapping[str, Mapping]) -> Iterator[str]:
    """Yield a row for each option with a description, and for each of its listed values."""
    for place, rule in options.items():
        axis = f"`{rule['x-axis']}`" if "x-axis" in rule else ""
        for word, of_word in rule.get("x-switches", {}).items():
            yield f"| `{place}` | `{word}` in the list | | {axis} | {of_word['description']} |"
        if "title" in rule:
            usual = f"`{json.dumps(rule['default'])}`" if "default" in rule else rule.get("x-unset", "")
            said = f"{rule['title']}. {rule['description']}"
            yield f"| `{place}` | {', '.join(values(rule))} | {usual} | {axis} | {said} |"


def values(rule: Mapping) -> Iterator[str]:
    """Yield the possible values of an option, in words."""
    for joined in alternatives(rule, schema("project")):
        one = next(iter(alternatives(joined, schema("project"))))  # the schema that a $ref points to
        yield from (f"`{json.dumps(word)}`" for word in one.get("enum", [one["const"]] if "const" in one else []))
        kind = one.get("type")
        if kind == "object":
            yield "an expression" if "expr" in one.get("properties", ()) else "an object"
        elif kind in ("integer", "number"):
            low, high = one.get("minimum", one.get("exclusiveMinimum")), one.get("maximum")
            yield (f"{low} to {high}" if high is not None else f"a number from {low} on" if low is not None
                   else "a number")
        elif kind == "array":
            yield "a list of numbers" if one["items"].get("type") == "integer" else "a list of texts"
        elif kind:
            yield {"string": "a text", "boolean": "`true`, `false`"}[kind]


if __name__ == "__main__":
    sys.stdout.write(page())
