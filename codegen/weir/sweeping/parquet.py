"""The table of a sweep as Parquet, where pyarrow is. No release has a package of it: `weir setup parquet` gets it."""

from __future__ import annotations

import importlib
import io
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType

from weir.catalog import ROOT
from weir.diagnostics import WeirError, diagnostic, os_error
from weir.files import write_whole
from weir.generation.host import cache_folder, own_folder

PARQUET = "table.parquet"
#: What is got, by version and hash.
LIST = ROOT / "setup" / "parquet.txt"
MODULE = "pyarrow"


def place() -> Path:
    """Where it is kept: of one version, for one Python."""
    [version] = re.findall(rf"^{MODULE}==([0-9.]+)", LIST.read_text(encoding="utf-8"), re.MULTILINE)
    python = f"{sys.implementation.cache_tag}-{platform.machine()}"
    return cache_folder().with_name("parquet") / f"{MODULE}-{version}-{python}"


def found() -> ModuleType | None:
    """Pyarrow of the Python that runs, or what `weir setup parquet` got; None without either.

    OSError where others may write to the folder that it is in.
    """
    try:
        return importlib.import_module(f"{MODULE}.parquet")
    except ImportError:
        pass
    it = place()
    if not it.is_dir():
        return None
    with own_folder(it.parent):
        sys.path.append(str(it))
        importlib.invalidate_caches()
        try:
            return importlib.import_module(f"{MODULE}.parquet")
        except ImportError:
            sys.path.remove(str(it))
            return None


def get() -> Path:
    """Gets it with pip, which checks its hash. WeirError (E_SETUP) where that fails."""
    try:
        it = place()
    except OSError as error:
        raise WeirError(os_error(error, f"find a place for {MODULE}")) from None
    try:
        with own_folder(it.parent), tempfile.TemporaryDirectory(dir=it.parent) as scratch:
            made = Path(scratch) / "made"
            done = subprocess.run(
                [sys.executable, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                 "--no-cache-dir", "--only-binary", ":all:", "--require-hashes", "--target", str(made), "-r",
                 str(LIST)], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
            if done.returncode != 0:
                last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
                raise WeirError(diagnostic("E_SETUP", "", f"{MODULE} cannot be got: {last}"))
            if not it.is_dir():
                os.rename(made, it)
    except OSError as error:
        raise WeirError(os_error(error, f"write {it}")) from None
    return it


def write(folder: Path, values: Mapping[str, Sequence[object]], kinds: Mapping[str, str]) -> None:
    """`values` by column; `kinds`: of each `text`, `integer`, `number` or `flag`. Without pyarrow nothing is written,
    and one of an earlier state does not stay. OSError.
    """
    parquet = found()
    if parquet is None:
        (folder / PARQUET).unlink(missing_ok=True)
        return
    arrow = sys.modules[MODULE]
    types = {"text": arrow.string(), "integer": arrow.int64(), "number": arrow.float64(), "flag": arrow.bool_()}
    schema = arrow.schema([(name, types[kinds[name]]) for name in values])
    out = io.BytesIO()
    parquet.write_table(arrow.table({name: list(column) for name, column in values.items()}, schema=schema), out)
    write_whole(folder / PARQUET, out.getvalue())
