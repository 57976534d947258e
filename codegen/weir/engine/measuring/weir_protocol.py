"""Run protocol `weir-1` of programs with Weir's own runtime, defined in docs/run-protocol.md.

Its counterpart is runtime/src/{options,app_parts,crash}. A target can have another protocol: a `protocol.py` with the
same names.
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

#: File that the program writes with the memory back-end: the records of each thread, as `ctf_reader.RECORD`.
EVENTS = "events.bin"

#: Start of the line that the program prints if a signal ends it while a block works.
CRASHED_IN = "weir: crashed in block "

#: Exit codes: success; wrong options, before anything ran; ran but could not write; ran with a failure.
OK, USAGE_ERROR, UNWRITTEN, RUN = 0, 2, 3, 4

_SYSTEMS = (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS, errno.EIO)

progress = progress_of


def command(program: Program, order: Order) -> list[str]:
    """Return the command line of a run."""
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
    """Return how the program ended, from its exit code and last lines."""
    blocks = [line.removeprefix(CRASHED_IN) for line in ended.last_lines if line.startswith(CRASHED_IN)]
    said = tuple(line for line in ended.last_lines if not line.startswith(CRASHED_IN))
    if ended.code == USAGE_ERROR:
        return Verdict("usage", (" / ".join(said).removeprefix("error: "),))
    kind: Any = "unwritten" if ended.code == UNWRITTEN else "ended" if ended.code in (OK, RUN) else "failed"
    return Verdict(kind, said, blocks[-1] if blocks else "", _system_error(said[-1]) if said else 0)


def _system_error(line: str) -> int:
    """Return the errno in a message about a failed write, else 0."""
    return next((number for number in _SYSTEMS
                 if line.startswith("error: cannot write") and line.endswith(f": {os.strerror(number)}")), 0)


def results(order: Order, plan: Mapping, ended: Ended, blank: Callable[[], dict]) -> dict | None:
    """Return results.json, which the program writes completely itself."""
    return read_results(order.folder / "results.json")


def as_run(order: Order, plan: Mapping) -> Mapping:
    """Return the plan, which the program carries out as it is."""
    return plan


def tapped(order: Order, number: int) -> Path:
    """Return the file with the items of the port of this number."""
    return order.folder / f"tap-{number}.items"
