"""Writes a page and its figures: all of it, or nothing."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from weir.cli.verbs import say
from weir.cli.verbs._watching import unbroken
from weir.diagnostics import WeirError, os_error

if TYPE_CHECKING:
    from weir.engine.measuring.run_directory import StoredRun
    from weir.read.reporting.report import Lead


def figures_of(output: Path, folder: Path | None) -> Path:
    """Where the figures of a page go: to that of its name where nobody says."""
    return folder or output.with_name(output.stem + "_figures")


def write_page(runs: Sequence[StoredRun], output: Path, folder: Path | None,
               comparison: Mapping[str, object] | None = None, lead: Lead | None = None, renewed: bool = False) -> str:
    """The page, which is written, with its figures in `folder`; `renewed`: it loads itself again. WeirError where it
    cannot be written.
    """
    from weir.files import write_whole
    from weir.read.reporting.report import make_report

    figures = figures_of(output, folder)
    try:
        # Beside its place first: a disk that fills up leaves neither half a page nor half of the figures.
        with tempfile.TemporaryDirectory(dir=output.resolve().parent, prefix=".weir-report-") as scratch:
            page = make_report(runs, Path(scratch), comparison, lead, renewed)
            with unbroken():
                write_whole(output, page)
                figures.mkdir(parents=True, exist_ok=True)
                for drawn in sorted(Path(scratch).iterdir()):
                    shutil.move(drawn, figures / drawn.name)
    except OSError as error:
        raise WeirError(os_error(error, f"write {error.filename or output}")) from None
    return page


def tell(output: Path, folder: Path | None) -> None:
    say(f"wrote {output} and {figures_of(output, folder)}")
