"""Parameters of old flowgraphs that GNU Radio no longer has. It ignores such a parameter without a message."""

from __future__ import annotations

from weir.interop.grc.reading.block_files import BlockFile
from weir.interop.grc.reading.flowgraph import GrcBlock

_EVERY = ("affinity", "alias", "comment", "maxoutbuf", "minoutbuf")
_MOST_SHOWN = 3


def no_longer(block: GrcBlock, described: BlockFile) -> str:
    """Return the parameters and choices of a block that its description lacks, "" if there are none."""
    known = {it.id: it for it in described.parameters}
    unknown = [f"`{key}`" for key in block.parameters if key not in known and key not in _EVERY]
    choices = [f"{key} `{text[:40]}`" for key, text in block.parameters.items()
               if key in known and known[key].dtype == "enum" and text not in known[key].options]
    parts = ([f"ignores the parameters {_listed(unknown)}"] if unknown else []) + (
        [f"uses its own choice instead of {_listed(choices)}"] if choices else [])
    return f"GNU Radio {' and '.join(parts)}" if parts else ""


def _listed(words: list[str]) -> str:
    more = len(words) - _MOST_SHOWN
    return ", ".join(words[:_MOST_SHOWN]) + (f" and {more} more" if more > 0 else "")
