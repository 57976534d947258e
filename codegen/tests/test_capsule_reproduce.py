"""Test `weir reproduce` of capsules: its questions, measurements and reports. A script replaces the sweep."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from capsules import bring_code, change_results, contents, packed, rewritten, shared
from conftest import CODEGEN
from planning import chain
from weir import cli
from weir.cli.verbs import reproduce
from weir.engine.pipeline import Pipeline
from weir.interop.capsule import equality, reproduction
from weir.lab.sweeping import experiment
from weir.lab.sweeping.experiment import Place
from weir.lab.sweeping.listener import SweepListener
from weir.lab.sweeping.request import SweepRequest
from weir.model.document import jsontext, shape


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared(tmp_path_factory)


class Sweeps:
    """Replacement for `Experiment` that leaves the capsule's sweep, changed by `change`."""

    def __init__(self, out: Path):
        self.out, self.asked, self.resumed, self.change = out, [], [], lambda folder: None

    def __call__(self, request: SweepRequest, pipeline: Pipeline, told: SweepListener, place: Place) -> Sweeps:
        self.asked.append(request)
        self.resumed.append(place.resume)
        self.folder = place.folder
        return self

    def opened(self) -> None:
        pass

    def measure(self, points: None) -> Sweeps:
        shutil.copytree(self.out, self.folder, dirs_exist_ok=True)
        state = self.folder / "sweep.json"
        state.write_text(json.dumps({**json.loads(state.read_text()), "request": self.asked[-1].as_json()}))
        self.change(self.folder)
        return self

    def text(self) -> str:
        return "what a sweep says\n"


@pytest.fixture
def sweeps(world: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Sweeps:
    found = Sweeps(world / "out")
    monkeypatch.setattr(experiment, "Experiment", found)
    monkeypatch.chdir(tmp_path)
    return found


def other(change: Callable[[dict], None]) -> Callable[[Path], None]:
    return lambda folder: change_results(folder, lambda it: it["deployment"] == "single_thread", change)


def answer(capsule: Path, capsys: pytest.CaptureFixture, *words: str, code: int = 0) -> dict:
    assert cli.main(["reproduce", str(capsule), "--json", *words]) == code
    value = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("reproduce")).validate(value)
    return value


def test_equal_results_agree(world: Path, sweeps: Sweeps, capsys: pytest.CaptureFixture):
    value = answer(world / "c.zip", capsys)
    assert value["verdict"] == "agrees" and value["counts"] == {"agrees": 1} and value["not_tried"] == []
    one, = value["claims"]
    assert one["contenders"] == ["flow", "single_thread"] and one["at"] == "stages=2" and one["there"]["rounds"] == 8
    assert json.loads(Path("c-reproduced/reproduction.json").read_text()) == value
    asked, = sweeps.asked
    assert (asked.project == "c-reproduced/capsule/project/quickstart.weir.json"
            and str(sweeps.folder) == "c-reproduced/sweep")
    assert (asked.vary == ("stages=1,2,3",)
            and (asked.repetitions, asked.repeats, asked.seed, asked.sets) == (8, 0, 7, ()))
    assert (asked.block_path, asked.quick, sweeps.resumed) == ((), False, [False]) and asked.fitting
    assert ("Weir's own blocks, schedulers, targets and runtime that it uses are the same here"
            in " ".join(value["notes"]))
    assert Path("c-reproduced/capsule/SHA256SUMS").is_file()


def test_a_contender_that_is_slower_here_differs(world: Path, sweeps: Sweeps, capsys: pytest.CaptureFixture):
    sweeps.change = other(lambda it: it.update(throughput_items_per_s=it["throughput_items_per_s"] * 0.7))
    assert cli.main(["reproduce", str(world / "c.zip")]) == 1
    shown = capsys.readouterr()
    assert "differs: ratios of throughput and p50 latency: 1 differ\n" in shown.out and "what a sweep says" in shown.err
    assert "single_thread / flow" in shown.out and "0.7" in shown.out


def test_another_speed_of_everything_agrees(world: Path, sweeps: Sweeps, capsys: pytest.CaptureFixture):
    sweeps.change = lambda folder: change_results(
        folder, lambda it: True, lambda it: it.update(throughput_items_per_s=it["throughput_items_per_s"] * 3))
    assert answer(world / "c.zip", capsys)["verdict"] == "agrees"


def test_another_answer_of_equal_work_differs_whatever_the_speed(world: Path, sweeps: Sweeps,
                                                                 capsys: pytest.CaptureFixture):
    sweeps.change = other(lambda it: it["sinks"][0].update(digest="f" * 16))
    value = answer(world / "c.zip", capsys, code=1)
    assert value["counts"] == {"agrees": 1} and len(value["answers"]) == 1 and "E_DIGEST" in value["answers"][0]


def test_a_contender_that_is_not_installed_here_is_not_tried(world: Path, sweeps: Sweeps,
                                                             capsys: pytest.CaptureFixture):
    def leave_out(folder: Path) -> None:
        value = json.loads((folder / "sweep.json").read_text())
        gone = value["points"].pop()
        value["left_out"] = [{"number": gone["number"], "values": gone["values"], "code": "E_RUNTIME_MISSING",
                              "message": "this runtime is not installed"}]
        (folder / "sweep.json").write_text(json.dumps(value))

    sweeps.change = leave_out
    value = answer(world / "c.zip", capsys, code=4)
    assert value["not_tried"] == [{"point": "single_thread", "why": "this runtime is not installed"}]
    assert value["counts"] == {"not tried": 1} and value["verdict"] == "not enough data"


def test_what_is_pinned_to_cpus_that_there_are_not_is_left_out_where_that_is_requested(tmp_path: Path,
                                                                                       capsys: pytest.CaptureFixture):
    # More workers than CPUs causes another warning on most machines.
    pinned = {"name": "pinned", "scheduler": "flow", "workers": 4, "affinity": {f"w{i}": [4000 + i] for i in range(4)}}
    file = tmp_path / "p.weir.json"
    file.write_text(json.dumps({**chain(2), "deployments": [{"name": "free", "scheduler": "flow"}, pinned],
                                "run": {"items": 1000}}))
    words = ["sweep", str(file), "--vary", "deployment=*", "--dry-run", "--json"]
    assert cli.main(words) == 3 and "E_CPU_MISSING" in capsys.readouterr().err
    assert cli.main([*words, "--fitting"]) == 0
    shown = capsys.readouterr()
    assert ([point["values"] for point in json.loads(shown.out)["points"]] == [{"deployment": "free"}]
            and "CPU 4000" in shown.err)


def test_runs_that_fail_here_agree_with_nothing(world: Path, sweeps: Sweeps, capsys: pytest.CaptureFixture):
    sweeps.change = other(lambda it: it.update(status="failed", reasons=[{"code": "E_TEST", "message": "made so"}]))
    value = answer(world / "c.zip", capsys, code=4)
    assert value["counts"] == {"not measured": 1} and "8 runs here are not ok" in " ".join(value["notes"])


def test_one_that_was_interrupted_continues_and_is_not_judged_before(world: Path, sweeps: Sweeps,
                                                                     capsys: pytest.CaptureFixture):
    def break_off(folder: Path) -> None:
        shutil.rmtree(sorted(folder.glob("*Z-*"))[-1])

    sweeps.change = break_off
    assert cli.main(["reproduce", str(world / "c.zip"), "--out", "here"]) == 4
    assert "--out here --resume" in capsys.readouterr().err and not Path("here/reproduction.json").exists()
    assert cli.main(["reproduce", str(world / "c.zip"), "--out", "here"]) == 3
    assert "E_OUTPUT_EXISTS" in capsys.readouterr().err
    sweeps.change = lambda folder: None
    assert answer(world / "c.zip", capsys, "--out", "here", "--resume")["verdict"] == "agrees"
    assert sweeps.resumed == [False, True]
    Path("here/capsule/sweep/table.csv").write_text("changed\n")
    assert cli.main(["reproduce", str(world / "c.zip"), "--out", "here", "--resume"]) == 2
    assert "was changed after it was unpacked" in capsys.readouterr().err and len(sweeps.asked) == 2


def test_quick_measures_less_and_cannot_agree(world: Path, sweeps: Sweeps, capsys: pytest.CaptureFixture):
    def three_blocks(folder: Path) -> None:
        value = json.loads((folder / "sweep.json").read_text())
        (folder / "sweep.json").write_text(json.dumps({**value, "repetitions": 3}))

    sweeps.change = three_blocks
    value = answer(world / "c.zip", capsys, "--quick", code=4)
    assert value["counts"] == {"not enough data": 1} and value["quick"] is True
    assert "intervals need at least 8" in " ".join(value["notes"])
    assert (sweeps.asked[0].quick, sweeps.asked[0].repetitions, sweeps.asked[0].seed) == (True, None, 7)


def test_a_capsule_that_was_tampered_with_is_not_unpacked(world: Path, sweeps: Sweeps, capsys: pytest.CaptureFixture,
                                                          tmp_path: Path):
    held = contents(world / "c.zip")
    name = next(name for name in held if name.endswith("results.json"))
    path = rewritten(world / "c.zip", {name: held[name].replace(b"1000000000.0", b"2000000000.0")})
    path = Path(shutil.move(path, tmp_path / "t.zip"))
    assert cli.main(["reproduce", str(path)]) == 2
    said = capsys.readouterr().err
    assert "E_CAPSULE" in said and f"{name} was changed" in said
    assert [it.name for it in tmp_path.iterdir()] == ["t.zip"] and not sweeps.asked


@pytest.fixture(scope="module")
def with_code(world: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("code")
    assert cli.main(["new", "block", "my_block", "-o", str(folder / "blocks")]) == 0
    bring_code(shutil.copytree(world / "out", folder / "out"), folder / "blocks" / "my_block")
    return packed(folder / "out")


def test_code_of_others_is_not_built_unasked(with_code: Path, sweeps: Sweeps, capsys: pytest.CaptureFixture,
                                             monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("WEIR_YES", "yes")  # permission to install packages is weaker
    assert cli.main(["reproduce", str(with_code)]) == 2
    said = capsys.readouterr().err
    assert "E_UNTRUSTED" in said and "block my_block" in said and "--trust allows it" in said
    assert not sweeps.asked and not Path("c-reproduced").exists()


@pytest.mark.parametrize("said,code", [("y", 0), ("n", 2), ("", 2)])
def test_who_sits_at_the_terminal_is_asked(said: str, code: int, with_code: Path, sweeps: Sweeps,
                                           monkeypatch: pytest.MonkeyPatch):
    questions = []
    monkeypatch.setattr(reproduce, "confirmed", lambda question: questions.append(question) or said == "y")
    assert cli.main(["reproduce", str(with_code)]) == code
    assert len(questions) == 1 and "code that Weir compiles and runs with your rights: block my_block" in questions[0]
    assert len(sweeps.asked) == (code == 0)


def test_granted_code_is_the_capsules(with_code: Path, sweeps: Sweeps, capsys: pytest.CaptureFixture):
    value = answer(with_code, capsys, "--trust")
    assert [str(it) for it in sweeps.asked[0].block_path] == ["c-reproduced/capsule/code/blocks"]
    assert "built from the capsule's code: block my_block" in value["notes"]


def test_a_parameter_that_may_be_a_file_is_asked_for(world: Path, sweeps: Sweeps, capsys: pytest.CaptureFixture,
                                                     tmp_path: Path):
    value = json.loads(contents(world / "c.zip")["sweep/sweep.json"])
    value["request"]["params"] = ["sink.path=/home/me/.profile", "gain.value=2.5"]
    path = rewritten(world / "c.zip", {"sweep/sweep.json": jsontext.write(value).encode()}, make_sums=True)
    assert cli.main(["reproduce", str(path)]) == 2
    said = capsys.readouterr().err
    assert ("E_UNTRUSTED" in said and "sink.path=/home/me/.profile" in said and "gain.value" not in said
            and not sweeps.asked)


@pytest.mark.parametrize("asked, said", [
    ({"vary": ["--block-path=/tmp"]}, "the project has no `--block-path` to vary"), ({"items": -5}, "E_CAPSULE"),
    ({"trace": "--block-path=/tmp"}, "E_CAPSULE"), ({"repeats": 9}, "E_CAPSULE")])
def test_no_text_of_a_capsule_becomes_an_option(asked: dict, said: str, world: Path, capsys: pytest.CaptureFixture,
                                                tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    value = json.loads(contents(world / "c.zip")["sweep/sweep.json"])
    value["request"].update(asked)
    path = rewritten(world / "c.zip", {"sweep/sweep.json": jsontext.write(value).encode()}, make_sums=True)
    assert cli.main(["reproduce", str(path)]) != 0
    assert said in capsys.readouterr().err and not list(tmp_path.glob("*-reproduced/sweep/*"))


def test_blocks_of_this_weir_that_are_not_the_capsules_are_named(world: Path, sweeps: Sweeps,
                                                                 capsys: pytest.CaptureFixture):
    name = "sources/runtime/schedulers/flow/flow.hpp"
    path = rewritten(world / "c.zip", {name: b"// another\n"}, make_sums=True)
    notes = " ".join(answer(path, capsys)["notes"])
    assert ("of Weir's own blocks, schedulers, targets and runtime differ" in notes
            and "schedulers/flow/flow.hpp" in notes)


def test_what_was_compiled_of_other_sources_is_named(world: Path, sweeps: Sweeps, capsys: pytest.CaptureFixture):
    def other_sources(folder: Path) -> None:
        for file in folder.glob("*/run.json"):
            value = json.loads(file.read_text())
            value["sources"]["weir/include/weir/ring.hpp"] = "0" * 64
            file.write_text(json.dumps(value))

    sweeps.change = other_sources
    assert "compiled from different sources than there: weir/include/weir/ring.hpp" in answer(world / "c.zip",
                                                                                          capsys)["notes"]


def test_the_exit_codes_are_those_of_the_page():
    page = (CODEGEN.parent / "docs" / "capsules.md").read_text()
    for verdict, code in reproduction._CODES.items():
        assert any(line.startswith(f"| {verdict} |") and line.endswith(f"| {code} |")
                   for line in page.splitlines()), verdict


def test_a_machine_that_is_another_is_reported(world: Path):
    from weir.lab.sweeping.state import State, read_state

    there = read_state(world / "out")
    a, b = (State(there.folder, {**there.value, "machine": {"cpu": cpu, "host": "h"}}) for cpu in ("A", "B"))
    assert list(equality._machines(a, b)) == ["another machine: B here, A there (another cpu)"]
    assert list(equality._machines(a, a)) == ["probably the same machine: A"]
