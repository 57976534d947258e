"""Options of the command line."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from weir_companion.faults import Fault

#: Library of the probes, where CMake leaves it.
LIBRARY = "libweir_companion.so"


@dataclass(frozen=True)
class Options:
    """Request for one run."""

    program: Path
    mapping: Path
    out: Path
    library: Path
    trace: str
    metrics: str
    items: int  #: 0: no limit
    end_block: str | None
    pace: dict[str, float]  #: source -> items/s
    pace_s: float
    seconds: float  #: 0: until the flowgraph ends
    timeout_s: float  #: 0: none
    stop_s: float
    progress: bool
    run_id: str


class Parser(argparse.ArgumentParser):
    """Parser whose error message is one line."""

    def error(self, message: str) -> NoReturn:
        """Raise a Fault instead of printing the usage."""
        raise Fault(message)


def amount(text: str) -> float:
    """Return a number that is not negative."""
    value = float(text)
    if not 0 <= value < 1e9:
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds from 0 to 1e9")
    return value


def paced(text: str) -> tuple[str, float]:
    """Return a source and its rate."""
    name, _, rate = text.rpartition("=")
    value = float(rate)
    if not name or not 0 < value < 1e15:
        raise argparse.ArgumentTypeError(f"{text} is not NAME=RATE with a rate above 0 and below 1e15 items/s")
    return name, value


def count(text: str) -> int:
    """Return an integer that is not negative."""
    value = int(text)
    if not 0 <= value < 2**63:
        raise argparse.ArgumentTypeError(f"{text} is not a number of items from 0 on")
    return value


def parse(arguments: list[str]) -> Options:
    """Read the command line. Raises Fault."""
    parser = Parser(prog="run.py", description="Run a program of GNU Radio Companion and measure its blocks.")
    parser.add_argument("program", type=Path, help="Python program that grcc made")
    parser.add_argument("mapping", type=Path, help="JSON file with the settings of blocks; {} has none")
    parser.add_argument("--out", type=Path, default=Path(), metavar="DIR", help="folder of results.json and events.bin")
    parser.add_argument("--trace", choices=("lttng", "memory", "off"), default="memory", help="destination of events")
    parser.add_argument("--metrics", choices=("none", "counters", "profile"), default="counters",
                        help="profile: also work time and fill of buffers; none: no probes at all")
    parser.add_argument("--items", type=count, default=0, metavar="N", help="end after N items")
    parser.add_argument("--end-block", metavar="NAME", help="block whose items count; default: the fastest source")
    parser.add_argument("--pace", type=paced, action="append", default=[], metavar="NAME=RATE",
                        help="let a source emit no faster than RATE items/s")
    parser.add_argument("--pace-s", type=amount, default=0.0, metavar="S", help="emit the items of S seconds at once")
    parser.add_argument("--seconds", type=amount, default=0.0, metavar="S", help="end the sources after S seconds")
    parser.add_argument("--timeout-s", type=amount, default=0.0, metavar="S", help="give up after S seconds")
    parser.add_argument("--stop-s", type=amount, default=5.0, metavar="S",
                        help="wait S seconds for the blocks to stop, then name those that have not; default: 5")
    parser.add_argument("--progress", choices=("json",), help="print one JSON object a line")
    parser.add_argument("--run-id", default="", metavar="ID", help="copied to results.json")
    parser.add_argument("--library", type=Path, default=Path(__file__).resolve().parents[1] / LIBRARY, metavar="FILE",
                        help="library of the probes")
    given = parser.parse_args(arguments)
    if given.end_block and not given.items:
        raise Fault("--end-block needs --items")
    for option in ("items", "pace"):
        if given.metrics == "none" and getattr(given, option):
            raise Fault(f"--{option} needs the probes, which --metrics none leaves out")
    return Options(**{**vars(given), "pace": dict(given.pace), "progress": given.progress == "json"})
