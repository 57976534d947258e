"""weir test: run the tests of Weir, the quick ones first, or those of blocks or schedulers outside the tree."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from pathlib import Path

from weir.cli.verbs import _suites, add_common, say
from weir.cli.verbs._quantities import whole
from weir.diagnostics import WeirError, diagnostic, did_you_mean
from weir.engine.conformance.claims import PART_NAMES, PARTS

GROUP = "extend"
HELP = "run the tests of Weir itself, or of blocks or schedulers outside its source tree"
FAILED = 4


def add_parser(sub: argparse._SubParsersAction) -> argparse.ArgumentParser:
    parser = sub.add_parser("test", help=HELP, description=HELP)
    parser.add_argument("--all", action="store_true",
                        help="also run the slow tests, and many more random examples and graphs")
    parser.add_argument("--only", action="append", default=[], metavar="SUITE",
                        help="run only this suite: " + ", ".join(s.name for s in _suites.suites(False)) + "; with "
                             "--scheduler-path, only this part: " + ", ".join(PART_NAMES) + "; may be repeated")
    parser.add_argument("--block-path", action="append", default=[], metavar="DIR", type=Path,
                        help="run only the test vectors of the blocks in this folder (the suite `blocks`); may be "
                             "repeated")
    parser.add_argument("--scheduler-path", action="append", default=[], metavar="DIR", type=Path,
                        help="run only the conformance tests of the schedulers in this folder, which take two to three "
                             "minutes for each, and print the findings; exit code 4 means an error; may be repeated")
    parser.add_argument("--seed", type=whole(0, 2**64 - 1, "a number from 0 to 2^64 - 1"), metavar="N",
                        help="with --scheduler-path: repeat only the random graph of this seed")
    add_common(parser, "--json")
    return parser


def run(args: argparse.Namespace) -> int:
    # Shells start background jobs with SIGINT ignored; the programs that tests interrupt would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return _judge_schedulers(args) if args.scheduler_path else _run_suites(args)


def _run_suites(args: argparse.Namespace) -> int:
    if args.json or args.seed is not None:
        raise _usage(f"{'--json' if args.json else '--seed'} needs --scheduler-path")
    known = [_suites.blocks_suite(args.block_path)] if args.block_path else _suites.suites(args.all)
    chosen = _suites.chosen_of(known, args.all, args.only)
    _suites.LOGS.mkdir(parents=True, exist_ok=True)
    outcomes = []
    for suite in chosen:
        print(f"{suite.name:12} …", end="\r" if sys.stdout.isatty() else "\n", flush=True)
        outcome = _suites.run_suite(suite)
        outcomes.append(outcome)
        print(_suites.row(outcome), flush=True)
    print()
    print(_suites.table(outcomes))
    return FAILED if any(o.failed for o in outcomes) else 0


def _judge_schedulers(args: argparse.Namespace) -> int:
    from weir.engine.conformance.judging import descriptors, judge, parts_for
    from weir.engine.conformance.page import answer, page
    from weir.engine.conformance.workshop import Workshop

    if args.block_path:
        raise _usage("--block-path excludes --scheduler-path", "run them one after the other")
    for name in args.only:
        if name not in PART_NAMES:
            raise _usage(f"--only {name}: unknown part of the scheduler tests",
                         did_you_mean(name, PART_NAMES))
    parts = parts_for(args.only, args.all, args.seed)
    if undrawn := set(args.only) - {part.name for part in parts}:
        raise _usage(f"--seed needs a part with random graphs, and {min(undrawn)} has none",
                     "parts with random graphs: " + ", ".join(dict.fromkeys(part.name for part in PARTS if part.drawn)))
    files = descriptors(args.scheduler_path)
    workshop, prefix = Workshop.open(), _suites.without_address_randomisation()
    judgements = [judge(file, parts, workshop, say, args.seed, prefix) for file in files]
    for judgement in judgements:
        tried = tuple(dict.fromkeys(tried.part.name for tried in judgement.tried)) or ("graphs",)
        judgement.requested = tuple(args.only) or (tried if args.seed is not None else ())
        judgement.seeded, judgement.thorough = args.seed is not None, args.all
    if args.json:
        print(json.dumps(answer(judgements), ensure_ascii=False, indent=1))
    else:
        print(page(judgements))
    return 0 if all(judgement.ok for judgement in judgements) else FAILED


def _usage(message: str, hint: str = "") -> WeirError:
    return WeirError(diagnostic("E_USAGE", "", message, hint))
