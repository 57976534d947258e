"""The short run of a binary on counted data that comes before its first measured one, and what it is held against."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from weir.diagnostics import os_error
from weir.flowgraph.graph import Graph
from weir.generation.emit import sha256
from weir.measuring.child import Ended, Interrupts, run_child
from weir.measuring.results import read_results
from weir.measuring.runner import UNWRITTEN, check_usage
from weir.verifying import cache
from weir.verifying.evaluation import Conditions, Evaluated, Port, dtype_of, evaluate
from weir.verifying.references import ReferenceFails, missing, references
from weir.verifying.verification import Unverified, Verification, by_numpy, by_scheduler, not_ended

#: How many items: of the first run, and of that of a program that is too slow for it; and at most. Primes, so that
#: the last call of a block is not of a whole chunk.
FIRST, FEW, MOST = 10_007, 127, 1_000_003
#: What the program may take, and what numpy may take for its answer.
PROGRAM_S, NUMPY_S = 1.0, 2.0
#: A program that takes longer for the first items is tried with fewer.
PATIENCE_S = 20.0
#: Said with a failure that is remembered.
KNOWN = "found before; `weir run --verify` looks again"
#: Streams of numpy and recorded ports together.
MOST_BYTES = 512 << 20


@dataclass(frozen=True)
class Subject:
    """What is verified. `params`: `instance.parameter=value` of the command line; `folder`: of the project."""

    binary: Path
    plan: Mapping
    graph: Graph
    folder: Path
    params: tuple[str, ...] = ()

    @cached_property
    def binary_hash(self) -> str:
        return sha256(self.binary.read_bytes())

    @property
    def kinds(self) -> list:
        return list({i.type.id: i.type for i in self.graph.instances}.values())


def verified(it: Subject, interrupts: Interrupts, anew: bool = False) -> Verification | Unverified | None:
    """From the cache, or found out now and kept there; always found out with `anew`. None after an interrupt."""
    try:
        key = cache.key(it.binary_hash, it.params, it.plan["run"]["seed"], it.kinds)
        found = None if anew else cache.load(key)
        if found is not None:
            return found if found.ok else dataclasses.replace(found, message=f"{found.message} ({KNOWN})")
        found = verify(it, interrupts)
    except OSError as error:  # a full disk of the cache, say: that speaks neither for nor against the binary
        return Unverified(os_error(error, f"verify {it.binary}").message)
    # What kept a program from its end may be gone the next time; a wrong answer stays one.
    if isinstance(found, Verification) and found.items:
        cache.store(key, found)
    return found


def verify(it: Subject, interrupts: Interrupts) -> Verification | Unverified | None:
    """Runs it on more and more items, up to what a second has room for, until an answer is wrong."""
    without = missing(it.kinds)
    why = f"{' and '.join(without)} {'has' if len(without) == 1 else 'have'} no reference.py" if without else ""
    items, found, taps = FIRST, None, []
    while True:
        try:
            found, took = (_by_scheduler(it, items, why, interrupts) if why else _by_numpy(it, items, taps, interrupts))
        except ReferenceFails as error:
            why = str(error)
            continue
        except _TooSlow:
            if found is not None:
                return found
            if items == FEW:
                return Unverified(f"{FEW} items take it more than {PATIENCE_S:g} s")
            items = FEW
            continue
        if found is None or not found.ok or items >= MOST:
            return found
        more = min(MOST, int(items * took.room()))
        if more < 2 * items:
            return found
        items = largest_prime(more)


@dataclass(frozen=True)
class _Took:
    program_s: float
    numpy_s: float = 0.0
    held_bytes: int = 0

    def room(self) -> float:
        """How many times as many items there is time and memory for."""
        return min(PROGRAM_S / max(self.program_s, 1e-6), NUMPY_S / max(self.numpy_s, 1e-6),
                   MOST_BYTES / max(self.held_bytes, 1))


class _TooSlow(Exception):
    pass


def _by_numpy(it: Subject, items: int, taps: list[Port], interrupts: Interrupts) -> tuple[Verification | None, _Took]:
    """`taps` grows by the ports that numpy turns out not to know to the bit."""
    while True:
        with _run(it, items, taps, interrupts) as (results, folder):
            if results is None:
                return None, _Took(0)
            if not _ended(results):
                return not_ended(results, it.binary_hash, _why(results)), _Took(0)
            recorded = {port: np.fromfile(folder / f"tap-{i}.items", dtype_of(it.graph, port))
                        for i, port in enumerate(taps)}
        references(it.kinds)  # read before the clock runs
        started = time.monotonic()
        evaluated = _evaluated(it, items, results, recorded)
        unknown = [port for port in evaluated.inexact if port not in recorded and _is_read(it.graph, port)]
        if not unknown:
            took = _Took(results["elapsed_s"], time.monotonic() - started,
                         evaluated.peak_bytes + sum(x.nbytes for x in recorded.values()))
            return by_numpy(it.graph, results, evaluated, it.binary_hash), took
        taps += unknown


def _evaluated(it: Subject, items: int, results: Mapping, recorded: Mapping[Port, np.ndarray]) -> Evaluated:
    graph = with_parameters(it.graph, results["parameters"], [p.partition("=")[0].strip() for p in it.params])
    return evaluate(graph, Conditions(items, it.plan["run"]["seed"], it.folder, counted=True), recorded)


def _is_read(graph: Graph, port: Port) -> bool:
    return any((edge.src, edge.src_port) == port for edge in graph.edges)


def _by_scheduler(it: Subject, items: int, why: str, interrupts: Interrupts) -> tuple[Verification | None, _Took]:
    with _run(it, items, None, interrupts) as (results, _):
        if results is None:
            return None, _Took(0)
        if not _ended(results):
            return not_ended(results, it.binary_hash, _why(results)), _Took(0)
        return by_scheduler(results, it.binary_hash, why), _Took(results["elapsed_s"])


@contextlib.contextmanager
def _run(it: Subject, items: int, taps: Sequence[Port] | None,
         interrupts: Interrupts) -> Iterator[tuple[dict | None, Path]]:
    """A verifying run: its results (None after an interrupt) and its folder, which has what was tapped.

    `taps`: None leaves the comparison to the program. Files that its blocks write go with the folder.
    """
    with cache.scratch() as folder:
        arguments = [str(it.binary), "--verify", "--items", str(items), "--out", ".", "--project-dir", str(it.folder),
                     "--timeout-s", f"{PATIENCE_S:g}"]
        arguments += [word for param in it.params for word in ("--param", param)]
        if taps is not None:
            arguments += ["--without-reference", *(word for port in taps for word in ("--tap", ".".join(port)))]
        ended = run_child(arguments, folder, folder / "stdout.log", PATIENCE_S, interrupts)
        if interrupts.count:
            yield None, folder
            return
        check_usage(ended)
        results = read_results(folder / "results.json")
        if results is None and _has_no_room(ended):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))
        if results is None:
            said = " / ".join(ended.last_lines) or ended.signal_name or f"exit code {ended.code}"
            results = {"sinks": [], "reasons": [{"code": "E_NO_RESULTS", "message": said}]}
        if any(reason["code"] == "E_TIMEOUT" for reason in results["reasons"]):
            raise _TooSlow
        yield results, folder


def _has_no_room(ended: Ended) -> bool:
    """Whether the program could not write what it found."""
    return ended.code == UNWRITTEN or any(os.strerror(errno.ENOSPC) in line for line in ended.last_lines)


def _ended(results: Mapping) -> bool:
    """Whether it has an answer, right or wrong."""
    return all(reason["code"] in ("E_COUNT", "E_VERIFY") for reason in results["reasons"])


def _why(results: Mapping) -> str:
    return f"its verifying run did not end: {results['reasons'][0]['message']}"


def with_parameters(graph: Graph, values: Mapping[str, object], names: Sequence[str]) -> Graph:
    """The graph with the values in effect of `names` (block.parameter)."""
    changed: dict[str, dict[str, object]] = {}
    for name in names:
        block, _, parameter = name.rpartition(".")
        changed.setdefault(block, {})[parameter] = values.get(name)
    return Graph(tuple(dataclasses.replace(i, parameters={**i.parameters, **changed[i.block_id]})
                       if i.block_id in changed else i for i in graph.instances), graph.edges)


def largest_prime(most: int) -> int:
    """The largest prime that is no larger than `most`, which is 2 or more."""
    def is_prime(n: int) -> bool:
        return n == 2 or n % 2 and all(n % d for d in range(3, int(n ** 0.5) + 1, 2))

    return next(n for n in range(most, 1, -1) if is_prime(n))
