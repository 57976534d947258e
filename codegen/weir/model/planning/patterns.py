"""Patterns over instance names, as placement, affinity and buffers use them: stage, stage[2], stage[0..2]@*, *@p1.

A part that is left out matches everything: `stage` is every copy of the block in every pipe.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from weir.model.flowgraph.graph import Instance
from weir.sure import sure

HINT = "write patterns such as stage, stage[2], stage[0..2]@*, sink@p1, *@p0..3"
_SPAN = r"(?:\*|[0-9]{1,9}(?:\.\.[0-9]{1,9})?)"
_PATTERN = re.compile(rf"(?P<name>\*|[a-z][a-z0-9_]{{0,63}})(?:\[(?P<copy>{_SPAN})\])?(?:@(?:p?(?P<pipe>{_SPAN})))?")


@dataclass(frozen=True)
class Pattern:
    """Pattern over instance names. `copy`, `pipe`: first and last, both included; None matches all."""

    name: str
    copy: tuple[int, int] | None
    pipe: tuple[int, int] | None

    def matches(self, instance: Instance) -> bool:
        """Return whether the pattern matches an instance."""
        return (self.name in ("*", instance.block_id)
                and _within(instance.copy, self.copy) and _within(instance.pipe, self.pipe))

    def select(self, instances: Iterable[Instance]) -> list[Instance]:
        """Return the matching instances."""
        return [instance for instance in instances if self.matches(instance)]


def _within(number: int | None, span: tuple[int, int] | None) -> bool:
    return span is None or number is not None and span[0] <= number <= span[1]


def parse(text: str) -> Pattern | None:
    """Return the pattern of a text, None if it is invalid."""
    match = _PATTERN.fullmatch(text)
    return match and Pattern(match["name"], _span(match["copy"]), _span(match["pipe"]))


def _span(text: str | None) -> tuple[int, int] | None:
    if text is None or text == "*":
        return None
    first, _, last = text.partition("..")
    return int(first), int(last or first)


def parse_edge(text: str) -> tuple[Pattern, str, Pattern, str] | None:
    """Return patterns and ports of `src.port->dst.port`, None if the text has another form."""
    match = re.fullmatch(r"(?P<src>[^>]+)\.(?P<out>[a-z][a-z0-9_]*)->(?P<dst>[^>]+)\.(?P<in>[a-z][a-z0-9_]*)", text)
    ends = match and (parse(match["src"]), parse(match["dst"]))
    src, dst = ends or (None, None)
    return (src, sure(match)["out"], dst, sure(match)["in"]) if src and dst else None
