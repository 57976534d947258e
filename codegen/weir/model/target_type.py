"""Descriptor of a target: its files, how it is built and run, and which blocks and schedulers it supports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar, cast

from weir.diagnostics import Diagnostic, diagnostic
from weir.model.folder_code import ForbiddenLink, files_of
from weir.tracers import MEMORY, OFF, RECORDING

Made = TypeVar("Made")

#: Protocol that runs the programs: Weir's own, or the one in the target's folder.
WEIR_PROTOCOL, OWN_PROTOCOL = "weir-1", "own"

#: Names in a generated project that targets must not write: Weir's own files and the user's.
RESERVED = ("manifest.json", "plan.json", "project.json", "source_map.json", ".weir-owned.json", ".weir-staging",
            "build", ".git")


def from_descriptor(kind: type[Made], said: Mapping, /, **own: Any) -> Made:
    """Make a dataclass from the keys of a descriptor that are its fields, lists as tuples, and from the values in
    `own`.
    """
    names = {it.name for it in fields(cast(Any, kind))}
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in said.items() if key in names}
    return kind(**(values | own))


@dataclass(frozen=True)
class Runtime:
    """Peer runtime that the target's programs need to be built.

    `library`: its pkg-config name, whose `version` begins with the given one. `program`: builds the programs, in that
    `version` or newer. `packages`: groups of setup/packages.txt that contain it. `install`: how a person installs it,
    in a sentence.
    """

    title: str
    version: str
    library: str = ""
    program: str = ""
    packages: tuple[str, ...] = ()
    install: str = ""


@dataclass(frozen=True, kw_only=True)
class Target:
    """One `target.json`. `program`: the program to run, relative to the generated project; `words`: the command that
    builds it.

    `needs`: block or scheduler -> the files that its folder must have for this target. `settings`: the keys of a
    deployment that its programs obey. `trace`, `metrics`: the supported kinds, best first. `verify`: what a verifying
    run can do. `protocol`: how it is run, `own` for the protocol in its folder. `schedules`: whether it generates code
    for precomputed worker schedules. `blocks`, `kernels`: the supported values of these settings, the usual one first.
    `unheeded`: setting, by its place in a deployment -> why its programs cannot obey it. `hosts_gnuradio`: its programs
    are GNU Radio flowgraphs that have only GNU Radio's blocks. `natives_call_volk`: native blocks call the VOLK kernels
    of the library's blocks.
    """

    id: str
    title: str
    documentation: str = ""
    language: str = ""
    program: str = ""
    words: tuple[str, ...] = ()
    protocol: str = WEIR_PROTOCOL
    trace: tuple[str, ...] = ("off",)
    metrics: tuple[str, ...] = ("none",)
    verify: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    needs: Mapping[str, tuple[str, ...]]
    schedules: bool = False
    blocks: tuple[str, ...] = ("shared",)
    natives_call_volk: bool = False
    kernels: tuple[str, ...] = ("inlined",)
    runtime: Runtime | None
    unheeded: Mapping[str, str] = field(default_factory=dict)
    hosts_gnuradio: bool = False
    folder: Path
    descriptor: Mapping[str, Any] = field(repr=False)

    @classmethod
    def of(cls, d: Mapping, folder: Path) -> Target:
        """Return the target of a descriptor."""
        needs = {kind: tuple(files) for kind, files in d.get("needs", {}).items()}
        runtime = from_descriptor(Runtime, d["runtime"]) if "runtime" in d else None
        return from_descriptor(cls, d, needs=needs, runtime=runtime, folder=folder, descriptor=d)

    @property
    def source(self) -> Path:
        """Return the path of the descriptor."""
        return self.folder / "target.json"

    @property
    def schedulers_folder(self) -> Path:
        """Return the folder with the target's own schedulers."""
        return self.folder / "schedulers"

    def lacking(self, kind: str, name: str, folder: Path) -> str:
        """Return the first file that block or scheduler `name` lacks for this target, "" if it has all."""
        files = (file.replace("{id}", name) for file in self.needs.get(kind, ()))
        return next((file for file in files if not (folder / file).is_file()), "")

    def program_of(self, project: str) -> str:
        """Return the program of a generated project, relative to the project."""
        return self.program.replace("{project}", project)

    def words_for(self, build: Mapping[str, Any]) -> tuple[str, ...]:
        """Return `words` with each `{setting}` replaced by the value of that build setting; a list becomes several
        words.
        """
        found: list[str] = []
        for word in self.words:
            value = build.get(word[1:-1]) if word[:1] == "{" else None
            found += value if isinstance(value, (list, tuple)) else [
                re.sub(r"\{(\w+)\}", lambda name: str(build[name[1]]), word)]
        return tuple(found)

    def heeds_build(self, setting: str) -> bool:
        """Return whether the target's `words` use a setting of `build`."""
        return any("{" + setting + "}" in word for word in self.words)

    def nearest_trace(self, wanted: str) -> str:
        """Return the trace back-end for a run that requests `wanted`. A run without events lacks only the latencies."""
        if wanted in self.trace:
            return wanted
        return MEMORY if wanted in RECORDING and MEMORY in self.trace else OFF

    def nearest_metrics(self, wanted: str) -> str:
        """Return the best supported metrics that measure no more than `wanted`."""
        ranks = ("profile", "counters", "none")
        return next((it for it in ranks[ranks.index(wanted):] if it in self.metrics), "none")


def faults(d: Mapping, folder: Path, root: Path, build: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Yield the faults of a target.json that the schema cannot express. Executes no code of the folder.

    `root` is Weir's tree. `build` has the settings of that name with their defaults.
    """
    yield from _lacking(d, folder)
    outputs: list[str] = []
    for i, entry in enumerate(d["files"]):
        if not (folder / entry["template"]).is_file():
            yield _fault(f"/files/{i}/template", f"there is no file `{entry['template']}` in the folder",
                         "add the template to the folder")
        elif any(part.startswith(".") for part in entry["template"].split("/")):
            yield _fault(f"/files/{i}/template", f"`{entry['template']}` is hidden, and a run keeps no hidden files",
                         "choose a name that does not begin with a dot")
        output = entry["output"]
        taken = next((other for other in outputs if _in_the_way(other, output)), None)
        if taken is not None:
            yield _fault(f"/files/{i}/output", f"`{output}` and `{taken}` cannot both exist",
                         "choose a separate path for each file")
        yield from _reserved(f"/files/{i}/output", output)
        outputs.append(output)
    for i, entry in enumerate(d.get("copies", ())):
        yield from _copy(f"/copies/{i}", entry, root)
    for kind, files in d.get("needs", {}).items():
        for i, file in enumerate(files if not kind.startswith("x_") else ()):
            yield from _names(f"/needs/{kind}/{i}", file, ("id",))
    yield from _names("/program", d.get("program", ""), ("project",))
    for i, word in enumerate(d.get("words", ())):
        yield from _names(f"/words/{i}", word, tuple(build))
        for name in re.findall(r"\{(\w+)\}", word):
            if isinstance(build.get(name), (list, tuple)) and word != "{" + name + "}":
                yield _fault(f"/words/{i}", f"`{name}` is a list, so it must be a separate word",
                             f"write \"{{{name}}}\" alone")


def _lacking(d: Mapping, folder: Path) -> Iterator[Diagnostic]:
    """Yield the missing Python files that every target has, and the files of the folder that a run could not keep."""
    own = (("/protocol", "protocol.py"),) if d.get("protocol") == OWN_PROTOCOL else ()
    for at, name in (("", "view.py"), ("", "toolchain.py"), *own):
        if not (folder / name).is_file():
            yield _fault(at, f"there is no file `{name}` in the folder", "docs/write-a-target.md explains this file")
    try:
        for _ in files_of(folder):
            pass
    except ForbiddenLink as error:
        yield _fault("", f"{error.filename} {error.strerror}",
                     "copy the linked file into the folder, because a run keeps only the folder")
    except OSError as error:
        yield _fault("", f"cannot read {error.filename}: {error.strerror}", "a run keeps the whole folder")


def _copy(at: str, entry: Mapping, root: Path) -> Iterator[Diagnostic]:
    where = entry["from"]
    if where not in ("scheduler", "blocks", "target") and not (root / where).is_dir():
        yield _fault(f"{at}/from", f"`{where}` is not a folder of Weir's tree",
                     "use `scheduler`, `blocks`, `target`, or a folder of Weir's tree")
    for i, pattern in enumerate(entry["files"]):
        if any("**" in part and part != "**" for part in pattern.split("/")):
            yield _fault(f"{at}/files/{i}", f"`{pattern}`: ** must stand for whole "
                                            "folders", "write `**/*.txt`, or one *")
    yield from _names(f"{at}/to", entry["to"], ("id",))
    yield from _reserved(f"{at}/to", entry["to"])


def _names(at: str, text: str, known: tuple[str, ...]) -> Iterator[Diagnostic]:
    for name in re.findall(r"\{(\w*)\}", text):
        if name not in known:
            yield _fault(at, f"`{{{name}}}` has no value",
                         f"use one of {', '.join(f'`{{{it}}}`' for it in known)}")


def _reserved(at: str, place: str) -> Iterator[Diagnostic]:
    if place.split("/")[0] in RESERVED:
        yield _fault(at, f"a target may not write `{place}`", "choose another name")


def _in_the_way(one: str, other: str) -> bool:
    """Return whether the two files cannot both exist."""
    a, b = PurePosixPath(one), PurePosixPath(other)
    return a.is_relative_to(b) or b.is_relative_to(a)


def _fault(at: str, message: str, hint: str) -> Diagnostic:
    return diagnostic("E_DESCRIPTOR", at, message, hint)
