"""Test that replaced blocks differ from those of GNU Radio only as the import says."""

from __future__ import annotations

import math

import numpy as np
import pytest
from beside_gnuradio import (
    BANK,
    COMPLEX_TAPS,
    FLOATS,
    ITEMS,
    TAPS,
    assert_same,
    both,
    case,
    distance,
    running_gnuradio,  # noqa: F401 - a fixture
)

pytestmark = pytest.mark.slow


def late(taps: int, up: int, down: int) -> int:
    """Return how many items earlier ours begins: the inputs that fill the filter."""
    return (taps - 1) // up * up // down


@pytest.mark.parametrize("taps", ["1.0 + 1.0j", COMPLEX_TAPS])
def test_a_channel_without_noise_differs_in_its_start_alone(gnuradio, tmp_path, taps):
    ran = both(case("channels_channel_model", "complex", "complex", noise_voltage="0.0", freq_offset=0.01, epsilon="1",
                    taps=taps, seed=0, block_tags="False"), gnuradio, tmp_path)
    assert ran.entry.outcome == "replaced" and "differs in its start" in ran.entry.reason
    [ours], [theirs] = ran.ours, ran.theirs
    echoes = 4  # items before the first of GNU Radio's are echoes here
    assert_same(ours[3:][echoes:], theirs[echoes:], ran.imported.made["dut"].rule, tail=5)


def test_a_channel_with_noise_of_a_seed_differs_in_its_start_alone(gnuradio, tmp_path):
    ran = both(case("channels_channel_model", "complex", "complex", noise_voltage="0.3", freq_offset=0.01, epsilon="1",
                    taps=COMPLEX_TAPS, seed=42, block_tags="False"), gnuradio, tmp_path)
    assert ran.entry.outcome == "replaced" and "differs in its start" in ran.entry.reason
    [ours], [theirs] = ran.ours, ran.theirs
    assert_same(ours[7:], theirs[4:], ran.imported.made["dut"].rule, tail=5)


@pytest.mark.parametrize("kind", FLOATS)
def test_noise_without_a_seed_has_the_same_power(gnuradio, tmp_path, kind):
    ran = both(case("analog_noise_source_x", "", kind, type=kind, noise_type="analog.GR_GAUSSIAN", amp=3, seed=0),
               gnuradio, tmp_path)
    assert ran.entry.outcome == "replaced" and "takes it from the time" in ran.entry.reason
    for items in (*ran.ours, *ran.theirs):
        assert np.mean(np.abs(items) ** 2) == pytest.approx(9, rel=0.15)


@pytest.mark.parametrize(("up", "down"), [(3, 2), (160, 147), (5, 1)])
def test_a_polyphase_resampler_to_higher_rates_differs_in_its_start_alone(gnuradio, tmp_path, up, down):
    ran = both(case("pfb_arb_resampler_xxx", "complex", "complex", type="ccf", rrate=f"{up} / {down}", taps=BANK,
                    nfilts=32, atten=60, samp_delay=0), gnuradio, tmp_path)
    assert ran.entry.outcome == "replaced" and "differs in its start" in ran.entry.reason
    [ours], [theirs] = ran.ours, ran.theirs
    taps = ran.imported.made["dut"].parts[0].parameters["taps"]
    ours = ours[len(taps) // 2 % 32 * up // (32 * down):]
    count = min(len(ours), len(theirs))
    assert count > 4000
    assert_same(ours[:count], theirs[:count], ran.imported.made["dut"].rule)


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


@pytest.mark.parametrize("name", ["nbfm", "wfm"])
def test_transmitters_differ_in_their_filter_alone(gnuradio, tmp_path, name):
    """At equal rates there is none."""
    ran = both(case(f"analog_{name}_tx", "float", "complex", quad_rate=64000, audio_rate=64000, tau=75e-6, max_dev=3000,
                    fh=-1), gnuradio, tmp_path)
    assert ran.entry.outcome == "replaced" and "differs in its filter" in ran.entry.reason
    assert_same(ran.ours[0], ran.theirs[0], ran.imported.made["dut"].rule)


@pytest.mark.parametrize("ratio", ["1.25", "1 / 2.5", "48000 / 44100", "3"])
@pytest.mark.parametrize("kind", FLOATS)
def test_an_interpolating_resampler_differs_in_its_start_alone(gnuradio, tmp_path, kind, ratio):
    ran = both(case("mmse_resampler_xx", kind, kind, type=kind, phase_shift=0, resamp_ratio=ratio), gnuradio, tmp_path)
    assert ran.entry.outcome == "replaced" and "differs in its start" in ran.entry.reason
    [ours], [theirs] = ran.ours, ran.theirs
    [part] = ran.imported.made["dut"].parts
    up, down = (part.parameters.get(name, 1) for name in ("interpolation", "decimation"))
    ours = ours[7 * up // down:]
    count = min(len(ours), len(theirs))
    assert count > 1200
    if down == 160:  # the place is near the middle of two of GNU Radio's filters at times
        apart = distance(ours[:count], theirs[:count])
        beside = apart > 1e-5
        assert 0 < beside.mean() < 0.02 and apart.max() < 0.02
        ours, theirs, count = ours[:count][~beside], theirs[:count][~beside], int((~beside).sum())
    assert_same(ours[:count], theirs[:count], ran.imported.made["dut"].rule)


@pytest.mark.parametrize(("code", "differential"), [("gray", True), ("gray", False), ("none", True), ("none", False)])
@pytest.mark.parametrize(("points", "rate"), [(2, 4), (4, 3), (8, 2)])
def test_a_phase_shift_modulator_differs_in_its_start_alone(gnuradio, tmp_path, points, rate, code, differential):
    ran = both(case("digital_psk_mod", "byte", "complex", constellation_points=points, mod_code=f'"{code}"',
                    differential=differential, samples_per_symbol=rate, excess_bw=0.35, verbose="False", log="False"),
               gnuradio, tmp_path)
    assert ran.entry.outcome == "replaced" and "differs in its start" in ran.entry.reason
    [ours], [theirs] = ran.ours, ran.theirs
    ours = ours[16 * rate % 32 * rate // 32:]
    count = min(len(ours), len(theirs))
    assert count > 4000
    assert_same(ours[:count], theirs[:count], ran.imported.made["dut"].rule)


def test_a_peak_detector_differs_in_its_start_alone(gnuradio, tmp_path):
    ahead = 20
    ran = both(case("blocks_peak_detector2_fb", "float", "byte float", threshold_factor_rise=1.5, look_ahead=ahead,
                    alpha=0.01), gnuradio, tmp_path)
    assert ran.entry.outcome == "replaced" and "differs in its start" in ran.entry.reason
    for ours, theirs in zip(ran.ours, ran.theirs):
        assert not ours[:ahead - 1].any()
        ours = ours[ahead - 1:]
        assert_same(ours, theirs[:len(ours)], ran.imported.made["dut"].rule)
    assert 100 < ran.ours[0].sum() < ITEMS / ahead


def test_the_filters_of_a_channelizer_have_the_same_band(gnuradio, tmp_path):
    ran = both(case("pfb_channelizer_hier_ccf", "complex", "complex complex complex", nchans=3, n_filterbanks=4,
                    taps="None", outchans="None", atten=100, bw=0.6, tb=0.2, ripple=0.1, signal="psk1"), gnuradio,
               tmp_path)
    assert ran.entry.outcome == "replaced" and "differs in its filter" in ran.entry.reason
    [(ours, *others), (theirs, *apart)] = ([items[200:].astype(complex) for items in side]
                                           for side in (ran.ours, ran.theirs))
    assert np.abs(ours).mean() == pytest.approx(np.abs(theirs).mean(), rel=0.02)
    turns = [np.angle(items[1:] * items[:-1].conj()).mean() for items in (ours, theirs)]
    assert turns[0] == pytest.approx(turns[1], rel=0.01)
    for noise, same in zip(others, apart):
        assert np.mean(np.abs(noise) ** 2) == pytest.approx(np.mean(np.abs(same) ** 2), rel=0.2)
