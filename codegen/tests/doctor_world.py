"""Deployments for which a machine is checked, and recorded machines to check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from machine_trees import Tree, write_tree
from weir.machine.doctoring import machine_view
from weir.machine.doctoring.deployed import Deployed
from weir.machine.doctoring.examination import examine
from weir.machine.doctoring.machine_view import MachineView

FREE = Deployed("free", {"w0": [2], "w1": [3]}, require=("affinity",))
FIFO = {"policy": "fifo", "priority": 50}
DEADLINE = {"policy": "deadline", "runtime_us": 1, "deadline_us": 2, "period_us": 4}
REALTIME = replace(FREE, name="urgent", realtime={"w0": FIFO, "w1": FIFO}, require=("priority",))
LOCKED = replace(FREE, name="locked", lock=True, buffer_bytes=2**20)
FLOATING = Deployed("floating", {"w0": [], "w1": []}, wait="park")
FLAT_OUT = replace(FREE, name="flat_out", trace="off")
CPU = "sys/devices/system/cpu"
IDLE = "cpu  110 0 110 10780 0 0 0 0 0 0"


def view_of(root: Path, *changes: Tree, deployments: Sequence[Deployed] = (), later: str = IDLE) -> MachineView:
    """Return what the doctor sees of a machine. `later`: text of /proc/stat one second later."""
    write_tree(root, *changes)
    return MachineView(root, deployments, {"PATH": "/usr/local/bin:/usr/bin", "HOME": "/home/me"},
                       lambda: "avx2_64_mmx", lambda _: (root / "proc/stat").write_text(later) and None)


def look(root: Path, check: str, *changes: Tree, **more) -> machine_view.Verdict:
    return next(finding.verdict for finding in examine(view_of(root, *changes, **more)) if finding.check.id == check)


def limited(most: int, used: int, stat: str = "") -> Tree:
    """Return a parent group with this memory limit and use, in bytes."""
    group = "sys/fs/cgroup/user.slice/memory"
    return {f"{group}.max": str(most), f"{group}.current": str(used), f"{group}.stat": f"anon 1\n{stat}\nslab 1"}
