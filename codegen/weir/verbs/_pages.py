"""Writes a page and its figures: all of it, or nothing."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from weir.diagnostics import WeirError, os_error

if TYPE_CHECKING:
    from weir.measuring.run_directory import StoredRun
    from weir.reporting.report import Lead


def write_page(runs: Sequence[StoredRun], output: Path, folder: Path | None,
               comparison: Mapping[str, object] | None = None, lead: Lead | None = None) -> None:
    """`folder`: of the figures, that of the page's name without this. WeirError where it cannot be written."""
    from weir.files import write_whole
    from weir.reporting.report import make_report

    figures = folder or output.with_name(output.stem + "_figures")
    try:
        # Beside its place first: a disk that fills up leaves neither half a page nor half of the figures.
        with tempfile.TemporaryDirectory(dir=output.resolve().parent, prefix=".weir-report-") as scratch:
            page = make_report(runs, Path(scratch), comparison, lead)
            write_whole(output, page)
            figures.mkdir(parents=True, exist_ok=True)
            for drawn in sorted(Path(scratch).iterdir()):
                shutil.move(drawn, figures / drawn.name)
    except OSError as error:
        raise WeirError(os_error(error, f"write {error.filename or output}")) from None
    print(f"weir: wrote {output} and {figures}", file=sys.stderr)
