"""Prints the manual page weir(1), made by argparse-manpage; `codegen/make_manual.py > weir.1` keeps it."""

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
    """Every verb's options; of those that the help lists in groups, it has the names too."""
    whole = build_parser([])
    for action in whole._actions:
        if isinstance(action, argparse._SubParsersAction):
            action.help = None
    whole.description = f"{whole.description} docs/ and README.md, beside this program's files, say more."
    return whole


def main() -> int:
    """Prints the page. The tool's exit code."""
    # The same page from every terminal.
    made = subprocess.run(MANPAGE, stdout=subprocess.PIPE, text=True, check=False, env={**os.environ, "COLUMNS": "80"})
    body = made.stdout.partition(".SH AUTHORS")[0].rstrip()  # what nobody told it, it says is not set
    exits = EXIT_CODES_HELP.partition("\n")[2].rstrip()
    print(f"{body}\n.SH EXIT STATUS\n.nf\n{exits}\n.fi")
    return made.returncode


if __name__ == "__main__":
    sys.exit(main())
