"""Request for a run: the options of `weir run` that decide what it measures."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self


@dataclass(frozen=True)
class RunRequest:
    """Options of `weir run`; each field has the name of its option."""

    project: str
    sets: tuple[str, ...] = ()
    params: tuple[str, ...] = ()
    allow_path: tuple[Path, ...] = ()
    block_path: tuple[Path, ...] = ()
    scheduler_path: tuple[Path, ...] = ()
    target_path: tuple[Path, ...] = ()
    items: int | None = None
    trace: str | None = None
    machine: Path | None = None
    profile: Path | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """Return a request from parsed options, which may include others, or from their JSON."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: _typed(name, value) for name, value in options.items() if name in known})

    def command(self, deployment: str | None) -> str:
        """Return the `weir run` command for one deployment, from the same folder."""
        words = ["weir", "run", self.project, *(["--deployment", deployment] if deployment else [])]
        for option, values in (("--set", self.sets), ("--param", self.params), ("--allow-path", self.allow_path),
                               ("--block-path", self.block_path), ("--scheduler-path", self.scheduler_path),
                               ("--target-path", self.target_path)):
            for value in values:
                words += [option, str(value)]
        for option, one in (("--items", self.items), ("--trace", self.trace), ("--machine", self.machine),
                            ("--profile", self.profile)):
            words += [option, str(one)] if one is not None else []
        return shlex.join(words)


def _typed(name: str, value: Any) -> Any:
    if name.endswith("_path"):
        return tuple(map(Path, value))
    if name in ("machine", "profile"):
        return None if value is None else Path(value)
    return tuple(value) if isinstance(value, list) else value
