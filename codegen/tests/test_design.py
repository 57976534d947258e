"""Test `weir design`: taps against other programs, measured facts, designs beside stored taps, and bad input."""

from __future__ import annotations

import io
import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from conftest import CODEGEN
from planning import EXAMPLES
from weir import cli
from weir.interop.grc.expressions.taps import designed
from weir.model.check import check
from weir.model.designing import fir, response
from weir.model.designing.design import FIELDS, KINDS, Design, as_f32, faults
from weir.model.designing.fir import WINDOWS, weights
from weir.model.designing.stored import gives
from weir.model.document import shape

FIRDES = json.loads((CODEGEN / "tests/fixtures/firdes.json").read_text(encoding="utf-8"))["designs"]
RADIO = EXAMPLES / "fm_receiver.weir.json"
LOW_PASS = ("low_pass", "--sample-rate", "960k", "--cutoff", "115k", "--transition", "36k")
KAISER = Design("low_pass", 48e3, 6e3, transition=2e3, window="kaiser", attenuation_db=60.0)


def answer(capsys: pytest.CaptureFixture, *words: str) -> dict:
    assert cli.main(["design", *words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("design")).validate(found)
    return found


def refused(capsys: pytest.CaptureFixture, *words: str) -> tuple[int, list[tuple[str, str]]]:
    """Return the exit code, and code and pointer of each diagnostic."""
    code = cli.main(["design", *words, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["ok"] is False and all(d["hint"] for d in found["diagnostics"])
    return code, [(d["code"], d["pointer"]) for d in found["diagnostics"]]


@pytest.mark.parametrize("function,arguments,theirs", FIRDES, ids=lambda v: v if isinstance(v, str) else "")
def test_taps_are_those_of_firdes(function: str, arguments: list, theirs: list[float]) -> None:
    mine = designed(function, arguments, {})
    assert len(mine) == len(theirs)
    is_complex = function.startswith("complex")
    pairs = np.array([[tap.real, tap.imag] for tap in mine] if is_complex else mine)
    # Single precision; the other program also normalises in single precision.
    assert np.max(np.abs(pairs - theirs)) < 2e-7 * np.max(np.abs(theirs))
    assert is_complex or mine == mine[::-1]


@pytest.mark.parametrize("attenuation,width", [(25, 0.1), (40, 0.05), (60, 0.02), (90, 0.1), (120, 0.05)])
def test_a_kaiser_window_is_that_of_scipy(attenuation: float, width: float) -> None:
    signal = pytest.importorskip("scipy.signal")
    count, beta = signal.kaiserord(attenuation, width)
    design = Design("low_pass", 2.0, 0.3, transition=width, window="kaiser", attenuation_db=attenuation)
    assert (design.count(), design.window_beta()) == (count | 1, pytest.approx(beta))
    theirs = signal.firwin(count | 1, 0.3, window=("kaiser", beta))
    assert design.taps() == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("window", [w for w in WINDOWS if w != "kaiser"])
def test_windows_and_band_kinds_are_those_of_scipy(window: str) -> None:
    signal = pytest.importorskip("scipy.signal")
    name = {"rectangular": "boxcar", "blackman_harris": "blackmanharris"}.get(window, window)
    assert weights(window, 33) == pytest.approx(signal.get_window(name, 33, fftbins=False), abs=1e-12)
    theirs = signal.firwin(33, [0.2, 0.5], window=name, pass_zero=False)
    assert fir.band_pass(2.0, 0.2, 0.5, weights(window, 33)) == pytest.approx(theirs, abs=1e-12)
    theirs = signal.firwin(33, 0.4, window=name, pass_zero=False)
    assert fir.high_pass(2.0, 0.4, weights(window, 33)) == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("asked", [30.0, 45.0, 60.0, 80.0, 100.0])
def test_what_kaiser_is_asked_for_is_measured(asked: float) -> None:
    design = Design("low_pass", 48e3, 6e3, transition=1e3, window="kaiser", attenuation_db=asked)
    taps = [as_f32(tap) for tap in design.taps()]
    found = response.facts(design, response.magnitude_db(taps), len(taps))
    # Kaiser's formulas are this accurate; the measured value is shown.
    assert asked - 1 < found["stopband_attenuation_db"] < asked + 3


def test_facts_are_those_of_the_response() -> None:
    """Sum the taps at each frequency, on a far finer grid than the transform's."""
    design = Design("band_pass", 48e3, low_cutoff=5e3, high_cutoff=9e3, transition=2e3, gain=2.0)
    taps = design.taps()
    found = response.facts(design, response.magnitude_db(taps), len(taps))
    assert (found["passband_hz"], found["stopband_hz"]) == ([[6e3, 8e3]], [[0.0, 4e3], [10e3, 24e3]])
    assert (found["delay_items"], found["delay_s"]) == ((len(taps) - 1) / 2, pytest.approx((len(taps) - 1) / 96e3))

    def at(low: float, high: float) -> np.ndarray:
        angles = 2 * np.pi * np.linspace(low, high, 4001) / 48e3
        return 20 * np.log10(np.abs(np.exp(-1j * np.outer(angles, np.arange(len(taps)))) @ taps))

    assert found["passband_ripple_db"] == pytest.approx(np.ptp(at(6e3, 8e3)), abs=0.01)
    stopped = max(at(0, 4e3).max(), at(10e3, 24e3).max())
    assert found["stopband_attenuation_db"] == pytest.approx(20 * np.log10(2) - stopped, abs=0.01)
    assert found["side_lobes_db"] > 45 > found["stopband_attenuation_db"]


def test_no_side_lobe_is_lost_between_the_points_that_are_drawn() -> None:
    taps = [0.0] * 9000 + [1.0] + [0.0] * 4000 + [1.0]  # 2000 nulls and peaks
    shown = response.drawn(response.magnitude_db(taps), 1.0)
    assert len(shown["frequency_hz"]) == response.POINTS and shown["frequency_hz"][0] == 0
    assert min(shown["magnitude_db"]) > 5.9


@pytest.mark.parametrize("window,extra", [(w, {"attenuation_db": 70.0} if w == "kaiser" else {}) for w in WINDOWS])
@pytest.mark.parametrize("kind", [k for k in KINDS if k != "root_raised_cosine"])
def test_the_gain_is_where_it_passes_and_half_of_it_at_the_cutoffs(kind: str, window: str, extra: dict) -> None:
    edges = {"cutoff": 10e3} if "low_pass high_pass".count(kind) else {"low_cutoff": 8e3, "high_cutoff": 16e3}
    taps = Design(kind, 48e3, transition=1e3, window=window, gain=3.0, **edges, **extra).taps()
    assert taps == taps[::-1] and len(taps) % 2 == 1
    at = [abs(np.dot(taps, np.exp(-2j * np.pi * f / 48e3 * np.arange(len(taps)))))
          for f in (*edges.values(), {"high_pass": 24e3, "band_pass": 12e3}.get(kind, 0.0))]
    assert at == pytest.approx([1.5] * len(edges) + [3.0], rel=0.1 if window == "rectangular" else 0.02)


def test_numbers_are_as_short_as_single_precision_allows() -> None:
    rng = np.random.default_rng(1)
    for value in [*rng.normal(size=200), *(rng.normal(size=50) * 1e-30), 0.0, 0.1, -1.0]:
        short = as_f32(value)
        assert np.float32(short) == np.float32(value) and len(repr(short)) <= 16
    assert [as_f32(float(np.float32(value))) for value in (0.1, 0.3, 16777216.0)] == [0.1, 0.3, 16777216.0]


@pytest.mark.parametrize("sample_rate", [0.88, 2.64, 4.4, 6.16])  # 4 * 0.22 * n, exactly and almost
def test_where_the_formula_of_a_root_raised_cosine_is_0_by_0_it_is_continuous(sample_rate: float) -> None:
    here, beside = (Design("root_raised_cosine", rate, symbol_rate=1.0, roll_off=0.22, number_of_taps=31).taps()
                    for rate in (sample_rate, sample_rate * (1 + 1e-5)))
    assert here == pytest.approx(beside, abs=1e-4 * max(here))


def test_options_and_answer(capsys: pytest.CaptureFixture) -> None:
    found = answer(capsys, *LOW_PASS)
    assert found["design"] == {"kind": "low_pass", "sample_rate": 960000, "cutoff": 115000, "transition": 36000,
                               "window": "hamming", "gain": 1.0}
    assert found["facts"]["number_of_taps"] == len(found["taps"]) == 65 and found["stored"] is None
    assert found["response"]["frequency_hz"][-1] == pytest.approx(480e3, rel=1e-2)
    assert cli.main(["design", *LOW_PASS]) == 0
    printed = capsys.readouterr()
    assert [float(line) for line in printed.out.splitlines()] == found["taps"]
    assert "65 taps, delay 32 items" in printed.err


def test_the_designs_of_the_radio_give_its_taps(capsys: pytest.CaptureFixture) -> None:
    for at, count, edge in (("channel.taps", 65, 115e3), ("audio.taps", 121, 15e3)):
        found = answer(capsys, str(RADIO), "--at", at)
        assert found["stored"]["agrees"] and found["stored"]["number_of_taps"] == count
        assert found["design"]["cutoff"] == edge
    assert not check(RADIO).diagnostics


def test_a_design_that_no_longer_gives_the_taps_is_reported(capsys: pytest.CaptureFixture) -> None:
    assert not answer(capsys, str(RADIO), "--at", "channel.taps", "--set", "sample_rate=1M")["stored"]["agrees"]
    document = json.loads(RADIO.read_text(encoding="utf-8"))
    taps = document["graph"]["blocks"][2]["parameters"]["taps"]
    taps[40] += 1e-5  # of 0.24
    [found] = check(json.dumps(document), directory=RADIO.parent).diagnostics
    assert (found.code, found.pointer) == ("W_DESIGN", "/graph/blocks/2/parameters/taps")
    taps[40] -= 0.99e-5  # rounded differently
    assert not check(json.dumps(document), directory=RADIO.parent).diagnostics
    document["ui"]["designs"]["channel.taps"]["cutoff"] = {"expr": "2 * sample_rate"}
    [found] = check(json.dumps(document), directory=RADIO.parent).diagnostics
    assert found.code == "W_DESIGN" and "below half the sample rate" in found.message


@pytest.mark.parametrize("name, said, hint", [
    ("channel.tap", "a design for `tap`, which is no parameter for taps", "did you mean `taps`?"),
    ("channel.decimation", "`decimation`, which is no parameter for taps", "choose one of `taps`"),
    ("tune.taps", "`tune` has a design for `taps`, which is no parameter for taps",
     "remove the design from ui.designs"),
    ("channel.taps", "this parameter is no list of numbers",
     "design the taps again, or remove the design from ui.designs")])
def test_a_design_of_no_taps_says_so(name: str, said: str, hint: str) -> None:
    """Check the hint for a design without taps, which once complained about taps that do not exist."""
    document = json.loads(RADIO.read_text(encoding="utf-8"))
    document["ui"]["designs"] = {name: document["ui"]["designs"]["channel.taps"]}
    del document["graph"]["blocks"][2]["parameters"]["taps"]
    [found] = check(json.dumps(document), directory=RADIO.parent).diagnostics
    assert (found.code, found.pointer) == ("W_DESIGN", f"/graph/blocks/{1 if name[0] == 't' else 2}")
    assert said in found.message and found.hint.startswith(hint)


@pytest.mark.parametrize("designs", [[], 3, {"channel": {}}, {"channel.taps": 4}, {"nobody.taps": {"kind": "low_pass"}},
                                     {"": {}}, {".": None}, {"channel.taps": {"kind": ["x"], "window": {}}},
                                     {"channel.taps": {"kind": "low_pass", "sample_rate": {"expr": "1 +"}}}])
def test_whatever_stands_under_designs_stops_no_run(designs: object) -> None:
    document = json.loads(RADIO.read_text(encoding="utf-8"))
    document["ui"]["designs"] = designs
    found = check(json.dumps(document), directory=RADIO.parent)
    assert found.graph is not None and {d.code for d in found.diagnostics} <= {"W_DESIGN"}


def test_a_design_of_another_length_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Design, "taps", lambda self: pytest.fail("computed"))
    assert not gives(KAISER, [1.0] * (KAISER.count() - 2)) and not gives(KAISER, None)


def test_taps_without_a_design_show_what_they_do(capsys: pytest.CaptureFixture,
                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    document = json.loads(RADIO.read_text(encoding="utf-8"))
    del document["ui"]["designs"]
    document["graph"]["blocks"][2]["parameters"]["taps"] = [1, {"expr": "0 * station"}, -1]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(document).encode())))
    found = answer(capsys, "-", "--at", "channel.taps")
    assert found["design"] is None and found["taps"] == [1, 0, -1] and found["stored"]["agrees"] is False
    assert found["response"]["magnitude_db"][512] == pytest.approx(20 * np.log10(2), abs=1e-3)
    assert found["response"]["magnitude_db"][0] < -40 and found["response"]["frequency_hz"][512] == 0.25


@pytest.mark.parametrize("key, value, code", [
    ("cutoff", None, "E_DESIGN_VALUE"), ("gain", None, "E_DESIGN_VALUE"), ("cutoff", "x", "E_DESIGN_VALUE"),
    ("cutoff", {"expr": "nope"}, "E_EXPR_NAME")])
def test_a_design_in_a_project_is_said_to_be_wrong(key: str, value: object, code: str, capsys: pytest.CaptureFixture,
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    document = json.loads(RADIO.read_text(encoding="utf-8"))
    document["ui"]["designs"]["channel.taps"][key] = value
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(document).encode())))
    assert refused(capsys, "-", "--at", "channel.taps") == (1, [(code, f"/ui/designs/channel.taps/{key}")])


@pytest.mark.parametrize("taps, code, found", [
    ([{"expr": "nope"}, 1], 1, ("E_EXPR_NAME", "/graph/blocks/2/parameters/taps/0")),
    ([1e308, 1e308], 2, ("E_DESIGN_VALUE", ""))])
def test_taps_that_are_none_are_reported(taps: list, code: int, found: tuple, capsys: pytest.CaptureFixture,
                                         monkeypatch: pytest.MonkeyPatch) -> None:
    document = json.loads(RADIO.read_text(encoding="utf-8"))
    del document["ui"]["designs"]
    document["graph"]["blocks"][2]["parameters"]["taps"] = taps
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(document).encode())))
    assert refused(capsys, "-", "--at", "channel.taps") == (code, [found])


@pytest.mark.parametrize("words,code,found", [
    (("lowpas",), 2, [("E_USAGE", "")]),
    (("low_pass", "--symbol-rate", "3"), 2, [("E_USAGE", "")]),
    ((*LOW_PASS, "--attenuation-db", "60"), 2, [("E_USAGE", "")]),
    ((*LOW_PASS, "--window", "hann", "--beta", "6"), 2, [("E_USAGE", "")]),
    ((*LOW_PASS, "--window", "kaiser", "--beta", "6", "--attenuation-db", "60"), 2, [("E_USAGE", "")]),
    (("root_raised_cosine", "--sample-rate", "8", "--symbol-rate", "2", "--roll-off", "1", "--number-of-taps", "9",
      "--window", "hann"), 2, [("E_USAGE", "")]),
    ((*LOW_PASS, "--set", "a=1"), 2, [("E_USAGE", "")]),
    (("low_pass", "--sample-rate", "1"), 2, [("E_DESIGN_VALUE", ""), ("E_DESIGN_VALUE", "")]),
    ((*LOW_PASS, "--cutoff", "481k"), 2, [("E_DESIGN_VALUE", "/cutoff")]),
    ((*LOW_PASS, "--cutoff", "x"), 2, [("E_EXPR_NAME", "/cutoff")]),
    ((*LOW_PASS, "--transition", "0"), 2, [("E_DESIGN_VALUE", "/transition")]),
    ((*LOW_PASS, "--transition", "1"), 2, [("E_DESIGN_SIZE", "/transition")]),
    ((*LOW_PASS, "--window", "kais"), 2, [("E_DESIGN_VALUE", "/window")]),
    ((*LOW_PASS, "--window", "kaiser"), 2, [("E_DESIGN_VALUE", "/attenuation_db")]),
    ((*LOW_PASS, "--window", "kaiser", "--attenuation-db", "5"), 2, [("E_DESIGN_VALUE", "/attenuation_db")]),
    ((*LOW_PASS, "--window", "kaiser", "--beta", "101"), 2, [("E_DESIGN_VALUE", "/beta")]),
    ((*LOW_PASS, "--gain", "0"), 2, [("E_DESIGN_VALUE", "/gain")]),
    (("band_pass", "--sample-rate", "48k", "--low-cutoff", "9k", "--high-cutoff", "5k", "--transition", "1k"), 2,
     [("E_DESIGN_VALUE", "/high_cutoff")]),
    (("root_raised_cosine", "--sample-rate", "8", "--symbol-rate", "2", "--roll-off", "1.1", "--number-of-taps", "9"),
     2, [("E_DESIGN_VALUE", "/roll_off")]),
    (("root_raised_cosine", "--sample-rate", "8", "--symbol-rate", "2", "--roll-off", "1", "--number-of-taps", "9.5"),
     2, [("E_EXPR_FRACTION", "/number_of_taps")]),
    (("root_raised_cosine", "--sample-rate", "8", "--symbol-rate", "2", "--roll-off", "1", "--number-of-taps", "1G"),
     2, [("E_DESIGN_SIZE", "/number_of_taps")]),
    ((str(RADIO), "--at", "nobody.taps"), 1, [("E_BLOCK_UNKNOWN", "")]),
    ((str(RADIO), "--at", "tune.taps"), 2, [("E_DESIGN_VALUE", "")]),
    ((str(RADIO), "--at", "channel.taps", "--gain", "2"), 2, [("E_USAGE", "")]),
    ((str(RADIO), "--at", "channel.taps", "--set", "sample_rate=1/0"), 1,
     [("E_EXPR_ZERO_DIVISION", "/parameters/sample_rate/value")]),
    ((str(RADIO), "--at", "channel.taps", "--set", "sample_rate=1k"), 1,
     [("E_DESIGN_VALUE", "/ui/designs/channel.taps/cutoff")]),
    (("not_there.weir.json", "--at", "a.b"), 3, [("E_FILE_MISSING", "")]),
])
def test_bad_input_is_reported(words: tuple[str, ...], code: int, found: list, capsys: pytest.CaptureFixture) -> None:
    assert refused(capsys, *words) == (code, found)


def test_there_is_a_reason_or_a_filter_for_any_numbers() -> None:
    rng = np.random.default_rng(7)
    drawn = [0.0, -1.0, 1e-300, 1e300, 0.5, 1, 2, 3.7, 48e3]
    for _ in range(2000):
        numbers = {key: rng.choice(drawn) for key in FIELDS if key not in ("number_of_taps", "gain")}
        kind = str(rng.choice(KINDS))
        mine = {key: float(value) for key, value in numbers.items() if kind in FIELDS[key].kinds}
        design = Design(kind, window=str(rng.choice(WINDOWS)), **mine,
                        **({"number_of_taps": int(rng.integers(-3, 40))} if kind == "root_raised_cosine" else {}))
        if not faults(design) and design.count() < 500:
            assert np.isfinite(design.taps()).all() and len(design.taps()) == design.count()


def test_the_format_keeps_designs_and_what_it_does_not_know_of_them(tmp_path: Path) -> None:
    document = json.loads(RADIO.read_text(encoding="utf-8"))
    document["ui"]["designs"]["channel.taps"] |= {"x_mine": [1], "later": {"expr": "?"}}
    document["ui"]["designs"]["gone.taps"] = "kept"
    file = tmp_path / "p.weir.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    assert cli.main(["format", str(file)]) == 0
    assert json.loads(file.read_text(encoding="utf-8")) == document
