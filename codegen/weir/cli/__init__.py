"""The command line: finds the verb's module, runs it, turns faults into messages and exit codes."""

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
-o FILE is what a verb writes, and --out DIR the folder of run directories. With --json, standard output has one JSON
document, and nothing else.
"""
EXIT_CODES_HELP = """\
exit codes:
  0    success
  1    the project is not valid, or a comparison found a regression
  2    wrong usage
  3    a tool or a permission is missing, or Weir itself is at fault
  4    no usable result: a run failed or is not valid, or there is too little data to decide
  130  interrupted before there was a result
"""

#: What was another command before.
FORMER = ROOT / "setup" / "former.txt"

#: What writing to a pipe whose reader has gone, or to a terminal that was closed, gives.
NOBODY_READS = (errno.EPIPE, errno.EIO)


def verb_modules() -> dict[str, str]:
    """Verb -> module name, in alphabetical order. Imports none of them."""
    import weir.cli.verbs

    names = sorted(m.name for m in pkgutil.iter_modules(weir.cli.verbs.__path__) if not m.name.startswith("_"))
    return {name.rstrip("_"): f"weir.cli.verbs.{name}" for name in names}


def _in_new_words(argv: list[str]) -> list[str]:
    """What was another command before, as it is called now, with a line of why."""
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
    """Takes no option by its first letters alone: a shorter name would come to mean another one with the next option.

    Its parsers of verbs are of this class too.
    """

    def __init__(self, **words: Any):
        super().__init__(**{"allow_abbrev": False, **words})

    def parse_known_args(self, args=None, namespace=None):
        """Refuses what it does not know, and names what may have been meant."""
        namespace, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}{self._meant(unknown)}")
        return namespace, unknown

    def _check_value(self, action, value):
        """Names what of the choices may have been meant."""
        if action.choices is not None and value not in action.choices:
            hint = did_you_mean(value, action.choices) or f"there are {', '.join(sorted(action.choices))}"
            raise argparse.ArgumentError(action, f"there is no `{value}`; {hint}")

    def _meant(self, unknown: list[str]) -> str:
        """What the first option of `unknown` may have been: one that begins so, else the nearest."""
        name = next((word.partition("=")[0] for word in unknown if word.startswith("--")), "")
        options = [option for option in self._option_string_actions if option.startswith("--")]
        hint = did_you_mean(name, [option for option in options if option.startswith(name)] or options) if name else ""
        return f"; {hint}" if hint else ""

    def format_help(self) -> str:
        """Names the options that many verbs have, without saying once more what they do."""
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
    """A parser that knows the verb that `argv` begins with, or all verbs where it begins with none, as for --help."""
    parser = Parser(prog="weir", usage="weir [-h] [--version] VERB ...",
                    description="Draw, schedule, pin and measure flowgraphs.",
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", action="version", version=f"weir {__version__}")
    # argparse lists verbs without groups: the epilog lists them instead.
    sub = parser.add_subparsers(prog="weir", metavar="VERB", dest="verb", help=argparse.SUPPRESS)
    modules = verb_modules()
    chosen = argv[0] if argv and not argv[0].startswith("-") else None
    if chosen is not None and chosen not in modules:
        parser.error(f"there is no verb `{chosen}`; {did_you_mean(chosen, modules) or '`weir --help` lists them'}")
    found = {verb: importlib.import_module(modules[verb]) for verb in ([chosen] if chosen else modules)}
    for module in found.values():
        module.add_parser(sub).set_defaults(run=module.run, measures=getattr(module, "MEASURES", False))
    parser.epilog = "\n".join([*_grouped(found), *_common(), OUTPUT_HELP, EXIT_CODES_HELP])
    return parser


def _room() -> int:
    return max(40, shutil.get_terminal_size().columns - 2)


def _common() -> Iterator[str]:
    """Lines of help on the options of many verbs."""
    yield "options of many verbs:"
    for name, words in COMMON.items():
        value = words.get("metavar") or "|".join(words.get("choices", ()))
        yield textwrap.fill(f"{f'{name} {value}':<24} {words['help']}", _room(), initial_indent="  ",
                            subsequent_indent=" " * 27, break_on_hyphens=False)
    yield ""


def _grouped(modules: Mapping[str, ModuleType]) -> Iterator[str]:
    """Lines of help on each group of verbs."""
    for group in GROUPS:
        yield f"{group}:"
        for verb, module in modules.items():
            if module.GROUP == group:
                yield textwrap.fill(module.HELP, _room(), initial_indent=f"  {verb:<11}", subsequent_indent=" " * 13)
        yield ""


def _nobody_reads() -> bool:
    """Whether a reader of what we print has gone: a bad disk has the error of a closed terminal, too."""
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
        sys.stdout.flush()  # of --help
        raise


def complete() -> None:
    """Answers a shell that asks for words, as setup/completion does. Does not return."""
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
        args = _parsed(_in_new_words(argv) if argv else argv)
        if args.measures:
            from weir.machine.isolating.recovering import recover_before

            recover_before(say)
        code = args.run(args)
        sys.stdout.flush()
        return code
    except WeirError as error:
        source = error.source or str(getattr(args, "project", None) or "weir")
        print(format_for_people(error.diagnostics, source, sys.stderr.isatty()), file=sys.stderr)
        if getattr(args, "json", False):
            print(json.dumps({"ok": False, "diagnostics": [d.as_json() for d in error.diagnostics]}), flush=True)
        return error.exit_code


def _fault(error: Exception) -> int:
    if isinstance(error, OSError) and error.errno in NOBODY_READS and _nobody_reads():
        # Python would complain at exit when it flushes.
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
          "    hint: this is a fault of Weir; WEIR_DEBUG=1 shows where", file=sys.stderr)
    return INTERNAL_ERROR
