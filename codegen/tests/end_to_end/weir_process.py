"""`weir run` as a process: started, watched and waited for."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

from lttng_world import command
from processes import descendants, of_threads
from weir import cli

RATE, GRANULARITY = 1_000_000, 10_000


def project(folder: Path, seconds: float, name: str = "paced", **changes) -> Path:
    """A paced source into a sink: it takes so many seconds on any machine."""
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
    path.write_text(json.dumps({**document, **changes}))
    return path


def weir(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "weir", *map(str, arguments)]


def program_of(folder: Path, document: dict, *words: str) -> Path:
    """The binary of a deployment of the project `test`, built in a folder that is not there yet."""
    file = folder.with_suffix(".weir.json")
    file.write_text(json.dumps(document))
    assert cli.main(["generate", "--build", str(file), *words, "--output", str(folder)]) == 0
    [program] = [path for path in folder.rglob("test") if path.is_file()]
    return program


def answer(program: Path, out: Path, *words: str) -> dict:
    """Run the program directly, expect success, return its results."""
    done = subprocess.run([program, "--json", "--out", out, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    [result] = json.loads(done.stdout)
    return result


def is_verifying(pid: int) -> bool:
    """The measured process comes after one that has the same threads."""
    try:
        return b"--verify" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False


def wait_for_worker(pid: int, name: str) -> dict[str, str]:
    """The status of the measured process's thread of that name, once it is there."""
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
