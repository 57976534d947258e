"""Renews the pictures of the editor in docs/images: measures projects, and shows the results in the editor.

    /usr/bin/python3 docs/make_images.py [NAME…] [--editor PROGRAM] [--runs DIR]

NAME is a picture, such as editor_canvas_light; without a NAME, the script makes all pictures. The editor is PROGRAM, or
that of `./weir edit`, which is built if necessary. Runs take some minutes. DIR keeps them for later calls.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
#: Sizes of the pictures in the editor's handbook, and in the tutorial.
SIZE, SMALL = "1600x1000", "1280x720"

#: Measurement -> project, verb and options.
MEASURED = {
    "receiver": ("examples/fm_receiver.weir.json", "run", "--deployment", "flow", "--set", "/run/metrics=profile"),
    "pairs": ("examples/quickstart.weir.json", "run", "--deployment", "flow", "--deployment", "thread_per_block",
              "--repeat", "8"),
    "chains": ("examples/saxpy_chain.weir.json", "sweep", "--sweep", "stages", "--repetitions", "8", "--repeats", "0"),
    "drawn": ("docs/tutorial.md",),
    "first": ("docs/tutorial.md", "run", "--deployment", "single_thread", "--deployment", "flow", "--repeat", "8"),
    "second": ("docs/tutorial.md#flow", "run"),
    "hosted": ("docs/how-to/measure-a-gnuradio-flowgraph.md", "run", "--deployment", "gnuradio", "--trust",
               "--set", "/run/metrics=profile"),
    "shorter": ("docs/how-to/measure-a-gnuradio-flowgraph.md#short", "run", "--deployment", "short", "--trust"),
    "before_after": ("docs/how-to/measure-a-gnuradio-flowgraph.md", "run", "--deployment", "gnuradio",
                     "--deployment", "short", "--trust", "--repeat", "3"),
}
RECEIVER, PAIRS, CHAINS, DRAWN, FIRST, SECOND, HOSTED, SHORTER, BEFORE_AFTER = MEASURED
#: Picture without its theme -> project or measurement, themes, and options of `weir edit`.
PICTURES = {
    "editor_canvas": (RECEIVER, ("light", "dark"), ()),
    "editor_lanes": (RECEIVER, ("light", "dark"), ("--view", "lanes")),
    "editor_code": (RECEIVER, ("light",), ("--view", "code", "--select", "channel")),
    "editor_design": (RECEIVER, ("light",), ("--select", "channel")),
    "editor_sweep": (CHAINS, ("light",), ("--view", "sweep")),
    "editor_results": (PAIRS, ("light", "dark"), ("--view", "results")),
    "editor_compare": (PAIRS, ("light", "dark"), ("--view", "compare")),
    "tutorial_drawn": (DRAWN, ("light", "dark"), ("--select", "multiply_const", "--size", SMALL)),
    "tutorial_measured": (FIRST, ("light", "dark"), ("--size", SMALL)),
    "tutorial_mapping": (SECOND, ("light", "dark"), ("--view", "lanes", "--size", SMALL)),
    "tutorial_compare": (FIRST, ("light", "dark"), ("--view", "compare", "--size", SMALL)),
    "gnuradio_heat": (HOSTED, ("light", "dark"), ()),
    "gnuradio_mapping": (SHORTER, ("light", "dark"), ("--view", "lanes", "--size", SMALL)),
    "gnuradio_compare": (BEFORE_AFTER, ("light",), ("--view", "compare", "--size", SMALL)),
}


def main() -> None:
    """Make the named pictures, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--editor", metavar="PROGRAM", type=Path)
    parser.add_argument("--runs", metavar="DIR", type=Path)
    options = parser.parse_args()
    known = {f"{name}_{theme}": (name, theme) for name, (_, themes, _) in PICTURES.items() for theme in themes}
    unknown = [name for name in options.names if name not in known]
    if unknown:
        parser.error(f"no picture {unknown[0]}: there are {', '.join(known)}")
    with tempfile.TemporaryDirectory() as scratch:
        runs = options.runs or Path(scratch) / "runs"
        for name, theme in (known[name] for name in options.names or known):
            shown, _, asked = PICTURES[name]
            page, *words = MEASURED[shown]
            project = project_of(page, Path(scratch))
            folder = runs / shown / "sweeps" / words[2] if "sweep" in words else runs / shown / "runs"
            if words and not folder.is_dir():
                verb, *rest = words
                subprocess.run([ROOT / "weir", verb, project, *rest, "--out", folder], cwd=ROOT, check=True)
            picture = Path(scratch) / "picture.ppm"
            take(options.editor, project, ("--out", str(runs / shown / "runs"), "--theme", theme, *asked), picture)
            size = write_png(read_ppm(picture), IMAGES / f"{name}_{theme}.png")
            print(f"{name}_{theme}.png: {size / 1000:.0f} kB", file=sys.stderr)


def project_of(page: str, scratch: Path) -> Path:
    """Return a project file: `page` itself, or the project in a Markdown page. A deployment after # comes first.

    A page that copies a flowgraph of GNU Radio only shows the deployments.
    """
    name, _, deployment = page.partition("#")
    if not name.endswith(".md"):
        return ROOT / name
    text = (ROOT / name).read_text(encoding="utf-8")
    project = json.loads(text.partition("```json\n")[2].partition("```")[0])
    if flowgraph := re.search(r"cp (\S+\.grc) ", text):
        imported = scratch / "imported.weir.json"
        subprocess.run([ROOT / "weir", "import", flowgraph[1], "--stub", "host", "-o", imported, "--force"],
                       check=True, capture_output=True)
        project = json.loads(imported.read_text(encoding="utf-8")) | project
    project["deployments"].sort(key=lambda it: it["name"] != deployment)
    file = scratch / f"{project['name']}.weir.json"
    file.write_text(json.dumps(project), encoding="utf-8")
    return file


def take(editor: Path | None, project: Path, asked: tuple[str, ...], picture: Path) -> None:
    """Take a picture with an empty home folder. The user's own settings, such as the width of a pane, would change it.
    """
    with tempfile.TemporaryDirectory() as home:
        program: list[str | Path] = [ROOT / "weir", "edit"] if editor is None else [
            editor, "--weir", ROOT / "weir", "--examples", ROOT / "examples"]
        subprocess.run([*program, project, "--size", SIZE, *asked, "--screenshot", picture], cwd=ROOT, check=True,
                       env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": home})


def read_ppm(file: Path) -> np.ndarray:
    """Read rows of pixels, each a number 0xRRGGBB."""
    magic, size, depth, pixels = file.read_bytes().split(b"\n", 3)
    if (magic, depth) != (b"P6", b"255"):
        raise SystemExit(f"{file}: not the picture that was asked for")
    width, height = map(int, size.split())
    channels = np.frombuffer(pixels, np.uint8).reshape(height, width, 3).astype(np.uint32)
    return channels[..., 0] << 16 | channels[..., 1] << 8 | channels[..., 2]


def write_png(pixels: np.ndarray, file: Path) -> int:
    """Write a picture with 256 colours, which takes a third of the bytes. Returns the number of bytes."""
    colours, places, counts = np.unique(pixels, return_inverse=True, return_counts=True)
    palette = choose(colours, counts)
    near = np.array([np.argmin(((rgb(palette) - one) ** 2).sum(axis=1)) for one in rgb(colours)], np.uint8)
    rows = near[places.reshape(pixels.shape)]
    height, width = rows.shape
    body = b"".join(b"\0" + row.tobytes() for row in rows)
    data = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
                              (b"PLTE", rgb(palette).astype(np.uint8).tobytes()),
                              (b"IDAT", zlib.compress(body, 9)), (b"IEND", b"")))
    file.write_bytes(data)
    return len(data)


def choose(colours: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Choose the palette: the most frequent colours, which are surfaces, and one colour for each group of similar rare
    colours, which are edges of letters.
    """
    order = np.argsort(-counts, kind="stable")
    exact, rest = colours[order[:96]], colours[order[96:]]
    if not len(rest):
        return exact
    _, first = np.unique((rest >> 4) & 0x0F0F0F, return_index=True)
    return np.concatenate([exact, rest[np.sort(first)[:160]]])


def rgb(colours: np.ndarray) -> np.ndarray:
    """Return red, green and blue of 0xRRGGBB. Shape (N, 3), int64."""
    return np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1).astype(np.int64)


if __name__ == "__main__":
    main()
