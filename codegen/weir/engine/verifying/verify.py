"""Verify a binary before its first measured run, by short runs on counted data that are compared with a reference."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from weir.diagnostics import WeirError, os_error
from weir.engine.measuring import results as res
from weir.engine.measuring import weir_protocol
from weir.engine.measuring.child import Interrupts, run_child
from weir.engine.measuring.runner import check_usage
from weir.engine.targets.interface import Order, Program, RunProtocol, Verdict
from weir.engine.verifying import cache
from weir.engine.verifying.evaluation import Conditions, Evaluated, Port, dtype_of, evaluate
from weir.engine.verifying.references import ReferenceFails, missing, references
from weir.engine.verifying.verification import Unverified, Verification, by_another, by_numpy, by_scheduler, not_ended
from weir.model.document.digits import grouped
from weir.model.flowgraph.graph import Graph
from weir.sure import sure

#: Numbers of items: of the first run, of the first run of a slow program, and the most. They are prime, so that the
#: last call of a block is not a whole chunk.
FIRST, FEW, MOST = 10_007, 127, 1_000_003
#: Time budgets of the program and of numpy.
PROGRAM_S, NUMPY_S = 1.0, 2.0
#: Time limit for the first items; a slower program is tried with fewer.
PATIENCE_S = 20.0
#: Appended to a failure from the cache.
KNOWN = "from an earlier verification; `weir run --verify` repeats it"
#: Memory budget for numpy's streams and recorded ports together.
MOST_BYTES = 512 << 20


@dataclass(frozen=True)
class VerificationRequest:
    """Binary to verify. `params` are `instance.parameter=value` of the command line; `folder` is the project's.

    `another` builds the same work with another scheduler; None if this binary can itself run in another order. `can`
    are the abilities of the target's programs: `counted`, `taps`, `scheduler`.
    """

    program: Program
    plan: Mapping
    graph: Graph
    folder: Path
    params: tuple[str, ...] = ()
    another: Callable[[], Program] | None = None
    protocol: RunProtocol = weir_protocol
    can: Sequence[str] = ("counted", "taps", "scheduler")

    @property
    def binary_hash(self) -> str:
        """Return the hash of the program."""
        return self.program.hash

    @property
    def kinds(self) -> list:
        """Return the types of its blocks, each once."""
        return list({i.type.id: i.type for i in self.graph.instances}.values())


def verified(it: VerificationRequest, interrupts: Interrupts, anew: bool = False) -> Verification | Unverified | None:
    """Return the cached result, or verify now and keep the result; with `anew`, always verify. None after an interrupt.
    """
    try:
        key = cache.key(it.binary_hash, it.params, it.plan["run"]["seed"], it.kinds)
        known = None if anew else cache.load(key)
        if known is not None:
            return known if known.ok else dataclasses.replace(known, message=f"{known.message} ({KNOWN})")
        found = verify(it, interrupts)
    except OSError as error:  # such as a full disk: it says nothing about the binary
        return Unverified(os_error(error, f"verify {it.program.command[0]}").message)
    # Keep only results with items: the cause of an incomplete run may be temporary.
    if isinstance(found, Verification) and found.items:
        cache.store(key, found)
    return found


def verify(it: VerificationRequest, interrupts: Interrupts) -> Verification | Unverified | None:
    """Run the binary on more and more items, for up to a second, until an answer is wrong."""
    if it.graph.of_gnuradio:
        return Unverified("Weir does not check the values that GNU Radio's blocks compute")
    if "counted" not in it.can:
        return Unverified(f"Weir does not check what programs of target `{it.plan['target']}` compute")
    without = missing(it.kinds)
    why = f"{' and '.join(without)} {'has' if len(without) == 1 else 'have'} no reference.py" if without else ""
    taps: list = []
    items, measured = FIRST, 0
    found: Verification | Unverified | None = None
    while True:
        try:
            if not why:
                found, took = _by_numpy(it, items, taps, interrupts)
            elif it.another or "scheduler" in it.can:
                found, took = (_by_another if it.another else _by_scheduler)(it, items, why, interrupts)
            else:
                return Unverified(why)
        except (ReferenceFails, _Inexact) as error:
            why = str(error)
            continue
        except _TooSlow:
            if found is not None:
                return _of_every_sink(found, measured)
            if items == FEW:
                return Unverified(f"the program takes more than {PATIENCE_S:g} s for {FEW} items")
            items = FEW
            continue
        if found is None or not found.ok:
            return found
        measured, more = items, min(MOST, int(items * took.room()))
        if items >= MOST or more < 2 * items:
            return _of_every_sink(found, items)
        items = largest_prime(more)


def _of_every_sink(found: Verification | Unverified, items: int) -> Verification | Unverified:
    """Return `found` if items reached every sink, else Unverified. `items` is the number in its run."""
    empty = [f"`{sink.id}`" for sink in found.sinks if not sink.items] if isinstance(found, Verification) else []
    if not empty:
        return found
    return Unverified(f"no item reached {' or '.join(empty)} within the verification's {grouped(items)} items")


@dataclass(frozen=True)
class _Took:
    program_s: float
    numpy_s: float = 0.0
    held_bytes: int = 0

    def room(self) -> float:
        """Return the factor by which time and memory allow more items."""
        return min(PROGRAM_S / max(self.program_s, 1e-6), NUMPY_S / max(self.numpy_s, 1e-6),
                   MOST_BYTES / max(self.held_bytes, 1))


class _TooSlow(Exception):
    pass


class _Inexact(Exception):
    """The bits of a port are unknown to numpy, and the program does not record them."""


def _by_numpy(it: VerificationRequest, items: int, taps: list[Port],
              interrupts: Interrupts) -> tuple[Verification | None, _Took]:
    """Verify by numpy. Adds ports to `taps` whose bits numpy does not know."""
    while True:
        with _run(it, items, taps, interrupts) as (results, order):
            if results is None:
                return None, _Took(0)
            if not _ended(results):
                return not_ended(results, it.binary_hash, _why(results)), _Took(0)
            recorded = {port: np.fromfile(it.protocol.tapped(order, i), dtype_of(it.graph, port))
                        for i, port in enumerate(taps)}
        references(it.kinds)  # read before the clock runs
        started = time.monotonic()
        evaluated = _evaluated(it, items, results, recorded)
        unknown = [port for port in evaluated.inexact if port not in recorded and _is_read(it.graph, port)]
        if not unknown:
            took = _Took(results["elapsed_s"], time.monotonic() - started,
                         evaluated.peak_bytes + sum(x.nbytes for x in recorded.values()))
            return by_numpy(it.graph, results, evaluated, it.binary_hash), took
        if "taps" not in it.can:
            raise _Inexact(f"{'.'.join(unknown[0])} is not exact, and programs of target `{it.plan['target']}` "
                           "do not record their output")
        taps += unknown


def _evaluated(it: VerificationRequest, items: int, results: Mapping, recorded: Mapping[Port, np.ndarray]) -> Evaluated:
    graph = with_parameters(it.graph, results["parameters"], [p.partition("=")[0].strip() for p in it.params])
    return evaluate(graph, Conditions(items, it.plan["run"]["seed"], it.folder, counted=True), recorded)


def _is_read(graph: Graph, port: Port) -> bool:
    return any((edge.src, edge.src_port) == port for edge in graph.edges)


def _by_scheduler(it: VerificationRequest, items: int, why: str,
                  interrupts: Interrupts) -> tuple[Verification | None, _Took]:
    with _run(it, items, None, interrupts) as (results, _):
        if results is None:
            return None, _Took(0)
        if not _ended(results):
            return not_ended(results, it.binary_hash, _why(results)), _Took(0)
        return by_scheduler(results, it.binary_hash, why), _Took(results["elapsed_s"])


def _by_another(it: VerificationRequest, items: int, why: str,
                interrupts: Interrupts) -> tuple[Verification | Unverified | None, _Took]:
    with _run(it, items, (), interrupts) as (mine, _):
        if mine is None:
            return None, _Took(0)
        if not _ended(mine):
            return not_ended(mine, it.binary_hash, _why(mine)), _Took(0)
    try:
        other = sure(it.another)()
    except WeirError as error:  # failure to build the other program says nothing about this one
        return Unverified(f"{why}, and under another scheduler: {error.diagnostics[0].message}"), _Took(0)
    with _run(dataclasses.replace(it, program=other), items, (), interrupts) as (theirs, _):
        if theirs is None:
            return None, _Took(0)
        if not _ended(theirs):
            return not_ended(theirs, it.binary_hash, f"under {theirs['scheduler']}, {_why(theirs)}"), _Took(0)
        return by_another(mine, theirs, it.binary_hash, why), _Took(mine["elapsed_s"] + theirs["elapsed_s"])


@contextlib.contextmanager
def _run(it: VerificationRequest, items: int, taps: Sequence[Port] | None,
         interrupts: Interrupts) -> Iterator[tuple[dict | None, Order]]:
    """Make a verifying run; yield its results (None after an interrupt) and its order, whose folder has the taps.

    `taps` None leaves the comparison to the program. Files that its blocks write are removed with the folder.
    """
    with cache.scratch() as folder:
        order = Order(folder, it.folder, items=items, params=it.params, timeout_s=PATIENCE_S, counted=True,
                      taps=None if taps is None else tuple(map(".".join, taps)))
        ended = run_child(it.protocol.command(it.program, order), folder, folder / "stdout.log", PATIENCE_S, interrupts)
        if interrupts.count:
            yield None, order
            return
        verdict = it.protocol.verdict(ended)
        check_usage(verdict)
        results = it.protocol.results(order, it.plan, ended, lambda: res.without_results(it.plan, "", 0, "off", {}))
        if results is None and (verdict.kind == "unwritten" or _has_no_room(verdict)):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))
        if results is None:
            said = " / ".join(ended.last_lines) or ended.signal_name or f"exit code {ended.code}"
            results = {"sinks": [], "reasons": [{"code": "E_NO_RESULTS", "message": said}]}
        if any(reason["code"] == "E_TIMEOUT" for reason in results["reasons"]):
            raise _TooSlow
        yield results, order


def _has_no_room(verdict: Verdict) -> bool:
    return any(os.strerror(errno.ENOSPC) in line for line in verdict.said)


def _ended(results: Mapping) -> bool:
    """Return whether the run has an answer, right or wrong."""
    return all(reason["code"] in ("E_COUNT", "E_VERIFY") for reason in results["reasons"])


def _why(results: Mapping) -> str:
    return f"the verifying run did not complete: {results['reasons'][0]['message']}"


def with_parameters(graph: Graph, values: Mapping[str, Any], names: Sequence[str]) -> Graph:
    """Return the graph with the effective values of `names` (block.parameter)."""
    changed: dict[str, dict[str, Any]] = {}
    for name in names:
        block, _, parameter = name.rpartition(".")
        changed.setdefault(block, {})[parameter] = values.get(name)
    return Graph(tuple(dataclasses.replace(i, parameters={**i.parameters, **changed[i.block_id]})
                       if i.block_id in changed else i for i in graph.instances), graph.edges)


def largest_prime(most: int) -> int:
    """Return the largest prime up to `most`, which is at least 2."""
    def is_prime(n: int) -> bool:
        return n == 2 or n % 2 == 1 and all(n % d for d in range(3, int(n ** 0.5) + 1, 2))

    return next(n for n in range(most, 1, -1) if is_prime(n))
