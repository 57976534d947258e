"""Fixtures that the tests of the runtime share."""

from __future__ import annotations

from pathlib import Path

import pytest
from spoilt_runtime import CHECKER, Build

RELACY = Path("/usr/include/relacy/relacy.hpp")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the model checker's statistics, which another process may have measured."""
    for report in terminalreporter.getreports("passed"):
        for name, text in report.user_properties if report.when == "call" else ():
            terminalreporter.write(f"{name}:\n{text}")


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return Build(tmp_path_factory.mktemp("spoilt"))


@pytest.fixture(scope="session")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Build `check_orders.cpp`, in which the headers use relacy's atomics."""
    if not RELACY.exists():
        pytest.skip("relacy-dev is not installed")
    return Build(tmp_path_factory.mktemp("checked"), *CHECKER)
