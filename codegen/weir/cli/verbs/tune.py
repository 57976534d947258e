"""weir tune: search for good deployments of a project, by prediction and measurement, within a time budget."""

from __future__ import annotations

import argparse
import math
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from weir.cli.verbs import add_common, add_hosting_arguments, add_project_arguments, open_valid, say
from weir.cli.verbs._quantities import seconds
from weir.diagnostics import WeirError, diagnostic
from weir.lab.tuning.candidate import GOALS, P99, THROUGHPUT

if TYPE_CHECKING:
    from weir.engine.pipeline import Pipeline
    from weir.lab.tuning.answer import TuneAnswer
    from weir.lab.tuning.laboratory import Laboratory
    from weir.lab.tuning.search import Search
    from weir.lab.tuning.space import Builder
    from weir.model.planning.profile import Profile

GROUP = "run"
MEASURES = True
HELP = "search for good deployments within a time budget, and write the best into a copy of the project"
INTERRUPTED = 4
#: Share of the budget for planning candidates. That yields enough candidates, even in a much larger space.
PLANNING = 1 / 4
#: Limits of the budget. A shorter one measures nothing useful.
LEAST_S, MOST_S = 2.0, 24 * 3600.0


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("tune", help=HELP, description=HELP + ". The budget starts at the first measurement.")
    add_project_arguments(parser)
    add_common(parser, "--json")
    parser.add_argument("--goal", choices=GOALS, default=THROUGHPUT,
                        help="maximize throughput in items/s, or minimize the 99th percentile of the latency at the "
                             f"project's rate (default: {THROUGHPUT})")
    parser.add_argument("--budget", type=seconds(0, MOST_S, "90s or 5m, of a day at most"), default=60.0, metavar="T",
                        help="time to search, such as 90s or 5m (default: 60s)")
    parser.add_argument("--deployment", metavar="D",
                        help="deployment to start from (default: the first); Weir takes settings that it does not "
                             "search, such as flags, from this deployment")
    parser.add_argument("-o", "--output", type=Path, metavar="OUT.weir.json",
                        help="copy of the project to write (default: <name>.tuned.weir.json beside the project)")
    parser.add_argument("--force", action="store_true", help="replace an existing copy")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep the run directories in this folder")
    add_hosting_arguments(parser)
    add_common(parser, "--machine", "--profile", "--progress")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.engine.measuring.disk_watch import runs_folder
    from weir.lab.tuning import written
    from weir.model.document import jsontext

    begun = time.monotonic()
    pipeline = open_valid(args)
    project = pipeline.checked.valid().project
    output = args.output or written.default_output(args.project, project.name)
    written.check_output(output, args.force)
    _check(args, pipeline)
    with runs_folder(args.out, "weir-tune-") as out:
        answer, unwritten = _searched(args, pipeline, out, begun, output)
    sys.stdout.write(jsontext.write(answer.as_json()) if args.json else answer.text())
    if unwritten:
        raise unwritten
    return INTERRUPTED if answer.search.interrupted else 0


def _check(args: argparse.Namespace, pipeline: Pipeline) -> None:
    """Raise WeirError for problems that are known before the build."""
    if args.budget < LEAST_S:
        raise WeirError(diagnostic("E_TUNE_BUDGET", "", f"a budget of {args.budget:g} s is too short; the minimum "
                                   f"is {LEAST_S:g} s"))
    plan = pipeline.plan(args.deployment).plan
    if args.goal == P99 and not plan.pairs:
        raise WeirError(diagnostic("E_TUNE_LATENCY", "", "there is no latency to measure: no path of this flowgraph "
                                   "leads from a source to a sink"))
    from weir.lab.tuning.space import TRACE

    target = pipeline.checked.catalog.targets[plan.target]
    if args.goal == P99 and target.nearest_trace(TRACE) != TRACE:
        raise WeirError(diagnostic("E_TUNE_LATENCY", "",
                                   f"programs of target `{target.id}` cannot record events in memory"))


def _searched(args: argparse.Namespace, pipeline: Pipeline, out: Path, begun: float,
              output: Path) -> tuple[TuneAnswer, WeirError | None]:
    """Return the answer, and the error if it could not be written."""
    from weir.cli.verbs._progress import SearchProgress
    from weir.engine.pipeline import Pipeline
    from weir.lab.tuning.laboratory import Laboratory
    from weir.lab.tuning.space import Builder

    checked = pipeline.checked.valid()

    def reopen(text: bytes, profile: Profile | None = None) -> Pipeline:
        return Pipeline.open(text, directory=checked.project.directory, folders=pipeline.folders, machine=args.machine,
                             here=pipeline.this_machine, catalog=checked.catalog, profile=profile)

    base = checked.project.deployment(args.deployment)
    builder = Builder(pipeline, base, reopen)
    listen = SearchProgress(args.budget, bool(args.progress))
    laboratory = Laboratory(reopen, builder.text, checked.catalog, out, args.out is not None, args.project,
                            say if not args.progress else lambda text: None)
    search, profile, unprofiled, skipped = _search(args, pipeline, builder, laboratory, listen)
    answer, unwritten = _answer(pipeline, search, begun, profile, unprofiled, skipped, output)
    plans = {name: ready.planned.plan for name, ready in laboratory.ready.items()}
    answer = replace(answer, plans=plans,
                     start=(base.name, plans.get(base.name) or pipeline.plan(args.deployment).plan))
    if args.goal not in answer.best and not search.interrupted:
        raise _without_best(search)
    return answer, unwritten


def _search(args: argparse.Namespace, pipeline: Pipeline, builder: Builder, laboratory: Laboratory,
            listen) -> tuple[Search, Profile | None, str, list]:
    """Profile the blocks, build the search space and search it. Ctrl-C keeps the results until then."""
    from weir.lab.tuning.search import Search

    def search_of(candidates, built=frozenset(), compile_s=None) -> Search:
        return Search(candidates, args.goal, args.budget, laboratory, time.monotonic,
                      lambda what, done, total: listen(what, done, total, search.left), built, compile_s, begins=begins)

    def begins(end: float) -> None:
        laboratory.end = listen.end = end

    profile, unprofiled, name = pipeline.profile, "", ""
    try:
        listen("profiling", 0, None)
        name, entry = builder.simplest()
        found, unprofiled = laboratory.pilot(name, entry, watched=profile is None)
        compile_s = laboratory.ready[name].compile_s
        profile = profile or found
        if profile is None:
            say(f"Weir assumes the costs of the blocks, because it could not profile them: {unprofiled}")
        enough = time.monotonic() + PLANNING * args.budget
        space = builder.space(profile, lambda: time.monotonic() > enough)
    except KeyboardInterrupt:
        search = search_of([])
        search.interrupted = True
        return search, profile, unprofiled, []
    for warning in profile.lacking(pipeline.checked.valid().graph) if profile else ():
        say(f"{warning.message}; {warning.hint}")
    ready = frozenset({name} & {one.name for one in space.candidates})
    search = search_of(space.candidates, ready, compile_s)
    laboratory.begins = listen.begins
    search.go()
    return search, profile, unprofiled, list(space.skipped)


def _without_best(search: Search) -> WeirError:
    """Return the error that says why no candidate meets the goal."""
    trials = search.trials.values()
    faults = [trial.fault for trial in trials if trial.fault]
    good = [trial for trial in trials if trial.rates]
    if good and all(trial.kept_up is False for trial in good):
        return WeirError(diagnostic("E_TUNE_NONE", "", "none of the tried deployments keeps up with the paced sources",
                                    "lower the rate, or raise --budget to try more deployments"))
    if good:
        return WeirError(diagnostic("E_TUNE_LATENCY", "", "no run has enough latencies for a 99th percentile",
                                    "lower /run/trace/probe_granularity to record more"))
    return WeirError(diagnostic("E_TUNE_NONE", "", "no deployment gave a valid measurement"
                               + (f": {faults[0]}" if faults else "")))


def _answer(pipeline: Pipeline, search: Search, begun: float, profile: Profile | None, unprofiled: str, skipped: list,
            output: Path) -> tuple[TuneAnswer, WeirError | None]:
    from weir.lab.tuning import written
    from weir.lab.tuning.answer import TuneAnswer
    from weir.model.planning.probes import is_paced

    paced = is_paced(pipeline.checked.valid().graph)
    project = pipeline.checked.valid().project
    answer = TuneAnswer(project.name, search, time.monotonic() - begun, profile, unprofiled, paced, skipped, {}, None)
    # The goal comes first: the deployment's name says what it was chosen for.
    goals = sorted(answer.best, key=lambda goal: goal != search.goal)
    document, names = written.with_tuned(project.document, {goal: answer.best[goal].candidate for goal in goals})
    own = {deployment.name for deployment in project.deployments}
    new, unwritten = set(names.values()) - own, None
    try:
        if new:
            written.write(output, document)
    except WeirError as error:
        unwritten = error
    written_to = str(output) if new and not unwritten else None
    # A search that was interrupted before its first measurement has no end.
    before_s = search.end - search.budget_s - begun if math.isfinite(search.end) else 0.0
    answer = replace(answer, elapsed_s=time.monotonic() - begun, before_s=before_s, names=names, output=written_to)
    return answer, unwritten
