"""Shared parts of `weir import` and `weir export` for flowgraphs of GNU Radio: write the file and print the answer."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weir.diagnostics import Diagnostic, WeirError, diagnostic, format_for_people, trying

if TYPE_CHECKING:
    from weir.engine.measuring.request import RunRequest
    from weir.interop.grc.report import Report


def write_output(name: str, text: str, force: bool) -> None:
    """Write a file atomically. Replaces a file with other contents only with `force`."""
    from weir.files import write_whole

    path, data = Path(name), text.encode()
    with trying(f"write {name}"):
        if path.exists() and not force:
            with path.open("rb") as file:
                if file.read(len(data) + 1) == data:
                    return
            raise WeirError(diagnostic("E_OUTPUT_EXISTS", "", f"{name} exists and has other contents",
                                       "choose another name, or replace the file with --force"))
        write_whole(path, data)


def _read(path: Path, most: int) -> bytes:
    from weir.files import read_bounded

    with trying(f"read {path}"):
        return read_bounded(path, most)


def _kept(beside: Path) -> dict[str, Any]:
    from weir.model.document import jsontext

    kept, faults = jsontext.read(_read(beside, jsontext.MAX_BYTES))
    if faults or not isinstance(kept, dict):
        raise WeirError(faults or [diagnostic("E_VALUE_TYPE", "", "this is not a project file")], source=str(beside))
    return kept


def project_of(args: argparse.Namespace | RunRequest, tell: Callable[[str], None] | None = None) -> bytes:
    """Return the project for a flowgraph X.grc. Its deployments, run settings and sweeps are those in X.weir.json, if
    that file exists. GNU Radio runs the flowgraph if it does there.

    `tell`: gets a line if Weir's own scheduler runs the flowgraph.
    """
    from weir.interop.grc.importing.importer import Options, import_flowgraph, import_to_run
    from weir.interop.grc.reading.flowgraph import read_grc
    from weir.interop.grc.reading.yaml_text import MAX_BYTES
    from weir.model.catalog import load_catalog
    from weir.model.document import jsontext
    from weir.model.document.overrides import OF_ALL

    catalog = load_catalog(args.block_path, args.scheduler_path, args.target_path)
    flow = read_grc(_read(Path(args.project), MAX_BYTES), Path(args.project).stem)
    beside = Path(args.project).with_suffix(".weir.json")
    kept = _kept(beside) if beside.is_file() else {}
    # Only GNU Radio's own program has the blocks that --replace and --keep-gui are about.
    own = "gnuradio" in kept or any(text.startswith(f"{OF_ALL}{key}=") for text in args.sets
                                    for key in ("replace", "windows"))
    made = import_flowgraph(flow, catalog, Options("host")) if own else import_to_run(flow, catalog, Options())
    if tell and "gnuradio" not in made.document:
        replaced = ", ".join(it.name for it in made.report.of("replaced") if it.kind == "block")
        tell("Weir's own scheduler runs this flowgraph" + (f"; replaced: {replaced}" if replaced else "")
             + ("" if flow.is_gr4 else
                f"; `weir import {args.project} --stub host -o {beside}` lets GNU Radio run it"))
    document = dict(made.document)
    # What the file does not say of the run stays: a flowgraph that GNU Radio runs has no number of items.
    run = {"run": {**document["run"], **kept["run"]}} if isinstance(kept.get("run"), dict) else {}
    document |= {key: kept[key] for key in ("deployments", "run", "sweeps") if key in kept} | run
    return jsontext.write(document).encode()


def answer(args: argparse.Namespace, report: Report, document: str, diagnostics: Sequence[Diagnostic],
           drawn: Mapping[str, object] | None = None) -> int:
    """Write the document and report how each part was translated.

    `drawn`: positions of the blocks before Weir laid them out, None if it did not.
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
        print("Weir laid out the blocks again: they are larger here and would overlap.", file=sys.stderr)
    # The report above lists the stubs already.
    others = [d for d in diagnostics if d.code != "E_BLOCK_TYPE"]
    if others:
        print(format_for_people(others, args.output, sys.stderr.isatty()), file=sys.stderr)
    return 0
