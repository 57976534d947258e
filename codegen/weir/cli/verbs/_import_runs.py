"""Runs of `weir import`: turn the results that a program wrote on its own into run directories for every verb."""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weir.cli.verbs import folders_of, parse_sets, say, show
from weir.cli.verbs._running import shown
from weir.diagnostics import WeirError, diagnostic, wants_colour

if TYPE_CHECKING:
    from weir.engine.measuring.adopting import Place, Tree
    from weir.engine.measuring.other_programs import ReportedProject
    from weir.engine.measuring.runnable import Finished
    from weir.model.catalog import Catalog
    from weir.model.planning.machine import Machine

#: Exit code if an imported run is not ok.
NOT_OK = 4


def run(args: argparse.Namespace) -> int:
    """Make run directories of the results that programs wrote."""
    from weir.engine.measuring.adopting import Place, is_of_a_plan, made_by_hand, read_written
    from weir.engine.measuring.runnable import Finished
    from weir.model.document import jsontext
    from weir.read.reporting.summary import Summary

    sources = [folder for path in map(Path, args.sources) for folder in made_by_hand(path)]
    if args.trace is not None and len(sources) > 1:
        raise WeirError(diagnostic("E_USAGE", "", f"--trace takes one run, but {len(sources)} were given",
                                   "import one run at a time"))
    set_id, made, importer = secrets.token_hex(8), [], ReportedRunImporter(args)
    for block, source in enumerate(sources):
        written, place = read_written(source), Place(set_id, len(sources), block)
        generated = is_of_a_plan(written) and args.of_project is None
        path, results, document = (_generated if generated else importer.adopted)(args, source, written, place)
        made.append((source, Finished(path, results, document)))
    for line in importer.differences([finished for _, finished in made]):
        say(line)
    for _, finished in made:
        for reason in finished.results["reasons"]:
            if reason["code"].startswith("E_"):
                say(f"{shown(finished.path)}: {reason['code']}: {reason['message']}")
    if args.json:
        sys.stdout.write(jsontext.write([_answer(source, finished) for source, finished in made]))
    else:
        summary = Summary(wants_colour(sys.stdout))
        print("\n\n".join(summary.run(finished.results, shown(finished.path)) for _, finished in made))
        if table := summary.comparison([finished.results for _, finished in made]):
            print(f"\n{table}")
    return 0 if all(finished.results["status"] == "ok" for _, finished in made) else NOT_OK


def _answer(source: Path, finished: Finished) -> dict[str, Any]:
    results = finished.results
    return {"source": str(source.absolute()), "run": str(finished.path), "run_id": finished.path.name,
            "status": results["status"], "reasons": results["reasons"]}


def _generated(args: argparse.Namespace, source: Path, results: dict, place: Place) -> tuple[Path, dict, Mapping]:
    from weir.engine.measuring.adopting import adopt, check_by_hand, find_tree

    check_by_hand(source, results)
    tree = find_tree(results, [args.tree] if args.tree else _around(source))
    path = adopt(source.absolute(), results, tree, _machine(tree, args.machine), (args.folder or Path()).absolute(),
                 args.out.absolute(), place)
    return path, results, tree.project


class ReportedRunImporter:
    """Importer of runs of programs that Weir did not generate. It reads and plans each project once."""

    def __init__(self, args: argparse.Namespace):
        self._args = args
        self._projects: dict[Path, ReportedProject] = {}
        self._catalog: Catalog | None = None

    def adopted(self, args: argparse.Namespace, source: Path, written: dict,
                place: Place) -> tuple[Path, dict, Mapping]:
        """Return run directory, results and project of a program that Weir did not generate."""
        from weir.engine.measuring.other_programs import adopt_reported, find_trace

        project = self._project(args.of_project or _project_in(source))
        trace = find_trace(source, args.trace)
        path, results = adopt_reported(source.absolute(), written, project, trace, args.keep_trace,
                                       args.out.absolute(), place)
        if trace is None:
            say(f"{shown(path)}: {source} contains no trace, so the latency is unknown")
        return path, results, project.document

    def differences(self, made: list[Finished]) -> list[str]:
        """Mark the runs whose digests differ despite equal work, and return a line for each difference."""
        from weir.engine.verifying.digests import mark_different_digests

        return mark_different_digests(made, self._catalog) if self._catalog else []

    def _project(self, file: Path) -> ReportedProject:
        """Return the project of a run. Raises WeirError if it is invalid."""
        if file not in self._projects:
            self._projects[file] = self._read(file)
        return self._projects[file]

    def _read(self, file: Path) -> ReportedProject:
        from weir.engine.measuring.coordinates import settings_of
        from weir.engine.measuring.other_programs import ReportedProject, runtime_parameters
        from weir.engine.pipeline import Pipeline
        from weir.model.planning.expected import expected_items

        args = self._args
        try:
            sets = parse_sets(args.sets)
            pipeline = Pipeline.open(file, sets=sets, folders=folders_of(args), machine=args.machine)
            show(pipeline.valid([args.deployment] if args.deployment else []), str(file))
            plan = pipeline.plan(args.deployment).plan.as_json()
        except WeirError as error:
            raise WeirError(error.diagnostics, error.exit_code, error.source or str(file)) from None
        it = pipeline.checked.valid()
        self._catalog = it.catalog
        document, parameters = it.project.document, dict(it.project.parameters)
        return ReportedProject(file.absolute(), document, plan, parameters, runtime_parameters(plan, it.graph),
                               settings_of(sets, document, parameters),
                               partial(expected_items, it.graph, it.rates), pipeline.machine if args.machine else None)


def _project_in(source: Path) -> Path:
    """Return the only project file in a folder. Raises WeirError if there is none or more than one."""
    found = sorted(source.glob("*.weir.json"))
    if len(found) != 1:
        several = f"{source} has several projects: {', '.join(path.name for path in found)}"
        raise WeirError(diagnostic("E_USAGE", "", several if found else
                                   f"{source}: Weir did not generate the program that wrote results.json, and its "
                                   "project is missing", "--project P names the project file"))
    return found[0]


def _around(source: Path) -> Iterator[Path]:
    """Yield the folders that may contain the generated project: the folder, its parents, and the current one."""
    folder = source.absolute()
    yield from (folder, *folder.parents, Path.cwd())


def _machine(tree: Tree, file: Path | None) -> Machine | None:
    """Return the machine of the plan, None if it is unknown. Raises WeirError if `file` is not that machine."""
    from weir.engine.measuring.speeds import with_kept
    from weir.model.planning.topology import get_machine

    machine = get_machine(file)
    # The plan may be older or newer than the measured speeds of this machine.
    for possible in (machine,) if file else (with_kept(machine), machine):
        if possible.hash == tree.plan["machine_hash"]:
            return possible
    if file is not None:
        raise WeirError(diagnostic("E_MACHINE", "", f"{file} is not the machine that {tree.folder} was planned for",
                                   "`machine_hash` in manifest.json identifies the right machine"))
    say("the program was planned for another machine; to repeat the run, import it with --machine FILE")
    return None
