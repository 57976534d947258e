"""Start `weir run` as a process, observe it and wait for it."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
import time
from pathlib import Path

from lttng_world import command
from planning import UNOPTIMISED
from processes import descendants, of_threads
from weir import cli

RATE, GRANULARITY = 1_000_000, 10_000


def project(folder: Path, seconds: float, name: str = "paced", **changes) -> Path:
    """Return a project with a paced source and a sink, which takes `seconds` on any machine."""
    path = folder / f"{name}.weir.json"
    document = {
        "schema_version": 1, "name": name,
        "graph": {
            "blocks": [{"id": "radio", "type": "paced_source", "parameters": {"item_type": "f32", "rate": RATE}},
                       {"id": "limit", "type": "head"}, {"id": "sink", "type": "null_sink"}],
            "connections": [["radio", "out", "limit", "in"], ["limit", "out", "sink", "in"]],
        },
        "deployments": [{"name": "one", "scheduler": "single_thread"}],
        "run": {"items": int(RATE * seconds), "timeout_s": 100,
                "trace": {"backend": "lttng", "probe_granularity": GRANULARITY}},
    }
    document |= changes
    for deployment in document["deployments"]:
        deployment.setdefault("build", UNOPTIMISED)
    path.write_text(json.dumps(document))
    return path


def weir(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "weir", *map(str, arguments)]


def program_of(folder: Path, document: dict, *words: str) -> Path:
    """Return the binary of a deployment of the project `test`. A missing folder becomes a link to its build."""
    file = folder.with_suffix(".weir.json")
    file.write_text(json.dumps(document))
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        assert cli.main(["generate", "--build", str(file), *words, "--json"]) == 0
    binary = Path(json.loads(said.getvalue())["binary"])
    folder.symlink_to(next(path for path in binary.parents if (path / "plan.json").is_file()))
    return binary


def answer(program: Path, out: Path, *words: str) -> dict:
    """Run the program directly, expect success, and return its results."""
    done = subprocess.run([program, "--json", "--out", out, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    [result] = json.loads(done.stdout)
    return result


def is_verifying(pid: int) -> bool:
    """Return whether the run is still verifying: the measured process starts after one with the same threads."""
    try:
        return b"--verify" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False


def wait_for_worker(pid: int, name: str) -> dict[str, str]:
    """Return the status of the measured process's thread of that name, once it exists."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for child in [pid, *descendants(pid)]:
            if is_verifying(child):
                continue
            for status in of_threads(child, "status"):
                fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
                if fields["Name"] == name:
                    return fields
        time.sleep(0.05)
    raise AssertionError(f"no thread {name} below {pid}")


def start(folder: Path, path: Path, world: dict[str, str], *arguments: object,
          private: bool = False) -> subprocess.Popen:
    words = weir("run", path, "--json", "--out", folder / "runs", *arguments)
    return subprocess.Popen(command(*words) if private else words, env=world, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def ended(process: subprocess.Popen, code: int) -> list[dict]:
    try:
        out, err = process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    assert process.returncode == code, err + out[-2000:]
    return json.loads(out) if out else []
