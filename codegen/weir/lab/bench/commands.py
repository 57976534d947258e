"""Programs that are built or measured: one at a time, on the CPUs that they are given."""

from __future__ import annotations

import functools
import os
import subprocess
from collections.abc import Callable, Collection, Sequence

from weir import compilers
from weir.diagnostics import WeirError, diagnostic
from weir.engine.measuring.child import GATE


def output(command: Sequence[object], fault: str, cpus: Collection[int] = (),
           held: Callable[[int], None] | None = None) -> str:
    """What it says; on these CPUs, or wherever it likes without any. WeirError with `fault` where it fails.

    `held` is called with its process id while nothing of it runs yet.
    """
    words = [str(word) for word in command]

    # Between fork and exec it calls the kernel and nothing else.
    before = functools.partial(os.sched_setaffinity, 0, cpus) if cpus else None
    try:
        with compilers.started([*GATE, *words] if held else words, stdin=subprocess.PIPE if held else None,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=before) as child:
            if held:
                held(child.pid)
            said, complaints = child.communicate("\n" if held else None)
    except OSError as error:
        raise WeirError(diagnostic("E_BENCH", "", f"{fault}: {words[0]}: {error.strerror}")) from None
    if child.returncode != 0:
        last = (complaints or said).strip().splitlines()[-8:]
        raise WeirError(diagnostic("E_BENCH", "", f"{fault}: {' '.join(words[:4])} … ended with {child.returncode}",
                                   "\n".join(last)))
    return said
