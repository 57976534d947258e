"""Python packages that no release of Debian has, or not in one version: got by version and hash, into the cache."""

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
    """The packages of one list in `setup/`, in a folder of their own."""

    name: str

    @property
    def file(self) -> Path:
        """The list, in the form of pip's requirements with hashes."""
        return ROOT / "setup" / f"{self.name}.txt"

    def place(self) -> Path:
        """Where they are kept: in these versions, for one Python."""
        versions = re.findall(r"^(\S+)==(\S+)", self.file.read_text(encoding="utf-8"), re.MULTILINE)
        python = f"{sys.implementation.cache_tag}-{platform.machine()}"
        return cache_folder().with_name(self.name) / "-".join([*(f"{name}-{of}" for name, of in versions), python])

    def kept(self) -> Path | None:
        """Where they lie since they were got; None before. OSError where others may write to it."""
        it = self.place()
        if not it.is_dir():
            return None
        with own_folder(it.parent):
            return it

    def get(self) -> Path:
        """Gets them with pip, which checks the hashes. WeirError (E_SETUP) where that fails."""
        with trying(f"find a place for what setup/{self.file.name} lists"):
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
                                               f"what setup/{self.file.name} lists cannot be got: {last}"))
                if not it.is_dir():
                    os.rename(made, it)
        return it
