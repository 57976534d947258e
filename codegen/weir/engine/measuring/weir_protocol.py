"""`weir-1`: how a program of Weir's own runtime is asked for a run, and how it answers. docs/run-protocol.md states it.

Its counterpart is runtime/src/{options,app_parts,crash}; another protocol is a `protocol.py` with these names.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from weir.engine.measuring.child import progress_of
from weir.engine.measuring.results import read_results
from weir.engine.targets.interface import Ended, Order, Program, Verdict

#: What the program writes with the memory back-end: the records of each thread, as `ctf_reader.RECORD`.
EVENTS = "events.bin"

#: What it writes when a signal ends it while a block works.
CRASHED_IN = "weir: crashed in block "

#: How it ends: well, with options that are wrong, before it does anything; ran, and could not write; ran, and not well.
OK, USAGE_ERROR, UNWRITTEN, RUN = 0, 2, 3, 4

_SYSTEMS = (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS, errno.EIO)

progress = progress_of


def command(program: Program, order: Order) -> list[str]:
    """The command line of a run."""
    words = [*program.command, "--out", ".", "--project-dir", str(order.project_folder)]
    if order.counted:
        words.append("--verify")
        if order.taps is not None:
            words += ["--without-reference", *(word for port in order.taps for word in ("--tap", port))]
    else:
        words += ["--trace", order.trace, "--run-id", order.run_id, "--repetition", str(order.repetition)]
    if order.items is not None:
        words += ["--items", str(order.items)]
    if order.warmup_items is not None:
        words += ["--warmup-items", str(order.warmup_items)]
    if order.metrics is not None:
        words += ["--metrics", order.metrics]
    if order.timeout_s is not None:
        words += ["--timeout-s", f"{order.timeout_s:g}"]
    if order.beside:
        words += ["--beside", ",".join(map(str, order.beside))]
    words += [word for param in order.params for word in ("--param", param)]
    return [*words, "--progress=json"] if order.progress else words


def verdict(ended: Ended) -> Verdict:
    """How the program ended, from its exit code and last lines."""
    blocks = [line.removeprefix(CRASHED_IN) for line in ended.last_lines if line.startswith(CRASHED_IN)]
    said = tuple(line for line in ended.last_lines if not line.startswith(CRASHED_IN))
    if ended.code == USAGE_ERROR:
        return Verdict("usage", (" / ".join(said).removeprefix("error: "),))
    kind: Any = "unwritten" if ended.code == UNWRITTEN else "ended" if ended.code in (OK, RUN) else "failed"
    return Verdict(kind, said, blocks[-1] if blocks else "", _system_error(said[-1]) if said else 0)


def _system_error(line: str) -> int:
    """The errno of a line that says what the system kept it from writing, else 0."""
    return next((number for number in _SYSTEMS
                 if line.startswith("error: cannot write") and line.endswith(f": {os.strerror(number)}")), 0)


def results(order: Order, plan: Mapping, ended: Ended, blank: Callable[[], dict]) -> dict | None:
    """The program writes all of results.json itself."""
    return read_results(order.folder / "results.json")


def tapped(order: Order, number: int) -> Path:
    """The file with what left the port of this number."""
    return order.folder / f"tap-{number}.items"
