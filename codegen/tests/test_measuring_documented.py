"""docs/measuring.md lists every reason that a run can give, with the status that it has in the code."""

from __future__ import annotations

import re
from pathlib import Path

from weir.measuring.results import RUNNER_REASONS

ROOT = Path(__file__).resolve().parents[2]
IN_THE_BINARY = re.compile(r'\{ReasonCode::\w+, "([NWE]_[A-Z_]+)", RunStatus::(\w+)\}')


def documented() -> dict[str, str]:
    text = (ROOT / "docs" / "measuring.md").read_text(encoding="utf-8").partition("## Status and reasons")[2]
    rows = re.findall(r"^\| ((?:`[NWE]_[A-Z_]+` ?)+)\| (\w+) \|", text, re.MULTILINE)
    return {code: status for codes, status in rows for code in re.findall(r"`(\w+)`", codes)}


def test_every_reason_is_listed_with_its_status():
    header = (ROOT / "runtime" / "include" / "weir" / "reasons.hpp").read_text(encoding="utf-8")
    in_the_binary = dict(IN_THE_BINARY.findall(header))
    assert len(in_the_binary) > 15
    for code, status in RUNNER_REASONS.items():
        assert in_the_binary.get(code, status) == status, code
    assert documented() == {**in_the_binary, **RUNNER_REASONS}
