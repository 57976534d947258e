"""Checks of a deployment's settings for VOLK kernels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from weir.diagnostics import Diagnostic, diagnostic, did_you_mean, pointer
from weir.model.catalog import BlockType, Catalog
from weir.model.document.deployment import AUTO, Deployment, Volk
from weir.model.flowgraph.graph import Graph

#: Setting for a block's own code instead of a VOLK kernel.
OFF = "off"
#: VOLK's implementation in plain C, which each kernel has.
GENERIC = "generic"


def called(blocks: Iterable[tuple[BlockType, str | None]]) -> list[str]:
    """Return the sorted names of the kernels that blocks call with their item types."""
    return sorted({kernel for block, item_type in blocks for kernel in block.kernels_of(item_type)})


def wish(volk: Volk, kernel: str) -> str:
    """Return the requested implementation of a kernel."""
    return volk.kernels.get(kernel, volk.implementation)


def off(volk: Volk, kernels: Iterable[str]) -> list[str]:
    """Return the kernels that must not be called; `all` if this applies to every kernel."""
    kernels = list(kernels)
    found = [kernel for kernel in kernels if wish(volk, kernel) == OFF]
    return ["all"] if found and found == kernels else found


def check_names(deployment: Deployment, graph: Graph, catalog: Catalog) -> Iterator[Diagnostic]:
    """Yield errors about kernels that no block calls, and a warning about settings of a graph that calls no kernel."""
    known = {kernel for block in catalog.blocks.values() for kernel in block.kernels}
    unknown = [kernel for kernel in deployment.volk.kernels if kernel not in known]
    for kernel in unknown:
        yield diagnostic("E_VOLK_KERNEL", deployment.pointer + pointer("volk", "kernels", kernel),
                         f"no block calls the VOLK kernel `{kernel}`", did_you_mean(kernel, sorted(known)))
    if deployment.volk != Volk() and not unknown and not called((it.type, it.item_type) for it in graph.instances):
        yield diagnostic("W_VOLK_UNUSED", deployment.pointer + "/volk", "no block of this flowgraph calls VOLK")


def check_implementations(deployment: Deployment, installed: Mapping[str, Iterable[str]]) -> Iterator[Diagnostic]:
    """Yield errors about implementations that this machine lacks. `installed`: VOLK's implementation names, by kernel
    that the graph calls.
    """
    at, volk = deployment.pointer, deployment.volk
    for kernel, requested in volk.kernels.items():
        names = list(installed.get(kernel, ()))
        if names and requested not in (AUTO, OFF) and not _has(requested, names):
            yield _missing(at + pointer("volk", "kernels", kernel), f"VOLK has no implementation `{requested}` of "
                                                                    f"`{kernel}` on this machine",
                           requested, names)
    every = sorted({name for names in installed.values() for name in names})
    if every and volk.implementation not in ("", AUTO, OFF) and not _has(volk.implementation, every):
        yield _missing(at + "/volk/implementation",
                       f"VOLK has no implementation `{volk.implementation}` of any kernel that this flowgraph calls on "
                       "this machine",
                       volk.implementation, every)


def _has(requested: str, names: Iterable[str]) -> bool:
    return not {requested, f"a_{requested}", f"u_{requested}"}.isdisjoint(names)


def _missing(at: str, message: str, requested: str, names: Iterable[str]) -> Diagnostic:
    """Suggest names without the alignment prefix, because these apply to aligned and unaligned items."""
    offered = sorted({name.removeprefix("a_").removeprefix("u_") for name in names})
    return diagnostic("E_VOLK_IMPLEMENTATION", at, message, did_you_mean(requested, [AUTO, OFF, *offered]))
