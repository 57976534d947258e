"""Check that the editor's QML keeps to its tokens and icons; otherwise only a picture would show deviations."""

from __future__ import annotations

import importlib.util
import re
import struct
from collections.abc import Iterator
from pathlib import Path

from conftest import CODEGEN

EDITOR = CODEGEN.parent / "editor"
QML = sorted([*EDITOR.glob("shell/*/*.qml"), *EDITOR.glob("features/*/*.qml"), *EDITOR.glob("app/*.qml")])
ICONS = {file.stem for file in EDITOR.glob("shell/icons/*.svg")}

#: Arrows, technical signs, boxes, geometric shapes, symbols and dingbats: drawn as icons, not written.
SYMBOL = re.compile("[\u2190-\u21ff\u22ee-\u22f1\u2300-\u23ff\u2500-\u27bf\u2b00-\u2bff"
                    "\U0001f000-\U0001ffff\u2227\u223f\u2715\u2260]")
#: Alone they are icons; within words they are text.
LONELY = {"…", "×", "+", "−", "·", "•", "<", ">"}
LONELY_TEXT = re.compile(r'\btext:.*?"([^"]*)"')
#: Values of an expression: the whole, or a branch.
CHOSEN = re.compile(r'(?:^|[?:])\s*"([a-z_]+)"')
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')

#: A text for translators, which may consist of several literals.
TRANSLATED = re.compile(r'\b(?:qsTr|tr)\(\s*((?:"(?:[^"\\]|\\.)*"[\s+]*)+)')
#: Words with a capital within a sentence: names, keys, labels of other buttons, and abbreviations.
CAPITAL = {"Companion", "Ctrl", "Enter", "Esc", "Flow", "Hodges", "Kaiser", "Lehmann", "Linux", "Markdown", "Measure",
           "Options", "Problems", "Python", "Radio", "Remarks", "Results", "Run", "Save", "Settings", "Shift", "Tab",
           "Undo", "Weir"}
CAPITALISED = re.compile(r"(?<=[a-z0-9,;] )[A-Z][a-z]\w*")

TOKENED = re.compile(r"\s*([\w.]*(?:[mM]argins?|[sS]pacing|[pP]adding|pixelSize|radius|border\.width"
                     r"|duration|delay))\s*:(.*)")
PLACED = re.compile(r"\s*(x|y|\w*[wW]idth|\w*[hH]eight)\s*:(.*)")
NUMBER = re.compile(r"(?<![\w.#])(?<!/ )\d+(?![\w.])")  # a half stays a number
#: Positions and sizes of a single thing, such as the width of a popup. The counts may decrease, but not increase.
MOST_PLACED = {"app": 12, "shell": 30, "features": 400}


def lines_of(file: Path) -> Iterator[str]:
    """Yield the lines without comments."""
    for line in file.read_text().splitlines():
        yield re.sub(r"(?<![:\"])//.*", "", line)


def plain_numbers(line: str, rule: re.Pattern) -> int:
    """Return how many numbers above 1 a line has in place of a token."""
    found = rule.match(line)
    return sum(int(number) > 1 for number in NUMBER.findall(found[2])) if found else 0


def test_no_text_of_the_editor_is_a_drawing() -> None:
    lines = [(file.name, line) for file in QML for line in lines_of(file)]
    drawn = [(file, text) for file, line in lines for text in LITERAL.findall(line) if SYMBOL.search(text)]
    lonely = [(file, text) for file, line in lines for text in LONELY_TEXT.findall(line) if text in LONELY]
    assert len(QML) > 100 and drawn + lonely == []


def test_words_are_written_one_way() -> None:
    """Check sentence case in titles, and no space before an ellipsis: `Save as…`."""
    code = [*QML, *EDITOR.glob("core/*/*.cpp"), *EDITOR.glob("shell/*/*.cpp"), *EDITOR.glob("features/*/*.cpp"),
            *EDITOR.glob("app/*.cpp")]
    texts = [(file.name, "".join(LITERAL.findall(found[1]))) for file in code
             for found in TRANSLATED.finditer("\n".join(lines_of(file)))]
    assert len(texts) > 800
    assert [text for text in texts if re.search(r"\s…|\.\.\.", text[1])] == []
    assert [text for text in texts if set(CAPITALISED.findall(text[1])) - CAPITAL] == []
    assert [file.name for file in code if '" …"' in file.read_text()] == []


def test_every_icon_that_is_requested_is_there() -> None:
    asked = [(file.name, name) for file in QML for line in lines_of(file)
             if (found := re.match(r"\s*icon(?:\.name)?:(.*)", line)) for name in CHOSEN.findall(found[1])]
    assert len(asked) > 30
    assert [(file, name) for file, name in asked if name not in ICONS] == []


def test_every_list_scrolls_in_one_way() -> None:
    assert [file.name for file in QML if re.search(r"\b(List|Grid)View \{", file.read_text())] == ["ScrollList.qml"]


def test_distances_and_sizes_are_tokens() -> None:
    own = [file for file in QML if file.name != "Theme.qml"]
    plain = [f"{file.name}: {line.strip()}" for file in own for line in lines_of(file) if plain_numbers(line, TOKENED)]
    assert plain == []
    placed = {part: sum(plain_numbers(line, PLACED) for file in own if file.is_relative_to(EDITOR / part)
                        for line in lines_of(file)) for part in MOST_PLACED}
    assert all(placed[part] <= most for part, most in MOST_PLACED.items()), placed


def test_the_pictures_of_the_handbook_are_those_that_one_command_makes() -> None:
    script = CODEGEN.parent / "docs" / "make_images.py"
    spec = importlib.util.spec_from_file_location(script.stem, script)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    pictures = {file.stem: file.read_bytes() for kind in ("editor", "tutorial", "gnuradio")
                for file in made.IMAGES.glob(f"{kind}_*.png")}
    assert set(pictures) == {f"{name}_{theme}" for name, (_, themes, _) in made.PICTURES.items() for theme in themes}
    for name, picture in pictures.items():
        _, _, options = made.PICTURES[name.rpartition("_")[0]]
        size = made.SMALL if made.SMALL in options else made.SIZE
        assert "{}x{}".format(*struct.unpack(">II", picture[16:24])) == size, name
        assert len(picture) < 150_000, name


def test_no_place_in_the_window_depends_on_an_animation_or_a_timer() -> None:
    """Check that no position or size binds to an animation or a timer.

    A binding of x, y, width or height follows every bindable property of Qt that it reads, also in C++. Qt 6.4 crashes
    if one of more than four changes during evaluation (graph_view.h). Values that a view requests are tracked
    separately.
    """
    timers = {name for file in EDITOR.rglob("*.h") for name in re.findall(r"\bQTimer (m_\w+)", file.read_text("utf-8"))}
    asks = re.compile(r"\.state\(\)|\b(" + "|".join(sorted(timers)) + r")\.isActive\(\)")
    canvas = [*EDITOR.glob("features/canvas/*.h"), *EDITOR.glob("features/canvas/*.cpp"),
              *EDITOR.glob("features/mapping/*.h"), *EDITOR.glob("features/mapping/*.cpp")]
    assert len(timers) > 5 and len(canvas) > 40
    assert [f"{file.name}:{number}" for file in canvas
            for number, line in enumerate(file.read_text("utf-8").splitlines(), 1) if asks.search(line)] == []
