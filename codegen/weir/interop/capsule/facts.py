"""Machine and programs that a sweep was measured with."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from weir import ROOT
from weir.engine.measuring.run_directory import StoredRun
from weir.lab.sweeping.state import State

#: Facts of an environment that differ in every run.
_FLEETING = ("load", "runnable", "steal", "other_programs")
_SHOWN = "${binary:Package} ${Version} ${db:Status-Status}\\n"
_TIME_LIMIT_S = 20


def machine(at: State, runs: Sequence[StoredRun]) -> dict[str, object]:
    """Return the machine as recorded by the sweep and its first run, with the packages installed at packing."""
    first = runs[0]
    environment = {key: value for key, value in first.results["environment"].items() if key not in _FLEETING}
    return {"machine": at.value["machine"], "environment": environment, "host": first.run["host"],
            "versions": first.run["versions"], "packages": packages("sweep"),
            "runtimes": sorted({f"{it['target']} {it['version']}" for it in (run.results["runtime"] or {}
                                for run in runs) if it.get("version")})}


def packages(verb: str, setup: Path = ROOT / "setup") -> dict[str, str]:
    """Return name -> version of the distribution's packages that the verb needs; {} without dpkg."""
    groups = {"base", *(name for words in _rows(setup / "verbs.txt") if words[0] == verb for name in words[1:])}
    names = sorted({name for words in _rows(setup / "packages.txt") if words[0] in groups
                    for name in words[1].split("|")})
    try:
        done = subprocess.run(["dpkg-query", "--show", f"--showformat={_SHOWN}", *names], capture_output=True,
                              text=True, timeout=_TIME_LIMIT_S)
    except (OSError, subprocess.TimeoutExpired):
        return {}
    lines = (line.split() for line in done.stdout.splitlines())
    return {words[0].partition(":")[0]: words[1] for words in lines if len(words) == 3 and words[2] == "installed"}


def _rows(file: Path) -> list[list[str]]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines if line.strip() and not line.startswith("#")]


def words(machine: Mapping) -> str:
    """Return the machine in one line."""
    at = machine["environment"]
    return ", ".join([f"{at['cpus']} CPUs of {at['cpu']}", str(at["kernel"]), str(at["compiler"])])
