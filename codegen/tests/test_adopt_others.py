"""Test `weir import` of a program that Weir did not generate: its answer, its trace, and every possible error."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import jsonschema
import pytest
from ctf_by_hand import RX, TX, Event, write_trace
from stored_runs import EXAMPLES, store
from weir import cli
from weir.engine.measuring.run_directory import load_run
from weir.model.document import shape

PROJECT = EXAMPLES / "quickstart.weir.json"
#: A boundary every 100 items, 30 in all. The window has those that the sink received from the 11th on.
GRANULARITY, BOUNDARIES = 100, 30
SET = f"/run/trace/probe_granularity={GRANULARITY}"
SOURCE, SINK = 7, 9
BEGIN, END, DELAY = 1_010_500, 1_100_000, 250
REPORTED = {"schema_version": 1, "runtime": {"target": "board", "version": "2"}, "scheduler": "round robin",
            "numbers": {"source": SOURCE, "sink": SINK}, "items": 3050, "warmup_items": 1000,
            "sinks": [{"id": "sink", "items": 3050, "digest": "0123456789abcdef"}],
            "window": {"begin_ns": BEGIN, "end_ns": END}, "started": "2026-01-02T03:04:05Z",
            "trace": {"probe_granularity": GRANULARITY, "events": 2 * BOUNDARIES}}


def events(source: int = SOURCE, sink: int = SINK) -> list[Event]:
    """Return events in which boundary k leaves at 1,000,000 + 1,000 k ns and takes 250 + k ns."""
    sent = [(k, 1_000_000 + 1000 * k) for k in range(1, BOUNDARIES + 1)]
    return [event for k, at in sent for event in ((TX, at, source, k, 0), (RX, at + DELAY + k, sink, k, at + 10))]


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """Return a folder as such a program leaves it."""
    folder = tmp_path / "left"
    write_trace(folder / "trace", events())
    write(folder, REPORTED)
    return folder


def write(folder: Path, value: object) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "results.json").write_text(json.dumps(value))


def change(folder: Path, **values: object) -> None:
    write(folder, {**json.loads((folder / "results.json").read_text()), **values})


def adopt(folder: Path, *words: object) -> int:
    return cli.main(["import", str(folder), "--project", str(PROJECT), "--set", SET, "--out",
                     str(folder.parent / "runs"),
                     *map(str, words)])


def adopted(folder: Path):
    [path] = (folder.parent / "runs").iterdir()
    return load_run(path)


def reasons(folder: Path) -> dict[str, str]:
    return {reason["code"]: reason["message"] for reason in adopted(folder).results["reasons"]}


def nothing_was_left(folder: Path) -> bool:
    out = folder.parent / "runs"
    return not out.exists() or not list(out.iterdir())


def test_it_becomes_a_run_with_what_was_measured_and_nothing_else(left: Path, capsys) -> None:
    before = {path: path.read_bytes() for path in left.rglob("*") if path.is_file()}
    assert adopt(left, "--json") == 0
    [answer] = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("adopt")).validate([answer])
    run = adopted(left)
    results = run.results
    assert answer["run"] == str(run.path) and answer["status"] == results["status"] == "ok"
    assert before == {path: path.read_bytes() for path in left.rglob("*") if path.is_file()}
    assert results["sinks"] == [{"id": "sink", "items": 3050, "expected": 3050, "digest": "0123456789abcdef"}]
    # Only the window counts: k = 11 .. 30, so the latencies are 261 .. 280 ns.
    latency = results["latency"]
    assert (latency["count"], latency["lost"], latency["p50_ns"], latency["max_ns"]) == (20, 0, 270, 280)
    assert latency["mean_ns"] == 270.5 and latency["p99_ns"] is None
    assert results["trace"] | {"backend": "lttng", "events": 60, "discarded": 0} == results["trace"]
    assert results["runtime"] == {"target": "board", "version": "2", "kernel_object_hash": None, "blocks": None}
    assert results["scheduler"] == "round robin" and results["coordinates"]["target"] == "board"
    assert results["coordinates"]["settings"] == {"/run/trace/probe_granularity": GRANULARITY}
    assert (results["items"], results["seed"], results["warmup_items"]) == (3050, 1, 1000)
    assert "N_ADOPTED" in reasons(left) and "board 2" in reasons(left)["N_ADOPTED"]
    assert results["window_s"] == pytest.approx(89.5e-6) and "N_SHORT_WINDOW" in reasons(left)
    for name in ("elapsed_s", "throughput_items_per_s", "tail_items", "requested", "planned", "verification",
                 "binary_hash", "speed_check", "clocks"):
        assert results[name] is None, name
    assert results["blocks"] == results["threads"] == results["edges"] == []
    assert not {name: value for name, value in results["environment"].items() if value not in (None, {})}
    assert run.run["adopted"] | {"from": str(left), "project": str(PROJECT), "trace": str(left / "trace"),
                                 "numbers": {"source": SOURCE, "sink": SINK}} == run.run["adopted"]
    assert run.run["started"] == "2026-01-02T03:04:05.000Z" and run.run["exit_code"] is None
    assert {"project.json", "plan.json", "blocks.csv", "latency.hgrm"} <= set(os.listdir(run.path))
    assert not (run.path / "trace").exists() and not (run.path / "machine.json").exists()


def test_the_runtime_gives_the_run_its_name_and_not_verified_stands_beside_its_numbers(left: Path, tmp_path: Path,
                                                                                      capsys) -> None:
    change(left, runtime={"target": "my board/2", "version": "2"}, throughput_items_per_s=9e8)
    assert adopt(left) == 0
    said, run, out = capsys.readouterr().out, adopted(left), str(tmp_path / "runs")
    assert said.startswith("quickstart · my board/2  ok, not verified\n  throughput 900 Mitems/s")
    assert run.results["deployment"] == run.results["coordinates"]["deployment"] == "my board/2"
    assert re.fullmatch(r"20260102T030405Z-quickstart-my_board_2-[0-9a-f]{6}", run.path.name)
    assert cli.main(["report", out, "-o", str(tmp_path / "r.html")]) == 0
    page = (tmp_path / "r.html").read_text()
    assert '<div class="name">my board/2</div>' in page
    # What was not measured is left out or unknown.
    assert "<summary>Workers" not in page and "To reproduce" not in page
    assert all(f'<th scope="row">{name}</th><td>–</td>' in page for name in ("Isolation", "Mitigations"))
    assert re.search(r'<div class="value">900 Mitems/s\*<span class="soft">, not verified</span></div>', page)
    capsys.readouterr()
    assert cli.main(["runs", "list", "--out", out]) == 0
    assert capsys.readouterr().out.rstrip().endswith(f"{run.path.name}  not verified")
    assert cli.main(["runs", "list", "--out", out, "--json"]) == 0
    [row] = json.loads(capsys.readouterr().out)
    assert (row["deployment"], row["label"], row["unverified"]) == ("my board/2", "my board/2", True)


def test_runs_of_two_runtimes_and_of_weir_are_labelled_by_their_names(left: Path, tmp_path: Path, capsys) -> None:
    other = tmp_path / "other"
    write_trace(other / "trace", events())
    write(other, {**REPORTED, "runtime": {"target": "bench"}})
    assert adopt(left) == adopt(other) == 0
    store(tmp_path / "runs")
    capsys.readouterr()
    assert cli.main(["runs", "list", "--out", str(tmp_path / "runs"), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {(row["deployment"], row["unverified"]) for row in rows} == {("board", True), ("bench", True),
                                                                      ("flow", False)}
    assert not any("target=" in row["label"] for row in rows)


def test_settings_of_a_deployment_distinguish_runs(left: Path, tmp_path: Path, capsys) -> None:
    again = tmp_path / "again"
    write_trace(again / "trace", events())
    write(again, REPORTED)
    assert adopt(left, "--set", "/deployments/0/workers=1", "--out", tmp_path / "runs" / "one") == 0
    assert adopt(again, "--set", "/deployments/0/workers=2", "--out", tmp_path / "runs" / "two") == 0
    capsys.readouterr()
    words = [word for name in ("one", "two") for word in ("--out", str(tmp_path / "runs" / name))]
    assert cli.main(["runs", "list", *words, "--json"]) == 0
    assert [row["label"] for row in json.loads(capsys.readouterr().out)] == ["workers=1", "workers=2"]


def test_the_commit_that_the_program_reports_names_its_runs_in_the_history(left: Path, tmp_path: Path,
                                                                           capsys) -> None:
    commit = "0123456789abcdef0123456789abcdef01234567"
    change(left, environment={"git_revision": f"{commit}-dirty"}, throughput_items_per_s=9e8)
    assert adopt(left) == 0
    out = str(tmp_path / "runs")
    assert cli.main(["report", out, "-o", str(tmp_path / "r.html")]) == 0
    assert f'<th scope="row">Git revision</th><td>{commit}-dirty</td>' in (tmp_path / "r.html").read_text()
    capsys.readouterr()
    assert cli.main(["runs", "history", out, "--json"]) in (0, 4)
    assert f"{commit[:4]}" in capsys.readouterr().out


def test_a_run_that_an_earlier_version_imported_is_not_imported_again(left: Path, tmp_path: Path, capsys) -> None:
    assert adopt(left) == 0
    path = adopted(left).path
    path.rename(path.with_name(path.name.replace("-board-", "-flow-")))
    assert adopt(left) == 3 and "E_OUTPUT_EXISTS" in capsys.readouterr().err

def test_every_verb_takes_it(left: Path, tmp_path: Path, capsys) -> None:
    assert adopt(left, "--keep-trace") == 0
    run, out = adopted(left), str(tmp_path / "runs")
    assert cli.main(["report", out, "-o", str(tmp_path / "r.html")]) == 0
    page = (tmp_path / "r.html").read_text()
    assert "round robin" in page and "Weir did not generate the program" in page
    capsys.readouterr()
    assert cli.main(["runs", "list", "--out", out, "--json"]) == 0
    assert [row["status"] for row in json.loads(capsys.readouterr().out)] == ["ok"]
    timeline = tmp_path / "t.json"
    capsys.readouterr()
    assert cli.main(["runs", "trace", str(run.path), "-o", str(timeline), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("timeline")).validate(answer)
    names = {event["name"] for event in json.loads(timeline.read_text())["traceEvents"] if event["ph"] == "i"}
    assert names == {"tx source", "rx sink"}  # by the program's own numbers
    assert cli.main(["reproduce", str(run.path)]) == 4
    assert "did not generate the program" in capsys.readouterr().err
    assert cli.main(["runs", "rm", str(run.path), "--out", out, "--force"]) == 0 and not run.path.exists()


def test_a_comparison_with_a_run_of_weir_says_what_is_not_known_of_it(left: Path, tmp_path: Path, capsys) -> None:
    change(left, throughput_items_per_s=9e8, environment={"cpu": "A <CPU> & more"})
    assert adopt(left) == 0
    store(tmp_path / "ours")
    capsys.readouterr()
    words = ["compare", str(tmp_path / "ours"), str(tmp_path / "runs"), "--despite", "items", "--despite", "digest",
             "--json"]
    assert cli.main(words) == 4  # one run per side
    [found] = json.loads(capsys.readouterr().out)["comparisons"]
    assert found["verdict"] == "not enough data"
    text = json.dumps(found)
    assert "B ran a program that Weir did not generate" in text and '"part": "plan"' not in text


def test_the_project_may_lie_beside_it_and_the_plan_has_the_numbers_where_it_names_none(left: Path, capsys) -> None:
    document = json.loads(PROJECT.read_text())
    document["run"] |= {"trace": {"backend": "lttng", "probe_granularity": GRANULARITY}}
    (left / "mine.weir.json").write_text(json.dumps(document))
    write_trace(left / "trace", events(0, 7))
    write(left, {name: value for name, value in REPORTED.items() if name != "numbers"})
    out = left.parent / "runs"
    assert cli.main(["import", str(left), "--out", str(out)]) == 0
    assert adopted(left).results["latency"]["count"] == 20 and "numbers" not in adopted(left).run["adopted"]
    (left / "other.weir.json").write_text("{}")
    assert cli.main(["import", str(left), "--out", str(out)]) == 2
    assert "several projects" in capsys.readouterr().err


def test_without_a_window_the_latency_is_of_the_whole_run(left: Path) -> None:
    write(left, {name: value for name, value in REPORTED.items() if name not in ("window", "warmup_items")})
    assert adopt(left) == 0
    results = adopted(left).results
    assert results["latency"]["count"] == BOUNDARIES and results["window"] is None and results["warmup_items"] == 0
    assert "N_WHOLE_RUN" in reasons(left)


def test_without_a_trace_the_latency_is_not_known(tmp_path: Path, capsys) -> None:
    left = tmp_path / "left"
    write(left, {name: REPORTED[name] for name in ("schema_version", "runtime", "scheduler", "sinks", "items")})
    assert adopt(left) == 0
    results = adopted(left).results
    assert results["trace"]["backend"] == results["coordinates"]["trace"] == "off" and results["latency"] is None
    assert results["status"] == "ok" and "contains no trace" in capsys.readouterr().err


@pytest.mark.parametrize("code, mutant", [
    ("E_LOST", lambda of: [e for e in of if e[:1] != (RX,) or e[3] % 7]),
    ("E_LOST", lambda of: [e for e in of if e[3] != 3]),  # in the warm-up, too
    ("E_REPEATED", lambda of: [*of, of[4]]),
    ("E_NEGATIVE_LATENCY", lambda of: [(e[0], e[1] + 600 * (e[0] == TX), *e[2:]) for e in of]),
    ("E_NEGATIVE_LATENCY", lambda of: [(*e[:4], e[1] + 10**9) if e[0] == TX else e for e in of]),  # due in the future
    ("E_TRACE_EVENTS", lambda of: [*of, (TX, 1_050_000, SOURCE, BOUNDARIES + 1, 0)]),
    ("E_TRACE_BLOCK", lambda of: [*of, (RX, 1_050_000, SINK + 1, 1, 0)]),
], ids=["no rx", "no boundary", "twice", "rx before tx", "due later", "one more", "a stranger"])
def test_a_trace_that_speaks_against_the_run_makes_it_invalid_and_is_kept(code: str, mutant, left: Path,
                                                                          capsys) -> None:
    write_trace(left / "trace", mutant(events()))
    assert adopt(left) == 4
    run = adopted(left)
    assert run.status == "invalid" and code in reasons(left) and (run.path / "trace" / "stream_0").is_file()
    assert code in capsys.readouterr().err


@pytest.mark.parametrize("how, said", [({"cut": 11}, ""), ({"k": "index"}, "weir:tx has no integer field `k`")],
                         ids=["truncated", "a field is missing"])
def test_a_trace_that_cannot_be_read_makes_it_invalid(how: dict, said: str, left: Path) -> None:
    write_trace(left / "trace", events(), **how)
    assert adopt(left) == 4
    run = adopted(left)
    assert run.status == "invalid" and said in reasons(left)["E_TRACE_UNREADABLE"]
    assert run.results["latency"] is None and run.results["sinks"][0]["items"] == 3050


@pytest.mark.parametrize("values, code", [
    ({"sinks": [{"id": "sink", "items": 3049}]}, "E_COUNT"),
    ({"trace": {"probe_granularity": GRANULARITY, "discarded": 3}}, "E_DISCARDED"),
    ({"trace": {"probe_granularity": GRANULARITY, "events": 61}}, "E_TRACE_EVENTS")], ids=["count", "lost", "events"])
def test_what_the_program_says_against_itself_makes_it_invalid(values: dict, code: str, left: Path) -> None:
    change(left, **values)
    assert adopt(left) == 4 and code in reasons(left)


def test_a_run_that_was_interrupted_is_partial_and_judged_by_what_came(left: Path) -> None:
    write_trace(left / "trace", [e for e in events() if e[3] <= 12])
    change(left, status="partial", sinks=[{"id": "sink", "items": 1250}], trace={"probe_granularity": GRANULARITY},
           reasons=[{"code": "E_INTERRUPTED", "message": "a signal"}])
    assert adopt(left) == 4
    assert adopted(left).status == "partial" and adopted(left).results["latency"]["lost"] == 0
    assert adopted(left).results["latency"]["count"] == 2


@pytest.mark.parametrize("values, code, pointer", [
    ({"schema_version": 2}, "E_VALUE_CHOICE", "/schema_version"),
    ({"runtime": {}}, "E_KEY_MISSING", "/runtime"),
    ({"scheduler": ""}, "E_VALUE_RANGE", "/scheduler"),
    ({"skins": []}, "E_KEY_UNKNOWN", "/skins"),
    ({"sinks": [{"id": "sink"}]}, "E_KEY_MISSING", "/sinks/0"),
    ({"sinks": [{"id": "sink", "items": -1}]}, "E_VALUE_RANGE", "/sinks/0/items"),
    ({"sinks": [{"id": "sinc", "items": 3050}]}, "E_VALUE_CHOICE", "/sinks/0/id"),
    ({"sinks": [{"id": "sink", "items": 1}, {"id": "sink", "items": 1}]}, "E_VALUE_CHOICE", "/sinks"),
    ({"sinks": [{"id": "gain", "items": 3050}]}, "E_VALUE_CHOICE", "/sinks/0/id"),
    ({"sinks": []}, "E_KEY_MISSING", "/sinks"),
    ({"sinks": [{"id": "sink", "items": 3050, "digest": "12"}]}, "E_VALUE_RANGE", "/sinks/0/digest"),
    ({"numbers": {"source": 1, "sinc": 2}}, "E_VALUE_CHOICE", "/numbers/sinc"),
    ({"numbers": {"source": 1, "sink": 1}}, "E_VALUE_RANGE", "/numbers/source"),
    ({"numbers": {"source": 1}}, "E_KEY_MISSING", "/numbers"),
    ({"window": {"begin_ns": 2, "end_ns": 1}}, "E_VALUE_RANGE", "/window/end_ns"),
    ({"trace": {}}, "E_KEY_MISSING", "/trace"),
    ({"trace": {"probe_granularity": 128}}, "E_VALUE_RANGE", "/trace/probe_granularity"),
    ({"started": "yesterday"}, "E_VALUE_RANGE", "/started"),
    ({"parameters": {"gain.constat": 3}}, "E_PARAMETER_UNKNOWN", "/parameters/gain.constat"),
    ({"blocks": [{"id": "stage[7]"}]}, "E_VALUE_CHOICE", "/blocks/0/id"),
    ({"edges": [{"from": "source.out", "to": "sing.in", "buffer_items": 1}]}, "E_VALUE_CHOICE", "/edges/0/to"),
    ({"elapsed_s": "long"}, "E_VALUE_TYPE", "/elapsed_s"),
    ({"threads": [{"name": "a"}]}, "E_VALUE_TYPE", "/threads/0/tid"),
    ({"environment": {"cpus": "two"}}, "E_VALUE_TYPE", "/environment/cpus"),
])
def test_what_it_may_not_say_is_reported_with_its_place_and_nothing_is_made(values: dict, code: str, pointer: str,
                                                                            left: Path, capsys) -> None:
    change(left, **values)
    assert adopt(left, "--json") == 4
    out, err = capsys.readouterr()
    found = {(d["code"], d["pointer"]): d for d in json.loads(out)["diagnostics"]}
    assert (code, pointer) in found and found[code, pointer]["hint"], found
    assert f"{left / 'results.json'}:{pointer}: error {code}" in err and nothing_was_left(left)


@pytest.mark.parametrize("text, code",
                         [("{", "E_JSON_SYNTAX"), ("[]", "E_VALUE_TYPE"), ("{\"a\": NaN}", "E_JSON_NOT_FINITE"),
                                        (json.dumps(REPORTED)[:200], "E_JSON_SYNTAX")])
def test_results_that_are_no_object_of_json_are_reported(text: str, code: str, left: Path, capsys) -> None:
    (left / "results.json").write_text(text)
    assert adopt(left) == 4
    assert f"{left / 'results.json'}" in (said := capsys.readouterr().err) and code in said and nothing_was_left(left)


def test_where_nothing_lies_or_everything_twice_it_is_reported(left: Path, tmp_path: Path, capsys) -> None:
    (tmp_path / "empty").mkdir()
    for folder, words, code, said in (
            (tmp_path / "empty", (), 4, "contains no results.json"),
            (tmp_path / "nowhere", (), 3, "E_FILE_MISSING"),
            (left, ("--trace", tmp_path / "empty"), 4, "E_TRACE_MISSING"),
            (left, ("--deployment", "flew"), 2, "flew"),
            (left, ("--set", "/run/items=many"), 1, "E_"),
            (left, ("--out", "/sys/runs"), 3, "E_FILE_PERMISSION")):
        assert adopt(folder, *words) == code, words
        assert said in capsys.readouterr().err and nothing_was_left(left)
    write_trace(left / "another", events())
    assert adopt(left) == 2 and "another, trace" in capsys.readouterr().err and nothing_was_left(left)
    assert adopt(left, "--trace", left / "trace") == 0
    assert cli.main(["import", str(left), "--out", str(tmp_path / "other")]) == 2
    assert "--project P" in capsys.readouterr().err and not (tmp_path / "other").exists()


def test_what_it_traced_and_did_not_bring_is_missed(left: Path, capsys) -> None:
    for path in (left / "trace").iterdir():
        path.unlink()
    assert adopt(left) == 4
    assert "/trace/events: error E_TRACE_MISSING" in capsys.readouterr().err and nothing_was_left(left)


def test_a_trace_with_a_link_is_not_followed(left: Path, tmp_path: Path, capsys) -> None:
    (tmp_path / "secret").write_text("mine")
    (left / "trace" / "stream_1").symlink_to(tmp_path / "secret")
    assert adopt(left, "--keep-trace") == 4
    assert "neither a file nor a folder" in capsys.readouterr().err and nothing_was_left(left)


def test_the_same_run_is_adopted_once_and_another_one_again(left: Path, tmp_path: Path, capsys) -> None:
    assert adopt(left) == 0
    os.utime(left / "results.json", (1, 1))
    assert adopt(left) == 3 and "E_OUTPUT_EXISTS" in capsys.readouterr().err
    assert cli.main(["import", str(adopted(left).path), "--project", str(PROJECT)]) == 4
    assert "is already a run directory" in capsys.readouterr().err
    write_trace(left / "trace", events()[:-1])  # another run has the same results and another trace
    change(left, trace={"probe_granularity": GRANULARITY})
    assert adopt(left) == 4
    assert len(list((tmp_path / "runs").iterdir())) == 2


def test_runs_of_equal_work_are_compared_with_each_other(left: Path, tmp_path: Path, capsys) -> None:
    many = tmp_path / "many"
    for number, digest in enumerate(("0" * 16, "0" * 16, "1" * 16)):
        write_trace(many / str(number) / "trace", events())
        write(many / str(number), {**REPORTED, "sinks": [{"id": "sink", "items": 3050, "digest": digest}],
                                   "x_run": number})
    assert adopt(many) == 4
    runs = [load_run(path) for path in sorted((tmp_path / "runs").iterdir())]
    assert [run.status for run in runs] == ["invalid"] * 3 and "E_DIGEST" in capsys.readouterr().err
    assert len({run.run["set"]["id"] for run in runs}) == 1


def test_its_digest_is_compared_with_that_of_a_run_of_weir(left: Path, tmp_path: Path, capsys) -> None:
    """Take parameters that the program does not name from the project, so its work equals that of Weir's programs."""
    change(left, environment={"cpu": "A <CPU> & more"})
    assert adopt(left) == 0
    ours = store(tmp_path / "ours", changes={"items": 3050, "sinks": [
        {"id": "sink", "items": 3050, "expected": 3050, "digest": "f" * 16}],
        "parameters": adopted(left).results["parameters"]})
    capsys.readouterr()
    assert cli.main(["compare", str(ours.parent), str(tmp_path / "runs")]) == 4
    assert "digest" in capsys.readouterr().out
    assert adopted(left).results["parameters"]["gain.constant"] == 2.0


def test_what_such_a_program_says_has_the_meaning_that_it_has_in_results() -> None:
    """Check that unlisted names of the answer go into the results under the same name, and are checked there."""
    own = {"numbers", "started", "command"}
    assert set(shape.schema("reported")["properties"]) - own <= set(shape.schema("results")["properties"])
    for name in ("sinks", "trace", "runtime", "window"):
        told = shape.schema("reported")["properties"][name]
        inner = (told.get("items")
                 or next((it for it in told.get("anyOf", ()) if "properties" in it), told))["properties"]
        of = {"sinks": "sink"}.get(name, name)
        assert set(inner) <= set(shape.schema("results")["$defs"][of]["properties"]), name


def test_the_least_of_the_page_is_enough(left: Path) -> None:
    page = (PROJECT.parents[1] / "docs" / "tracepoints.md").read_text(encoding="utf-8")
    [least] = map(json.loads, re.findall(r"```json\n(.*?)```", page, re.DOTALL))
    assert set(least) - {"numbers", "trace"} == set(shape.schema("reported")["required"])
    write(left, least)
    write_trace(left / "trace", [])
    command = ["import", str(left), "--project", str(PROJECT), "--out", str(left.parent / "runs")]
    assert cli.main(command) == 4
    assert set(reasons(left)) == {"N_ADOPTED", "N_WHOLE_RUN", "E_LOST"}  # only the events are missing
