"""Test points: their labels, their selection, and their differences."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from weir.diagnostics import WeirError
from weir.engine.measuring.choosing import choose, conditions
from weir.engine.measuring.points import OWN, Point, labels
from weir.model.document.essence import essential, identity
from weir.read.comparing.sides import Side, why


def point(**values: object) -> Point:
    """Return a point. `settings`: of the setting /run/x; others are parameters or, in capitals, coordinates."""
    setting = {("settings", "/run/x"): values.pop("settings")} if "settings" in values else {}
    own = {("", name): values.pop(name.upper(), "x") for name in OWN}
    return Point.of({**own, **{("parameters", name): value for name, value in values.items()}, **setting})


@pytest.mark.parametrize("value, equal, other", [
    (5, ("5", "5.0", "2 + 3", "0.005k"), ("6", '"5"', "", "5,")),
    (50_000_000, ("50M", "50 M", "5e7", "0.05G"), ("50", "50m")),
    (0.1, ("0.1", "100m", "1/10", "1e-1"), ("0.10000001",)),
    ("5", ("5", '"5"'), ("5.0", "05")),
    ("two words = 2", ("two words = 2", '"two words = 2"'), ("two words ",)),
    ("–", ('"–"', "–"), ("-",)),
    ([1, 2.5], ("[1, 2.5]", "1,2.5", "1.0, 5/2"), ("1", "[2.5, 1]")),
    (["affinity", "memory"], ('["affinity", "memory"]',), ("affinity",)),
    ("affinity,memory", ("affinity,memory",), ("affinity",)),
    (True, ("true",), ("1", "True")),
    (None, ("null",), ("", "0", "–")),
], ids=str)
def test_a_value_is_known_by_every_text_of_it_and_by_no_other(value: object, equal: tuple, other: tuple) -> None:
    it = point(settings=value)
    for text in equal:
        assert choose([it], [f"/run/x={text}"], "--at", "here") == choose([it], [f"x={text}"], "--at", "here") == [it]
    for text in other:
        with pytest.raises(WeirError, match="no run at"):
            choose([it], [f"x={text}"], "--at", "here")
    among = [it, *(point(settings=x) for x in (5.5, "6", "x y", [1], "[1]", False, "––") if x != value), point()]
    for each in among:
        assert choose(among, conditions(each, among), "--at", "here") == [each]


def test_a_coordinate_that_is_called_as_a_parameter_is_known_by_its_place() -> None:
    points = [point(seed=seed, items=1, SEED=run_seed) for seed, run_seed in ((1, 1), (1, 2), (2, 1))]
    assert list(labels(points).values()) == ["seed=1 · /run/seed=1", "seed=1 · /run/seed=2", "seed=2 · /run/seed=1"]
    assert choose(points, ["/run/seed=1"], "--at", "here") == [points[0], points[2]]
    assert choose(points, conditions(points[1], points), "--at", "here") == [points[1]]


def test_labels_of_points_are_never_the_same() -> None:
    def labelled(*values: object) -> list[str]:
        return list(labels(Point.of({**{("", name): "x" for name in OWN}, ("settings", "/run/file"): value})
                           for value in values).values())

    assert labelled("/data/recordings/2026-01-05/first.cf32", "/data/recordings/2026-01-05/second.cf32") == [
        "file=/data/record…5/first.cf32", "file=/data/record…/second.cf32"]
    middle = "/data/recordings/2026-01-0{}/a/folder/first.cf32"
    assert labelled(middle.format(5), middle.format(6)) == [f"file={middle.format(n)}" for n in (5, 6)]
    assert labelled("a" * 100 + "b" + "a" * 100, "a" * 201)[1] == f'file="{"a" * 201}"'
    assert labelled(3, "3") == ["file=3", 'file="3"']


@pytest.mark.parametrize("a, b, words", [
    ([{"n": 3}], [{"n": 5}], "n: --deployment x --a-point n=3 --b-point n=5"),
    # The other parameter has the same values on both sides, and pairs their points.
    ([{"n": 3, "m": 1}, {"n": 3, "m": 2}], [{"n": 5, "m": 1}, {"n": 5, "m": 2}],
     "n: --deployment x --a-point n=3 --b-point n=5"),
    ([{"n": 3, "m": 1}, {"n": 5, "m": 2}], [{"n": 3, "m": 2}, {"n": 5, "m": 1}],
     "n, m: --deployment x --a-point n=3 --a-point m=1 --b-point n=3 --b-point m=2"),
    ([{"settings": "two words"}], [{}], "x: --deployment x --a-point '/run/x=two words' --b-point '/run/x=–'"),
], ids=["one", "one of two", "both", "a text and none"])
def test_what_keeps_points_apart_is_reported_with_what_pairs_two_of_them(a: list, b: list, words: str) -> None:
    alone = [(name, Side(Path(), point(**values), "", ())) for name, side in (("A", a), ("B", b))
             for values in side]
    assert why(alone) == f"x differs in {words} pairs two of them"
    points = {name: [side.point for its, side in alone if its == name] for name in "AB"}
    options = shlex.split(words.partition("--deployment x ")[2])
    for name, option in (("A", "--a-point"), ("B", "--b-point")):
        conditions = [text for word, text in zip(options, options[1:]) if word == option]
        assert choose([*points["A"], *points["B"]], conditions, option, "here")[0] in points[name]


def test_only_texts_of_the_project_itself_are_left_out() -> None:
    named = {"parameters": {"description": {"value": 1}, "x": {"value": 1}},
             "graph": {"blocks": [{"id": "a", "parameters": {"comment": "c", "title": "t", "ui": 1}}]}}
    texts = {**named, "title": "t", "x_theirs": 1,
             "parameters": {**named["parameters"], "x": {"value": 1, "description": "d"}}}
    assert essential(texts) == essential(named) == named


def test_how_much_is_measured_makes_no_other_version_of_a_project() -> None:
    plain = {"name": "p", "graph": {"blocks": []}}
    assert identity(plain | {"run": {"metrics": "profile"}}) == identity(plain)
    assert identity(plain | {"run": {"cpu_counters": True}}) == identity(plain)
    assert identity(plain | {"run": {"trace": {"causes": True}}}) == identity(plain)
    assert identity(plain | {"run": {"items": 5, "metrics": "none"}}) == identity(plain | {"run": {"items": 5}})
    assert identity(plain | {"run": {"items": 5}}) != identity(plain)
    assert identity(plain | {"name": "called otherwise"}) == identity(plain)


@pytest.mark.parametrize(("change", "part"), [
    ({"run": {"items": 5}}, "run"), ({"parameters": {"n": {"value": 2}}}, "parameters"),
    ({"deployments": [{}]}, "deployments"),
    ({"deployments": [{"name": "flow", "workers": 2}]}, "deployment/flow"),
    ({"graph": {"blocks": [{"id": "a", "parameters": {"k": 2}}]}}, "parameters"), ({"schema_version": 2}, "rest"),
    ({"graph": {"blocks": [{"id": "b", "parameters": {"k": 1}}], "pipes": 2}}, "graph")])
def test_of_another_version_it_is_known_what_is_other(change, part) -> None:
    plain = {"schema_version": 1, "graph": {"blocks": [{"id": "a", "parameters": {"k": 1}}]}}
    was, now = (dict(word.split(":") for word in identity(of).split()) for of in (plain, plain | change))
    differing = {name for name in {**was, **now} if was.get(name) != now.get(name)}
    assert part in differing and differing <= {part, "parameters"}


@pytest.mark.parametrize(("place", "so"), [
    ("/deployments/0/placement/map/x_gain", True), ("/deployments/0/buffers/x_a.out->b.in", True),
    ("/deployments/1/affinity/x_w", True), ("/deployments/0/x_note", False), ("/deployments/0/placement/x_note", False),
    ("/x_tool/deployments/0/affinity/w0", False), ("/graph/blocks/0/x_pos", False), ("/graph/blocks/0/comment", False)])
def test_a_block_may_be_called_as_what_others_keep_is(place: str, so: bool) -> None:
    from weir.engine.measuring.coordinates import is_setting
    from weir.model.planning.plan import without_decoration

    assert is_setting(place) is so
    document = {"deployments": [{"affinity": {"x_w": [0]}, "x_note": 1}], "ui": {}, "x_t": 1}
    assert without_decoration(document) == {"deployments": [{"affinity": {"x_w": [0]}}]}


def test_what_chooses_a_point_among_many_finds_it_where_keys_are_missing_and_texts_look_like_other_values() -> None:
    """Try every pair of values, one of them None, as `compare` proposes them for both sides."""
    values: list[object] = [5, "5", 5_000_000, "5M", [1, 2], "1,2", [], "", "–", True, "true"]
    points = [*(point(k=value) for value in values), point(other=1)]
    for each in points:
        assert choose(points, conditions(each, points), "--at", "here") == [each]
    only_other = [point(other=1)]
    assert choose(only_other, conditions(only_other[0], points), "--a-point", "here") == only_other
