"""Ask the VOLK library for its kernels on this machine."""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Iterable


class _Described(ctypes.Structure):
    """Struct volk_func_desc_t of VOLK."""

    _fields_ = (("names", ctypes.POINTER(ctypes.c_char_p)), ("needs", ctypes.POINTER(ctypes.c_int)),
                ("aligned", ctypes.POINTER(ctypes.c_bool)), ("count", ctypes.c_size_t))


def implementations(kernels: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the implementations of each kernel that this machine can run, by VOLK's names. Leaves out unknown kernels.
    """
    found: dict[str, tuple[str, ...]] = {}
    name = ctypes.util.find_library("volk")
    try:
        library = ctypes.CDLL(name) if name else None
    except OSError:
        library = None
    for kernel in kernels if library else ():
        describe = getattr(library, f"{kernel}_get_func_desc", None)
        if describe is None:
            continue
        describe.restype = _Described
        said = describe()
        found[kernel] = tuple(said.names[i].decode() for i in range(said.count))
    return found
