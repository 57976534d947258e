"""`weir test`: every test of the tree, the quick ones first, and one table at the end; or blocks, or schedulers, from
outside the tree.
"""

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
HELP = "run the tests of Weir itself, or those of a block or scheduler from outside the tree"
FAILED = 4


def add_parser(sub: argparse._SubParsersAction) -> argparse.ArgumentParser:
    parser = sub.add_parser("test", help=HELP, description=HELP[0].upper() + HELP[1:] + ".")
    parser.add_argument("--all", action="store_true",
                        help="the slow tests too, and many more random examples and graphs")
    parser.add_argument("--only", action="append", default=[], metavar="SUITE",
                        help="one suite alone: " + ", ".join(s.name for s in _suites.suites(False)) + "; with "
                             "--scheduler-path one part: " + ", ".join(PART_NAMES) + "; may be repeated")
    parser.add_argument("--block-path", action="append", default=[], metavar="DIR", type=Path,
                        help="the vectors of the blocks in this folder outside the tree (the suite `blocks`), and "
                             "nothing else; may be repeated")
    parser.add_argument("--scheduler-path", action="append", default=[], metavar="DIR", type=Path,
                        help="what every scheduler is held to, tried on the schedulers in this folder, and nothing "
                             "else: one page of findings, after two to three minutes a scheduler; exit code 4 where "
                             "there is an error; may be repeated")
    parser.add_argument("--seed", type=whole(0, 2**64 - 1, "a number from 0 to 2^64 - 1"), metavar="N",
                        help="with --scheduler-path: the random graph of this seed alone, again and again")
    add_common(parser, "--json")
    return parser


def run(args: argparse.Namespace) -> int:
    # A shell has its background jobs ignore it, and the programs that tests interrupt would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return _judge_schedulers(args) if args.scheduler_path else _run_suites(args)


def _run_suites(args: argparse.Namespace) -> int:
    if args.json or args.seed is not None:
        raise _usage(f"{'--json' if args.json else '--seed'} goes with --scheduler-path")
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
        raise _usage("--block-path and --scheduler-path are two tests", "run them one after the other")
    for name in args.only:
        if name not in PART_NAMES:
            raise _usage(f"--only {name}: there is no such part of a scheduler's test",
                         did_you_mean(name, PART_NAMES))
    parts = parts_for(args.only, args.all, args.seed)
    if undrawn := set(args.only) - {part.name for part in parts}:
        raise _usage(f"--seed goes with parts that have random graphs, and {min(undrawn)} has none",
                     "these have: " + ", ".join(dict.fromkeys(part.name for part in PARTS if part.drawn)))
    files = descriptors(args.scheduler_path)
    workshop, prefix = Workshop.open(), _suites.without_address_randomisation()
    judgements = [judge(file, parts, workshop, say, args.seed, prefix) for file in files]
    for judgement in judgements:
        tried = tuple(dict.fromkeys(tried.part.name for tried in judgement.tried)) or ("graphs",)
        judgement.asked = tuple(args.only) or (tried if args.seed is not None else ())
        judgement.seeded, judgement.thorough = args.seed is not None, args.all
    if args.json:
        print(json.dumps(answer(judgements), ensure_ascii=False, indent=1))
    else:
        print(page(judgements))
    return 0 if all(judgement.ok for judgement in judgements) else FAILED


def _usage(message: str, hint: str = "") -> WeirError:
    return WeirError(diagnostic("E_USAGE", "", message, hint))
