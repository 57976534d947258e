"""Test planners of others: found by their descriptor, executed only to plan, and checked before use."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from planning import deployed, machine, project
from stored_runs import store
from weir import ROOT, cli
from weir.diagnostics import Diagnostic, WeirError
from weir.engine.generation.outside_sources import outside_sources
from weir.model.catalog import Catalog, load_catalog
from weir.model.check import check
from weir.model.planning.plan import make_plan
from weir.model.planning.schedule import firings
from weir.standard_output import prints_to_stderr

CHAIN = project([{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
                 {"id": "gain", "type": "multiply_const", "parameters": {"constant": 2}},
                 {"id": "sink", "type": "digest_sink"}],
                ["source.out > gain.in", "gain.out > sink.in"], run={"items": 100_000})
IMPORTS = """from dataclasses import replace
from weir.model.planning.dynamic import plan as dynamic, streams_of, workers_of
from weir.model.planning.layout import lay_out
from weir.model.planning.placement import Job, Worker
from weir.model.planning.planner import Arrangement, NoPlan
from weir.model.planning.schedule import Fire, Loop, Schedule, WorkerSchedule

def scheduled(request, *worker_schedules):
    workers, schedule = workers_of(request), Schedule(worker_schedules)
    return Arrangement(workers, lay_out(request, schedule, streams_of(request, workers)), schedule=schedule)

def on_two(request, first, second):
    workers = Worker("w0", None, (), ("source", "gain")), Worker("w1", None, (), ("sink",))
    schedule = Schedule((WorkerSchedule("w0", first), WorkerSchedule("w1", second)))
    return Arrangement(workers, lay_out(request, schedule, streams_of(request, workers)), schedule=schedule)

STEPS = Fire("source", 8), Fire("gain", 8), Fire("sink", 8)

def with_worker(request, **change):
    made = dynamic(request)
    return replace(made, workers=(replace(made.workers[0], **change), *made.workers[1:]))

def with_stream(made, **change):
    return replace(made, streams=(replace(made.streams[0], **change), *made.streams[1:]))

def with_streams(made, kind, /, **change):
    return replace(made, streams=tuple(replace(s, **change) if s.kind == kind else s for s in made.streams))

def with_worker_schedules(request, *worker_schedules):
    return replace(scheduled(request, WorkerSchedule("w0", STEPS)), schedule=Schedule(worker_schedules))

def ring(request, **change):
    return with_streams(on_two(request, STEPS[:2], STEPS[2:]), "ring", **change)

def plan(request):
"""
#: First line of the function's body in planner.py.
FIRST = IMPORTS.count("\n") + 1


def scheduler(folder: Path, planner: str | None, **more) -> Path:
    """Return the folder above `mine`, a scheduler whose planner has these lines, or no file for None."""
    home = folder / "schedulers" / "mine"
    home.mkdir(parents=True, exist_ok=True)
    (home / "scheduler.json").write_text(json.dumps({
        "format": 1, "id": "mine", "title": "Mine", "workers": "chosen", "placement": True, "max_workers": 8,
        "wait": ["park"], "planner": "planner.py", **more}))
    (home / "mine.hpp").write_text("// a scheduler")
    if planner is not None:
        (home / "planner.py").write_text(IMPORTS + "".join(f"    {line}\n" for line in planner.splitlines()))
    return home.parent


def said_of(folder: Path, planner: str | None, wish: dict[str, object] | None = None, **more) -> list[Diagnostic]:
    """Return the messages about a plan by this planner; none for a valid plan."""
    catalog = load_catalog(scheduler_paths=[scheduler(folder, planner, **more)])
    try:
        planned(catalog, wish)
    except WeirError as error:
        return error.diagnostics
    return []


def planned(catalog: Catalog, wish: dict[str, object] | None = None):
    """Plan the deployment. `wish`: its settings."""
    it = check(json.dumps(deployed(CHAIN, scheduler="mine", **(wish or {"workers": 2}))), catalog=catalog)
    return make_plan(it.project, it.graph, catalog, machine("two_core")).plan


def test_a_planner_may_leave_the_schedule_to_the_run(tmp_path: Path) -> None:
    """Decide part of the plan, and leave the rest to Weir's own planner."""
    folder = scheduler(tmp_path, "made = dynamic(request)\n"
                                 "return replace(made, chunks={name: 48 for name in made.chunks})")
    plan = planned(load_catalog(scheduler_paths=[folder]))
    assert {b.chunk_items for b in plan.blocks} == {48} and plan.schedule is None


def test_a_planner_may_say_what_it_does_not_obey(tmp_path: Path) -> None:
    folder = scheduler(tmp_path, "return replace(dynamic(request), unheeded={'steps': 'only one fits'})")
    catalog = load_catalog(scheduler_paths=[folder])
    it = check(json.dumps(deployed(CHAIN, scheduler="mine", workers=2)), catalog=catalog)
    (said,) = [it for it in make_plan(it.project, it.graph, catalog, machine("two_core")).diagnostics
               if it.code == "W_TARGET_SETTING"]
    assert (said.pointer, said.message) == ("/deployments/0/parameters/steps", "only one fits")


def test_a_planner_that_imports_by_the_names_of_before_plans(tmp_path: Path) -> None:
    folder = scheduler(tmp_path, "workers = workers_of(request)\nassert isinstance(workers[0], Worker)\n"
                                 "return replace(dynamic(request), chunks=dict.fromkeys(dynamic(request).chunks, 48))")
    planner = folder / "mine" / "planner.py"
    planner.write_text(planner.read_text().replace("weir.model.planning", "weir.planning"))
    assert {b.chunk_items for b in planned(load_catalog(scheduler_paths=[folder])).blocks} == {48}


def test_a_planner_may_call_a_worker_as_its_block(tmp_path: Path) -> None:
    assert said_of(tmp_path, "return with_worker(request, name='gain')") == []


#: Lines of a planner, and the expected message.
FAULTS = {
    "raises": ("x = 1\nreturn x / 0", f"planner.py:{FIRST + 1}: ZeroDivisionError: division by zero"),
    "leaves": ("raise SystemExit(3)", f"planner.py:{FIRST}: SystemExit: 3"),
    "fails in what it calls": ("return lay_out(request, None, streams_of(request, workers_of(request)))",
                               f"planner.py:{FIRST}: AttributeError: "),
    "says a thing in two lines": ("raise ValueError('one\\ntwo')", "ValueError: one two"),
    "returns nothing": ("return None",
                        "`plan` returned a NoneType instead of a weir.model.planning.planner.Arrangement"),
    "returns lists of something": ("return Arrangement(['w0'], ())", "`workers` is a list instead of a tuple of"),
    "forgets a block": ("return with_worker(request, instances=('source',))", "`gain` is assigned to no worker"),
    "has more workers than are asked for": (
        "names = enumerate(('source', 'gain', 'sink'))\n"
        "return replace(dynamic(request), workers=tuple(Worker(f'w{i}', None, (), (n,)) for i, n in names))",
        "the arrangement has 3 workers, but the deployment requests 2"),
    "pins to a CPU that is not there": ("return with_worker(request, cpus=(99,))",
                                        "worker w0 is pinned to CPU 99, which is not available on this machine"),
    "has a block twice": ("made = dynamic(request)\nfirst = made.workers[0]\n"
                          "return replace(made, workers=(first, replace(first, name='w9')))",
                          "`gain` is assigned to both w0 and w9"),
    "invents a block": ("return with_worker(request, instances=('source', 'gain', 'sink', 'x'))",
                        "w0 runs `x`, but the flowgraph has no such instance"),
    "invents a CPU": ("return with_worker(request, cpus=(-1,))", "the CPUs of worker w0 are (-1,)"),
    "has jobs": ("return replace(dynamic(request), jobs=(Job('j', ('source', 'gain', 'sink')),))",
                 "scheduler.json has no `jobs`"),
    "has a stream grow that is no ring": ("return with_stream(dynamic(request), least_items=1)",
                                          "source.out grows from 1 items, but only rings grow"),
    "forgets a stream": ("made = dynamic(request)\nreturn replace(made, streams=made.streams[1:])",
                         "the stream source.out is missing"),
    "mistakes a stream": ("return with_streams(dynamic(request), 'linear', kind='ring')",
                          "both ends are on one worker, so it must be linear"),
    "makes no room": ("return with_streams(dynamic(request), 'linear', items=0)", "source.out has items 0"),
    "forgets a chunk": ("return replace(dynamic(request), chunks={})", "the chunk of `source` is None"),
    "has a block work where it cannot": ("return with_stream(dynamic(request), over='gain.out')",
                                         "source.out lies over 'gain.out', but `source` cannot work in place"),
    "has a block work in place in other sizes": (
        "made = dynamic(request)\nreturn with_stream(made, items=2 * made.streams[0].items)",
        "gain.out lies over source.out, but has a different number of items"),
    "has a block work in place in an arena": (
        "made = scheduled(request, WorkerSchedule('w0', STEPS))\n"
        "return replace(made, streams=tuple(replace(s, over='source.out') if s.source == 'gain' else s"
        " for s in made.streams))", "gain.out lies over 'source.out', but with a schedule"),
    "has a stream over a list": ("return with_stream(dynamic(request), over=['w0'])",
                                 "the `over` of a stream is a list instead of a text"),
    "puts streams into an arena": ("return with_streams(dynamic(request), 'linear', arena='w0', offset=0)",
                                   "source.out lies in an arena, but the plan has no schedule"),
    "fires what is elsewhere": ("return with_worker_schedules(request, WorkerSchedule('w0', (*STEPS, Fire('x'))))",
                                "w0 fires `x`, which the flowgraph does not have"),
    "never fires": ("return with_worker_schedules(request, WorkerSchedule('w0', STEPS[:2]))", "w0 never fires `sink`"),
    "fires half a time": ("return with_worker_schedules(request, WorkerSchedule('w0', (Fire('source', 0.5),)))",
                          "a step has 0.5 repetitions"),
    "has an empty loop": ("return with_worker_schedules(request, WorkerSchedule('w0', (Loop(2, ()),)))",
                          "a body is () instead of a tuple of steps"),
    "has no worker schedule": ("return with_worker_schedules(request)", "w0 has no worker schedule"),
    "has two worker schedules": ("return with_worker_schedules(request, *2 * [WorkerSchedule('w0', STEPS)])",
                         "w0 has two worker schedules"),
    **{f"calls a worker {name!r}": (f"return with_worker(request, name={name!r})",
                                    f"the name of a worker is {name!r} instead of the name of an instance")
       for name in ("W 0", "w\n#error", "", "w" * 65)},
    "has a worker schedule of a list": ("return with_worker_schedules(request, WorkerSchedule(['w0'], STEPS))",
                                "the `worker` of a worker schedule is a list instead of a text"),
    **{f"has a stream whose {name} is a list": (
        f"return with_stream(scheduled(request, WorkerSchedule('w0', STEPS)), {name}=['w0'])",
        f"the `{name}` of a stream is a list instead of") for name in ("source", "port", "arena", "offset")},
    "raises what is no Exception": ("class Odd(BaseException): pass\nraise Odd('odd')",
                                    f"planner.py:{FIRST + 1}: Odd: odd"),
    "names no parameters": ("return replace(dynamic(request), unheeded=('all',))",
                            "`unheeded` is ('all',) instead of a mapping from parameters to texts"),
    "gives no reason": ("return replace(dynamic(request), unheeded={'all': 7})",
                        "`unheeded` is {'all': 7} instead of a mapping from parameters to texts"),
    "calls itself": ("return plan(request)", "RecursionError: maximum recursion depth exceeded"),
    "has a chunk that is no number": ("return replace(dynamic(request), chunks={'source': float('nan')})",
                                      "the chunk of `source` is nan"),
    **{f"has {value} items": (f"return with_stream(dynamic(request), items={value})", f"source.out has items {said}")
       for value, said in (("True", "True"), ("-8", "-8"), ("0.5", "0.5"), ("10**5000", "a int"),
                           ("2**50", "1125899906842624"))},
    "has a stream too large": ("return with_stream(dynamic(request), items=2**30)",
                               "source.out has 4294967296 bytes, but at most 1073741824 are allowed"),
    "has an offset that is no number": ("return ring(request, offset=False)",
                                        "the `offset` of a stream is a bool instead of an integer"),
    "has a worker for nothing": ("made = dynamic(request)\n"
                                 "return replace(made, workers=(*made.workers, Worker('w7', None, (), ())))",
                                 "the worker w7 has no instance"),
    "calls a worker by a long number": ("return with_worker(request, name=10**5000)",
                                        "the name of a worker is a int instead of a text"),
    "has more steps than objects": (
        "made = on_two(request, STEPS[:2], STEPS[2:])\nbody = STEPS[2:]\n"
        "for _ in range(14):\n    body = (Loop(1, body),) * 9\n"
        "return replace(made, schedule=Schedule((made.schedule.worker_schedules[0], WorkerSchedule('w1', body))))",
        "w1: the loops have more than 100000 steps"),
    "has a loop within itself": (
        "made = on_two(request, STEPS[:2], STEPS[2:])\nbody = []\n"
        "body.append(Loop(2, body))\n"
        "return replace(made, schedule=Schedule((WorkerSchedule('w0', body), made.schedule.worker_schedules[1])))",
        "w0: loops are nested more than 16 deep"),
}

#: Likewise for invalid schedules, with the expected message and hint.
SPOILT = {
    "fires too often": ("steps = (Fire('source', 9), STEPS[1])\nreturn on_two(request, steps, STEPS[2:])",
                        "`source` fires 9 times and `gain` 8 times", "`gain` must fire 1 times as often"),
    "has a ring too large": (
        "return ring(request, items=2**30)",
        "the ring gain.out has 4294967296 bytes, but at most 1073741824 are allowed", "the deployment's `buffers`"),
    "has a ring in an arena": (
        "return ring(request, offset=0)",
        "gain.out connects two workers, but has a place in an arena", "without a place in an arena"),
    "writes more than there is": (
        "steps = tuple(Fire(step.instance, 2**29) for step in STEPS)\n"
        "return on_two(request, steps[:2], steps[2:])",
        "a call of `gain` writes 2147483648 bytes to gain.out, but at most 1073741824", "fewer firings in a call"),
}


@pytest.mark.parametrize("what", FAULTS)
def test_what_a_planner_does_wrong_is_reported(what: str, tmp_path: Path) -> None:
    lines, said = FAULTS[what]
    found = said_of(tmp_path, lines)
    assert {d.code for d in found} == {"E_PLANNER"} and found[0].pointer == "/deployments/0"
    assert said in " ".join(d.message for d in found), found
    assert not any("\n" in d.message for d in found)


@pytest.mark.parametrize("what", SPOILT)
def test_what_is_wrong_with_its_schedule_is_reported_with_advice(what: str, tmp_path: Path) -> None:
    lines, said, advice = SPOILT[what]
    found = said_of(tmp_path, lines)
    assert {(d.code, d.pointer) for d in found} == {("E_SCHEDULE", "/deployments/0")}
    assert any(said in d.message and advice in d.hint for d in found), found


def test_a_block_is_where_the_deployment_places_it(tmp_path: Path) -> None:
    wish = {"placement": {"strategy": "explicit", "map": {"source": "w0", "sink": "w1"}}}
    lines = "return on_two(request, STEPS[:2], STEPS[2:])"
    assert not said_of(tmp_path, lines, wish)
    wish["placement"]["map"]["gain"] = "w1"
    [found] = said_of(tmp_path, lines, wish)
    assert found.code == "E_PLANNER" and "`gain` is assigned to w0, but the deployment places it on w1" in found.message


def test_a_firing_on_two_workers_is_refused(tmp_path: Path) -> None:
    """Fire one worker's block on both workers."""
    lines = ("made = dynamic(request)\na, b = ('source',), ('gain', 'sink')\n"
             "workers = tuple(Worker(n, None, (), i) for n, i in (('w0', a), ('w1', b)))\n"
             "schedule = Schedule((WorkerSchedule('w0', (Fire('source', 8),)), WorkerSchedule('w1', STEPS)))\n"
             "return Arrangement(workers, lay_out(request, schedule, streams_of(request, workers)), schedule=schedule)")
    assert "w1 fires `source`, which is assigned to w0" in said_of(tmp_path, lines)[0].message


def test_what_was_requested_is_not_the_planners_to_change(tmp_path: Path) -> None:
    lines = ("deployment, graph, rates = request.deployment, request.graph, request.rates\n"
             "deployment.parameters['depth'] = 1\ndeployment.affinity['w0'] = (1,)\n"
             "graph.by_name['gain'].parameters['constant'] = 7\nrates.firings['gain'] = 3\n"
             "graph.by_name['gain'].type.behaviour['rates'] = 'varying'\nreturn dynamic(request)")
    depth = {"id": "depth", "title": "Depth", "type": "i64", "default": 4, "structural": True, "documentation": "."}
    catalog = load_catalog(scheduler_paths=[scheduler(tmp_path, lines, parameters=[depth])])
    plan = planned(catalog)
    assert plan.deployment.parameters == {"depth": 4} and not plan.deployment.affinity
    assert {b.instance: b for b in plan.blocks}["gain"].parameters["constant"] == 2
    assert catalog.blocks["multiply_const"].rates == load_catalog().blocks["multiply_const"].rates != "varying"


def test_what_a_planner_goes_by_is_structural(tmp_path: Path) -> None:
    """Check this because a `--param` of the program would have no effect on these parameters."""
    depth = {"id": "depth", "title": "Depth", "type": "i64", "default": 4, "documentation": "."}
    sound = {**depth, "id": "a", "structural": True}
    folder = scheduler(tmp_path, "return dynamic(request)", parameters=[sound, depth])
    with pytest.raises(WeirError) as raised:
        load_catalog(scheduler_paths=[folder])
    [fault] = raised.value.diagnostics
    assert (fault.code, fault.pointer) == ("E_DESCRIPTOR", "/parameters/1") and '"structural"' in fault.hint
    assert "depends on `depth`" in fault.message


def test_a_planner_that_is_not_there_or_is_none(tmp_path: Path) -> None:
    [missing] = said_of(tmp_path / "a", None)
    assert missing.code == "E_PLANNER" and "planner.py: FileNotFoundError" in missing.message
    folder = scheduler(tmp_path / "b", "")
    for text, said in (("def plan(:\n", "planner.py:1: SyntaxError"), ("plan = 3\n", "has no function `plan`")):
        (folder / "mine" / "planner.py").write_text(text)
        with pytest.raises(WeirError) as raised:
            planned(load_catalog(scheduler_paths=[folder]))
        [fault] = raised.value.diagnostics
        assert fault.code == "E_PLANNER" and said in fault.message


def test_a_planner_may_refuse_with_a_reason_and_advice(tmp_path: Path) -> None:
    [fault] = said_of(tmp_path, "raise NoPlan('`gain` has\\nno twin', 'draw\\nanother one')")
    assert (fault.code, fault.hint) == ("E_PLANNER_REFUSES", "draw another one")
    assert fault.message == "`mine` has no plan: `gain` has no twin"
    [fault] = said_of(tmp_path, "raise NoPlan('no', 7)")
    assert fault.hint == "7"


def test_a_schedule_too_long_to_be_gone_through_gets_no_places(tmp_path: Path) -> None:
    [fault] = said_of(tmp_path, "return scheduled(request, WorkerSchedule('w0', (Loop(10**5, STEPS),)))")
    assert fault.code == "E_PLANNER_REFUSES" and "300000 calls of work" in fault.message and fault.hint


def test_a_block_that_moves_what_it_likes_is_in_no_schedule(tmp_path: Path) -> None:
    catalog = load_catalog(scheduler_paths=[
        scheduler(tmp_path, "return scheduled(request, WorkerSchedule('w0', STEPS))")])
    varying = replace(catalog.blocks["multiply_const"],
                      behaviour={**catalog.blocks["multiply_const"].behaviour, "rates": "varying"})
    with pytest.raises(WeirError) as raised:
        planned(replace(catalog, blocks={**catalog.blocks, "multiply_const": varying}))
    assert "`gain` is in a schedule although its rates vary" in raised.value.diagnostics[0].message


def test_only_planning_executes_a_planner(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    mark = tmp_path / "mark"
    folder = scheduler(tmp_path, f"open({str(mark)!r}, 'a').write('x')\nreturn dynamic(request)")
    file = tmp_path / "p.weir.json"
    file.write_text(json.dumps(deployed(CHAIN, scheduler="mine", workers=2)))
    for verb in ("validate", "catalog", "format"):
        project_file = [] if verb == "catalog" else [str(file)]
        paths = [] if verb == "format" else ["--scheduler-path", str(folder)]
        assert cli.main([verb, *project_file, *paths]) == 0 and not mark.exists(), verb
    # A folder that no option names is ignored, wherever the project is.
    file.rename(folder / file.name)
    assert cli.main(["plan", str(folder / file.name)]) == 1 and not mark.exists()
    assert cli.main(["plan", str(folder / file.name), "--scheduler-path", str(folder)]) == 0 and mark.exists()
    assert not list(folder.rglob("__pycache__"))


def test_what_a_planner_prints_is_not_in_the_answer(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    folder = scheduler(tmp_path, "print('while planning')\nreturn dynamic(request)")
    with (folder / "mine" / "planner.py").open("a") as file:
        file.write("\nprint('while loading')\n")
    file = tmp_path / "p.weir.json"
    file.write_text(json.dumps(deployed(CHAIN, scheduler="mine", workers=2)))
    assert cli.main(["plan", str(file), "--json", "--scheduler-path", str(folder)]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["scheduler"] == "mine"
    assert "while loading\nwhile planning\n" in said.err


def test_standard_output_is_put_back_whichever_thread_ends_last(capsys: pytest.CaptureFixture) -> None:
    """Capture output in several threads, because the deployments of one command are built in parallel."""
    first, second = prints_to_stderr(), prints_to_stderr()
    before = sys.stdout
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(1) as other:
        for pool, step in ((one, first.__enter__), (other, second.__enter__)):
            pool.submit(step).result()
        one.submit(first.__exit__, None, None, None).result()
        other.submit(print, "of the other").result()
        assert sys.stdout is not before
        other.submit(second.__exit__, None, None, None).result()
    assert sys.stdout is before
    print("the answer")
    assert capsys.readouterr() == ("the answer\n", "of the other\n")


def test_a_run_keeps_its_planner_and_a_rerun_asks_before_it_executes_it(tmp_path: Path, capsys, monkeypatch) -> None:
    mark = tmp_path / "mark"
    folder = scheduler(tmp_path, f"open({str(mark)!r}, 'a').write('x')\nreturn dynamic(request)")
    (folder / "mine" / "more.py").write_text("# what the planner imports")
    catalog = load_catalog(scheduler_paths=[folder])
    kept = outside_sources(planned(catalog), catalog)
    assert sorted(kept) == [f"schedulers/mine/{name}"
                            for name in ("mine.hpp", "more.py", "planner.py", "scheduler.json")]
    file = tmp_path / "p.weir.json"
    file.write_text(json.dumps(deployed(CHAIN, scheduler="mine", workers=2)))
    monkeypatch.setattr("stored_runs.check", partial(check, catalog=catalog))
    run = store(tmp_path / "runs", project=file)
    for name, data in kept.items():
        (run / "sources" / name).parent.mkdir(parents=True, exist_ok=True)
        (run / "sources" / name).write_bytes(data)
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in kept.items()}
    (run / "run.json").write_text(json.dumps({**json.loads((run / "run.json").read_text()), "kept": hashes}))
    mark.unlink()
    monkeypatch.setattr("weir.engine.pipeline.Pipeline.build", lambda *_: pytest.skip("planned"))
    assert cli.main(["reproduce", str(run)]) == 2 and not mark.exists()
    assert "E_UNTRUSTED" in capsys.readouterr().err
    with pytest.raises(pytest.skip.Exception, match="planned"):
        cli.main(["reproduce", str(run), "--trust"])
    assert mark.exists()


def test_the_planner_that_the_page_shows_makes_a_schedule(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "write-a-scheduler.md").read_text()
    [code] = [text for text in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "def plan(" in text]
    folder = scheduler(tmp_path, "")
    (folder / "mine" / "planner.py").write_text(code)
    schedule = planned(load_catalog(scheduler_paths=[folder])).schedule
    assert {name for own in schedule.worker_schedules for name in firings(own.body)} == {"source", "gain", "sink"}
