"""Test faults in the Python code of a target's folder, its return values and its output.

Each is reported with its location, and no measurement is lost.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from target_world import answer, copied, small, weir, written
from weir.diagnostics import WeirError
from weir.engine.measuring.run_directory import load_run
from weir.engine.targets.code import code_of
from weir.engine.targets.interface import Ended, Order, Program
from weir.model.catalog import load_catalog

PROGRAM = Program.of(Path("/p"))
ORDER, ENDED = Order(Path("/run"), Path("/project")), Ended(0, False, ())
#: Arguments of each function.
GIVEN = {
    "context": (SimpleNamespace(),), "find": (SimpleNamespace(),), "build": (SimpleNamespace(),),
    "program": (Path("/made"), SimpleNamespace(), SimpleNamespace()), "command": (PROGRAM, ORDER), "verdict": (ENDED,),
    "results": (ORDER, {}, ENDED, lambda: {"sinks": []}), "tapped": (ORDER, 0), "progress": ("a line",)}
FILE_OF = {**dict.fromkeys(("context",), "view"), **dict.fromkeys(("find", "build", "program"), "toolchain"),
           **dict.fromkeys(("command", "verdict", "results", "tapped", "progress"), "protocol")}
START = "from pathlib import Path\nfrom weir.engine.targets.interface import Program, Tools, Verdict\n\n"


def called(folder: Path, name: str, body: str) -> object:
    """Return the result of a target's function `name` with this `body`, which starts at line 5 of the file."""
    file = copied(folder / "targets", "mine") / f"{FILE_OF[name]}.py"
    file.write_text(f"{START}def {name}(*given):\n    {body}\n")
    code = code_of(load_catalog(target_paths=[folder / "targets"]).targets["mine"], FILE_OF[name], name)
    return getattr(code, name)(*GIVEN[name])


FAULTS = {"1 / 0": "5: ZeroDivisionError: division by zero", "raise SystemExit(3)": "5: SystemExit: 3",
          "raise ValueError('a\\n  b')": "5: ValueError: a b", "return nothing": "5: NameError", "import nothing":
          "5: ModuleNotFoundError"}


@pytest.mark.parametrize("name", GIVEN)
def test_an_exception_in_any_function_is_reported_with_its_place(name: str, tmp_path: Path, capsys) -> None:
    for i, (body, said) in enumerate(FAULTS.items()):
        with pytest.raises(WeirError) as caught:
            called(tmp_path / str(i), name, f"print('here'); {body}")
        [fault] = caught.value.diagnostics
        assert fault.code == "E_TARGET_CODE" and fault.hint
        assert f"target `mine`: {tmp_path / str(i)}/targets/mine/{FILE_OF[name]}.py:{said}" in fault.message
    said = capsys.readouterr()
    assert said.out == "" and said.err == "here\n" * len(FAULTS)


@pytest.mark.parametrize(("name", "body", "wanted"), [
    ("context", "return None", "a mapping of names"), ("context", "return {1: 2}", "a mapping of names"),
    ("find", "return 'gcc'", "Tools("), ("find", "return Tools('gcc', ('gcc', 3))", "Tools("),
    ("find", "return Tools('gcc', paths={'cc': Path('/x')})", "Tools("),
    ("program", "return Path('/x')", "Program("), ("program", "return Program((), (Path('/x'),))", "Program("),
    ("program", "return Program(('/x',), ('/x',))", "Program("),
    ("command", "return 'python main.py'", "a list of words"), ("command", "return ['a', 3]", "a list of words"),
    ("command", "return []", "a list of words"), ("command", "return ['a\\0b']", "a list of words"),
    ("verdict", "return 'ended'", "Verdict("), ("verdict", "return Verdict('well')", "is one of ended, failed, usage"),
    ("verdict", "return Verdict('ended', 'a text')", "Verdict("), ("verdict", "return Verdict('ended', errno=None)",
                                                                   "Verdict("),
    ("results", "return []", "an object of results.json"), ("results", "return {'sinks': {3}}", "what JSON can hold"),
    ("results", "return {'sinks': [], 'elapsed_s': float('nan')}", "what JSON can hold"),
    ("results", "return {'sinks': 5}", "results.json: /sinks: expected a list"),
    ("results", "return {'sinks': [], 'elapsed': 1}", "results.json: /elapsed: unknown key"),
    ("results", "return {}", "results.json: : the key `sinks` is missing"),
    ("tapped", "return 3", "a path"), ("progress", "return 3", "--progress=json"),
    ("progress", "return {'phase': 'x'}", "--progress=json")])
def test_what_a_function_returns_is_looked_at(name: str, body: str, wanted: str, tmp_path: Path) -> None:
    with pytest.raises(WeirError) as caught:
        called(tmp_path, name, body)
    [fault] = caught.value.diagnostics
    assert fault.code == "E_TARGET_CODE" and "write-a-target.md" in fault.hint
    assert f"{FILE_OF[name]}.py:4: `{name}` returned" in fault.message and wanted in fault.message


@pytest.mark.parametrize(("name", "body", "value"), [
    ("context", "return {'a': given}", {"a": GIVEN["context"]}), ("build", "return 3", 3),
    ("command", "return ('a', 'b')", ["a", "b"]), ("results", "return None", None), ("progress", "return None", None),
    ("tapped", "return '/x'", Path("/x"))])
def test_what_is_right_is_used(name: str, body: str, value: object, tmp_path: Path) -> None:
    assert called(tmp_path, name, body) == value


def test_results_may_lack_what_is_younger_than_the_target(tmp_path: Path) -> None:
    """Leave out what is newer than the target: null, and no fault."""
    thread = {"name": "one", "tid": 1, "cpu": 0, "policy": "other", "priority": 0, "cpu_time_s": 2.5,
              "voluntary_switches": 0, "involuntary_switches": 0, "migrations": 0, "run_delay_s": 0.0}
    made = called(tmp_path, "results", f"return {{**given[3](), 'elapsed_s': 2.5, 'threads': [{thread}]}}")
    assert made["elapsed_s"] == 2.5 and made["sinks"] == [] and made["energy"] is None
    later = ("runtime_us", "deadline_us", "period_us", "timer_slack_ns", "cpu_counters")
    assert made["threads"] == [{**thread, **dict.fromkeys(later)}]


@pytest.mark.parametrize(("text", "said"), [
    ("command = 3", "has no function `command`"), ("command = print", "protocol.py: `command` returned None"),
    ("command = int", "protocol.py: TypeError: "), ("EVENTS = '../x'\ncommand = print", "`EVENTS` is '../x'"),
    ("command = progress = 3", "has no function"), ("command = print\nprogress = 3", "has no function `progress`"),
    ("def command(*given):\n    return open('/no/such/file')", "protocol.py:2: FileNotFoundError")])
def test_what_is_no_function_of_its_own_is_reported_too(text: str, said: str, tmp_path: Path) -> None:
    (copied(tmp_path, "mine") / "protocol.py").write_text(text + "\n")
    with pytest.raises(WeirError) as caught:
        code_of(load_catalog(target_paths=[tmp_path]).targets["mine"], "protocol", "command").command(PROGRAM, ORDER)
    [fault] = caught.value.diagnostics
    assert fault.code == "E_TARGET_CODE" and said in fault.message


@pytest.mark.parametrize(("file", "text", "code", "said"), [
    ("view.py", "def context(subject):\n    return 1 / 0\n", "E_TARGET_CODE", "view.py:2: ZeroDivisionError"),
    ("view.py", "context = (\n", "E_TARGET_CODE", "view.py:1"),
    ("protocol.py", "command = print\n", "E_TARGET_CODE", "no function `verdict`"),
    ("engine.py", "import numpy\nimport nothing\n", "E_BUILD_FAILED", "engine.py:2: ModuleNotFoundError")])
def test_faults_of_its_own_code_are_told_with_their_place(file: str, text: str, code: str, said: str, alone: Path,
                                                          capsys) -> None:
    (copied(alone / "targets") / file).write_text(text)
    assert weir("run", written(alone, small()), "--target-path", alone / "targets", "--out", alone / "runs") != 0
    error = capsys.readouterr().err
    assert code in error and said in error
    assert weir("validate", alone / "p.weir.json", "--target-path", alone / "targets") == 0  # executes none of it


@pytest.mark.parametrize(("file", "body", "place"), [
    ("toolchain", "def find(*_):\n    import subprocess\n    subprocess.run(['no-such'])", True),
    ("toolchain", "def build(shop):\n    shop.step(['no-such'])", True),
    ("protocol", "def command(*_):\n    return ['no-such', '1']", False)])
def test_a_program_that_is_not_there_is_reported_by_its_name(file: str, body: str, place: bool, alone: Path,
                                                             capsys) -> None:
    code = copied(alone / "targets") / f"{file}.py"
    begin = len(code.read_text().splitlines()) + 1
    code.write_text(f"{code.read_text()}{body}\n")
    said = answer(capsys, "run", written(alone, small()), "--target-path", code.parent.parent, "--out", alone / "runs",
                  code=3)
    [fault] = said["diagnostics"]
    assert fault["code"] == "E_TOOL_MISSING" and "PATH" in fault["hint"]
    assert "cannot start the program `no-such`: No such file" in fault["message"]
    assert (f"{code}:{begin + len(body.splitlines()) - 1} " in fault["message"]) == place


@pytest.mark.parametrize("name", GIVEN)
def test_what_a_function_refuses_is_reported_with_a_place_in_the_project(name: str, tmp_path: Path) -> None:
    body = ("from weir.engine.targets.interface import Refused\n"
            "    raise Refused('no\\n items', '/run/items', 'say how\\n many')")
    with pytest.raises(WeirError) as caught:
        called(tmp_path, name, body)
    [fault] = caught.value.diagnostics
    assert (fault.code, fault.pointer, fault.hint) == ("E_TARGET_REFUSES", "/run/items", "say how many")
    assert fault.message == "target `mine`: no items"


def test_what_its_own_code_prints_is_not_in_the_answer(alone: Path, capfd) -> None:
    target = copied(alone / "targets")
    functions = {function: file for function, file in FILE_OF.items() if function not in ("tapped", "progress")}
    for function, file in functions.items():
        with (target / f"{file}.py").open("a") as code:
            # Line and end in one write: `find` and `context` are called in parallel, and their output interleaves.
            code.write(f"\nimport os\nprint('loads {function}\\n', end='')\n_{function} = {function}\n\n"
                       f"def {function}(*given):\n    print('calls {function}\\n', end='')\n"
                       f"    os.system('echo a child of {function}')\n    return _{function}(*given)\n")
    file, path = written(alone, small()), ("--target-path", alone / "targets")
    assert weir("run", file, *path, "--out", alone / "runs", "--json") == 0
    said = capfd.readouterr()
    assert json.loads(said.out)[0]["status"] == "ok"
    does = ("loads", "calls", "a child of")
    assert [line for it in does for function in functions if (line := f"{it} {function}\n") not in said.err] == []


@pytest.mark.parametrize(("body", "verify"), [
    ("def results(*_):\n    return 1 / 0", []), ("def results(*_):\n    return {}", []),
    ("def verdict(*_):\n    raise SystemExit(3)", []), ("def results(*_):\n    return 1 / 0", ["counted"])])
def test_what_was_measured_is_kept_where_its_protocol_fails(body: str, verify: list, alone: Path, capsys) -> None:
    """Fail in the protocol; the verifying run measures nothing yet."""
    file = copied(alone / "targets", verify=verify) / "protocol.py"
    file.write_text(f"{file.read_text()}\n\n{body}\n")
    said = answer(capsys, "run", written(alone, small()), "--target-path", file.parent.parent, "--out",
                  alone / "runs", code=3)
    assert [d["code"] for d in said["diagnostics"]] == ["E_TARGET_CODE"]
    assert f"{file}:" in said["diagnostics"][0]["message"]
    runs = list((alone / "runs").glob("*"))
    if verify:
        assert runs == []
        return
    [run] = runs
    assert load_run(run).status == "invalid" and json.loads((run / "answer.json").read_text())["items"] == 5000
    [reason] = load_run(run).results["reasons"]
    assert reason["code"] == "E_NOT_ANALYSED" and "the directory has what the program wrote" in reason["message"]
