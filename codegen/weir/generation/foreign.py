"""The sources of a run that are not Weir's own: what it takes to build it again once their folders have moved."""

from __future__ import annotations

from pathlib import Path

from weir.catalog import ROOT, Catalog
from weir.diagnostics import WeirError, os_error
from weir.document.jsontext import MAX_BYTES
from weir.files import read_bounded
from weir.planning.plan import Plan

_OWN = (ROOT / "block-library", ROOT / "runtime" / "schedulers")


def foreign_sources(plan: Plan, catalog: Catalog) -> dict[str, bytes]:
    """`blocks/<id>/<file>` and `schedulers/<id>/<file>` -> content, of the blocks and the scheduler that a plan uses.

    Descriptor, headers, and a block's reference in numpy. WeirError where one cannot be read.
    """
    used = {"blocks": [catalog.blocks[name] for name in sorted({block.type for block in plan.blocks})],
            "schedulers": [catalog.schedulers[plan.scheduler]]}
    found = {}
    for kind, types in used.items():
        for it in types:
            if any(it.folder.resolve().is_relative_to(own) for own in _OWN):
                continue
            descriptor = it.folder / f"{kind.removesuffix('s')}.json"
            for path in (descriptor, *sorted(it.folder.glob("*.hpp")), it.folder / "reference.py"):
                if path.is_file():
                    found[f"{kind}/{it.id}/{path.name}"] = _read(path)
    return found


def _read(path: Path) -> bytes:
    try:
        return read_bounded(path, MAX_BYTES)
    except OSError as error:
        raise WeirError(os_error(error, f"read {path}")) from None
