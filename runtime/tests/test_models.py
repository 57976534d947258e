"""Check the models of runtime/model exhaustively with spin. In each mutated model, spin must find the error."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

MODELS = Path(__file__).resolve().parents[1] / "model"
EVERYTHING = "WEIR_STRESS" in os.environ  # as `weir test --all` sets it
DEADLOCK, ASSERTION = "invalid end state", "assertion violated"


@dataclass(frozen=True)
class Check:
    model: str
    options: str = ""
    finds: str = ""       # "": no error
    slow: bool = False

    def __str__(self) -> str:
        return " ".join((self.model, *self.options.split()))


CHECKS = (
    Check("park"),
    Check("park", "EARLY_STOP"),
    Check("park", "TIMED"),
    Check("park", "NOTIFIERS=3 ITEMS=2", slow=True),
    Check("park", "NO_LOOK_AGAIN", DEADLOCK, slow=True),
    Check("park", "KEY_AFTER_LOOK", ASSERTION, slow=True),
    Check("park", "KEY_AFTER_WAITS", ASSERTION),
    Check("park", "NO_COMPARE", ASSERTION, slow=True),
    Check("park", "NOTIFY_BEFORE_STORE", DEADLOCK, slow=True),
    Check("park", "SILENT_STOP", ASSERTION, slow=True),
    Check("park", "STOP_NOT_LOOKED_AT", ASSERTION, slow=True),
    Check("park", "CANCEL_FORGOTTEN TIMED", ASSERTION, slow=True),
    Check("park_ring"),
    Check("park_ring", "STOP"),
    Check("park_ring", "ITEMS=3 CAPACITY=2", slow=True),
    Check("park_ring", "NO_FENCE_WRITER", DEADLOCK),
    Check("park_ring", "NO_FENCE_READER", DEADLOCK),
    Check("park_ring", "NO_FENCE_END", DEADLOCK),
    Check("park_ring", "RELEASE_STOP STOP", DEADLOCK),
    Check("park_ring", "WEAK_PREPARE", DEADLOCK),
    Check("jobs", "JOBS=2 ITEMS=1"),
    Check("jobs", "JOBS=2 ITEMS=1 RINGS"),
    Check("jobs", "ITEMS=1", slow=True),
    Check("jobs", "ITEMS=1 RINGS", slow=True),
    Check("jobs", "JOBS=2 ITEMS=1 STOP", slow=True),
    Check("jobs", "NO_RERUN RINGS", DEADLOCK),
    Check("jobs", "NO_RERUN", DEADLOCK, slow=True),
    Check("jobs", "REST_BLINDLY RINGS", DEADLOCK, slow=True),
    Check("jobs", "CLAIM_BLINDLY ITEMS=1", DEADLOCK, slow=True),
    Check("jobs", "FORGET_TO_PUT RINGS", ASSERTION, slow=True),
    Check("jobs", "NO_LOOK_AGAIN ITEMS=1 RINGS", ASSERTION, slow=True),
    Check("jobs", "NO_LOOK_AGAIN ITEMS=1", ASSERTION, slow=True),
    Check("jobs", "LATE_REGISTRATION ITEMS=1 RINGS", ASSERTION, slow=True),
    Check("jobs", "NO_COMPARE ITEMS=1 RINGS", DEADLOCK, slow=True),
    Check("jobs", "WAKE_BEFORE_STORE JOBS=2 RINGS", DEADLOCK, slow=True),
    Check("jobs", "FORGET_TO_TELL JOBS=2 RINGS", DEADLOCK, slow=True),
    Check("jobs", "NOBODY_WAKES_AT_THE_END ITEMS=1 RINGS", DEADLOCK, slow=True),
    Check("jobs", "STOP_WAKES_ONE STOP ITEMS=1 RINGS", DEADLOCK, slow=True),
    Check("jobs", "PUT_TWICE ITEMS=1 RINGS", ASSERTION, slow=True),
    Check("jobs", "JOBS=2 ITEMS=1 STORE_BUFFERS RINGS"),
    Check("jobs", "JOBS=2 ITEMS=1 STORE_BUFFERS", slow=True),
    Check("jobs", "JOBS=2 STORE_BUFFERS RINGS", slow=True),
    Check("jobs", "JOBS=2 STORE_BUFFERS", slow=True),
    Check("jobs", "JOBS=2 STORE_BUFFERS NO_FENCE RINGS", DEADLOCK),
    Check("jobs", "JOBS=2 STORE_BUFFERS NO_FENCE", DEADLOCK, slow=True),
    Check("jobs", "JOBS=2 STORE_BUFFERS RELEASE_PUT RINGS", ASSERTION),
    Check("jobs", "JOBS=2 STORE_BUFFERS RELEASE_YIELD", ASSERTION),
    Check("jobs", "JOBS=2 STORE_BUFFERS WEAK_ENTER_SLEEPERS RINGS", ASSERTION, slow=True),
    Check("jobs", "JOBS=2 STORE_BUFFERS WEAK_ENTER_SLEEPERS", ASSERTION, slow=True),
    Check("stream"),
    Check("stream", "BOTH_LEAVE"),
    Check("stream", "LEAVES_AFTER=9"),
    Check("stream", "INDEX_BEFORE_END", ASSERTION),
    Check("stream", "PUBLISH_BEFORE_WRITE", ASSERTION, slow=True),
    Check("stream", "FREE_BEFORE_READ", ASSERTION, slow=True),
    Check("stream", "WAIT_FOR_THE_DETACHED", DEADLOCK, slow=True),
    Check("stream", "NO_DETACH", DEADLOCK, slow=True),
    Check("stream", "END_BEFORE_LAST_ITEM", ASSERTION, slow=True),
    Check("circuit"),
    Check("circuit", "LEAVES_AFTER=1"),
    Check("circuit", "STAGES=3 CAPACITY=4 ITEMS=7", slow=True),
    Check("circuit", "STAGES=3 CAPACITY=1", slow=True),
    Check("circuit", "FREE_BY_FIRST_READER", ASSERTION),
    Check("circuit", "FREE_ALL_WHEN_LEFT LEAVES_AFTER=1", ASSERTION),
    Check("circuit", "PUBLISH_BEFORE_CHANGE", ASSERTION, slow=True),
    Check("circuit", "FREE_BEFORE_READ", ASSERTION, slow=True),
    Check("circuit", "WAIT_FOR_THE_DETACHED LEAVES_AFTER=1", DEADLOCK, slow=True),
)


def verify(check: Check, folder: Path) -> str:
    """Generate, compile and run the verifier. Returns its report."""
    for model in MODELS.glob("*.pml"):  # the models include each other
        shutil.copy(model, folder)
    defines = [f"-D{option}" for option in check.options.split()]
    for command in (["spin", "-a", *defines, f"{check.model}.pml"],
                    ["cc", "-O1", "-w", "-DSAFETY", "-DCOLLAPSE", "-o", "pan", "pan.c"],
                    ["./pan", "-m200000", "-n"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.skipif(shutil.which("spin") is None, reason="spin is not installed")
@pytest.mark.parametrize("check", [c for c in CHECKS if EVERYTHING or not c.slow], ids=str)
def test_model(check: Check, tmp_path: Path) -> None:
    report = verify(check, tmp_path)
    states = re.search(r"(\d+) states, stored", report)
    assert states, report
    errors = re.findall(r"^pan:1: (.+?) \(", report, re.MULTILINE)
    if check.finds:
        assert errors and errors[0].startswith(check.finds), report
    else:
        assert "errors: 0" in report and "max search depth too small" not in report, report
    print(f"{check}: {states[1]} states")
