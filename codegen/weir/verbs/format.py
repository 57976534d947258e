"""`weir format`: a project file in its canonical text."""

import argparse
import sys
from pathlib import Path

HELP = "write a project file as the editor would; P may be -"


def add_parser(sub: argparse._SubParsersAction) -> argparse.ArgumentParser:
    parser = sub.add_parser("format", help=HELP, description=HELP)
    parser.add_argument("project", metavar="PROJECT", help="any JSON file, or - for standard input to standard output")
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when the file is not canonical")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir import jsontext
    from weir.diagnostics import WeirError, os_error

    path = Path(args.project)
    try:
        data = sys.stdin.buffer.read() if args.project == "-" else path.read_bytes()
    except OSError as error:
        raise WeirError(os_error(error, f"read {path}")) from None
    value, faults = jsontext.read(data)
    if faults:
        raise WeirError(faults)
    text = jsontext.write(value)
    same = text.encode() == data
    if args.check:
        if not same:
            print(f"{args.project}: not canonical", file=sys.stderr)
        return 0 if same else 1
    if args.project == "-":
        sys.stdout.write(text)
    elif not same:
        try:
            jsontext.write_file(path, text)
        except OSError as error:
            raise WeirError(os_error(error, f"write {path}")) from None
    return 0
