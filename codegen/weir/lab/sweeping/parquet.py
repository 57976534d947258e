"""Table of a sweep as Parquet, if pyarrow is installed. The supported distributions have no package of it; `weir doctor
--install parquet` downloads it.
"""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType

from weir.engine.generation.host import own_folder
from weir.engine.generation.pinned import Pinned
from weir.files import write_whole

PARQUET = "table.parquet"
MODULE = "pyarrow"
PACKAGE = Pinned("parquet")


def found() -> ModuleType | None:
    """Return pyarrow.parquet of this Python or of `weir doctor --install parquet`, None without either.

    Raises OSError if other users may write to its folder.
    """
    try:
        return importlib.import_module(f"{MODULE}.parquet")
    except ImportError:
        pass
    it = PACKAGE.place()
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


def write(folder: Path, values: Mapping[str, Sequence[object]], kinds: Mapping[str, str]) -> None:
    """Write the table: `values` by column; `kinds`: column -> `text`, `integer`, `number` or `flag`. Raises OSError.

    Without pyarrow, write nothing and remove an outdated table.
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
