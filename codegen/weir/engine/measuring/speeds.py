"""Measured speeds of this machine in the cache. Planning uses them, but never measures.

They apply to the part of one machine that this process may use (CPU, caches, allowed CPUs), one compiler, and one
version of the measuring program. Weir ignores malformed files, and files for other conditions.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict, replace

from weir import ROOT, __version__
from weir.engine.generation.host import bytes_identity, cpu_identity, file_identity
from weir.engine.generation.kept import AnswerCache
from weir.model.document import jsontext
from weir.model.document.shape import check_shape
from weir.model.planning.machine import Machine
from weir.model.planning.speeds import Speeds, speeds_from_json

#: Sources of the measuring program. They include the whole runtime, because any part of it may affect the speed.
SOURCES = ("bench/CMakeLists.txt", "bench/speeds/*.cpp", "runtime/CMakeLists.txt", "runtime/include/weir/*.hpp",
           "runtime/src/*.cpp")
_KEPT = AnswerCache("speeds", 8)


def with_kept(machine: Machine) -> Machine:
    """Return the machine with its measured speeds, if the cache has them."""
    key = key_of(machine)
    found = _KEPT.load(key)
    if not isinstance(found, Mapping) or found.get("key") != key:
        return machine
    document, _ = jsontext.read(jsontext.write({**machine.as_json(), "speeds": found.get("speeds")}).encode())
    if check_shape(document, "machine"):
        return machine
    speeds = speeds_from_json(found["speeds"])
    return replace(machine, measured=speeds) if speeds.plausible else machine


def keep(machine: Machine, speeds: Speeds) -> None:
    """Keep the speeds of a machine in the cache."""
    key = key_of(machine)
    _KEPT.store(key, {"key": key, "speeds": speeds.as_json()})


def key_of(machine: Machine) -> str:
    """Return the cache key: a hash of all inputs of the measurement."""
    compiler = os.environ.get("CXX") or "c++"
    what = {"version": __version__, "cpu": cpu_identity(), "architecture": machine.architecture,
            "cores": [asdict(core) for core in machine.cores], "caches": [asdict(cache) for cache in machine.caches],
            "allowed": list(machine.allowed), "compiler": file_identity(shutil.which(compiler) or compiler),
            "sources": [bytes_identity(path) for pattern in SOURCES for path in sorted(ROOT.glob(pattern))]}
    return hashlib.sha256(jsontext.write(what).encode()).hexdigest()
