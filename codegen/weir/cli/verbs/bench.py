"""weir bench: compare Weir's schedulers and peer runtimes with a plain loop without a runtime."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from weir.cli.verbs import add_common, say, show
from weir.cli.verbs.run import count_of
from weir.diagnostics import WeirError
from weir.lab.works import QUICK_ROUNDS, ROUNDS, WORKS

if TYPE_CHECKING:
    from weir.lab.bench import Job

GROUP = "run"
MEASURES = True
HELP = "compare Weir's schedulers and peer runtimes with a plain loop, in the table format of bench/README.md"
UNFINISHED = 4


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("bench", help=HELP, description=HELP)
    parser.add_argument("--quick", action="store_true",
                        help=f"run the quick form of each sweep in {QUICK_ROUNDS} rounds: it takes minutes after the "
                             "build, and reports no intervals")
    parser.add_argument("--rounds", type=count_of, metavar="N",
                        help=f"number of rounds (default: {ROUNDS}); a round runs every contender once; intervals "
                             "need at least 8")
    parser.add_argument("--work", choices=tuple(WORKS), action="append", default=[],
                        help="measure this work only (default: all); may be repeated")
    parser.add_argument("--out", type=Path, metavar="DIR",
                        help="keep the sweeps and all their runs in this folder; continues sweeps that are in it")
    add_common(parser, "--json")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.cli.verbs._progress import SweepProgress
    from weir.engine.measuring.disk_watch import runs_folder
    from weir.lab.bench import jobs, outlook, rows_of, table
    from weir.lab.speeds import keep_some
    from weir.lab.sweeping.answer import INTERRUPTED, SweepAnswer
    from weir.model.planning.topology import this_machine

    keep_some(this_machine(), say)
    answers: list[tuple[Job, SweepAnswer]] = []
    code = 0
    with runs_folder(args.out, "weir-bench-") as out:
        planned = jobs(args.work or WORKS, args.quick, args.rounds, out, SweepProgress(False, None))
        say(outlook(planned))
        for number, job in enumerate(planned, 1):
            say(f"{job.cell}: cell {number} of {len(planned)}")
            try:
                answers.append((job, job.experiment.measure(job.points)))
                stopped = answers[-1][1].state == INTERRUPTED
            except KeyboardInterrupt:
                stopped = True
            except WeirError as error:  # the other cells still give results
                show(error.diagnostics, str(job.cell))
                code, stopped = code or error.exit_code, False
            if stopped:
                say("interrupted" + (f"; the same command continues in {args.out}" if args.out else ""))
                code = UNFINISHED
                break
    rows = [row for job, answer in answers for row in rows_of(job.cell, answer)]
    if args.json:
        sys.stdout.write(_json(list(map(asdict, rows))))
    elif rows:
        print(table(rows))
    for why in dict.fromkeys(it["message"] for _, answer in answers for it in answer.at.value["left_out"]):
        say(f"left out: {why}")
    for run in (run for _, answer in answers for run in answer.record.table()):
        if run["status"] != "ok" or not run["throughput_items_per_s"]:
            say(f"{run['deployment']} has no rate: {run['reasons'] or run['status']}")
    return code or (0 if all(answer.ok for _, answer in answers) else UNFINISHED)


def _json(rows: Sequence[Mapping]) -> str:
    from weir import ROOT
    from weir.engine.measuring.revision import git_revision
    from weir.machine import environment
    from weir.model.document import jsontext
    from weir.model.planning.topology import this_machine

    return jsontext.write({"rows": rows, "environment": {
        **environment.host(), "machine": this_machine().as_json(), "git_revision": git_revision(ROOT),
        "utc": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}})
