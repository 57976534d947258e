"""Cache of the build commands that CMake generates from a CMakeLists.txt.

With an equal CMakeLists.txt, equal tools and equal files, Weir skips configuring, which takes a quarter of a second.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from weir.engine.generation.kept import AnswerCache

#: Placeholder for the project's folder.
_HERE = "@PROJECT@"
_KEPT = AnswerCache("commands", 64)
_SHELL = {"&&", "||", ";", "|", "&", "<", ">", ">>", "2>", ":"}

Commands = list[list[str]]


def load(key: str, directory: Path) -> Commands | None:
    """Return the kept commands to build the project in `directory`; None if there are none."""
    kept = _KEPT.load(key)
    if not isinstance(kept, list) or not kept or not all(map(_is_command, kept)):
        return None
    return [[word.replace(_HERE, str(directory)) for word in words] for words in kept]


def _is_command(words: object) -> bool:
    return isinstance(words, list) and bool(words) and all(isinstance(word, str) for word in words)


def keep(key: str, directory: Path) -> None:
    """Keep the commands of the project that was configured in `directory`.

    Keeps nothing unless all commands come from Ninja, need no shell, and depend on the project's folder.
    """
    commands = made(directory / "build")
    if not commands:
        return
    general = [in_any(directory, words) for words in commands]
    every = [word for words in general for word in words]
    if any(word.startswith(_HERE) for word in every) and not any(directory.name in word for word in every):
        _KEPT.store(key, general)


def in_any(directory: Path, words: Sequence[str]) -> list[str]:
    """Return the command with a placeholder for the project's folder."""
    return [word.replace(str(directory), _HERE) for word in words]


def made(folder: Path, source: str = "") -> Commands | None:
    """Return the commands of a configured folder, or only those that name `source`.

    Returns None if they do not come from Ninja or need a shell.
    """
    ninja = shutil.which("ninja")
    if not ninja or not (folder / "build.ninja").exists():
        return None
    said = subprocess.run([ninja, "-C", str(folder), "-t", "commands"], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, errors="surrogateescape")
    # CMake wraps the link command in commands that do nothing.
    lines = [line.removeprefix(": && ").removesuffix(" && :") for line in said.stdout.splitlines()
             if source in line]
    try:
        commands = [shlex.split(line) for line in lines]
    except ValueError:
        return None
    # `env` runs the commands, and would take a program path with an equals sign for a variable.
    if said.returncode or any(not words or "=" in words[0] or _SHELL & set(words) or set("$`*?~") & set(line)
                              for words, line in zip(commands, lines)):
        return None
    return commands


def make_folders(commands: Commands, folder: Path) -> None:
    """Create the folders that CMake would create for the outputs of the commands."""
    for words in commands:
        for option, path in zip(words, words[1:]):
            if option == "-o":
                (folder / os.path.dirname(path)).mkdir(parents=True, exist_ok=True)


def within(folder: Path, words: Sequence[str]) -> list[str]:
    """Return the command with `folder` as its working directory."""
    return ["env", "-C", str(folder), *words]
