"""Layout and limits of a capsule."""

from __future__ import annotations

from pathlib import PurePosixPath

#: Files at the top: description, hashes for `sha256sum -c`, and introductions for readers and for programs.
CAPSULE, SUMS = "capsule.json", "SHA256SUMS"
README, CITATION, CRATE = "README.md", "CITATION.cff", "ro-crate-metadata.json"
MACHINE, INPUTS = "machine.json", "inputs"
#: Folders: the project and its input files; third-party code; Weir's own code as used, for reading and comparing; the
#: folder of the sweep, without binaries and traces; its report.
PROJECT, CODE, SOURCES, SWEEP, REPORT = "project", "code", "sources", "sweep", "report"
FORMAT = "weir-capsule"
#: Files kept of each run.
KEPT_OF_A_RUN = ("results.json", "run.json", "plan.json", "project.json", "machine.json", "latency.hgrm", "blocks.csv")
MOST_BYTES, MOST_FILES = 2 << 30, 200_000


def is_safe(name: str) -> bool:
    """Return whether a file of that name stays inside the folder into which a capsule is unpacked, on any system."""
    path = PurePosixPath(name)
    return (bool(path.parts) and str(path) == name and not path.is_absolute() and ".." not in path.parts
            and name.isprintable() and "\\" not in name and ":" not in path.parts[0] and len(name) <= 1000)
