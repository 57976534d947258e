"""Pictures of `weir export` and the editor's canvas look the same: colours, sizes and geometry are equal in both."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from weir.read.reporting import render, scene

EDITOR = Path(__file__).parents[2] / "editor"
THEME = (EDITOR / "shell/controls/Theme.qml").read_text()
GEOMETRY = (EDITOR / "core/graph/node_geometry.h").read_text() + (EDITOR / "core/graph/node_geometry.cpp").read_text()
WIRES = (EDITOR / "features/canvas/wire_painter.cpp").read_text()


def light(token):
    return re.search(rf'property color {token}: dark \? "[^"]*" : "([^"]*)"', THEME)[1]


def light_map(token):
    body = re.search(rf"property var {token}: dark\s*\?\s*[{{\[].*?[}}\]]\s*:\s*([{{\[].*?[}}\]])", THEME, re.S)[1]
    pairs = re.findall(r'"(\w+)": "(#\w+)"', body)
    return dict(pairs) if pairs else tuple(re.findall(r'"(#\w+)"', body))


@pytest.mark.parametrize("ours, token", [
    ("CANVAS", "canvas"), ("NODE", "node"), ("BORDER", "nodeBorder"), ("LINE", "line"), ("TEXT", "text"),
    ("TEXT2", "text2"), ("TEXT3", "text3"), ("ALT", "alt")])
def test_colours_are_those_of_the_light_theme(ours, token):
    assert getattr(render, ours) == light(token)


def test_item_types_categories_and_workers_have_the_same_colours():
    assert render.ITEM_COLOURS == light_map("typeColors")
    assert render.CHIP_COLOURS == light_map("categoryColors")
    assert render.LANE_COLOURS == light_map("laneColors")


@pytest.mark.parametrize("ours, name", [
    ("HEADER", "kHeader"), ("CHIP", "kChip"), ("NAME_X", "kNameX"), ("PORT_PITCH", "kPortPitch"),
    ("ROW_PITCH", "kParameterPitch"), ("SHOWN_PARAMETERS", "kShownParameters")])
def test_blocks_have_the_same_geometry(ours, name):
    assert getattr(scene, ours) == float(re.search(rf"\b{name} = ([\d.]+);", GEOMETRY)[1])


def test_blocks_and_wires_have_the_same_measures():
    assert scene.WIDTHS == tuple(map(int, re.search(r"kWidths\{([\d, ]+)\}", GEOMETRY)[1].split(",")))
    sizes = {name: int(value) for name, value in re.findall(r"property int (\w+): (\d+)", THEME)}
    assert (scene.CHIP, scene.NAME_SIZE, render.RADIUS) == (sizes["chipSize"], sizes["sizeName"], sizes["radiusNode"])
    assert render.TINT == float(re.search(r"dark \? [\d.]+ : ([\d.]+)\) \+ \(strong", THEME)[1])
    assert (render.WIRE, render.CASING) == tuple(
        float(re.search(rf"{name} = ([\d.]+);", WIRES)[1]) for name in ("kWidth", "kCasing"))
