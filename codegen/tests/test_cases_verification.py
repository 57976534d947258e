"""Small projects that once went wrong (`cases/`), each with what it is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from weir import cli
from weir.model.check import check

CASES = Path(__file__).parent / "cases"
SINK_PATH, KEPT = "/graph/blocks/4/parameters/path", "/graph/blocks/2/parameters/index"
OWN = ("results.json", "run.json", ".weir-owned.json", "stdout.log", "./note.txt", "latency.3.hgrm", "trace/x")


def findings(capsys, case: str, *sets: str) -> tuple[int, list[tuple[str, str, str, str]]]:
    code = cli.main(["validate", str(CASES / f"{case}.weir.json"), "--json", *(f"--set={one}" for one in sets)])
    told = json.loads(capsys.readouterr().out)["diagnostics"]
    return code, [(one["code"], one["pointer"], one["message"], one["hint"]) for one in told]


@pytest.mark.parametrize(("case", "sets", "code", "pointer", "message", "hint"), [
    *(("02-sink-path-own-name/snk", [f'{SINK_PATH}="{name}"'], "E_PATH_OF_RUN", SINK_PATH,
       f'`sink` cannot write "{name}": every run writes a file or folder of that name itself',
       "choose another name") for name in OWN),
    *(("02-sink-path-own-name/snk", [f'{SINK_PATH}="{path}"'], "E_PATH_FOLDER", SINK_PATH,
       f'`sink` cannot write "{path}": it is the run directory', "name a file") for path in (".", "./.")),
    ("02-sink-path-own-name/snk", [f"{KEPT}=5"], "E_PARAMETER_RANGE", KEPT, "`index` cannot be 5 where `n` is 2",
     "at most 1"),
    ("04-empty-taps/taps0", [], "E_PARAMETER_RANGE", "/graph/blocks/2/parameters/taps",
     "`taps` is a list of 0 values", "at least 1 value"),
    ("04-empty-taps/taps0i", [], "E_PARAMETER_RANGE", "/graph/blocks/2/parameters/taps",
     "`taps` is a list of 0 values", "at least 1 value"),
    ("04-empty-taps/keepidx", [], "E_PARAMETER_RANGE", KEPT, "`index` cannot be 5 where `n` is 2", "at most 1"),
    ("04-empty-taps/isdir", [], "E_PATH_FOLDER", "/graph/blocks/0/parameters/path", '`path`: "." is a folder',
     "name a file"),
    ("04-empty-taps/offs", [], "E_PARAMETER_RANGE", "/graph/blocks/0/parameters/offset_items",
     "`offset_items` cannot be 1000000000: the file `path` has 10 items", "at most 10"),
])
def test_it_is_told_before_anything_is_built(capsys, case, sets, code, pointer, message, hint):
    assert findings(capsys, case, *sets) == (1, [(code, pointer, message, hint)])


@pytest.mark.parametrize(("case", "sets"), [
    ("02-sink-path-own-name/snk", [f'{SINK_PATH}="sub/results.json"']), ("02-sink-path-own-name/snk", [f"{KEPT}=1"]),
    ("04-empty-taps/taps0", ["/graph/blocks/2/parameters/taps=[1]"]),
    ("04-empty-taps/offs", ["/graph/blocks/0/parameters/offset_items=10"]),
    ("03-buffer-too-large/buf_2e40", ["/deployments/0/buffers={}"]),
])
def test_what_is_just_within_is_valid(capsys, case, sets):
    assert findings(capsys, case, *sets) == (0, [])


@pytest.mark.parametrize("words", [["validate"], ["plan"], ["run"]])
def test_buffers_that_take_more_than_there_is_are_told_with_both_sizes(words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("weir.model.planning.memory.machine_bytes", lambda: 3 << 30)
    assert cli.main([*words, str(CASES / "03-buffer-too-large" / "buf_2e40.weir.json")]) == 3
    assert ("/deployments/0/buffers: error E_BUFFER_MEMORY: the buffers of `d` take 4 TiB (src.out: 4 TiB), and this "
            "machine has 3 GiB of memory") in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize(("case", "code", "said"), [
    ("fft2048", 0, "verified: 999\u202f424 items equal to the reference within its bounds"),
    ("fft4096", 0, "verified: 999\u202f424 items equal to the reference within its bounds"),
    ("fftcomp", 0, "verified: "), ("fftcompi", 0, "verified: "),
    ("fft2m", 4, "NOT VERIFIED: no item reached `sink` within the verification's 1\u202f000\u202f003 items"),
])
def test_transforms_of_every_size_are_verified_and_none_is_said_to_be_that_was_not(case, code, said, capsys):
    assert cli.main(["run", str(CASES / "01-fft-verification" / f"{case}.weir.json"), "--verify"]) == code
    assert f"{case} · single_thread  {said}" in capsys.readouterr().out


@pytest.mark.parametrize("length", [300, 5000])
def test_a_name_that_no_file_can_have_is_one_that_is_not_there(length: int) -> None:
    document = json.loads((CASES / "04-empty-taps" / "isdir.weir.json").read_text())
    document["graph"]["blocks"][0]["parameters"]["path"] = "a" * length
    assert [it.code for it in check(json.dumps(document)).diagnostics] == ["W_FILE_MISSING"]
