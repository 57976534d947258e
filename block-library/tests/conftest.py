"""Run `block_driver`, one process for all tests, and print the largest error of each block."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TREE / "block-library" / "reference"), str(TREE / "codegen")]

from weir_reference import ROOT, Block, load_blocks  # noqa: E402

BLOCKS: dict[str, Block] = {}
LARGEST_ERRORS: dict[str, float] = {}


def pytest_addoption(parser):
    parser.addoption("--driver", required=True, help="the built block_driver")
    parser.addoption("--driver-without-volk", help="one whose blocks do by their own code what they do by VOLK")
    parser.addoption("--blocks", action="append", type=Path, help="a folder of blocks; the library without this")
    parser.addoption("--part", default="1/1", help="every second test from the first on: 1/2; the others: 2/2")


def pytest_collection_modifyitems(config, items):
    number, parts = map(int, config.getoption("--part").split("/"))
    items[:] = items[number - 1::parts]


def pytest_configure(config):
    BLOCKS.update(load_blocks(*config.getoption("--blocks") or [ROOT]))


def pytest_generate_tests(metafunc):
    if "item_type" in metafunc.fixturenames:
        subjects = [(block, item_type) for block in BLOCKS.values() for item_type in block.item_types]
        ids = [f"{block.id}-{item_type}".rstrip("-") for block, item_type in subjects]
        metafunc.parametrize(("block", "item_type"), subjects, ids=ids)
    elif "block" in metafunc.fixturenames:
        metafunc.parametrize("block", BLOCKS.values(), ids=list(BLOCKS))


class Driver:
    def __init__(self, path: str, environment: Mapping[str, str] | None = None):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, **(environment or {})})

    def ask(self, request: dict) -> dict:
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, f"the driver died with {self.process.wait()} on {json.dumps(request)[:500]}"
        return json.loads(answer)

    def close(self) -> None:
        self.process.stdin.close()
        assert self.process.wait(timeout=30) == 0, "the driver ended badly (a sanitizer's report is above)"


@pytest.fixture(scope="session")
def driver(request):
    driver = Driver(request.config.getoption("--driver"))
    yield driver
    driver.close()


def pytest_terminal_summary(terminalreporter):
    if LARGEST_ERRORS:
        terminalreporter.section("largest error against float64, in ulp")
        for name, error in sorted(LARGEST_ERRORS.items()):
            stated = BLOCKS[name.partition(" ")[0]].descriptor["accuracy"]["ulp"]
            terminalreporter.write_line(f"{name:32} {error:.3f} of {stated}")
