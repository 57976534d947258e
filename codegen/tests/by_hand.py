"""Generated programs that tests start directly, without the runner."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from pathlib import Path

from target_world import weir, written
from weir.engine.pipeline import Folders, Pipeline


def header(folder: Path, document: dict) -> str:
    """Return the flowgraph header that is generated into the folder."""
    assert weir("generate", written(folder, document), "-o", folder / "out") == 0
    return (folder / "out" / "src" / "flowgraph.hpp").read_text()


def pieces(folder: Path, document: dict) -> list[list[str]]:
    """Return the blocks of each thread, chain by chain."""
    cases = re.split(r"case \d+:", header(folder, document))[1:]
    return [re.findall(r" f\((.*)\);", case) for case in cases]


def program(file: Path, *blocks: Path) -> Path:
    """Build the deployment `by_hand` and return its binary. `blocks`: folders of blocks."""
    pipeline = Pipeline.open(file, folders=Folders(blocks=blocks))
    return pipeline.build(pipeline.plan("by_hand").plan).binary


def results(binary: Path, folder: Path, *words: object) -> dict:
    """Run the program without the runner and return its results."""
    subprocess.run([binary, *map(str, words), "--out", folder], capture_output=True, check=False)
    return json.loads((folder / "results.json").read_text())


def interrupted(binary: Path, folder: Path) -> dict:
    """Run the program without an item limit, and stop it once items have moved."""
    with subprocess.Popen([binary, "--items", "0", "--progress=json", "--out", folder], stderr=subprocess.PIPE,
                          text=True, stdout=subprocess.DEVNULL) as running:
        next(line for line in running.stderr if json.loads(line)["done"] > 0)
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=60)
    assert running.returncode == 4
    found = json.loads((folder / "results.json").read_text())
    assert found["status"] == "partial" and "E_INTERRUPTED" in {reason["code"] for reason in found["reasons"]}
    return found
