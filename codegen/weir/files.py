"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


def write_whole(path: Path, data: bytes | str) -> None:
    """Temporary file, fsync, rename; keeps the mode of a file that is replaced. OSError when it cannot."""
    with whole_file(path) as file:
        file.buffer.write(data.encode() if isinstance(data, str) else data)


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """As `write_whole`, for what is written piece by piece: left with an exception, the file is as it was."""
    path = Path(os.path.realpath(path))
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, path.stat().st_mode & 0o7777 if path.exists() else 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
