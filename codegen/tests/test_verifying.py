"""Test the judgement of a verification without a compiler: numpy's result for a graph, and remembered verdicts."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import json
import os
import tempfile
from pathlib import Path

import numpy as np
import pytest
from planning import project
from weir.diagnostics import WeirError, diagnostic
from weir.engine.measuring import runner
from weir.engine.measuring.child import Interrupts
from weir.engine.measuring.listener import Listener
from weir.engine.measuring.runnable import Runnable, RunOptions
from weir.engine.targets.interface import Order, Program
from weir.engine.verifying import cache, evaluation, verify
from weir.engine.verifying.evaluation import Conditions, evaluate
from weir.engine.verifying.references import library, missing
from weir.engine.verifying.verification import Unverified, Verification, by_another, by_numpy
from weir.engine.verifying.verify import VerificationRequest, largest_prime, verified, with_parameters
from weir.machine.processes import place
from weir.model import ownership
from weir.model.check import check
from weir.model.flowgraph.graph import Graph

ITEMS = 1009
TAP = ("scale", "out")


def graph_of(*blocks: dict, wires: list[str], catalog=None):
    checked = check(json.dumps(project(list(blocks), wires)), catalog=catalog)
    assert checked.graph is not None, checked.diagnostics
    return checked.graph


@pytest.fixture(scope="module")
def floats(library):
    """Return small integers scaled by a factor that no float has, and a head with more items than any run here."""
    return graph_of({"id": "noise", "type": "random_source", "parameters": {"item_type": "f32"}},
                    {"id": "limit", "type": "head", "parameters": {"items": 10**9}},
                    {"id": "scale", "type": "multiply_const", "parameters": {"constant": 0.1}},
                    {"id": "end", "type": "null_sink"}, {"id": "raw", "type": "null_sink"},
                    wires=["noise.out > limit.in", "limit.out > scale.in", "scale.out > end.in",
                           "limit.out > raw.in"], catalog=library)


def counted(items: int = ITEMS) -> Conditions:
    return Conditions(items, 1, Path(), counted=True)


def answer(graph, recorded: dict | None = None, items: int = ITEMS) -> tuple[dict, object]:
    """Return the output of a faultless program, and numpy's."""
    made = evaluate(graph, counted(items), recorded)
    sinks = [{"id": name, "items": n, "expected": n, "digest": f"{digest:016x}"}
             for name, (n, digest) in made.sinks.items()]
    return {"sinks": sinks, "reasons": [], "parameters": {}, "elapsed_s": 1e-3, "scheduler": "flow"}, made


@pytest.mark.parametrize("wrong", [-1, 0.5, evaluation.EXACT, -0.0, np.nan, np.inf, 1j])
def test_one_item_that_is_no_small_integer_is_found_wherever_it_is(wrong):
    items = np.arange(2 * evaluation.PIECE + 3) % 100 * (1 + 0j if wrong == 1j else 1.0)
    assert evaluation._small_integers(items) and evaluation._small_integers(np.float64(3))
    for at in (0, evaluation.PIECE - 1, evaluation.PIECE, len(items) - 1):
        other = wrong / 2 if wrong == 1j else wrong
        assert not evaluation._small_integers(np.where(np.arange(len(items)) == at, other, items))


def test_every_source_counts_and_ends_with_the_run(floats):
    results, made = answer(floats)
    pattern = library().counter_pattern(ITEMS, "f32")
    assert made.sinks["raw"] == (ITEMS, library().digest(pattern))
    assert made.inexact == [TAP] and made.streams == {} and made.peak_bytes == 2 * 4 * ITEMS


def test_a_head_with_fewer_items_ends_earlier_and_rates_leave_tails(library):
    graph = graph_of({"id": "count", "type": "counter_source", "parameters": {"item_type": "i32"}},
                     {"id": "limit", "type": "head", "parameters": {"items": 500}},
                     {"id": "third", "type": "keep_one_in_n", "parameters": {"n": 3}},
                     {"id": "end", "type": "null_sink"},
                     wires=["count.out > limit.in", "limit.out > third.in", "third.out > end.in"], catalog=library)
    made = evaluate(graph, counted())
    assert made.sinks["end"][0] == 166 and made.tails["third"] == 2


def test_recorded_floats_pass_within_the_bound_and_are_reported_beyond_it(floats):
    right = library().counter_pattern(ITEMS, "f32") * np.float32(0.1)
    results, made = answer(floats, {TAP: right})
    found = by_numpy(floats, results, made, "0" * 64)
    assert found.ok and found.items == 2 * ITEMS and "within its bounds" in found.message
    end, raw = found.sinks
    assert end.bound_ulp and end.error_ulp <= end.bound_ulp and raw.bound_ulp is None
    wrong = right * np.float32(1 + 1e-5)
    results, made = answer(floats, {TAP: wrong})
    found = by_numpy(floats, results, made, "0" * 64)
    assert not found.ok and found.message.startswith("scale.out (multiply_const) is ")
    assert [sink.ok for sink in found.sinks] == [False, True]
    results, made = answer(floats, {TAP: right[:-1]})
    next(sink for sink in results["sinks"] if sink["id"] == "end")["items"] -= 1
    assert "made 1 008 items, but the reference has 1 009" in by_numpy(floats, results, made, "0" * 64).message


def test_a_block_may_stop_early_behind_a_reader_that_ended_but_not_at_the_cost_of_a_sink(library):
    graph = graph_of({"id": "long", "type": "counter_source", "parameters": {"item_type": "f32"}},
                     {"id": "scale", "type": "multiply_const", "parameters": {"constant": 0.1}},
                     {"id": "short", "type": "counter_source", "parameters": {"item_type": "f32"}},
                     {"id": "limit", "type": "head", "parameters": {"items": 500}},
                     {"id": "sum", "type": "add"}, {"id": "end", "type": "null_sink"},
                     wires=["long.out > scale.in", "scale.out > sum.in0", "short.out > limit.in",
                            "limit.out > sum.in1", "sum.out > end.in"], catalog=library)
    pattern = evaluation.library().counter_pattern(ITEMS, "f32")
    scaled = pattern * np.float32(0.1)
    added = (scaled + pattern)[:500]
    for stopped in (ITEMS, 700, 500):
        results, made = answer(graph, {TAP: scaled[:stopped], ("sum", "out"): added})
        assert made.sinks["end"][0] == 500 and by_numpy(graph, results, made, "").ok, stopped
    wrong = scaled[:700] * np.float32(1 + 1e-5)
    results, made = answer(graph, {TAP: wrong, ("sum", "out"): added})
    assert by_numpy(graph, results, made, "").message.startswith("scale.out (multiply_const) is ")
    results, made = answer(graph, {TAP: scaled[:400], ("sum", "out"): added[:400]})
    results["sinks"][0]["items"] = 400
    said = by_numpy(graph, results, made, "").message
    assert "sum.out (add) made 400 items, but the reference has 500" in said
    assert "end got 400 items, but the reference has 500" in said


def test_nobody_knows_the_bits_of_a_nan(library):
    """Compute 0 / 0, and copy it exactly."""
    graph = graph_of({"id": "count", "type": "counter_source", "parameters": {"item_type": "c64"}},
                     {"id": "ratio", "type": "divide"}, {"id": "same", "type": "copy"},
                     {"id": "end", "type": "null_sink"},
                     wires=["count.out > ratio.in0", "count.out > ratio.in1", "ratio.out > same.in",
                            "same.out > end.in"],
                     catalog=library)
    made = np.ones(5, np.complex64)
    made.view(np.uint32)[:2] = 0xFFC00001, 0x7FC00002
    ports = [("ratio", "out"), ("same", "out")]
    assert evaluate(graph, counted(5)).inexact == ports
    results, found = answer(graph, dict.fromkeys(ports, made), 5)
    assert by_numpy(graph, results, found, "").ok
    for i, name in ((1, "ratio.out"), (3, "same.out")):
        wrong = made.copy()
        wrong[i] = 1.01
        recorded = {port: wrong if ".".join(port) == name else made for port in ports}
        results, found = answer(graph, recorded, 5)
        assert by_numpy(graph, results, found, "").message.startswith(name)


def test_a_half_turn_may_go_either_way_and_nothing_else(library):
    graph = graph_of({"id": "count", "type": "counter_source", "parameters": {"item_type": "c64"}},
                     {"id": "turn", "type": "quadrature_demod", "parameters": {"sample_rate": 2, "deviation": 1}},
                     {"id": "end", "type": "null_sink"}, wires=["count.out > turn.in", "turn.out > end.in"],
                     catalog=library)
    waves = {("count", "out"): np.array([1, -1, 1j, 1, 1], np.complex64)}
    for made, ok in (([0, 1, -0.5, -0.5, 0], True), ([0, -1, -0.5, -0.5, 0], True), ([0, 1, 0.5, -0.5, 0], False),
                     ([0, 1, -0.5, -0.5, 1], False), ([0, 1, 1.5, -0.5, 0], False)):
        recorded = {**waves, ("turn", "out"): np.array(made, np.float32)}
        assert evaluate(graph, counted(5), recorded).judged["turn", "out"].ok == ok, made
    waves = {("count", "out"): np.array([0, -1 - 1j, 0, 1], np.complex64), ("turn", "out"): np.zeros(4, np.float32)}
    assert evaluate(graph, counted(4), waves).judged["turn", "out"].ok


@pytest.mark.parametrize("change, said", [({"digest": "0" * 16}, "the items of raw differ from the reference"),
                                          ({"items": 1000}, "raw got 1 000 items, but the reference has 1 009")])
def test_a_sink_that_differs_is_named(floats, change, said):
    right = library().counter_pattern(ITEMS, "f32") * np.float32(0.1)
    results, made = answer(floats, {TAP: right})
    results["sinks"][1].update(change)
    found = by_numpy(floats, results, made, "0" * 64)
    assert not found.ok and said in found.message and [sink.ok for sink in found.sinks] == [True, False]
    measured = {"verification": None, "reasons": [], "status": "ok"}
    found.add_to(measured)
    assert measured["status"] == "invalid" and measured["reasons"][0]["code"] == "E_VERIFY"
    assert measured["verification"] == found.as_json() == Verification.from_json(found.as_json()).as_json()


def test_parameters_of_the_command_line_count(floats):
    changed = with_parameters(floats, {"scale.constant": 2, "other.x": 1}, ["scale.constant"])
    assert evaluate(changed, counted()).inexact == []
    assert changed.instance("scale").parameters["constant"] == 2
    assert floats.instance("scale").parameters["constant"] == 0.1


def test_two_binaries_beside_each_other():
    def ran(scheduler: str, digest: str, items: int = 5) -> dict:
        return {"scheduler": scheduler, "sinks": [{"id": "end", "items": items, "digest": digest}]}

    mine, why = ran("single_thread", "a"), "`x` has no reference.py"
    equal = by_another(mine, ran("thread_per_block", "a"), "", why)
    assert equal.ok and equal.scheduler == "thread_per_block"
    assert equal.message == "5 items equal to those under thread_per_block (`x` has no reference.py)"
    for other in (ran("thread_per_block", "b"), ran("thread_per_block", "a", 6)):
        found = by_another(mine, other, "", why)
        assert not found.ok and "the items of end differ from those under thread_per_block" in found.message


@pytest.fixture
def alone(tmp_path, kinds, floats, monkeypatch) -> VerificationRequest:
    """Return a program of one thread, with a block without reference that refuses its options."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (kinds[0].folder / "reference.py").unlink()
    graph = dataclasses.replace(floats, instances=tuple(
        dataclasses.replace(i, type=kinds[0]) if i.name == "scale" else i for i in floats.instances))
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\necho 'error: no such thing' >&2; exit 2\n")
    program.chmod(0o755)
    return VerificationRequest(Program.of(program), {"run": {"seed": 1}, "target": "cpp_app"}, graph, tmp_path,
                               another=lambda: Program.of(program))


def test_a_program_that_refuses_its_options_is_reported_and_not_called_unverified(alone):
    with pytest.raises(WeirError) as caught:
        verified(alone, Interrupts())
    assert caught.value.diagnostics[0].code == "E_USAGE"


def test_where_there_is_no_other_program_nothing_is_said_against_this_one(alone, monkeypatch):
    def another():
        raise WeirError(diagnostic("E_BUILD_FAILED", "", "it does not build"))

    ran = {"scheduler": "single_thread", "sinks": [], "reasons": [], "elapsed_s": 1e-3}
    monkeypatch.setattr(verify, "_run", lambda *_: contextlib.nullcontext((ran, None)))
    found = verified(dataclasses.replace(alone, another=another), Interrupts())
    assert isinstance(found, Unverified) and found.message.endswith("under another scheduler: it does not build")


def test_primes():
    assert [largest_prime(n) for n in (2, 10, 10_007, 1_000_003, 999_999)] == [2, 7, 10_007, 1_000_003, 999_983]
    assert all(largest_prime(n) == n for n in (verify.FEW, verify.FIRST, verify.MOST))


class Answering:
    """Replacement for `verify._run`: a program that answers as numpy does, at a given speed."""

    def __init__(self, monkeypatch, items_per_s: float, spoil: bool = False):
        self.asked: list[tuple[int, tuple]] = []
        self.items_per_s, self.spoil = items_per_s, spoil
        self.folder: Path | None = None
        monkeypatch.setattr(verify, "_run", self._run)

    def _run(self, it, items, taps, interrupts):
        @contextlib.contextmanager
        def ran():
            self.asked.append((items, tuple(taps)))
            if items / self.items_per_s > verify.PATIENCE_S:
                raise verify._TooSlow
            with tempfile.TemporaryDirectory() as folder:
                right = library().counter_pattern(items, "f32") * np.float32(0.1)
                for i, _ in enumerate(taps):
                    right.tofile(Path(folder) / f"tap-{i}.items")
                results, _ = answer(it.graph, dict.fromkeys(taps, right), items)
                results["elapsed_s"] = items / self.items_per_s
                if self.spoil:
                    results["sinks"][0]["digest"] = "0" * 16
                yield results, Order(Path(folder), Path(folder))
        return ran()


@pytest.fixture
def subject(tmp_path, floats, monkeypatch) -> VerificationRequest:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(verify, "NUMPY_S", 1e9)
    binary = tmp_path / "binary"
    binary.write_bytes(b"1")
    return VerificationRequest(Program.of(binary), {"run": {"seed": 1}}, floats, tmp_path)


def test_a_second_of_the_program_and_at_most_a_million_items(subject, monkeypatch):
    fast = Answering(monkeypatch, 1e12)
    assert verified(subject, Interrupts(), True).items == 2 * verify.MOST
    # From the second run on, it records what numpy cannot know to the bit.
    assert fast.asked[:2] == [(verify.FIRST, ()), (verify.FIRST, (TAP,))] and fast.asked[-1] == (verify.MOST, (TAP,))
    slower = Answering(monkeypatch, 50_000)
    assert verified(subject, Interrupts(), True).items == 2 * largest_prime(50_000)
    assert max(items for items, _ in slower.asked) <= 50_000


def test_a_slow_program_is_verified_with_few_items_and_one_that_is_slower_not_at_all(subject, monkeypatch):
    Answering(monkeypatch, 10)
    assert verified(subject, Interrupts(), True).items == 2 * verify.FEW
    Answering(monkeypatch, 1)
    found = verified(subject, Interrupts(), True)
    assert isinstance(found, Unverified) and not found.ok and len(list(cache.ANSWERS.folder.glob("*"))) == 1
    results = {"verification": None, "reasons": [], "status": "ok"}
    found.add_to(results)
    assert results["status"] == "ok" and [r["code"] for r in results["reasons"]] == ["N_NOT_VERIFIED"]


def test_a_branch_that_no_item_reaches_is_not_verified(subject, library, monkeypatch):
    rare = {"id": "rare", "type": "keep_one_in_n", "parameters": {"n": 1_000_000, "vector": 1000}}
    source = {"id": "noise", "type": "counter_source", "parameters": {"item_type": "f32"}}
    far = graph_of(source, rare, {"id": "all", "type": "null_sink"}, {"id": "few", "type": "null_sink"},
                   wires=["noise.out > all.in", "noise.out > rare.in", "rare.out > few.in"], catalog=library)
    program = Answering(monkeypatch, 1e12)
    found = verified(dataclasses.replace(subject, graph=far), Interrupts())
    assert program.asked[-1] == (verify.MOST, ()) and isinstance(found, Unverified)
    assert found.message == "no item reached `few` within the verification's 1\u202f000\u202f003 items"
    wrong = Answering(monkeypatch, 1e12, spoil=True)
    assert isinstance(verified(dataclasses.replace(subject, graph=far), Interrupts()), Verification) and wrong.asked


def test_a_target_that_records_nothing_is_told_what_is_not_exact(subject, monkeypatch):
    Answering(monkeypatch, 1e12)
    found = verified(dataclasses.replace(subject, plan={**subject.plan, "target": "other"}, can=("counted",)),
                     Interrupts())
    assert isinstance(found, Unverified)
    assert found.message == "scale.out is not exact, and programs of target `other` do not record their output"


def test_what_is_known_is_not_asked_again_and_a_failure_is_said_again(subject, monkeypatch):
    program = Answering(monkeypatch, 1e12)
    first = verified(subject, Interrupts())
    assert first.ok and cache.load(next(cache.ANSWERS.folder.glob("*")).stem) == first
    program.asked.clear()
    assert verified(dataclasses.replace(subject), Interrupts()) == first and program.asked == []
    assert verified(subject, Interrupts(), anew=True).ok and program.asked
    wrong = Answering(monkeypatch, 1e12, spoil=True)
    assert not verified(subject, Interrupts(), anew=True).ok
    wrong.asked.clear()
    again = verified(subject, Interrupts())
    assert not again.ok and verify.KNOWN in again.message and wrong.asked == []


def test_a_damaged_memory_is_none(subject, monkeypatch):
    Answering(monkeypatch, 1e12)
    verified(subject, Interrupts())
    path = next(cache.ANSWERS.folder.glob("*"))
    for text in ("{", "[]", "{}", '{"ok": true, "sinks": [1]}'):
        path.write_text(text)
        assert cache.load(path.stem) is None


def test_what_a_killed_verification_left_goes_with_the_next(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    left, strangers = (cache.ANSWERS.folder / f"{cache.SCRATCH}{name}" for name in ("left", "strangers"))
    for folder in (left, strangers):
        folder.mkdir(parents=True)
        (folder / "tap-0.items").write_bytes(b"1")
    dead = {"pid": 2**22 + 1, "start": 1, **place()}
    ownership.mark(left, ownership.Marker(ownership.RUN, left.name, ownership.WHOLE, dead))
    with cache.scratch() as one:
        assert not left.exists()
        with cache.scratch() as other:
            assert one != other and one.is_dir() and other.is_dir()
    assert list(cache.ANSWERS.folder.iterdir()) == [strangers] and (strangers / "tap-0.items").exists()


def test_a_full_disk_speaks_neither_for_nor_against_a_binary(tmp_path, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(verify, "verify", full)
    (tmp_path / "program").write_bytes(b"")
    subject = VerificationRequest(Program.of(tmp_path / "program"), {"run": {"seed": 1}}, Graph((), ()), tmp_path)
    found = verified(subject, Interrupts())
    assert isinstance(found, Unverified) and "space" in found.message


def test_a_program_that_cannot_write_its_answer_is_no_wrong_one(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    program = tmp_path / "program"
    for words in ("exit 3", "echo 'error: cannot write: No space left on device'; exit 4"):
        program.write_text(f"#!/bin/sh\n{words}\n")
        program.chmod(0o755)
        subject = VerificationRequest(Program.of(program), {"run": {"seed": 1}}, Graph((), ()), tmp_path)
        found = verified(subject, Interrupts())
        assert isinstance(found, Unverified) and "space" in found.message


def test_an_interrupted_verification_measures_nothing(tmp_path):
    interrupts, said = Interrupts(), []

    def verify_it(params, given, anew):
        given.count += 1
        said.append((tuple(params), anew))

    it = Runnable({}, tmp_path, {"deployment": "d"}, {}, Program.of(tmp_path), {}, "", verify=verify_it)
    with pytest.raises(KeyboardInterrupt):
        runner._verify(it, RunOptions(tmp_path, params=("a.b=1",)), interrupts, Listener(said.append))
    assert said == ["d: verifying", (("a.b=1",), False)]


@pytest.fixture
def kinds(tmp_path, floats):
    """Return one block type in a separate folder."""
    folder = tmp_path / "multiply_const"
    folder.mkdir()
    kind = floats.instance("scale").type
    for name in ("block.json", "reference.py"):
        (folder / name).write_bytes((kind.folder / name).read_bytes())
    return [dataclasses.replace(kind, folder=folder, uses=("volk",))]


def test_the_memory_is_of_the_same_thing_on_the_same_ground(kinds, monkeypatch):
    def key(binary="a", params=(), seed=1):
        return cache.key(binary, params, seed, kinds)

    first = key()
    assert key() == first
    assert len({first, key("b"), key(params=("scheduler.grain=2",)), key(seed=2)}) == 4
    for name in ("cpu_identity", "volk_machine", "volk_version"):
        with monkeypatch.context() as changed:
            changed.setattr(cache, name, lambda: "another")
            assert key() != first, name
    with monkeypatch.context() as changed:
        changed.setattr(cache, "_code", lambda: ["another"])
        assert key() != first
    for name in ("block.json", "reference.py"):
        path = kinds[0].folder / name
        text = path.read_text()
        path.write_text(text + "\n")
        assert key() != first, name
        path.write_text(text)
    assert key() == first


def test_a_block_without_a_reference_is_named(kinds):
    assert missing(kinds) == []
    (kinds[0].folder / "reference.py").unlink()
    assert missing(kinds) == ["multiply_const"]
