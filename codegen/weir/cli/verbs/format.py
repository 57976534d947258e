"""`weir format`: project files in their canonical text."""

import argparse
import sys
from pathlib import Path

GROUP = "draw"
HELP = "write project files as the editor would"


def add_parser(sub: argparse._SubParsersAction) -> argparse.ArgumentParser:
    parser = sub.add_parser("format", help=HELP, description=HELP)
    parser.add_argument("files", nargs="+", metavar="FILE",
                        help="any JSON file, or - for standard input to standard output")
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when a file is not canonical")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.diagnostics import exit_code_for, format_for_people

    code = 0
    for name in args.files:
        same, faults = _format(name, args.check)
        if faults:
            print(format_for_people(faults, name, sys.stderr.isatty()), file=sys.stderr)
            code = code or exit_code_for(faults)
        elif args.check and not same:
            print(f"{name}: not canonical", file=sys.stderr)
            code = code or 1
    return code


def _format(name: str, check: bool) -> tuple[bool, list]:
    """Whether the file was canonical, and what keeps it from being made so."""
    from weir.cli.verbs import read_input
    from weir.diagnostics import WeirError, os_error
    from weir.files import write_whole
    from weir.model.document import jsontext

    try:
        data = read_input(name, jsontext.MAX_BYTES)
        value, faults = jsontext.read(data)
        if faults:
            return False, faults
        text = jsontext.write(value)
        same = text.encode() == data
        if name == "-" and not check:
            sys.stdout.write(text)
        elif not same and not check:
            write_whole(Path(name), text)
        return same, []
    except WeirError as error:
        return False, error.diagnostics
    except OSError as error:
        return False, [os_error(error, f"write {name}")]
