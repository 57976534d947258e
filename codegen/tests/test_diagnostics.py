"""Test the registry of codes with a bad project for each code."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import BAD, CODEGEN, FIXTURES, answered
from planning import EXAMPLES
from weir import cli
from weir.codes import EXIT_CODES
from weir.diagnostics import CODES, Diagnostic, did_you_mean, exit_code_for, format_for_people, pointer, resolve
from weir.model.check import check
from weir.model.document import jsontext
from weir.model.document.digits import grouped

PROJECTS = sorted(BAD.glob("*.weir.json"))
GENERATED = {"E_JSON_DEPTH": b"[" * 5_000_000, "E_JSON_SIZE": b" " * (jsontext.MAX_BYTES + 1)}


@pytest.mark.parametrize("words, meant", [
    (["sweep", "p", "--repeat", "5"], "did you mean `--repeats`?"),
    (["run", "p", "--dep=flow"], "did you mean `--deployment`?"),
    (["compare", "a", "b", "--a-s", "1"], "did you mean `--a-set`?"),
    (["runs", "list", "--deploymen", "d"], "`--deployment`?"),
    (["plan", "p", "--se", "a=1"], "did you mean `--set`?")])
def test_an_option_is_named_in_full(words: list[str], meant: str, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(words)
    said = capsys.readouterr().err
    assert ended.value.code == 2 and "unrecognized arguments: --" in said and meant in said
    assert said.startswith(f"usage: weir {words[0]}")


@pytest.mark.parametrize("words, meant", [
    (["run", "p", "--trace", "lttgn"], "argument --trace: unknown value `lttgn`; did you mean `lttng`?"),
    (["runs", "histroy", "d"], "argument ACTION: unknown value `histroy`; did you mean `history`?"),
    (["runs", "list", "--status", "bad"], "unknown value `bad`; choose one of `failed`")])
def test_a_choice_that_there_is_not_is_refused_with_the_nearest(words, meant, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(words)
    assert ended.value.code == 2 and meant in capsys.readouterr().err


@pytest.mark.parametrize("verb, hint", [("swep", "did you mean `sweep`?"), ("zzzz", "`weir --help` lists the verbs")])
def test_a_verb_that_there_is_not_is_refused_with_the_nearest(verb, hint, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main([verb, "p"])
    assert ended.value.code == 2 and f"error: unknown verb `{verb}`; {hint}\n" in capsys.readouterr().err


FORMER = [row.split(":") for row in cli.FORMER.read_text().splitlines() if not row.startswith("#")]


@pytest.mark.parametrize("old, new", FORMER, ids=[old for old, _ in FORMER])
def test_what_was_another_command_before_does_what_it_did_with_a_word_of_it(old, new, capsys: pytest.CaptureFixture):
    first, *options = old.split()
    with pytest.raises(SystemExit) as ended:
        cli.main([first, *options, "parquet", "--help"])
    out, err = capsys.readouterr()
    assert ended.value.code == 0 and err == f"weir: `weir {old}` is now `weir{new}`\n"
    verb, *words = new.split()
    assert first not in cli.verb_modules() or first == verb
    assert out.startswith(f"usage: weir {verb}") and all(word.rstrip("=") in out for word in words)


@pytest.mark.parametrize("words, why", [
    ("generate p", "-o DIR"), ("generate p -o d --no-cache", "--no-cache needs --build"),
    ("doctor --measure", "--measure needs --topology"), ("doctor p --topology", "PROJECT"),
    ("import x.grc", "-o P.weir.json"), ("import mine --stub copy", "--stub needs -o"),
    ("import a.grc b.grc -o p", "but 2 were given"), ("import x.grc -o p --tree d", "--tree applies to runs"),
    ("doctor --topology --install parquet", "exclude each other"),
    ("doctor --install gnuradio4", "--source"), ("doctor --install parquet --source d", "--source"),
    ("export s -o x.zip --set a=1", "--set does not apply to a capsule"),
    ("export p -o x.zip --force", "--force does not apply to a capsule"), ("export p -o x.odt", "x.odt"),
    ("reproduce c.zip --repeat 2", "--repeat needs run directories"), ("reproduce c.zip d.zip", "takes one capsule"),
    ("reproduce r --resume", "--resume needs a capsule"), ("catalog copy head", "describes one at a time")])
def test_words_that_do_not_go_together_are_refused(words: str, why: str, capsys: pytest.CaptureFixture) -> None:
    assert cli.main(words.split()) == 2
    said = capsys.readouterr().err
    assert "error E_USAGE: " in said and why in said


def test_what_was_laid_out_before_prints_and_writes_as_it_did(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    file = tmp_path / "p.weir.json"
    file.write_text(before := json.dumps(json.loads((EXAMPLES / "quickstart.weir.json").read_text())))
    assert cli.main(["layout", str(file)]) == 0 and file.read_text() == before
    positions = json.loads(capsys.readouterr().out)
    assert cli.main(["layout", str(file), "--write"]) == 0 and capsys.readouterr().out == ""
    assert json.loads(file.read_text())["ui"]["positions"] == positions


@pytest.mark.parametrize("words, code", [(["--help"], 0), ([], 2)])
def test_the_help_lists_each_verb_once_and_the_exit_codes(words, code, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(words)
    out, err = capsys.readouterr()
    said = err if code else out
    assert ended.value.code == code and (out if code else err) == ""
    assert sorted(re.findall(r"(?m)^  ([a-z]+) +\w", said)) == sorted(cli.verb_modules())
    codes = said.partition("exit codes:\n")[2]
    assert {*EXIT_CODES.values(), 0, cli.INTERNAL_ERROR, cli.INTERRUPTED} == {
        int(code) for code in re.findall(r"(?m)^  (\d+) ", codes)}


def code_of(file: Path) -> str:
    return file.name.removesuffix(".weir.json").partition("-")[0]


def validate(source: Path | bytes) -> tuple[Diagnostic, ...]:
    return check(source, directory=BAD, scheduler_paths=[FIXTURES / "schedulers"],
                 target_paths=[FIXTURES / "targets"]).diagnostics


@pytest.mark.parametrize("file", [f for f in PROJECTS if code_of(f) in CODES], ids=lambda f: f.name)
def test_bad_project_gives_its_code_and_a_pointer_that_resolves(file: Path) -> None:
    diagnostics = validate(file)
    assert code_of(file) in [d.code for d in diagnostics]
    value, faults = jsontext.read(file.read_bytes())
    for d in diagnostics:
        if not faults:
            resolve(value, d.pointer)
        assert d.message and "\n" not in d.message
        assert d.hint


@pytest.mark.parametrize("file", [f for f in PROJECTS if code_of(f) in CODES and CODES[code_of(f)].severity == "error"],
                         ids=lambda f: f.name)
def test_bad_project_has_no_second_error(file: Path) -> None:
    """Check that one fault has one code, and is not reported again in other words."""
    assert {d.code for d in validate(file) if d.severity == "error"} == {code_of(file)}


@pytest.mark.parametrize("code", GENERATED)
def test_generated_bad_project(code: str) -> None:
    assert [d.code for d in validate(GENERATED[code])] == [code]


def test_every_code_of_a_project_has_a_bad_project() -> None:
    wanted = {name for name, code in CODES.items() if code.kind == "project"}
    assert wanted - {code_of(f) for f in PROJECTS} - set(GENERATED) == set()


def test_the_page_of_diagnostics_is_current() -> None:
    made = subprocess.run([sys.executable, CODEGEN.parent / "docs/make_diagnostics.py"], capture_output=True, text=True,
                          check=True).stdout
    assert (CODEGEN.parent / "docs/diagnostics.md").read_text() == made
    assert all(f"### {code}\n" in made for code in CODES)


def test_an_example_shows_only_what_it_is_for() -> None:
    """Check that examples and bad projects have no warnings beside their purpose."""
    for file in PROJECTS:
        warnings = {d.code for d in validate(file) if d.severity == "warning"}
        assert warnings <= {code_of(file), "W_BLOCK_DISABLED"}, file.name


def test_several_faults_are_reported_at_once() -> None:
    assert {d.code for d in validate(BAD / "several.weir.json")} == {"E_KEY_UNKNOWN", "E_VALUE_TYPE", "E_VALUE_CHOICE"}


@pytest.mark.parametrize("file", PROJECTS, ids=lambda f: f.name)
def test_command_line_answers_by_the_schema(file: Path, capsys: pytest.CaptureFixture) -> None:
    code = cli.main(["validate", "--json", "--revision", "7", str(file)])
    answer = answered(capsys, "diagnostics")
    assert answer["revision"] == 7
    assert code == (0 if answer["ok"] else 1)


def test_standard_input_and_exit_codes(tmp_path: Path) -> None:
    def weir(*arguments: str, text: str = "") -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, "-m", "weir", *arguments], input=text, text=True, capture_output=True,
                              cwd=CODEGEN, check=False)

    bad = (BAD / "E_CYCLE.weir.json").read_text()
    answer = weir("validate", "-", text=bad)
    assert answer.returncode == 1 and answer.stdout == ""
    assert re.match(r"-:/graph/connections/\d+: error E_CYCLE: .*join -> back -> join\n", answer.stderr)
    missing = weir("validate", str(tmp_path / "none.weir.json"))
    assert missing.returncode == 3 and "E_FILE_MISSING" in missing.stderr
    assert weir("validate").returncode == 2
    assert weir("no-such-verb").returncode == 2
    assert weir("validate", "-", "--set", "x", text=bad).returncode == 2
    assert weir("validate", "-", "--set", "/graph/no/way=1", text=bad).returncode == 2
    assert "Traceback" not in answer.stderr + missing.stderr


def test_unexpected_exceptions_become_one_message(monkeypatch: pytest.MonkeyPatch,
                                                  capsys: pytest.CaptureFixture) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.delenv("WEIR_DEBUG", raising=False)
    monkeypatch.setattr("weir.engine.pipeline.check", fail)
    assert cli.main(["validate", str(PROJECTS[0])]) == 3
    captured = capsys.readouterr()
    assert "internal error: RuntimeError: boom" in captured.err and "Traceback" not in captured.err
    monkeypatch.setattr("weir.engine.pipeline.check", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt()))
    assert cli.main(["validate", str(PROJECTS[0])]) == 130


def test_text_for_people_carries_no_control_characters() -> None:
    text = format_for_people([Diagnostic("E_NAME_INVALID", "error", "/a\x1b", "red \x1b[31m\n\ud800", "hint")], "f")
    assert text == "f:/a\\u001b: error E_NAME_INVALID: red \\u001b[31m\\u000a\\ud800\n    hint: hint"
    three = format_for_people([Diagnostic("E", "error", "", text, hint) for text, hint in ("ax", "bx", "cy")], "f")
    assert three == "f: error E: a\nf: error E: b\n    hint: x\nf: error E: c\n    hint: y"
    many = format_for_people([Diagnostic("E", "error", "", grouped(1000003))], "f")
    assert many == "f: error E: 1\u202f000\u202f003"  # these characters do not control a terminal
    assert "\033[1;31merror\033[0m" in format_for_people([Diagnostic("E", "error", "", "m")], "f", colour=True)


def test_pointers() -> None:
    assert pointer("a/b", "~", 0) == "/a~1b/~0/0"
    assert resolve({"a/b": {"~": [5]}}, "/a~1b/~0/0") == 5
    for wrong in ("/x", "/a~1b/~0/00", "/a~1b/~0/-1", "/a~1b/~0/1", "/a~1b/~0/0/0"):
        with pytest.raises(LookupError):
            resolve({"a/b": {"~": [5]}}, wrong)


def test_hints_and_exit_codes() -> None:
    assert did_you_mean("schedulr", ["scheduler", "name"]) == "did you mean `scheduler`?"
    assert did_you_mean("zzz", ["b", "a"]) == "choose one of `a`, `b`"
    assert did_you_mean("zzz", []) == ""
    assert exit_code_for([]) == exit_code_for([Diagnostic("W_BLOCK_DISABLED", "warning", "", "")]) == 0
    assert exit_code_for([Diagnostic("E_FILE_MISSING", "error", "", "")]) == 3
