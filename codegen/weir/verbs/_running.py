"""What the verbs that run a project share: planning and building one deployment, and telling how it goes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from weir.diagnostics import WeirError, diagnostic, format_for_people, has_errors
from weir.verbs import say

if TYPE_CHECKING:
    from weir.check import Checked
    from weir.measuring.runner import Runnable


def prepare(checked: Checked, name: str | None, source: str, command: Callable[[str], str],
            machine: Path | None = None, trace: str | None = None, progress: Callable[[dict], None] | None = None,
            catalog_paths: Mapping[str, Sequence[str]] | None = None) -> Runnable:
    """Plans and builds one deployment. WeirError where this machine lacks a CPU of it, or it does not build.

    `source` names the project in messages; `command` gives the words that run the deployment of that name again.
    """
    from weir.generation.build import build_cached
    from weir.measuring.runner import Runnable
    from weir.planning.deployment_check import check_machine
    from weir.planning.topology import get_machine, this_machine
    from weir.planning.plan import make_plan

    project, deployment = checked.project, checked.project.deployment(name)
    found = get_machine(machine)
    planned = make_plan(project, checked.graph, checked.catalog, found, deployment, trace)
    faults = [*planned.diagnostics, *check_machine(planned.plan, this_machine())]
    if has_errors(faults):
        # The plan's warning about a missing CPU is the run's error: said once.
        raise WeirError([fault for fault in faults if fault.code != "W_CPU_MISSING"])
    if faults:
        print(format_for_people(faults, source, sys.stderr.isatty()), file=sys.stderr)

    def say_step(what: str) -> None:
        if progress:
            progress({"phase": what, "done": 0, "total": 1, "eta_s": None, "run_id": None, "items_per_s": None})
        else:
            say(f"{deployment.name}: {what}")

    built = build_cached(planned.plan, project, checked.catalog, say_step)
    return Runnable(project.document, project.directory.absolute(), planned.plan.as_json(), found.as_json(),
                    built.binary, dict(project.parameters), command(deployment.name), _sources(built.directory),
                    catalog_paths or {})


def _sources(directory: Path) -> dict[str, str]:
    from weir.generation.emit import MANIFEST

    try:
        return json.loads((directory / MANIFEST).read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, LookupError):
        raise WeirError(diagnostic("E_INTERNAL", "", f"{directory} has no manifest")) from None


def catalog_paths_of(args) -> dict[str, list[str]]:
    """The folders of the command line that `rerun` needs again, by option, as absolute paths."""
    return {option: [str(path.absolute()) for path in paths]
            for option, paths in (("--allow-path", args.allow_path), ("--block-path", args.block_path),
                                  ("--scheduler-path", args.scheduler_path)) if paths}


def shown(path: Path) -> Path:
    """Below the current folder as a person would type it."""
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path
