"""Differences between this machine and the one that packed a capsule. They are remarks for the reader; only different
digests affect the verdict.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from weir import ROOT, __version__
from weir.engine.measuring.revision import git_revision
from weir.engine.measuring.run_directory import StoredRun
from weir.interop.capsule.checking import Checked
from weir.interop.capsule.layout import CODE, SOURCES
from weir.interop.capsule.shape import key_of
from weir.lab.sweeping.record import Record
from weir.lab.sweeping.state import State
from weir.read.comparing.work import compare_side_digests

#: Most files that are named one by one.
MOST_NAMED = 5
#: Files of a generated project that describe it and are not compiled.
_NOT_COMPILED = ("README.md", "plan.json", "project.json", "source_map.json")


def remarks(capsule: Checked, there: State, here: State, was: Record, now: Record) -> list[str]:
    """Return the differences from the place where the capsule was packed, one sentence each."""
    return [*_machines(there, here), *_weir(capsule), *_sources(capsule.sums), *_code(capsule.sums),
            *_programs(there, here), *_generated(was, now),
            *(f"of the capsule: {it}" for it in capsule.about["remarks"])]


def _machines(there: State, here: State) -> Iterator[str]:
    was, now = there.value["machine"], here.value["machine"]
    parts = [name for name in was if was[name] != now.get(name)]
    yield (f"another machine: {now.get('cpu')} here, {was.get('cpu')} there (another {', '.join(parts)})" if parts
           else f"probably the same machine: {now.get('cpu')}")


def _weir(capsule: Checked) -> Iterator[str]:
    was = capsule.about["weir_version"], capsule.about["weir_revision"]
    now = __version__, git_revision(ROOT)
    if was != now:
        yield (f"another Weir: {now[0]} ({now[1] or 'no commit known'}) here, {was[0]} ({was[1] or 'no commit known'}) "
               "there")


def _sources(sums: Mapping[str, str]) -> Iterator[str]:
    """Yield the differences between Weir's parts in the capsule and here, because the build uses those here."""
    names = sorted(name for name in sums if name.startswith(f"{SOURCES}/"))
    other = [name.removeprefix(f"{SOURCES}/") for name in names
             if not _is_here(name.removeprefix(f"{SOURCES}/"), sums[name])]
    if not other:
        yield f"Weir's own blocks, schedulers, targets and runtime that it uses are the same here ({len(names)} files)"
        return
    yield (f"{len(other)} of {len(names)} files of Weir's own blocks, schedulers, targets and runtime differ from the "
           f"capsule's, and Weir measured its own: {_named(other)}")


def _is_here(name: str, digest: str) -> bool:
    try:
        return hashlib.sha256((ROOT / name).read_bytes()).hexdigest() == digest
    except OSError:
        return False


def _code(sums: Mapping[str, str]) -> Iterator[str]:
    found = brought(sums)
    if found:
        yield f"built from the capsule's code: {', '.join(found)}"


def brought(sums: Mapping[str, str]) -> list[str]:
    """Return the parts whose code a capsule brings, such as `block my_block`."""
    parts = (name.split("/")[1:] for name in sums if name.startswith(f"{CODE}/"))
    return sorted({f"{words[0].removesuffix('s')} {words[1]}" if len(words) > 2 else "/".join(words)
                   for words in parts})


def _programs(there: State, here: State) -> Iterator[str]:
    was, now = ({key_of([point["values"][name] for name in at.value["columns"]]): point["binary_hash"]
                 for point in at.value["points"]} for at in (there, here))
    both = was.keys() & now.keys()
    same = sum(was[key] == now[key] is not None for key in both)
    yield f"{same} of {len(both)} programs are identical to the capsule's"


def _generated(there: Record, here: Record) -> Iterator[str]:
    """Return the remark about the generated code. The capsule has only its hashes."""
    other: dict[str, None] = {}
    for was, now in _both(there, here):
        a, b = was.run["sources"], now.run["sources"]
        other |= dict.fromkeys(name for name in sorted(a.keys() | b.keys())
                               if a.get(name) != b.get(name) and name not in _NOT_COMPILED)
    if other:
        yield f"compiled from different sources than there: {_named(list(other))}"


def _named(names: Sequence[str]) -> str:
    rest = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def _both(there: Record, here: Record) -> Iterator[tuple[StoredRun, StoredRun]]:
    """Yield one ok run of both records for each point that both have."""
    now = {key_of(cell.values): here.latest.get(cell.number) for cell in here.cells}
    for cell in there.cells:
        pair = there.latest.get(cell.number), now.get(key_of(cell.values))
        if pair[0] and pair[1]:
            yield pair[0], pair[1]


def answers(there: Record, here: Record) -> list[str]:
    """Return the programs that did the same work with another digest. None of their figures can be compared."""
    held = [compare_side_digests([one], [other]) for one, other in _both(there, here) if _has_digest(one)]
    return [f"A is the capsule, B is here: {it.words}" for it in held if it.refused]


def _has_digest(run: StoredRun) -> bool:
    return any(sink["digest"] is not None for sink in run.results["sinks"])
