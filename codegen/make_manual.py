"""Prints the manual page weir(1) with argparse-manpage: `codegen/make_manual.py > weir.1`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from weir.cli import EXIT_CODES_HELP, build_parser  # noqa: E402

MANPAGE = ("argparse-manpage", "--pyfile", __file__, "--function", "parser", "--project-name", "weir")


def parser() -> argparse.ArgumentParser:
    """Return the parser with the options of every verb. It also names the verbs that the help lists in groups."""
    whole = build_parser([])
    for action in whole._actions:
        if isinstance(action, argparse._SubParsersAction):
            action.help = None
    whole.description = f"{whole.description} docs/ and README.md, beside this program's files, say more."
    return whole


def main() -> int:
    """Print the page and return the exit code of the tool."""
    # A fixed width makes the same page in every terminal.
    made = subprocess.run(MANPAGE, stdout=subprocess.PIPE, text=True, check=False, env={**os.environ, "COLUMNS": "80"})
    body = made.stdout.partition(".SH AUTHORS")[0].rstrip()  # the tool prints "not set" for the authors
    exits = EXIT_CODES_HELP.partition("\n")[2].rstrip()
    print(f"{body}\n.SH EXIT STATUS\n.nf\n{exits}\n.fi")
    return made.returncode


if __name__ == "__main__":
    sys.exit(main())
