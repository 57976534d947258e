"""Prints docs/blocks.md: the block library, from the descriptors of the blocks.

/usr/bin/python3 docs/make_blocks.py > docs/blocks.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "codegen"))

from weir.model.catalog import BlockType, Port, load_catalog  # noqa: E402
from weir.model.catalog_text import accuracy_of, behaviour_of, facts_of, rate_of  # noqa: E402
from weir.model.document.item_types import Parameter  # noqa: E402

HEAD = """# Blocks

This page lists the library by family. A block with several item types works on one of them, T. Its parameter
`item_type` or a connection decides which. `weir catalog BLOCK` describes one block in the terminal;
`weir catalog --json` describes all blocks for programs.

Tests check two rules for every block. How a stream is cut into chunks changes no bit of the output. Float results
differ from a float64 reference by at most the stated bound, in ulp.

This page is printed by `docs/make_blocks.py` from the descriptors in `block-library/`."""


def page() -> str:
    """Return the page, with one newline at its end."""
    families: dict[str, list[BlockType]] = {}
    for block in load_catalog().blocks.values():
        families.setdefault(block.family, []).append(block)
    return "\n\n".join([HEAD, _overview(families), *(section for name, blocks in families.items()
                                                     for section in _family(name, blocks))]) + "\n"


def _overview(families: dict[str, list[BlockType]]) -> str:
    rows = [f"| {name} | {', '.join(f'[`{b.id}`](#{b.id})' for b in blocks)} |" for name, blocks in families.items()]
    return "\n".join(["| family | blocks |", "| --- | --- |", *rows])


def _family(name: str, blocks: list[BlockType]) -> Iterator[str]:
    yield f"## {name.capitalize()}"
    for block in blocks:
        yield "\n\n".join(_block(block))


def _block(block: BlockType) -> Iterator[str]:
    yield f"### {block.id}"
    yield f"**{_text(block.title)}.** {_text(block.documentation)}"
    facts = [f"item types: {' '.join(block.item_types)}"] if block.item_types else []
    facts += [f"{side}: {_ports(ports)}" for side, ports in (("in", block.inputs), ("out", block.outputs)) if ports]
    facts += [_parameter(p) for p in block.parameters]
    facts.append("; ".join(behaviour_of(block)))
    if accuracy := accuracy_of(block):
        facts.append(f"accuracy: {_text(accuracy)}")
    if block.keywords:
        facts.append(f"search words: {', '.join(map(_text, block.keywords))}")
    yield "\n".join(f"- {fact}" for fact in facts)


def _ports(ports: tuple[Port, ...]) -> str:
    return ", ".join(f"`{p.id}` {p.type}" + ("" if p.rate == 1 else f" ({rate_of(p)})") for p in ports)


def _parameter(p: Parameter) -> str:
    return _text(f"`{p.id}`: {', '.join(facts_of(p))}. {p.documentation}".rstrip())


def _text(text: str) -> str:
    """Escape stars and bars, which are arithmetic here, not Markdown. Code between backquotes stays unchanged."""
    parts = text.split("`")
    parts[::2] = [part.replace("*", "\\*").replace("|", "\\|").replace("<", "&lt;")
                  for part in parts[::2]]
    return "`".join(parts)


if __name__ == "__main__":
    sys.stdout.write(page())
