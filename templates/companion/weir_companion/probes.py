"""Library of the probes, through ctypes."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from weir_companion.faults import Fault

_U32, _U64, _INT, _LONG = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int, ctypes.c_long
_TEXT = ctypes.c_char_p

#: Function -> type of its answer and of its arguments.
FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "flatten": (_TEXT, (_TEXT,)), "members": (_TEXT, (_TEXT,)), "joined": (_TEXT, (_TEXT,)),
    "counts": (_TEXT, ()),
    "name": (None, (_U32, _TEXT)), "hook": (_TEXT, (_TEXT, _INT, _U64)),
    "set_affinity": (None, (_U32, ctypes.POINTER(_INT), ctypes.c_size_t)), "set_priority": (None, (_U32, _INT)),
    "set_output_buffer": (None, (_U32, _LONG, _LONG)),
    "set_max_noutput_items": (None, (_U32, _INT)),
    "stamp": (None, (_U32, _U64, _U64)), "mark": (None, (_U32,)), "look": (None, (_U32, _U32)),
    "mark_messages": (None, (_U32, _U32)), "receive": (None, (_U32, _U32, _U32)), "limit": (None, (_U32, _U64)),
    "pace": (None, (_U32, ctypes.c_double, ctypes.c_double)),
    "end": (None, (_U32,)), "progress": (_U64, (_U32,)), "activity": (_U64, (_INT,)), "failed": (ctypes.c_int64, ()),
    "write_events": (_INT, (_TEXT,)), "deadline": (None, (ctypes.c_double, _TEXT, _INT)), "no_deadline": (None, ()),
}


class Probes:
    """Functions of the library. Those that answer with JSON return what it says."""

    def __init__(self, file: Path):
        """Load the library. Raises Fault."""
        try:
            library = ctypes.CDLL(str(file.resolve()))
            for name, (answer, arguments) in FUNCTIONS.items():
                function = getattr(library, f"weir_{name}")
                function.restype, function.argtypes = answer, arguments
        except (OSError, AttributeError) as error:
            raise Fault(f"cannot load the probes: {error}") from None
        self._library = library

    def call(self, name: str, *arguments: Any) -> Any:
        """Call a function. Raises Fault if it answers with an error."""
        given = [text.encode() if isinstance(text, str) else text for text in arguments]
        answer = getattr(self._library, f"weir_{name}")(*given)
        if FUNCTIONS[name][0] is not _TEXT:
            return answer
        document = json.loads(answer)
        if "error" in document:
            raise Fault(document["error"])
        return document

    def set_affinity(self, block: int, cpus: Sequence[int]) -> None:
        """Set the CPUs of the thread that will run a block."""
        self.call("set_affinity", block, (_INT * len(cpus))(*cpus), len(cpus))
