"""Programs that are built or measured: one at a time, on the CPUs that they are given."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Sequence

from weir.diagnostics import WeirError, diagnostic
from weir.measuring.processes import die_with_parent


def output(command: Sequence[object], fault: str, cpus: Collection[int] = ()) -> str:
    """What it says; on these CPUs, or wherever it likes without any. WeirError with `fault` where it fails."""
    words = [str(word) for word in command]

    def before() -> None:  # nothing else runs in this process, so that it is safe between fork and exec
        die_with_parent()
        if cpus:
            os.sched_setaffinity(0, cpus)

    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, preexec_fn=before)
    except OSError as error:
        raise WeirError(diagnostic("E_BENCH", "", f"{fault}: {words[0]}: {error.strerror}")) from None
    if done.returncode != 0:
        last = (done.stderr or done.stdout).strip().splitlines()[-8:]
        raise WeirError(diagnostic("E_BENCH", "", f"{fault}: {' '.join(words[:4])} … ended with {done.returncode}",
                                   "\n".join(last)))
    return done.stdout
