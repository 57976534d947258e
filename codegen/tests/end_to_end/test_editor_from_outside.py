"""Test the editor as a process with a window on a display: send keys, and check the file afterwards."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
EDITOR = Path(os.environ.get("WEIR_EDITOR_BINARY", ROOT / "build/editor-test/weir-editor"))
EMPTY = {"schema_version": 1, "name": "typed", "graph": {"blocks": [], "connections": []}, "run": {"items": 1000}}
PATIENCE_S = 30

pytestmark = [
    pytest.mark.skipif(not EDITOR.exists(), reason=f"{EDITOR} is built by `weir test --only editor`"),
    *(pytest.mark.skipif(not shutil.which(tool), reason=f"needs {tool} of the package {package}")
      for tool, package in (("Xvfb", "xvfb"), ("xdotool", "xdotool"))),
]


def wait_until(holds: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, f"waited {PATIENCE_S} s: {what}"
        time.sleep(0.05)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Return an environment with its own display and a home without the user's settings."""
    server = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        number = server.stdout.readline().strip()
        assert number, "Xvfb did not start"
        folders = {}
        for name in ("CONFIG", "STATE", "CACHE", "RUNTIME"):
            place = tmp_path / f"xdg-{name.lower()}"
            place.mkdir(mode=0o700)
            folders["XDG_RUNTIME_DIR" if name == "RUNTIME" else f"XDG_{name}_HOME"] = str(place)
        without = {"QT_QUICK_BACKEND", "WAYLAND_DISPLAY"}
        yield {**{key: value for key, value in os.environ.items() if key not in without}, **folders,
               "DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb", "LIBGL_ALWAYS_SOFTWARE": "1",
               "PYTHONPATH": str(ROOT / "codegen"), "QT_FORCE_STDERR_LOGGING": "1"}
    finally:
        server.terminate()
        server.wait()


class Window:
    """The editor's window, with keyboard and mouse input."""

    def __init__(self, project: Path, world: dict[str, str]) -> None:
        self.project = project
        self.world = world
        self.log = project.parent / "editor.log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen([EDITOR, project, "--weir", f"{sys.executable} -P -m weir",
                                             "--size", "1400x900"], env=world, stdout=log, stderr=log)
        found = self.tool("search", "--sync", "--onlyvisible", "--name", "Weir")
        self.id = found.split()[0]
        self.tool("windowfocus", "--sync", self.id)

    def tool(self, *words: str) -> str:
        for _ in range(3):
            done = subprocess.run(["xdotool", *words], env=self.world, capture_output=True, text=True,
                                  timeout=PATIENCE_S, check=False)
            if "BadWindow" not in done.stderr:  # a window of Qt's start-up closed while xdotool listed it
                break
        assert done.returncode == 0, f"xdotool {words}: {done.stderr}\n{self.log.read_text()}"
        return done.stdout

    def keys(self, *keys: str) -> None:
        self.tool("key", "--delay", "40", *keys)

    def type(self, text: str) -> None:
        self.tool("type", "--delay", "40", text)

    def click(self, x: int, y: int) -> None:
        self.tool("mousemove", "--sync", str(x), str(y), "click", "1")

    def saved(self) -> dict:
        """Return the project after Ctrl+S. The file may be unchanged until the editor has handled the key."""
        self.keys("ctrl+s")
        return json.loads(self.project.read_text())

    def save_until(self, holds: Callable[[dict], bool], what: str) -> dict:
        wait_until(lambda: holds(self.saved()), what)
        return json.loads(self.project.read_text())

    def add(self, typed: str, expected: list[str]) -> None:
        """Press Tab on the canvas with nothing selected, which asks for a block."""
        self.keys("Escape", "Tab")
        self.type(typed)
        self.keys("Return")
        self.save_until(lambda project: types(project) == expected, f"{expected} in the file")

    def picture(self) -> bytes | None:
        """Return the window as the display shows it, as plain RGB."""
        if not shutil.which("import"):
            return None
        return subprocess.run(["import", "-window", self.id, "-depth", "8", "rgb:-"], env=self.world,
                              capture_output=True, timeout=PATIENCE_S, check=True).stdout


def types(project: dict) -> list[str]:
    return [block["type"] for block in project["graph"]["blocks"]]


def test_a_flowgraph_is_typed_from_nothing(tmp_path: Path, world: dict[str, str]):
    path = tmp_path / "typed.weir.json"
    path.write_text(json.dumps(EMPTY))
    window = Window(path, world)
    try:
        # The canvas gets the first keys once the window has the focus and the block types are known.
        window.click(700, 500)

        def first() -> bool:
            window.keys("Escape", "Tab")
            window.type("counter source")
            window.keys("Return")
            # A late change of the file is no reason to add another block.
            soon = time.monotonic() + 3
            while not (there := types(window.saved())) and time.monotonic() < soon:
                time.sleep(0.05)
            return there == ["counter_source"]

        wait_until(first, "a first block in the file")
        before = window.picture()
        # Inserts after the selected block, connected to it.
        window.keys("Insert")
        window.type("head")
        window.keys("Return")
        window.save_until(lambda project: len(project["graph"]["connections"]) == 1, "a block and its wire in the file")
        window.add("digest sink", ["counter_source", "head", "digest_sink"])

        # Moves from block to block by keyboard. C connects to the nearest port that fits.
        window.keys("Home", "Tab", "c", "Return")
        project = window.save_until(lambda project: len(project["graph"]["connections"]) == 2, "both wires in the file")
        assert project["graph"]["connections"] == [["counter_source", "out", "head", "in"],
                                                   ["head", "out", "digest_sink", "in"]]
        assert {key: project[key] for key in ("schema_version", "name", "run")} == \
            {key: EMPTY[key] for key in ("schema_version", "name", "run")}
        after = window.picture()
        if before is not None:
            assert len(before) == len(after) == 1400 * 900 * 3
            assert len(set(after[i:i + 3] for i in range(0, len(after), 3 * 97))) > 10, "nothing is drawn"
            assert before != after, "the picture does not show what was drawn"

        # Undo to the first step and redo: the file is unchanged.
        saved = path.read_bytes()
        window.keys(*["ctrl+z"] * 5)
        window.save_until(lambda project: types(project) == [], "nothing left in the file")
        window.keys(*["ctrl+shift+z"] * 5)
        window.save_until(lambda project: len(project["graph"]["connections"]) == 2, "everything again in the file")
        assert path.read_bytes() == saved

        window.keys("ctrl+q")
        assert window.process.wait(PATIENCE_S) == 0
    finally:
        window.process.kill()
        window.process.wait()
    assert "qrc:" not in window.log.read_text(), window.log.read_text()
    checked = subprocess.run([sys.executable, "-P", "-m", "weir", "validate", path], env=world, capture_output=True,
                             text=True, check=False)
    said = checked.stdout + checked.stderr
    # The command line reads what was typed. Only the item type was not typed.
    assert checked.returncode == 1 and said.count(" error E_") == 1 and "E_TYPE_AMBIGUOUS" in said, said


def test_without_a_display_a_picture_is_made_and_a_window_refused(world: dict[str, str], tmp_path: Path) -> None:
    blind = {key: value for key, value in world.items() if key not in {"DISPLAY", "QT_QPA_PLATFORM"}}
    picture = tmp_path / "quickstart.png"

    def editor(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([EDITOR, "--weir", f"{sys.executable} -m weir", ROOT / "examples/quickstart.weir.json",
                               *arguments], env=blind, capture_output=True, text=True, timeout=PATIENCE_S)

    assert editor("--screenshot", str(picture)).returncode == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    refused = editor()
    assert refused.returncode == 3
    assert "no display" in refused.stderr
    assert editor("--theme", "blue").returncode == 2
