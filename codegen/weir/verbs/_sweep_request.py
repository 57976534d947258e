"""What is asked for of `weir sweep`: kept with what was begun, so that who goes on with it need not say it again."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from weir.diagnostics import WeirError, diagnostic

#: What decides what is measured: whoever goes on with a sweep may leave it out, and say nothing else.
DECIDING = ("sweep", "vary", "aa", "best", "loads_of", "sets", "deployment", "repetitions", "repeats", "seed", "quick",
            "items", "trace", "fitting", "params", "allow_path", "block_path", "scheduler_path", "target_path",
            "machine", "profile")
#: Of these, what may be said again as it was decided, and not only as it was asked for.
DECIDED = ("repetitions", "repeats", "seed")


def take_up(args: argparse.Namespace, begun: Mapping) -> None:
    """What was asked for at the beginning; WeirError (E_SWEEP_CHANGED) where something else is asked for now.

    `begun`: what the folder has of it, a sweep or a search for loads.
    """
    was = {"loads_of": None, **begun["request"]}  # sweeps of before there were loads have none
    now = request(args)
    for name in DECIDING:
        said = now[name]
        same = said == was[name] or name in DECIDED and said == begun.get(name)
        if said is not None and said is not False and said != [] and not same:
            raise WeirError(diagnostic("E_SWEEP_CHANGED", "", f"--{_option(name)}: it was begun with another",
                                       "--resume needs none of what it was begun with"))
        setattr(args, name, _of_request(name, was[name]))


def request(args: argparse.Namespace) -> dict[str, Any]:
    """What is asked for, as JSON has it; paths whole, so that it does not matter from where somebody goes on."""
    def plain(value: Any) -> Any:
        if isinstance(value, list):
            return [plain(one) for one in value]
        return str(value.absolute()) if isinstance(value, Path) else value

    return {name: plain(getattr(args, name)) for name in DECIDING}


def _of_request(name: str, value: Any) -> Any:
    if name in ("machine", "profile"):
        return None if value is None else Path(str(value))
    return list(map(Path, value)) if name.endswith("_path") else value


def _option(name: str) -> str:
    return {"sets": "set", "params": "param"}.get(name, name.replace("_", "-"))
