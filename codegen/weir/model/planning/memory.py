"""Check whether the buffers of a deployment fit into the memory of this machine."""

from __future__ import annotations

import os
from collections.abc import Mapping

from weir.diagnostics import Diagnostic, diagnostic
from weir.model.document.deployment import Deployment
from weir.model.document.item_types import ITEM_TYPES
from weir.model.flowgraph.graph import Graph
from weir.model.planning.sizing import requested_items


def machine_bytes() -> int:
    """Return the bytes of physical memory of this machine."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def requested_bytes(graph: Graph, deployment: Deployment) -> dict[str, int]:
    """Return the requested bytes in `buffers`, by stream. The sizes of other streams are known only from a plan."""
    requested = requested_items(graph, deployment)
    return {".".join(port): max(requested.get(edge.name, 0) * ITEM_TYPES[edge.item_type].size for edge in edges)
            for port, edges in graph.readers.items()}


def check_memory(deployment: Deployment, sizes: Mapping[str, int], memory: int) -> list[Diagnostic]:
    """Return an error if the buffers exceed the machine's `memory`. `sizes`: bytes by stream."""
    total = sum(sizes.values())
    if total <= memory:
        return []
    largest = max(sizes, key=lambda name: sizes[name])
    at = "/buffers" if deployment.buffers else "" if deployment.chunk_items == "auto" else "/chunk_items"
    return [diagnostic("E_BUFFER_MEMORY", deployment.pointer + at,
                       f"the buffers of `{deployment.name}` need {_gib(total)} ({largest}: {_gib(sizes[largest])}), "
                       f"but this machine has {_gib(memory)} of memory")]


def _gib(size: int) -> str:
    return f"{size / 2**30:,.4g} GiB" if size < 2**40 else f"{size / 2**40:,.4g} TiB"
