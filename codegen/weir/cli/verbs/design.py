"""weir design: compute and analyze the taps of a filter, from options or from a design in a project."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from weir.cli.verbs import add_common
from weir.diagnostics import WeirError, diagnostic, did_you_mean
from weir.sure import sure

if TYPE_CHECKING:
    from weir.diagnostics import Diagnostic
    from weir.model.designing.design import Design
    from weir.model.document.project import Project

GROUP = "draw"
HELP = "design a filter: print its taps and its frequency response"
DESCRIPTION = HELP + """. The filter is a windowed FIR filter or a root raised cosine. Numbers may have suffixes
(115k, 2.4M). low_pass and high_pass take --cutoff; band_pass and band_reject take --low-cutoff and --high-cutoff; all
four take --transition and --window. root_raised_cosine takes --symbol-rate, --roll-off and --number-of-taps."""


def add_parser(sub: argparse._SubParsersAction) -> argparse.ArgumentParser:
    from weir.model.designing.design import FIELDS, KINDS
    from weir.model.designing.fir import WINDOWS

    parser = sub.add_parser("design", help=HELP, description=DESCRIPTION)
    parser.add_argument("what", metavar="WHAT", help=f"{', '.join(KINDS)}; or with --at, a project file, or - for "
                                                     "standard input")
    parser.add_argument("--at", metavar="BLOCK.PARAMETER",
                        help="analyze these taps of the project: compute them from the stored design, and check that "
                             "the stored taps agree; without a design, analyze the stored taps")
    parser.add_argument("--set", action="append", default=[], metavar="K=V", dest="sets",
                        help="with --at: override a project parameter (K=V) or any other value (/json/pointer=V); may "
                             "be repeated")
    for key, field in FIELDS.items():
        parser.add_argument(f"--{key.replace('_', '-')}", dest=f"design_{key}", metavar=field.unit or "N",
                            help=field.meaning)
    parser.add_argument("--window", dest="design_window", metavar="NAME",
                        help=f"{', '.join(WINDOWS)} (default: hamming)")
    add_common(parser, "--json")
    return parser


def run(args: argparse.Namespace) -> int:
    given = {key.removeprefix("design_"): value for key, value in vars(args).items()
             if key.startswith("design_") and value is not None}
    answer = _of_options(args, given) if args.at is None else _of_project(args, given)
    if args.json:
        print(json.dumps(answer))
    else:
        for line in _lines(answer):
            print(line, file=sys.stderr)
        for tap in answer["taps"]:
            print(repr(tap))
    return 0


def _of_options(args: argparse.Namespace, given: Mapping[str, str]) -> dict[str, Any]:
    from weir.model.designing.design import FIELDS, KINDS, read_design
    from weir.model.document.values import Evaluator

    if args.what not in KINDS or args.sets:
        hint = did_you_mean(args.what, KINDS)
        raise WeirError(diagnostic("E_USAGE", "", "--set needs --at" if args.sets else
                                   f"unknown kind of filter `{args.what}`; with a project, --at names the taps",
                                   hint))
    unsupported = [key for key in given if key in FIELDS and args.what not in FIELDS[key].kinds]
    if unsupported:
        raise WeirError(diagnostic("E_USAGE", "", f"a {args.what} filter has no {unsupported[0].replace('_', ' ')}",
                                   "this filter has " + ", ".join(
                                       key for key, field in FIELDS.items() if args.what in field.kinds)))
    idle = _without_effect(args.what, given)
    if idle:
        raise WeirError(diagnostic("E_USAGE", "", *idle))
    entry = {key: value if key == "window" else {"expr": value} for key, value in given.items()}
    design, problems = read_design({"kind": args.what, **entry}, Evaluator({}), ())
    if design is None:
        # A fix edits a project, but these options belong to none.
        raise WeirError([replace(problem, fixes=()) for problem in problems], exit_code=2)
    return _answer(design, None)


def _without_effect(kind: str, given: Mapping[str, str]) -> tuple[str, str] | None:
    """Return message and hint for the first option without effect, or None."""
    from weir.model.designing.design import RRC
    from weir.model.designing.fir import KAISER

    if kind == RRC and "window" in given:
        return f"a {RRC} filter has no window, so --window has no effect", "leave --window out"
    for key in ("attenuation_db", "beta"):
        if key in given and given.get("window") != KAISER:
            return (f"--{key.replace('_', '-')} has an effect only with the {KAISER} window",
                    f"add --window {KAISER}, or leave out --{key.replace('_', '-')}")
    if "attenuation_db" in given and "beta" in given:
        return "--beta replaces --attenuation-db, which then has no effect", "leave out one of the two"
    return None


def _of_project(args: argparse.Namespace, given: Mapping[str, str]) -> dict[str, Any]:
    from weir.model.designing.design import read_design
    from weir.model.designing.stored import entry_of, stored_taps

    if given:
        raise WeirError(diagnostic("E_USAGE", "", f"--{next(iter(given)).replace('_', '-')} excludes --at: the project "
                                   "stores the design"))
    project, broken = _project(args)
    stored = stored_taps(project, args.at)
    if stored is None:
        raise WeirError(diagnostic("E_BLOCK_UNKNOWN", "", f"the project has no block `{args.at.partition('.')[0]}`",
                                   "--at takes a block and its parameter, such as channel.taps"))
    entry = entry_of(project.document, args.at)
    if entry is None and stored.taps is None:
        raise WeirError(stored.problems or diagnostic("E_DESIGN_VALUE", "",
                                                      f"{args.at} has neither a design nor a list of taps"))
    if entry is None:
        return _answer(None, stored.taps)
    design, problems = read_design(entry, project.evaluator(), ("ui", "designs", args.at))
    if design is None:
        raise WeirError(problems or broken, exit_code=1)
    return _answer(design, stored.taps)


def _project(args: argparse.Namespace) -> tuple[Project, list[Diagnostic]]:
    """Return the project with its parameters evaluated, and diagnostics about the parameters."""
    from pathlib import Path

    from weir.cli.verbs import parse_sets
    from weir.model.document.jsontext import MAX_BYTES
    from weir.model.document.project import load_project

    args.project = args.what
    source = sys.stdin.buffer.read(MAX_BYTES + 1) if args.what == "-" else Path(args.what)
    project, problems = load_project(source, sets=parse_sets(args.sets))
    if project is None:
        raise WeirError(problems)
    return project, problems


def _answer(design: Design | None, stored: tuple[float, ...] | None) -> dict[str, Any]:
    """Return the answer as JSON. `stored`: the taps of the project, which are analyzed if there is no design."""
    from weir.model.designing import response
    from weir.model.designing.design import as_f32
    from weir.model.designing.stored import gives

    rate = design.sample_rate if design else 1.0
    taps = [as_f32(tap) for tap in design.taps()] if design else list(sure(stored))
    magnitude = response.magnitude_db(taps)
    answer: dict[str, Any] = {
        "ok": True, "design": design.as_json() if design else None, "taps": taps,
        "response": response.drawn(magnitude, rate),
        "facts": response.facts(design, magnitude, len(taps)) if design else response.plain_facts(len(taps)),
        "stored": None}
    if stored is not None:
        mine = magnitude if not design else response.magnitude_db(stored)
        answer["stored"] = {"number_of_taps": len(stored), "agrees": design is not None and gives(design, stored),
                            "magnitude_db": response.drawn(mine, rate)["magnitude_db"]}
    return answer


def _lines(answer: Mapping) -> list[str]:
    """Return the facts as lines for people."""
    facts, stored = answer["facts"], answer["stored"]
    delay = f", delay {facts['delay_items']:g} items ({facts['delay_s'] * 1e6:.6g} us)" if answer["design"] else ""
    lines = [f"{facts['number_of_taps']} taps{delay}"]
    for name, key, bands in (("pass band", "passband_ripple_db", "passband_hz"),
                             ("stop band", "stopband_attenuation_db", "stopband_hz")):
        if facts[key] is not None:
            spans = ", ".join(f"{low:g} to {high:g} Hz" for low, high in facts[bands])
            lines.append(f"{name} {spans}: {'ripple' if name == 'pass band' else 'at least'} {facts[key]:.4g} dB"
                         + (" down" if name == "stop band" else ""))
    if facts["side_lobes_db"] is not None:
        lines.append(f"side lobes {facts['side_lobes_db']:.4g} dB down")
    if stored and answer["design"]:
        lines.append("the project stores these taps" if stored["agrees"] else "the project stores different taps")
    return lines
