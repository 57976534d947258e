"""Test that replaced blocks differ from those of GNU Radio only as the import says."""

from __future__ import annotations

import math

import pytest
from beside_gnuradio import (
    COMPLEX_TAPS,
    TAPS,
    assert_same,
    both,
    case,
    running_gnuradio,  # noqa: F401 - a fixture
)

pytestmark = pytest.mark.slow


def late(taps: int, up: int, down: int) -> int:
    """Return how many items earlier ours begins: the inputs that fill the filter."""
    return (taps - 1) // up * up // down


@pytest.mark.parametrize(("taps", "noise"), [("1.0 + 1.0j", "0.0"), (COMPLEX_TAPS, "0.0"), (COMPLEX_TAPS, "1e-9")])
def test_a_channel_without_noise_differs_in_its_start_alone(gnuradio, tmp_path, taps, noise):
    ran = both(case("channels_channel_model", "complex", "complex", noise_voltage=noise, freq_offset=0.01, epsilon="1",
                    taps=taps, seed=0, block_tags="False"), gnuradio, tmp_path)
    assert ran.entry.outcome == "replaced" and "in its start" in ran.entry.reason
    assert len(ran.imported.made["dut"].parts) == (2 if noise == "0.0" else 5)
    [ours], [theirs] = ran.ours, ran.theirs
    echoes = 4  # items before the first of GNU Radio's are echoes here
    assert_same(ours[3:][echoes:], theirs[echoes:], ran.imported.made["dut"].rule, tail=5)


RATES = ((3, 2), (2, 3), (1, 4), (4, 1), (6, 4))


@pytest.mark.parametrize("tried", [
    case("rational_resampler_xxx", kind, kind, type=word, interp=up, decim=down, taps=taps, fbw=0)
    for word, kind, taps in (("fff", "float", TAPS), ("ccf", "complex", TAPS), ("ccc", "complex", COMPLEX_TAPS))
    for up, down in RATES], ids=str)
def test_a_resampler_differs_in_its_start_alone(gnuradio, tmp_path, tried):
    ran = both(tried, gnuradio, tmp_path)
    assert ran.entry.outcome == "replaced" and "differs in its start" in ran.entry.reason
    [ours], [theirs] = ran.ours, ran.theirs
    ours = ours[late(len(eval(tried.parameters["taps"])),
                     *(int(tried.parameters[name]) for name in ("interp", "decim"))):]
    count = min(len(ours), len(theirs))
    assert count > 900
    assert_same(ours[:count], theirs[:count], ran.imported.made["dut"].rule)


@pytest.mark.parametrize(("up", "down"), RATES)
def test_a_resampler_without_taps_has_those_of_gnuradio(gnuradio, tmp_path, up, down):
    tried = case("rational_resampler_xxx", "float", "float", type="fff", interp=up, decim=down, taps="[]", fbw=0)
    ran = both(tried, gnuradio, tmp_path)
    [ours], [theirs] = ran.ours, ran.theirs
    [part] = ran.imported.made["dut"].parts
    taps = part.parameters["taps"]
    up, down = up // math.gcd(up, down), down // math.gcd(up, down)
    ours = ours[late(len(taps), up, down):]
    count = min(len(ours), len(theirs))
    assert count > 900
    assert_same(ours[:count], theirs[:count], ran.imported.made["dut"].rule)


def test_impairments_differ_in_their_phase_noise_alone(gnuradio, tmp_path):
    ran = both(case("channels_impairments", "complex", "complex", phase_noise_mag=-300, magbal=1, phasebal=-3,
                    q_ofs=0.1, i_ofs=-0.2, freq_offset=0.01, gamma=0.05, beta=-0.02), gnuradio, tmp_path)
    assert ran.entry.outcome == "replaced" and "differs in its phase noise" in ran.entry.reason
    assert_same(ran.ours[0], ran.theirs[0], ran.imported.made["dut"].rule)


@pytest.mark.parametrize("name", ["nbfm", "wfm"])
def test_transmitters_differ_in_their_filter_alone(gnuradio, tmp_path, name):
    """At equal rates there is none."""
    ran = both(case(f"analog_{name}_tx", "float", "complex", quad_rate=64000, audio_rate=64000, tau=75e-6, max_dev=3000,
                    fh=-1), gnuradio, tmp_path)
    assert ran.entry.outcome == "replaced" and "differs in its filter" in ran.entry.reason
    assert_same(ran.ours[0], ran.theirs[0], ran.imported.made["dut"].rule)


@pytest.mark.parametrize(("rate", "taps"), [
    ("0.24", "firdes.low_pass_2(32, 32, 0.1, 0.04, 60)"), ("0.9", "[]"), ("441 / 4000", "[]"),
    ("1.25", "firdes.low_pass_2(32, 32, 0.4, 0.2, 60)"), ("4.5", "firdes.root_raised_cosine(32, 32, 1.0, 0.35, 352)")])
def test_a_resampler_of_any_rate_has_nearly_the_times_of_gnuradio(gnuradio, tmp_path, rate, taps):
    ran = both(case("pfb_arb_resampler_xxx", "complex", "complex", type="ccf", rrate=rate, taps=taps, nfilts=32,
                    samp_delay=0), gnuradio, tmp_path)
    assert ran.entry.outcome == "replaced" and "differs in its times" in ran.entry.reason
    [ours], [theirs], [part] = ran.ours, ran.theirs, ran.imported.made["dut"].parts
    step = 32 * part.parameters["decimation"] / part.parameters["interpolation"]
    ours = ours[int(len(part.parameters["taps"]) // 2 % 32 // step):]
    count = min(len(ours), len(theirs))
    assert count > 400
    assert_same(ours[:count], theirs[:count], ran.imported.made["dut"].rule)
