"""Test repeated parts: found at every nesting, wired as planned, and not folded if they differ."""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from golden_kinds import REPEATED
from planning import checked, generated, plan, project
from weir.engine.generation.cpp.parts import Copies, Node, parts_of
from weir.engine.generation.cpp.schedule_parts import MOST_CALLS, Call, Step, bounded
from weir.engine.generation.cpp.structs import MOST_UNITS, source_of
from weir.engine.generation.cpp.views import Row
from weir.engine.generation.emit import generate
from weir.model.planning.schedule import Fire, Loop


def repeated(pipes: int | None = 2) -> dict:
    """Return three copies of a group with a block repeated four times, in pipes or not."""
    document = json.loads(json.dumps(REPEATED))
    del document["deployments"]
    document["graph"].pop("pipes")
    return {**document, "graph": {**document["graph"], **({"pipes": pipes} if pipes else {})}}


def parts(document: dict):
    result = checked(document)
    planned = plan(document).plan
    return parts_of(planned, document["graph"].get("groups", ())), planned, result


def test_a_repeated_block_in_a_repeated_group_in_pipes() -> None:
    flowgraph, planned, _ = parts(repeated())
    (pipes,) = flowgraph.units
    assert (pipes.part.name, pipes.part.copies, pipes.each, pipes.feed) == ("pipe", 2, 2, None)
    source, limit, radio, sink, other = pipes.part.units
    assert [n.name for n in (source, limit, sink, other)] == ["source", "limit", "sink", "other"]
    assert (radio.part.name, radio.part.copies, radio.each, radio.feed) == ("radio", 6, 3, "limit@p0.out")
    gain, more, total = radio.part.units
    assert radio.exit == "sum[0]@p0.out" and [b.instance for b in gain.copies] == [
        f"gain[{g}]@p{p}" for p in (0, 1) for g in range(3)]
    assert (more.part.copies, more.each, more.feed, more.exit) == (24, 4, "gain[0]@p0.out", "more[0]@p0.out")
    assert [b.instance for b in more.part.units[0].copies[8:14]] == [
        "more[8]@p0", "more[9]@p0", "more[10]@p0", "more[11]@p0", "more[0]@p1", "more[1]@p1"]
    assert sorted(flowgraph.instances(0)) == sorted(b.instance for b in planned.blocks)


def wires(document: dict) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Return (writer, reader) pairs of the plan, and those of the structs with every table resolved."""
    _, planned, result = parts(document)
    source = source_of(planned, document["graph"].get("groups", ()), result.catalog)
    structs = {struct.name: struct for struct in source.structs}
    tables = {name: rows for _, name, rows in source.tables}
    found: set[tuple[str, str]] = set()

    def chain(name: str) -> list:
        struct = structs[name]
        return [*(chain(struct.base) if struct.base else []), struct]

    def build(name: str, row: Row | None, feed: str) -> str:
        """Add the wires of one copy. Return the name of its output stream."""
        pieces, streams = chain(name), {"feed": feed}
        columns = dict(zip((name for _, name in pieces[0].columns), (*row.cells, *row.tables))) if row else {}
        inner = iter(row.tables) if row else iter(())
        by_member = {unit.member: next(inner) for piece in pieces for unit in piece.copies
                     if unit.rows.startswith("row.")}

        def said(fields: tuple[str, ...]) -> str:
            value = fields[0].partition(" = ")[2]
            return json.loads(columns[value[4:]] if value.startswith("row.") else value)

        for unit in (unit for piece in pieces for unit in piece.units):
            if hasattr(unit, "rows"):
                last = streams.get(unit.feed, "")
                for each in by_member.get(unit.member, tables.get(unit.rows, ())):
                    last = build(unit.struct, each, last if unit.feed else "")
                streams[f"{unit.member}.out()"] = last
            else:
                streams |= {stream.member: said(stream.fields) for stream in unit.streams}
                found.update((streams[wire], said(unit.spec)) for wire in unit.ins)
        return streams.get(pieces[-1].exit, "")

    build("Flowgraph", None, "")
    return {(s.name, reader.rpartition(".")[0]) for s in planned.streams for reader in s.readers}, found


def grouped_alone(repeat: int) -> dict:
    document = repeated(None)
    document["graph"]["groups"][0]["repeat"] = repeat
    return document


@pytest.mark.parametrize("document", [repeated(), repeated(None), repeated(1), grouped_alone(1)], ids=range(4))
def test_every_instance_is_wired_as_planned(document: dict) -> None:
    planned, found = wires(document)
    assert planned == found


def test_copies_that_are_not_alike_are_written_singly() -> None:
    """Alter a plan as no project could: nothing is folded that would lose a difference."""
    document = repeated(2)
    result, planned = checked(document), plan(document).plan
    for name, unlike in (("more[3]@p0", {"constant": 7}), ("gain[1]@p1", {"constant": 7})):
        blocks = tuple(dataclasses.replace(b, parameters=unlike) if b.instance == name else b for b in planned.blocks)
        part = parts_of(dataclasses.replace(planned, blocks=blocks), document["graph"]["groups"])
        singles = [unit for unit in part.units if isinstance(unit, Node)]
        assert name in {b.instance for unit in singles for b in unit.copies}
        source = generate(dataclasses.replace(planned, blocks=blocks), result.project,
                          result.catalog)["src/flowgraph.hpp"].decode()
        assert source.count(".constant = 7.0F") == 1


def test_a_large_flowgraph_is_in_parts_that_follow_each_other() -> None:
    names = [f"b{i}" for i in range(2 * MOST_UNITS)]
    document = project(
        [{"id": "source", "type": "null_source", "parameters": {"item_type": "f32"}},
         *({"id": name, "type": "copy"} for name in names), {"id": "sink", "type": "null_sink"}],
        [f"{a}.out > {b}.in" for a, b in zip(["source", *names], [*names, "sink"])])
    result, planned = checked(document), plan(document).plan
    structs = source_of(planned, (), result.catalog).structs
    assert [(s.name, s.base, len(s.units)) for s in structs] == [
        ("Flowgraph_1", "", MOST_UNITS), ("Flowgraph_2", "Flowgraph_1", MOST_UNITS), ("Flowgraph", "Flowgraph_2", 2)]
    planned_wires, found = wires(document)
    assert planned_wires == found


def test_the_source_grows_with_what_is_drawn_and_not_with_the_copies() -> None:
    def lines(document: dict) -> list[str]:
        text = generated(document)["src/flowgraph.hpp"].decode()
        return [line for line in text.splitlines() if not re.match(r" *(\{|\}|//)|.*weir::task", line)]

    few, many = grouped_alone(2), grouped_alone(30)
    assert len(lines(few)) == len(lines(many))
    assert isinstance(parts(few)[0].units[2], Copies)


@pytest.mark.parametrize("pipes", [None, 2])
def test_a_group_without_a_block_of_its_own_and_a_block_called_pipe_compile(pipes: int | None, tmp_path: Path) -> None:
    """Use rows that consist of tables, and names that pipes have, too."""
    document = project(
        [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
         *({"id": name, "type": "copy", "repeat": n} for name, n in (("pipe", 2), ("pipes", 3), ("flowgraph", 2))),
         {"id": "sink", "type": "digest_sink"}],
        ["source.out > pipe.in", "pipe.out > pipes.in", "pipes.out > flowgraph.in", "flowgraph.out > sink.in"])
    document["graph"] |= {"groups": [{"id": "row", "blocks": ["pipe", "pipes"], "repeat": 3}],
                          **({"pipes": pipes} if pipes else {})}
    files = generated(document)
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    done = subprocess.run(["g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow",
                           "-Werror",
                           f"-I{tmp_path / 'weir'}", f"-I{tmp_path / 'weir/include'}", tmp_path / "src/main.cpp"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    about = re.findall(r"/// (One of .*)\nstruct", files["src/flowgraph.hpp"].decode())
    assert ("One of 2 pipes" in " ".join(about)) == bool(pipes) and "copies of pipe" in " ".join(about)


def test_a_long_period_is_in_functions_of_bounded_size_and_its_calls_stay_in_order() -> None:
    body = (*map(Fire, "abc"), Loop(2, tuple(Fire(f"in{i}") for i in range(100))),
            *(Fire(f"b{i}") for i in range(2000)))
    parts: dict[str, Sequence[Step]] = {}

    def part(steps: Sequence[Step]) -> Call:
        parts[f"part_{len(parts)}"] = steps
        return Call(f"part_{len(parts) - 1}")

    def size(steps: Sequence[Step]) -> int:
        return sum(size(it.body) if isinstance(it, Loop) else 1 for it in steps)

    def whole(steps: Sequence[Step]) -> list[Fire | Loop]:
        return [inner for it in steps for inner in (
            whole(parts[it.part]) if isinstance(it, Call) else
            [Loop(it.times, tuple(whole(it.body)))] if isinstance(it, Loop) else [it])]

    top = bounded(body, part)
    assert max(map(size, [top, *parts.values()])) <= MOST_CALLS
    assert tuple(whole(top)) == body
