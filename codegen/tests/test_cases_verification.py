"""Test small projects that once went wrong, with their present reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from planning import project
from weir import cli
from weir.model.check import check

SOURCE = {"id": "src", "type": "counter_source", "parameters": {"item_type": "f32"}}
SINK = {"id": "sink", "type": "digest_sink"}
OWN = ("results.json", "run.json", ".weir-owned.json", "stdout.log", "./note.txt", "latency.3.hgrm", "trace/x")
PATH = "/graph/blocks/1/parameters/path"


def row(*blocks: dict, items: int = 1000) -> dict:
    """Return blocks in series, without warnings about their run."""
    names = [block["id"] for block in blocks]
    return project(list(blocks), [f"{a}.out > {b}.in" for a, b in zip(names, names[1:])],
                   run={"items": items, "warmup_items": 0, "timeout_s": 30, "trace": {"backend": "off"}})


def written_to(path: str) -> dict:
    return row(SOURCE, {"id": "sink", "type": "file_sink", "parameters": {"path": path}})


def through(kind: str, **parameters: object) -> dict:
    return row(SOURCE, {"id": "f", "type": kind, "parameters": parameters}, SINK)


def read_from(path: str, **parameters: object) -> dict:
    source = {"id": "src", "type": "file_source", "parameters": {"item_type": "f32", "path": path, **parameters}}
    return row(source, SINK)


def findings(document: dict, folder: Path) -> list[tuple[str, str, str, str]]:
    """Return the findings about a project beside a file of ten items."""
    (folder / "x.f32").write_bytes(bytes(40))
    found = check(json.dumps(document), directory=folder).diagnostics
    return [(it.code, it.pointer, it.message, it.hint) for it in found]


@pytest.mark.parametrize(("document", "code", "pointer", "message", "hint"), [
    *((written_to(name), "E_PATH_OF_RUN", PATH,
       f'`sink` cannot write "{name}": Weir writes a file or folder with this name in every run directory',
       "choose another name") for name in OWN),
    *((written_to(path), "E_PATH_FOLDER", PATH, f'`sink` cannot write "{path}": this is the run directory',
       "name a file") for path in (".", "./.")),
    *((through(kind, taps=[]), "E_PARAMETER_RANGE", "/graph/blocks/1/parameters/taps",
       "`taps` is a list of 0 values", "use at least 1 value") for kind in ("fir_filter", "interpolate")),
    (through("keep_one_in_n", n=2, index=5), "E_PARAMETER_RANGE", "/graph/blocks/1/parameters/index",
     "`index` cannot be 5 where `n` is 2", "use at most 1"),
    (read_from("."), "E_PATH_FOLDER", "/graph/blocks/0/parameters/path", '`path`: "." is a folder', "name a file"),
    (read_from("x.f32", offset_items=10**9), "E_PARAMETER_RANGE", "/graph/blocks/0/parameters/offset_items",
     "`offset_items` cannot be 1000000000: the file `path` has 10 items", "use at most 10"),
])
def test_it_is_reported_before_anything_is_built(tmp_path, document, code, pointer, message, hint):
    assert findings(document, tmp_path) == [(code, pointer, message, hint)]


@pytest.mark.parametrize("document", [written_to("sub/results.json"), through("keep_one_in_n", n=2, index=1),
                                      through("fir_filter", taps=[1]), read_from("x.f32", offset_items=10)])
def test_what_is_just_within_is_valid(tmp_path, document):
    assert findings(document, tmp_path) == []


@pytest.mark.parametrize("verb", ["validate", "plan", "run"])
def test_buffers_that_take_more_than_there_is_are_reported_with_both_sizes(verb, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("weir.model.planning.memory.machine_bytes", lambda: 3 << 30)
    Path("p.weir.json").write_text(json.dumps({**row(SOURCE, SINK), "deployments": [
        {"name": "d", "scheduler": "thread_per_block", "buffers": {"src.out->sink.in": {"items": 2**40}}}]}))
    assert cli.main([verb, "p.weir.json"]) == 3
    assert ("/deployments/0/buffers: error E_BUFFER_MEMORY: the buffers of `d` need 4 TiB (src.out: 4 TiB), but this "
            "machine has 3 GiB of memory") in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["p.weir.json"]


def transforms(*sizes: int, items: int = 1000, **parameters: str) -> dict:
    """Return one chain per transform size; its head passes two transforms if the run has fewer items."""
    kinds = {"src": "random_source", "limit": "head", "f": "fft", "sink": "digest_sink"}
    blocks, wires, ends = [], [], list(kinds)
    for size in sizes:
        own = f"_{size}" if len(sizes) > 1 else ""
        given = {"src": {"item_type": "c64"}, "limit": {"items": 2 * size} if items < 2 * size else {},
                 "f": {"size": size, **parameters}, "sink": {}}
        blocks += [{"id": name + own, "type": kind, "parameters": given[name]} for name, kind in kinds.items()]
        wires += [f"{a}{own}.out > {b}{own}.in" for a, b in zip(ends, ends[1:])]
    return project(blocks, wires, run=row(items=items)["run"])


@pytest.mark.slow
@pytest.mark.parametrize(("document", "code", "said"), [
    *((transforms(size, items=1_000_000), 0,
       "verified: 999\u202f424 items equal to the reference within its bounds") for size in (2048, 4096)),
    (transforms(1000, 1021, 1024, 1200, 1500, 1536, 1920, 2000, 2046, 2048, 2400, 3000, 3072, 4000, 4096, 4800, 5000,
                6000, 6144, 7000, 8000, 8192, 9000, 9600), 0, "verified: "),
    (transforms(1021, 2039, 2046, 4000, 4092, 4096, 7000, 8191, direction="inverse"), 0, "verified: "),
    (transforms(2_000_000), 4, "NOT VERIFIED: no item reached `sink` within the verification's "),
])
def test_transforms_of_every_size_are_verified_and_none_is_said_to_be_that_was_not(document, code, said, tmp_path,
                                                                                   capsys):
    (tmp_path / "p.weir.json").write_text(json.dumps(document))
    assert cli.main(["run", str(tmp_path / "p.weir.json"), "--out", str(tmp_path), "--verify"]) == code
    assert f"test · single_thread  {said}" in capsys.readouterr().out


@pytest.mark.parametrize("length", [300, 5000])
def test_a_name_that_no_file_can_have_is_one_that_is_not_there(length: int) -> None:
    assert [it.code for it in check(json.dumps(read_from("a" * length))).diagnostics] == ["W_FILE_MISSING"]
