#!/usr/bin/env python3
"""Scaling of schedulers beyond the CPUs of the build machine, with programs of one chain of saxpy stages.

    bench/scaling.py build DIR [--stages 16] [--workers 1,2,4,8,16] [--march x86-64-v3]
    bench/scaling.py measure DIR [--seconds 200] [--out FILE.json]

`build` plans for a machine with as many cores as the maximum number of workers, and writes self-contained programs to
DIR. `measure` needs only Python, so DIR can be copied to another machine. Each round runs all programs in random order
for a quarter of a second each, and rates are compared within rounds.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCHEDULERS = {"flow": {}, "static": {}, "fused": {}, "circuit": {}, "replicated": {},
              "replicated-fused": {"parameters": {"fuse": True}}}
#: Items of a program's first run, and target duration of the later runs in seconds.
FIRST_ITEMS, LASTS_S = 30_000_000, 0.25


def machine(cores: int) -> dict[str, object]:
    """Return a machine file with the caches of a current server."""
    own = [{"level": level, "bytes": size, "line_bytes": 64, "cpus": [cpu]}
           for cpu in range(cores) for level, size in ((1, 48 * 2**10), (2, 2 * 2**20))]
    every = list(range(cores))
    return {"format": 1, "name": f"{cores} cores", "architecture": "x86_64", "page_bytes": 4096,
            "cores": [{"id": cpu, "package": 0, "numa": 0, "cpus": [cpu]} for cpu in every],
            "caches": [*own, {"level": 3, "bytes": 100 * 2**20, "line_bytes": 64, "cpus": every}],
            "nodes": [{"id": 0, "cpus": every}], "allowed": every, "isolated": []}


def build(folder: Path, stages: int, counts: list[int], march: str) -> None:
    """Build a program for each number of workers into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    project = json.loads((ROOT / "examples" / "saxpy_chain.weir.json").read_text(encoding="utf-8"))
    project["run"] |= {"trace": {"backend": "off"}, "metrics": "none", "warmup_items": 0}
    project["deployments"] = [
        {"name": f"{name.replace('-', '_')}_{count}", "scheduler": name.partition("-")[0], "workers": count,
         "wait": "spin", "build": {"march": march}, **more,
         **({} if name.startswith("replicated") else {"placement": {"strategy": "contiguous"}})}
        for name, more in SCHEDULERS.items() for count in counts]
    with tempfile.TemporaryDirectory() as work:
        described, chain = Path(work, "machine.json"), Path(work, "chain.weir.json")
        described.write_text(json.dumps(machine(max(counts))), encoding="utf-8")
        chain.write_text(json.dumps(project), encoding="utf-8")
        for deployment in project["deployments"]:
            name = deployment["name"]
            subprocess.run([ROOT / "weir", "generate", "--build", chain, "--deployment", name, "--machine", described,
                            "--set", f"stages={stages}", "-o", Path(work, name)], check=True)
            shutil.copy(Path(work, name, "build", project["name"]), folder / name)


def rate(program: Path, items: int) -> float:
    """Return the items per second of one run."""
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([program, "--items", str(items), "--speed-check-s", "0", "--out", out], check=True,
                       capture_output=True)
        return items / json.loads(Path(out, "results.json").read_text(encoding="utf-8"))["elapsed_s"]


def measure(folder: Path, seconds: float, out: Path | None) -> None:
    """Run the programs of `folder` in turns for about `seconds`, and print or write the rates."""
    began, programs = time.monotonic(), sorted(path for path in folder.iterdir() if path.is_file())
    items = {}
    for program in programs:
        items[program] = FIRST_ITEMS
        while (found := rate(program, items[program])) * LASTS_S > 2 * items[program]:
            items[program] *= 4
        items[program] = int(found * LASTS_S)
    rounds: list[dict[str, float]] = []
    while time.monotonic() - began < seconds:
        random.shuffle(programs)
        rounds.append({program.name: rate(program, items[program]) for program in programs})
    for name in sorted(rounds[0], key=lambda name: (name.rpartition("_")[0], int(name.rpartition("_")[2]))):
        rates = sorted(one[name] for one in rounds)
        low, high = rates[len(rates) // 4], rates[3 * len(rates) // 4]
        print(f"{name:24} {statistics.median(rates) / 1e9:7.2f} G items/s   {low / 1e9:.2f} .. {high / 1e9:.2f}")
    print(f"{len(rounds)} rounds")
    if out:
        out.write_text(json.dumps(rounds), encoding="utf-8")


def main() -> int:
    """Build or measure, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("build", "measure"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--stages", type=int, default=16)
    parser.add_argument("--workers", default="1,2,4,8,16")
    parser.add_argument("--march", default="x86-64-v3")
    parser.add_argument("--seconds", type=float, default=200)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    if given.what == "build":
        build(given.folder, given.stages, [int(count) for count in given.workers.split(",")], given.march)
    else:
        measure(given.folder, given.seconds, given.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
