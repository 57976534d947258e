"""What flowgraphs of `weir import` and `weir export` share: where they are written, and the answer."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from weir.diagnostics import Diagnostic, WeirError, diagnostic, format_for_people, trying

if TYPE_CHECKING:
    from weir.interop.grc.report import Report


def write_output(name: str, text: str, force: bool) -> None:
    """Whole or not at all; what is there and is not the same is only replaced with `force`."""
    from weir.files import write_whole

    path, data = Path(name), text.encode()
    with trying(f"write {name}"):
        if path.exists() and not force:
            with path.open("rb") as file:
                if file.read(len(data) + 1) == data:
                    return
            raise WeirError(diagnostic("E_OUTPUT_EXISTS", "", f"{name} is there, and says something else",
                                       "choose another name, or replace it with --force"))
        write_whole(path, data)


def answer(args: argparse.Namespace, report: Report, document: str, diagnostics: Sequence[Diagnostic],
           drawn: Mapping[str, object] | None = None) -> int:
    """Writes the document where it belongs and says what became of everything.

    `drawn`: where the blocks were before they were laid out; None: they were not.
    """
    to_stdout = args.output == "-"
    if not to_stdout:
        write_output(args.output, document, args.force)
    if args.json:
        said = {"ok": True, "output": None if to_stdout else args.output, **report.as_json(),
                "diagnostics": [d.as_json() for d in diagnostics]}
        said |= ({"document": document} if to_stdout else {}) | ({"drawn": drawn} if drawn else {})
        print(json.dumps(said, indent=1, ensure_ascii=False))
        return 0
    if to_stdout:
        sys.stdout.write(document)
    else:
        print(f"{args.output}: {len(document.encode())} bytes", file=sys.stderr)
    for line in report.lines():
        print(line, file=sys.stderr)
    if drawn:
        print("The blocks are laid out: they are larger here, and lay on each other.", file=sys.stderr)
    # That there is no block for a stub has just been said.
    others = [d for d in diagnostics if d.code != "E_BLOCK_TYPE"]
    if others:
        print(format_for_people(others, args.output, sys.stderr.isatty()), file=sys.stderr)
    return 0
