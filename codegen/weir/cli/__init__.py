"""Command line of Weir: find the module of a verb, run it, and turn errors into messages and exit codes."""

from __future__ import annotations

import argparse
import contextlib
import errno
import importlib
import json
import os
import pkgutil
import select
import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from weir import ROOT, __version__, standard_output
from weir.cli.verbs import COMMON, say
from weir.diagnostics import WeirError, did_you_mean, exit_code_for, format_for_people, os_error

USAGE, INTERNAL_ERROR, INTERRUPTED = 2, 3, 130

#: Groups of verbs in `weir --help`. Each verb's module names its own.
GROUPS = ("draw", "run", "compare", "share", "machine", "extend")
OUTPUT_HELP = """\
-o FILE names the file that a verb writes. --out DIR names the folder of run directories. With --json, a verb prints
exactly one JSON document on standard output.
"""
EXIT_CODES_HELP = """\
exit codes:
  0    success
  1    the project is invalid, or a comparison found a regression
  2    wrong usage
  3    a tool or a permission is missing, or Weir has a bug
  4    no usable result: a run failed or is invalid, or there is too little data to decide
  130  interrupted before the first result
"""

#: Retired commands and their replacements.
FORMER = ROOT / "setup" / "former.txt"

#: Errors of writing to a pipe without a reader (EPIPE) and to a closed terminal (EIO).
NOBODY_READS = (errno.EPIPE, errno.EIO)


def verb_modules() -> dict[str, str]:
    """Return verb -> module name, in alphabetical order, without importing the modules."""
    import weir.cli.verbs

    names = sorted(m.name for m in pkgutil.iter_modules(weir.cli.verbs.__path__) if not m.name.startswith("_"))
    return {name.rstrip("_"): f"weir.cli.verbs.{name}" for name in names}


def _in_new_words(argv: list[str]) -> list[str]:
    """Translate a retired command into its replacement, and print a line that says so."""
    if not FORMER.is_file():  # the package alone, without the tree
        return argv
    for row in FORMER.read_text(encoding="utf-8").splitlines():
        old, colon, new = row.partition(":")
        words = old.split()
        if colon and not row.startswith("#") and words[0] == argv[0] and set(words[1:]) <= set(argv):
            say(f"`weir {old}` is now `weir{new}`")
            return [*new.split(), *(word for word in argv[1:] if word not in words[1:])]
    return argv


class Parser(argparse.ArgumentParser):
    """Argument parser that accepts no abbreviated options. A new option could change what an abbreviation means.

    The parsers of verbs have this class too.
    """

    def __init__(self, **words: Any):
        super().__init__(**{"allow_abbrev": False, **words})

    def parse_known_args(self, args=None, namespace=None):
        """Reject unknown arguments, and suggest the nearest known option."""
        namespace, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}{self._meant(unknown)}")
        return namespace, unknown

    def _check_value(self, action, value):
        """Reject a value that is not a choice, and suggest the nearest one."""
        if action.choices is not None and value not in action.choices:
            hint = did_you_mean(value, action.choices) or f"the choices are {', '.join(sorted(action.choices))}"
            raise argparse.ArgumentError(action, f"unknown value `{value}`; {hint}")

    def _meant(self, unknown: list[str]) -> str:
        """Suggest an option for the first unknown one: an option that begins like it, else the nearest."""
        name = next((word.partition("=")[0] for word in unknown if word.startswith("--")), "")
        options = [option for option in self._option_string_actions if option.startswith("--")]
        hint = did_you_mean(name, [option for option in options if option.startswith(name)] or options) if name else ""
        return f"; {hint}" if hint else ""

    def format_help(self) -> str:
        """Format the help of a verb. It names the common options; `weir --help` describes them."""
        common = [it for it in self._actions if getattr(it, "common", False)]
        helps, epilog = [it.help for it in common], self.epilog
        try:
            for it in common:
                it.help = argparse.SUPPRESS
            if common:
                names = textwrap.fill(", ".join(it.option_strings[-1] for it in common) + ": see `weir --help`",
                                      _room(), initial_indent="  ", subsequent_indent="  ")
                self.epilog = f"{epilog}\n\n{names}" if epilog else names
            return super().format_help()
        finally:
            self.epilog = epilog
            for it, text in zip(common, helps):
                it.help = text


def build_parser(argv: list[str]) -> argparse.ArgumentParser:
    """Return a parser for the verb that `argv` begins with, or for all verbs if `argv` begins with none (--help)."""
    parser = Parser(prog="weir", usage="weir [-h] [--version] VERB ...",
                    description="Draw, schedule, pin and measure signal-processing flowgraphs.",
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", action="version", version=f"weir {__version__}")
    # argparse lists verbs without groups: the epilog lists them instead.
    sub = parser.add_subparsers(prog="weir", metavar="VERB", dest="verb", help=argparse.SUPPRESS)
    modules = verb_modules()
    chosen = argv[0] if argv and not argv[0].startswith("-") else None
    if chosen is not None and chosen not in modules:
        parser.error(f"unknown verb `{chosen}`; {did_you_mean(chosen, modules) or '`weir --help` lists the verbs'}")
    found = {verb: importlib.import_module(modules[verb]) for verb in ([chosen] if chosen else modules)}
    for module in found.values():
        verb = module.add_parser(sub)
        verb.set_defaults(run=module.run, measures=getattr(module, "MEASURES", False), options=verb._actions)
    parser.epilog = "\n".join([*_grouped(found), *_common(), OUTPUT_HELP, EXIT_CODES_HELP])
    return parser


def _room() -> int:
    return max(40, shutil.get_terminal_size().columns - 2)


def _common() -> Iterator[str]:
    """Yield help lines for the options that many verbs share."""
    yield "common options:"
    for name, words in COMMON.items():
        value = words.get("metavar") or "|".join(words.get("choices", ()))
        yield textwrap.fill(f"{f'{name} {value}':<24} {words['help']}", _room(), initial_indent="  ",
                            subsequent_indent=" " * 27, break_on_hyphens=False)
    yield ""


def _grouped(modules: Mapping[str, ModuleType]) -> Iterator[str]:
    """Yield help lines for each group of verbs."""
    for group in GROUPS:
        yield f"{group}:"
        for verb, module in modules.items():
            if module.GROUP == group:
                yield textwrap.fill(module.HELP, _room(), initial_indent=f"  {verb:<11}", subsequent_indent=" " * 13)
        yield ""


def _nobody_reads() -> bool:
    """Return whether the reader of our output is gone. EIO alone is not enough, because a bad disk gives it, too."""
    poll = select.poll()
    for stream in filter(None, (sys.stdout, sys.stderr)):
        with contextlib.suppress(OSError, ValueError):
            poll.register(stream.fileno(), 0)
    return bool(poll.poll(0))


def main(argv: list[str] | None = None) -> int:
    """Run one verb and return its exit code, one of those in `weir --help`."""
    with standard_output.put_away():
        try:
            return _run(sys.argv[1:] if argv is None else argv)
        except KeyboardInterrupt:
            return INTERRUPTED
        except Exception as error:
            return _fault(error)


def _parsed(argv: list[str]) -> argparse.Namespace:
    try:
        parser = build_parser(argv)
        args = parser.parse_args(argv)
        if args.verb is None:
            parser.exit(USAGE, parser.format_help())
        return args
    except SystemExit:
        sys.stdout.flush()  # the output of --help
        raise


def complete() -> None:
    """Answer the completion request of a shell (setup/completion). Does not return."""
    try:
        import argcomplete
    except ImportError:
        sys.exit(1)
    argcomplete.autocomplete(build_parser([]))


def _run(argv: list[str]) -> int:
    if "_ARGCOMPLETE" in os.environ:
        complete()
    args = argparse.Namespace()
    try:
        argv = _in_new_words(argv) if argv else argv
        args = _parsed(argv)
        if args.measures and not getattr(args, "on", None):
            from weir.machine.isolating.recovering import recover_before

            recover_before(say)
        code = args.run(args) if not getattr(args, "on", None) else _elsewhere(args, argv)
        sys.stdout.flush()
        return code
    except WeirError as error:
        source = error.source or str(getattr(args, "project", None) or "weir")
        print(format_for_people(error.diagnostics, source, sys.stderr.isatty()), file=sys.stderr)
        if getattr(args, "json", False):
            print(json.dumps({"ok": False, "diagnostics": [d.as_json() for d in error.diagnostics]}), flush=True)
        return error.exit_code


def _elsewhere(args: argparse.Namespace, argv: list[str]) -> int:
    from weir.cli.verbs._board import on_board

    return on_board(args, argv, args.options)


def _fault(error: Exception) -> int:
    if isinstance(error, OSError) and error.errno in NOBODY_READS and _nobody_reads():
        # Otherwise Python would report an error when it flushes at exit.
        for stream in (sys.stdout, sys.stderr):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return 0
    if isinstance(error, standard_output.CannotWrite):
        found = os_error(error, "write to standard output")
        print(format_for_people([found], "weir", sys.stderr.isatty()), file=sys.stderr)
        return exit_code_for([found])
    if os.environ.get("WEIR_DEBUG") == "1":
        raise error
    print(f"weir: internal error: {type(error).__name__}: {error}\n"
          "    hint: this is a bug in Weir; WEIR_DEBUG=1 shows the traceback", file=sys.stderr)
    return INTERNAL_ERROR
