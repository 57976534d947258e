"""Python packages that Debian lacks, or has in another version, installed into the cache by version and hash."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from weir import ROOT
from weir.diagnostics import WeirError, diagnostic, trying
from weir.engine.generation.host import cache_folder, own_folder


@dataclass(frozen=True)
class Pinned:
    """Packages of one list in `setup/`. Each list has its own folder."""

    name: str

    @property
    def file(self) -> Path:
        """Return the list, in pip's requirements format with hashes."""
        return ROOT / "setup" / f"{self.name}.txt"

    def place(self) -> Path:
        """Return the packages' folder, for these versions and this Python."""
        versions = re.findall(r"^(\S+)==(\S+)", self.file.read_text(encoding="utf-8"), re.MULTILINE)
        python = f"{sys.implementation.cache_tag}-{platform.machine()}"
        return cache_folder().with_name(self.name) / "-".join([*(f"{name}-{of}" for name, of in versions), python])

    def kept(self) -> Path | None:
        """Return the folder if the packages are installed, else None. Raises OSError if others may write to it."""
        it = self.place()
        if not it.is_dir():
            return None
        with own_folder(it.parent):
            return it

    def get(self) -> Path:
        """Install the packages with pip, which checks the hashes. Raises WeirError (E_SETUP) if that fails."""
        with trying(f"find a place for the packages of setup/{self.file.name}"):
            it = self.place()
        with trying(f"write {it}"):
            with own_folder(it.parent), tempfile.TemporaryDirectory(dir=it.parent) as scratch:
                made = Path(scratch) / "made"
                done = subprocess.run(
                    [sys.executable, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                     "--no-deps", "--no-cache-dir", "--only-binary", ":all:", "--require-hashes", "--target",
                     str(made), "-r", str(self.file)],
                    stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
                if done.returncode != 0:
                    last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
                    raise WeirError(diagnostic("E_SETUP", "",
                                               f"pip cannot install setup/{self.file.name}: {last}"))
                if not it.is_dir():
                    os.rename(made, it)
        return it
