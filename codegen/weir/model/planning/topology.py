"""Topology of the machine that Weir runs on, from hwloc (`lstopo`), or from /sys without hwloc."""

from __future__ import annotations

import os
import shutil
import subprocess
import xml.etree.ElementTree as xml
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from weir.model.planning.machine import Cache, Core, Machine, MemoryNode, read_machine, sorted_machine

SYS = Path("/sys/devices/system")
_DATA_CACHES = {"0", "1"}  # hwloc: unified, data


@dataclass(frozen=True)
class Parts:
    """Parts of a machine. `allowed`: the CPUs of this control group, regardless of this process's affinity."""

    name: str
    cores: list[Core]
    caches: list[Cache]
    nodes: list[MemoryNode]
    allowed: frozenset[int]


def parse_mask(text: str) -> frozenset[int]:
    """Return the CPUs of an hwloc set: 32-bit words in hexadecimal, the highest first. A word of zeros may be empty."""
    value = 0
    for word in text.split(","):
        value = value << 32 | int(word or "0", 16)
    return frozenset(i for i in range(value.bit_length()) if value >> i & 1)


def parse_list(text: str) -> frozenset[int]:
    """Return the CPUs of a kernel list such as 0-3,8."""
    cpus: set[int] = set()
    for part in filter(None, text.strip().split(",")):
        first, _, last = part.partition("-")
        cpus.update(range(int(first), int(last or first) + 1))
    return frozenset(cpus)


def write_list(cpus: Iterable[int]) -> str:
    """Return the CPUs as a kernel list."""
    runs: list[list[int]] = []
    for cpu in sorted(cpus):
        if runs and cpu == runs[-1][1] + 1:
            runs[-1][1] = cpu
        else:
            runs.append([cpu, cpu])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def cpu_words(cpus: Collection[int]) -> str:
    """Return the CPUs in words: `CPU 3` or `CPUs 0-3,6`."""
    return f"CPU{'s' * (len(cpus) != 1)} {write_list(cpus) or 'none'}"


def from_hwloc(program: str) -> Parts | None:
    """Return the topology from `lstopo`, None if that fails."""
    try:
        text = subprocess.run([program, "--no-io", "--disallowed", "--of", "xml"], capture_output=True, check=True,
                              timeout=20).stdout
        return parse_hwloc(text)
    except (OSError, subprocess.SubprocessError, xml.ParseError, LookupError, ValueError):
        return None


def parse_hwloc(text: bytes | str) -> Parts:
    """Return the parts in hwloc's XML (version 2). Raises LookupError or ValueError if an expected element is missing.
    """
    root = xml.fromstring(text).find("object")
    if root is None or root.get("type") != "Machine":
        raise LookupError("Machine")
    nodes = [MemoryNode(int(o.attrib["os_index"]), tuple(sorted(parse_mask(o.attrib["cpuset"]))))
             for o in root.iter("object") if o.get("type") == "NUMANode"]
    cores, caches = [], []
    for element, package in _with_package(root, 0):
        kind = element.get("type", "")
        if kind == "Core":
            cpus = tuple(sorted(parse_mask(element.attrib["cpuset"])))
            cores.append(Core(0, package, _node_of(cpus, nodes), cpus))
        elif kind.endswith("Cache") and element.get("cache_type") in _DATA_CACHES:
            caches.append(Cache(int(element.attrib["depth"]), int(element.attrib["cache_size"]),
                                int(element.get("cache_linesize") or 64),
                                tuple(sorted(parse_mask(element.attrib["cpuset"])))))
    if not cores:
        raise LookupError("Core")
    name = next((i.get("value", "") for i in root.iter("info") if i.get("name") == "CPUModel"), "")
    return Parts(name.strip(), cores, caches, nodes, parse_mask(root.get("allowed_cpuset", root.attrib["cpuset"])))


def _with_package(element: xml.Element, package: int) -> Iterator[tuple[xml.Element, int]]:
    for child in element.findall("object"):
        inner = int(child.get("os_index", 0)) if child.get("type") == "Package" else package
        yield child, inner
        yield from _with_package(child, inner)


def _node_of(cpus: tuple[int, ...], nodes: list[MemoryNode]) -> int:
    return next((node.id for node in nodes if set(cpus) <= set(node.cpus)), 0)


def from_sys(root: Path = SYS) -> Parts:
    """Return the topology from the kernel's /sys."""
    online = parse_list(_text(root / "cpu/online", "0"))
    nodes = [MemoryNode(int(d.name[4:]), tuple(sorted(parse_list(_text(d / "cpulist")) & online)))
             for d in sorted((root / "node").glob("node[0-9]*"))]
    cores, caches = {}, set()
    for cpu in sorted(online):
        folder = root / f"cpu/cpu{cpu}"
        threads = tuple(sorted(parse_list(_text(folder / "topology/thread_siblings_list", str(cpu))) & online))
        package = int(_text(folder / "topology/physical_package_id", "0"))
        cores[threads] = Core(0, max(package, 0), _node_of(threads, nodes), threads)
        for index in sorted(folder.glob("cache/index*")):
            if _text(index / "type") in ("Data", "Unified") and _text(index / "size"):
                caches.add(Cache(int(_text(index / "level")), _bytes(_text(index / "size")),
                                 int(_text(index / "coherency_line_size", "64")),
                                 tuple(sorted(parse_list(_text(index / "shared_cpu_list", str(cpu))) & online))))
    return Parts(_cpu_name(), list(cores.values()), list(caches), nodes, online)


def isolated_cpus() -> frozenset[int]:
    """Return the CPUs isolated by the kernel's command line (`isolcpus`)."""
    return parse_list(_text(SYS / "cpu/isolated"))


def _text(path: Path, default: str = "") -> str:
    try:
        return path.read_text().strip() or default
    except OSError:
        return default


def _bytes(text: str) -> int:
    scale = {"K": 1024, "M": 1024**2, "G": 1024**3}
    return int(text[:-1]) * scale[text[-1]] if text[-1] in scale else int(text)


def _cpu_name() -> str:
    lines = _text(Path("/proc/cpuinfo")).splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def this_machine() -> Machine:
    """Return the machine that Weir runs on."""
    program = shutil.which("lstopo-no-graphics") or shutil.which("lstopo")
    parts = from_hwloc(program) if program else None
    parts = parts or from_sys()
    granted = os.sched_getaffinity(0)
    return sorted_machine(parts.name, os.uname().machine, os.sysconf("SC_PAGE_SIZE"), parts.cores, parts.caches,
                          parts.nodes, parts.allowed & granted, isolated_cpus())


def get_machine(path: Path | None) -> Machine:
    """Return the machine described in the file, or this machine without a file."""
    return read_machine(path) if path else this_machine()
