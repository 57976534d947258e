"""Test pictures: well-formed, complete, escaped, reproducible, and in three formats."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ElementTree

import pytest
from stored_runs import EXAMPLES, TESTS, example
from weir.cli import main
from weir.model.check import check
from weir.read.reporting.curves import wire_path
from weir.read.reporting.render import escaped, svg
from weir.read.reporting.scene import BLOCK, ROWS, build_scene, text_width

SVG = "{http://www.w3.org/2000/svg}"


def scene_of(source, workers=None):
    checked = check(source)
    assert checked.graph is not None, checked.diagnostics
    return build_scene(checked.project, checked.catalog, checked.graph, workers)


def words_of(picture: str) -> list[str | None]:
    return [text.text for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.weir.json")), ids=lambda p: p.name)
def test_every_example_is_drawn_with_all_its_blocks_and_wires(path):
    document, text = json.loads(path.read_text()), svg(scene_of(path))
    root = ElementTree.fromstring(text)
    assert {b["id"] for b in document["graph"]["blocks"]} <= set(words_of(text))
    coloured = [p for p in root.iter(f"{SVG}path") if p.get("stroke-width") == "2.5"]
    assert len(coloured) == len(document["graph"]["connections"])
    assert text == svg(scene_of(path))


def test_repeats_and_pipes_show_their_numbers():
    words = words_of(svg(scene_of(EXAMPLES / "null_rand_latency.weir.json")))
    assert "× 6" in words and "× 6 pipes" in words


def test_stored_positions_are_used_and_the_rest_is_placed_beside_them():
    scene = scene_of(example("diamond", ui={"positions": {"source": [1000, -40], "nobody": [0, 0], "sink": ["x", 1]}}))
    source = scene.blocks["source"]
    assert (source.x, source.y) == (1000, -40)
    for other in scene.blocks.values():
        beside = other.x + other.width <= 1000 or other.x >= 1000 + source.width
        assert other is source or beside or other.y >= source.y + source.height


def test_a_block_of_which_nothing_is_set_shows_what_it_does():
    document = json.loads((EXAMPLES / "quickstart.weir.json").read_text())
    [head] = [block for block in document["graph"]["blocks"] if block["type"] == "head"]
    head.pop("parameters", None)
    view = scene_of(json.dumps(document)).blocks[head["id"]]
    assert view.defaults == 1 and view.parameters == (("items", "run's items"),)
    head["parameters"] = {"items": 5}
    view = scene_of(json.dumps(document)).blocks[head["id"]]
    assert view.defaults == 0 and view.parameters == (("items", "5"),)


def test_a_long_value_stays_beside_its_name():
    document = json.loads((EXAMPLES / "quickstart.weir.json").read_text())
    [head] = [block for block in document["graph"]["blocks"] if block["type"] == "head"]
    head["parameters"] = {"items": {"expr": "max(1, min(floor(stages * 1000), 32768, stages * 20))"}}
    view = scene_of(json.dumps(document)).blocks[head["id"]]
    [(name, value)] = view.parameters
    assert value.endswith("…") and text_width(name, BLOCK["small"]) + ROWS["advance"] * len(value) < view.width


def test_states_have_a_word_each():
    document = json.loads(example("quickstart"))
    for block in document["graph"]["blocks"]:
        if block["id"] == "gain":
            block["state"] = "bypassed"
    words = [t.text for t in ElementTree.fromstring(svg(scene_of(json.dumps(document)))).iter(f"{SVG}text")]
    assert "bypass" in words


def test_text_of_a_project_stays_text():
    evil = "</title><script>alert(1)</script>\" onload='x' \x07 & ]]>"
    text = svg(scene_of(example("quickstart", title=evil)))
    root = ElementTree.fromstring(text)
    assert not list(root.iter(f"{SVG}script")) and "<script" not in text
    assert evil.replace("\x07", "\ufffd") in {t.text for t in root.iter(f"{SVG}text")}
    assert escaped("a\x00<") == "a\ufffd&lt;"


def test_workers_are_lanes_with_a_legend():
    checked = check(EXAMPLES / "diamond.weir.json")
    workers = {i.name: "w0" if n < 3 else "w1" for n, i in enumerate(checked.graph.instances)}
    words = words_of(svg(scene_of(EXAMPLES / "diamond.weir.json", workers)))
    assert "w0" in words and "w1" in words and "f32" not in words


def test_wires_go_the_ways_that_the_canvas_draws():
    for wire in json.loads((EXAMPLES.parent / "editor/tests/data/wires.json").read_text()):
        via = tuple(map(tuple, wire.get("via", ())))
        assert wire_path(wire["from"], wire["to"], via, wire.get("band"), wire.get("lane")) == wire["path"]


def test_frames_notes_and_points_are_drawn_and_nonsense_is_ignored():
    ui = {"frames": {"a": {"title": "Front & end", "rect": [-400, -300, 700, 500], "colour": "rose"}, "b": 3},
          "notes": {"n": {"text": "first line\n\nand <b>more</b> words than one line of it has room for",
                          "rect": [0, 300, 160, 100]},
                    "m": {"text": "lost", "rect": [0, 0, "wide", 5]},
                    "o": {"text": 7, "rect": [0, 0, 90, 50], "colour": []}},
          "reroutes": {"nobody.out->sink.in": [[1, 2]], "x": "y"}}
    source = json.loads(example("diamond", ui=ui))
    ui["reroutes"]["{}.{}->{}.{}".format(*source["graph"]["connections"][0])] = [[900, 900]]
    source["ui"] = ui
    text = svg(scene_of(json.dumps(source)))
    words = words_of(text)
    assert "Front & end" in words and "first line" in words and "lost" not in words
    assert sum("more" in (w or "") for w in words) == 1 and "<b>" not in text
    assert "900 900C" in text
    assert svg(scene_of(example("diamond", ui={"frames": [1], "notes": "x", "reroutes": 5})))


def test_the_verb_takes_another_title_or_none(capsys):
    def words(*more):
        assert main(["export", "--picture", str(EXAMPLES / "diamond.weir.json"), *more]) == 0
        return words_of(capsys.readouterr().out)

    assert "Two paths" in words("--title", "Two paths") and len(words("--title", "")) == len(words()) - 1


@pytest.mark.parametrize("form, begin", [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_the_verb_writes_each_format(tmp_path, form, begin):
    if form != "svg" and not shutil.which("rsvg-convert"):
        pytest.skip("librsvg2-bin is not installed")
    out = tmp_path / f"graph.{form}"
    machine = sorted((TESTS / "machines").glob("*.json"))[0]
    assert main(["export", str(EXAMPLES / "diamond.weir.json"), "--deployment", "flow", "--machine", str(machine), "-o",
                 str(out)]) == 0
    assert out.read_bytes().startswith(begin)


def test_the_verb_names_what_it_cannot_do(tmp_path, capsys, monkeypatch):
    project = str(EXAMPLES / "diamond.weir.json")
    assert main(["export", "--picture", project, "-o", "x.gif"]) == 2
    assert main(["export", project, "-o", "x.gif"]) == 2
    assert main(["export", project]) == 2
    for words in (["-o", "x.svg", "--force"], ["-o", "x.grc", "--title", "T"], ["-o", "x.zip", "--force"]):
        assert main(["export", project, *words]) == 2 and words[2] in capsys.readouterr().err
    assert main(["export", project, "-o", str(tmp_path / "none" / "x.svg")]) == 3
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["export", project, "-o", str(tmp_path / "x.png")]) == 3
    assert "librsvg2-bin" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
