"""Identify the machine of a run: Weir never combines runs of two machines into one number."""

from __future__ import annotations

import json
from collections.abc import Iterable

from weir.engine.measuring.coordinates import document
from weir.engine.measuring.run_directory import StoredRun

#: Keys of machine.json about the hardware. `allowed` and `isolated` are not: they are the part that a run could use.
_HARDWARE = ("architecture", "page_bytes", "cores", "caches", "nodes")


def machine_of(run: StoredRun) -> str:
    """Return a text that is equal for runs on one machine: its name, its CPU and its hardware."""
    made_of = document(run.path / "machine.json")
    at = run.results["environment"]
    return json.dumps([_host(run), at.get("cpu"), at.get("cpus"), *(made_of.get(part) for part in _HARDWARE)],
                      sort_keys=True)


def machine_names(runs: Iterable[StoredRun]) -> dict[str, str]:
    """Return host names by `machine_of`, in the order of the first runs, with numbers if names repeat."""
    hosts = {machine_of(run): _host(run) for run in runs}
    alone = len(set(hosts.values())) == len(hosts)
    return {it: host if alone else f"{host} ({number})" for number, (it, host) in enumerate(hosts.items(), 1)}


def _host(run: StoredRun) -> str:
    return str(run.run["host"].get("name") or "unknown machine")
