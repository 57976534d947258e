"""Test that imported and exported blocks give GNU Radio's items, within the bound in the table.

Every rule of the table that claims so is run, both sides from the same files. The flowgraphs run in the installed GNU
Radio, under `weir test --all`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import beside_gnuradio
import numpy as np
import pytest
from beside_gnuradio import (
    BANK,
    COMPLEX_TAPS,
    EVEN_TAPS,
    FLOATS,
    ITEMS,
    TAPS,
    Case,
    Ran,
    assert_same,
    both,
    case,
    distance,
    flowgraph,
    imported,
    items_for,
    running_gnuradio,  # noqa: F401 - a fixture
)
from grc_world import grc
from weir.cli import main
from weir.engine.verifying.evaluation import Conditions, evaluate
from weir.interop.grc import table
from weir.interop.grc.exporting.exporter import export_project
from weir.interop.grc.exporting.writing import write_grc
from weir.interop.grc.expressions.constellations import NORMALIZATIONS
from weir.interop.grc.reading.block_files import FOLDERS
from weir.interop.grc.reading.yaml_text import read_yaml
from weir.model.check import check
from weir.model.document import jsontext

pytestmark = pytest.mark.slow

NUMBERS = ("float", "complex", "int", "short")
ALL = (*NUMBERS, "byte")
FILTERS = {"low_pass": {"cutoff_freq": 4000}, "high_pass": {"cutoff_freq": 4000},
           "band_pass": {"low_cutoff_freq": 2000, "high_cutoff_freq": 6000},
           "band_reject": {"low_cutoff_freq": 2000, "high_cutoff_freq": 6000}}
WINDOWS = ("[]", "window.rectangular(64)", "window.hann(64)", "window.hamming(size)", "window.blackman(64)",
           "window.blackmanharris(64)", "window.blackman_harris(64)", "window.hann(65)[:-1]", "size * [0.25]")


def waves() -> list[Case]:
    return [case("analog_sig_source_x", "", kind, type=kind, waveform=f"analog.GR_{wave}_WAVE", samp_rate=32000,
                 freq=freq,
                 amp=0.7, offset=offset, phase=phase)
            for kind in FLOATS for wave in ("COS", "SIN", "SQR", "TRI", "SAW", "CONST")
            for freq, offset, phase in ((1000, 0, 0), (1234.5, 0.25, 0.3), (-777, -1, 2))]


def arithmetic() -> list[Case]:
    made = [case(f"blocks_{name}_xx", f"{kind} {kind} {kind}", kind, type=kind, num_inputs=3)
            for name in ("add", "multiply", "sub") for kind in NUMBERS]
    made += [case("blocks_divide_xx", f"{kind} {kind} {kind}", kind, type=kind, num_inputs=3) for kind in FLOATS]
    made += [case(f"blocks_{name}", kind, kind, type=kind, const="-3" if kind in ("int", "short") else "0.7")
             for name in ("multiply_const_vxx", "multiply_const_xx", "add_const_vxx") for kind in NUMBERS]
    made += [case("blocks_multiply_const_vxx", "complex", "complex", type="complex", const="0.3-2j"),
             case("blocks_add_const_vxx", "byte", "byte", type="byte", const="3"),
             case("blocks_add_const_vxx", "float", "float", vlen=(4, 4), type="float", const="4 * [3]")]
    made += [case("blocks_abs_xx", kind, kind, type=kind) for kind in ("float", "int", "short")]
    made += [case("blocks_multiply_matrix_xx", "float float", "float float float", type="float",
                  A="((1, 0.5), (0, -2), (0.25, 1))", tag_propagation_policy="gr.TPP_ALL_TO_ALL"),
             case("blocks_multiply_matrix_xx", "complex complex complex", "complex", type="complex",
                  A="[[1j, 0.5, -0.25 + 2j]]", tag_propagation_policy="gr.TPP_ALL_TO_ALL"),
             case("blocks_multiply_matrix_xx", "float", "float float", type="float", A="((3,), (-1,))",
                  tag_propagation_policy="gr.TPP_ALL_TO_ALL")]
    return [*made, case("blocks_conjugate_cc", "complex", "complex"),
            case("blocks_multiply_conjugate_cc", "complex complex", "complex"),
            case("blocks_nlog10_ff", "float", "float", signal="zeros", n=10, k=3),
            case("blocks_nlog10_ff", "float", "float", signal="positive", n="(abs)(-20)", k="np.exp(0) + 1")]


def conversions() -> list[Case]:
    made = [case(f"blocks_complex_to_{name}", "complex", "float")
            for name in ("real", "imag", "mag", "mag_squared", "arg")]
    made += [case("blocks_complex_to_float", "complex", "float float"),
             case("blocks_complex_to_magphase", "complex", "float float"),
             case("blocks_float_to_complex", "float float", "complex"),
             case("blocks_float_to_complex", "float", "complex"),
             case("blocks_uchar_to_float", "byte", "float"),
             case("blocks_float_to_uchar", "float", "byte", signal="beyond"),
             case("blocks_char_to_short", "byte", "short"), case("blocks_short_to_char", "short", "byte")]
    for name, kind in (("char", "byte"), ("short", "short"), ("int", "int")):
        for scale in ("1", "127", "-3.5"):
            made += [case(f"blocks_{name}_to_float", kind, "float", scale=scale),
                     *(case(f"blocks_float_to_{name}", "float", kind, scale=scale, signal=signal)
                       for signal in ("noise", "beyond"))]
            if name != "int":
                made += [case(f"blocks_interleaved_{name}_to_complex", kind, "complex", scale_factor=scale,
                              vector_input="False"),
                         case(f"blocks_complex_to_interleaved_{name}", "complex", kind, scale_factor=scale,
                              vector_output="False", signal="beyond")]
    return made


def flow() -> list[Case]:
    made = []
    for kind in ALL:
        made += [case("blocks_copy", kind, kind, type=kind), case("blocks_head", kind, kind, type=kind, num_items=100),
                 case("blocks_delay", kind, kind, type=kind, delay=5, tail=-5),
                 case("blocks_delay", kind, kind, type=kind, delay=0),
                 case("blocks_keep_one_in_n", kind, kind, type=kind, n=3),
                 case("blocks_repeat", kind, kind, type=kind, interp=3),
                 case("blocks_throttle", kind, kind, type=kind, samples_per_second="1e7", ignoretag="True"),
                 case("blocks_null_source", "", kind, type=kind)]
    made += [case("analog_const_source_x", "", kind, type=kind, const="0.3" if kind in FLOATS else "-7")
             for kind in ALL]
    made += [case("blocks_keep_one_in_n", kind, kind, vlen=(4, 4), type=kind, n=3) for kind in ("float", "byte")]
    made += [case("blocks_repeat", kind, kind, vlen=(4, 4), type=kind, interp=3) for kind in ("complex", "short")]
    made += [case("blocks_skiphead", "float", "float", type="float", num_items=0),
             case("blocks_head", "float", "float", vlen=(4, 4), type="float", num_items=9),
             case("blocks_delay", "float", "float", vlen=(4, 4), type="float", delay=2, tail=-8)]
    return made


def filters() -> list[Case]:
    made = [case("freq_xlating_fir_filter_xxx", "complex", "complex", type=kind, decim=decim, taps=taps,
                 center_freq=freq,
                 samp_rate=32000) for freq in (2000, -3000) for decim in (1, 3)
            for kind, taps in (("ccf", TAPS), ("ccf", EVEN_TAPS), ("ccc", TAPS), ("ccc", COMPLEX_TAPS))]
    made += [case("freq_xlating_fir_filter_xxx", "short" if kind[0] == "s" else "float", "complex", type=kind,
                  decim=3, taps=taps, center_freq=-3000, samp_rate=32000)
             for kind, taps in (("fcf", TAPS), ("fcf", EVEN_TAPS), ("fcc", COMPLEX_TAPS), ("scf", TAPS),
                                ("scc", COMPLEX_TAPS))]
    for kind, items, taps in (("fff", "float", TAPS), ("ccf", "complex", TAPS), ("ccc", "complex", TAPS),
                              ("ccc", "complex", COMPLEX_TAPS), ("fff", "float", "np.array([1, 2]) * 0.25")):
        for rate in (1, 3):
            made += [case("fir_filter_xxx", items, items, type=kind, decim=rate, taps=taps, samp_delay=0),
                     case("fft_filter_xxx", items, items, type=kind, decim=rate, taps=taps, samp_delay=0, nthreads=1,
                          tail=12),
                     case("interp_fir_filter_xxx", items, items, type=kind, interp=rate, taps=taps, samp_delay=0)]
    for name, more in FILTERS.items():
        for window in ("HAMMING", "HANN", "BLACKMAN", "RECTANGULAR", "KAISER", "BLACKMAN_hARRIS"):
            more = {**more, "gain": 2, "samp_rate": 32000, "width": 800, "beta": 6.76, "win": f"window.WIN_{window}"}
            made += [case(f"{name}_filter", "float", "float", type="fir_filter_fff", decim=2, interp=1, **more),
                     case(f"{name}_filter", "complex", "complex", type="interp_fir_filter_ccf", decim=1, interp=2,
                          **more)]
    made += [case("filter_fft_low_pass_filter", items, items, type=kind, decim=3, gain=2, samp_rate=32000,
                  cutoff_freq=4000, width=800, win="window.WIN_HANN", beta=6.76, nthreads=1, tail=200)
             for kind, items in (("fff", "float"), ("ccf", "complex"), ("ccc", "complex"))]
    made += [case(f"band_{name}_filter", items, "complex", type=f"fir_filter_{kind}", decim=2, interp=1, gain=1,
                  samp_rate=32000, width=1000, win="window.WIN_HAMMING", beta=6.76, low_cutoff_freq=low,
                  high_cutoff_freq=6000)
             for name in ("pass", "reject") for kind, items, low in (("ccc", "complex", -2000), ("fcc", "float", 2000))]
    made.append(case("fir_filter_xxx", "float", "complex", type="fcc", decim=3, taps=COMPLEX_TAPS, samp_delay=0))
    pulse = {"gain": 1, "samp_rate": 8, "sym_rate": 2, "alpha": 0.35, "ntaps": 45}
    made += [case("root_raised_cosine_filter", "float", "float", type="fir_filter_fff", decim=1, interp=1, **pulse),
             case("root_raised_cosine_filter", "complex", "complex", type="interp_fir_filter_ccf", decim=1, interp=4,
                  **pulse)]
    made += [case("blocks_moving_average_xx", kind, kind, type=kind, length=length, max_iter=4000,
                  scale="0.1" if kind in FLOATS else "2") for kind in NUMBERS for length in (1, 10, 1000)]
    made += [case("single_pole_iir_filter_xx", "float", "float", type="float", alpha=0.1),
             case("analog_quadrature_demod_cf", "complex", "float", gain=0.7),
             case("analog_quadrature_demod_cf", "complex", "float", gain="-0.7"),
             case("analog_fm_deemph", "float", "float", samp_rate=48000, tau="75e-6"),
             case("analog_fm_deemph", "float", "float", samp_rate=480000, tau="50e-6"),
             case("blocks_rotator_cc", "complex", "complex", phase_inc=0.3, tag_inc_update="False"),
             case("blocks_freqshift_cc", "complex", "complex", sample_rate=32000, freq="-1234.5"),
             case("blocks_phase_shift", "complex", "complex", shift=0.7, is_radians="True")]
    return made


def transforms() -> list[Case]:
    return [case("fft_vxx", "complex", "complex", vlen=(64, 64), type="complex", fft_size="size", forward=forward,
                 window=window, shift=shift, nthreads=1, variables={"size": "64"})
            for forward in ("True", "False") for shift in ("True", "False") for window in WINDOWS] + [
        case("fft_vxx", "float", "complex", vlen=(64, 64), type="float", fft_size=64, forward="True", window=window,
             shift=shift, nthreads=1) for shift in ("True", "False") for window in WINDOWS[:4] if "size" not in window]


def noise() -> list[Case]:
    made = []
    for kind, words in (("float", ("UNIFORM", "GAUSSIAN", "LAPLACIAN", "IMPULSE")),
                        ("complex", ("UNIFORM", "GAUSSIAN"))):
        for word in words:
            drawn = {"type": kind, "noise_type": f"analog.GR_{word}", "amp": 0.7, "seed": 42}
            made += [case("analog_noise_source_x", "", kind, **drawn),
                     case("analog_fastnoise_source_x", "", kind, samples=1000, **drawn)]
    return [*made, *(case("analog_random_uniform_source_x", "", kind, type=kind, minimum=low, maximum=high, seed=42)
                     for kind, low, high in (("byte", 0, 2), ("short", -100, 1000), ("int", "-2**31", "2**31-1")))]


def loops() -> list[Case]:
    made = [case(f"analog_pll_{name}", "complex", out, w=width, min_freq=-0.5, max_freq=0.5, signal="psk1")
            for name, out in (("carriertracking_cc", "complex"), ("refout_cc", "complex"), ("freqdet_cf", "float"))
            for width in (0.01, 0.2)]
    return [*made, *(case("digital_fll_band_edge_cc", "complex", "complex", type="cc", samps_per_sym=sps, rolloff=0.35,
                          filter_size=size, w=0.02, signal="psk4") for sps, size in ((2, 44), (4.5, 45)))]


def impairments() -> list[Case]:
    clean = {"phase_noise_mag": -60, "magbal": 0, "phasebal": 0, "q_ofs": 0, "i_ofs": 0, "freq_offset": 0, "gamma": 0,
             "beta": 0}
    return [case("channels_impairments", "complex", "complex", **clean),
            case("channels_impairments", "complex", "complex", phase_noise_mag=0, magbal=1, phasebal=3, q_ofs=0.02,
                 i_ofs=-0.1, freq_offset=0.01, gamma=0.03, beta=-0.02)]


def polyphase() -> list[Case]:
    bank = {"outchans": "None", "n_filterbanks": 2, "atten": 100, "bw": 0.6, "tb": 0.2, "ripple": 0.1}
    return [*(case("pfb_channelizer_hier_ccf", "complex", count * " complex", nchans=count, taps=TAPS, tail=1, **bank)
              for count in (1, 3, 4)), *polyphase_resamplers()]


def polyphase_resamplers() -> list[Case]:
    return [case("pfb_arb_resampler_xxx", kind, kind, type=word, rrate=rate, taps=taps, nfilts=32, atten=60,
                 samp_delay=0, tail=tail)
            for word, kind in (("fff", "float"), ("ccf", "complex"))
            for rate, taps, tail in (("1", BANK, 0), ("2 / 3", BANK, -2), ("44100 / 48000", BANK, -160),
                                     ("0.3", "[]", -3))]


def modulation() -> list[Case]:
    return [*(case("analog_frequency_modulator_fc", "float", "complex", sensitivity=turn) for turn in (0.7, -3, 1e-3)),
            case("analog_wfm_rcv", "complex", "float", quad_rate=480000, audio_decimation=10),
            case("analog_wfm_rcv_pll", "complex", "float float", quad_rate=128000, audio_decimation=4,
                 deemph_tau=50e-6, signal="stereo", tail=120),
            case("channels_amp_bal", "complex", "complex", alpha=0.01),
            case("analog_nbfm_rx", "complex", "float", quad_rate=64000, audio_rate=16000, tau=75e-6, max_dev=5e3),
            *(case("analog_fm_preemph", "float", "float", samp_rate=48000, tau=75e-6, fh=fh) for fh in (-1, 8000)),
            *(case("digital_gmsk_mod", "byte", "complex", samples_per_symbol=4, bt=0.35, do_unpack=unpack,
                   signal="" if unpack else "bits") for unpack in (True, False)),
            *(case("digital_gfsk_mod", "byte", "complex", samples_per_symbol=5, bt=0.5, sensitivity=0.3,
                   do_unpack=unpack, signal="" if unpack else "bits") for unpack in (True, False)),
            *(case(f"blocks_vco_{kind}", "float", items, samp_rate=48000, sensitivity=20000, amplitude=0.7)
              for kind, items in (("c", "complex"), ("f", "float"))),
            *(case("hilbert_fc", "float", "complex", num_taps=taps, win=f"window.WIN_{window}", beta=6.76)
              for taps, window in ((65, "HAMMING"), (20, "KAISER"), (9, "BLACKMAN_hARRIS"))),
            *(case("digital_costas_loop_cc", "complex", "complex", w=width, order=order, use_snr="False",
                   signal=f"psk{order}") for order in (2, 4, 8) for width in (0.01, 0.0628, 0.2))]


def bits() -> list[Case]:
    made = [case(f"blocks_{name}_k_bits_bb", "byte", "byte", k=k) for name in ("pack", "unpack") for k in (3, 8)]
    for order in ("gr.GR_MSB_FIRST", "gr.GR_LSB_FIRST"):
        made += [case("blocks_repack_bits_bb", "byte", "byte", k=k, l=to, len_tag_key='""', align_output="False",
                      endianness=order, tail=-k) for k, to in ((8, 2), (1, 8), (3, 5))]
        made += [case(f"blocks_{name}_xx", "byte", "byte", type="byte", num_ports=1, endianness=order,
                      bits_per_chunk=1 if "LSB" in order else 3, tail=-8)
                 for name in ("packed_to_unpacked", "unpacked_to_packed")]
    made += [case("channels_quantizer", "float", "float", bits=bits, signal=signal)
             for bits, signal in ((3, "noise"), (16, "beyond"))]
    made += [case(f"digital_diff_{name}_bb", "byte", "byte", coding=f"digital.DIFF_{coding}", modulus=modulus)
             for name in ("encoder", "decoder")
             for coding, modulus in (("DIFFERENTIAL", 4), ("DIFFERENTIAL", 256), ("NRZI", 2))]
    made += [case("analog_simple_squelch_cc", "complex", "complex", threshold=3, alpha=0.1),
             *(case("analog_pwr_squelch_xx", kind, kind, type=kind, threshold=0, alpha=0.05, ramp=0, gate="False")
               for kind in FLOATS)]
    return [*made, case("digital_map_bb", "byte", "byte", map="[-1, 1, 200]"),
            case("digital_chunks_to_symbols_xx", "byte", "complex", in_type="byte", out_type="complex", num_ports=1,
                 symbol_table="np.arange(512) * (1 - 0.3j)", dimension=2),
            *(case("digital_chunks_to_symbols_xx", "byte", "complex", in_type="byte", out_type="complex", num_ports=1,
                   symbol_table=f"128 * digital.constellation_{made}.points()", dimension=1)
              for made in ("bpsk()", "qpsk()", "8psk()", "dqpsk()", "8psk_natural()")),
            *(case("digital_chunks_to_symbols_xx", "byte", "complex", in_type="byte", out_type="complex", num_ports=1,
                   symbol_table=f"64 * (digital.constellation_{made}).points()", dimension=1)
              for made in ("16qam()", "rect([-1, 1 + 2j, 0.3, 1j], [0, 1, 3, 2], 4, 2, 2, 1, 1)",
                           *(f"calcdist([-1, 1 + 2j, 0.3, 1j], [0, 1, 3, 2], 4, 1, digital.constellation.{how})"
                             for how in NORMALIZATIONS))),
            *(case("digital_constellation_decoder_cb", "complex", "byte",
                   constellation=f"digital.constellation_{made}.base()")
              for made in ("8psk()", "16qam()", "calcdist([-1, 1 + 2j, 0.3, 1j], [0, 1, 3, 2], 4, 1)")),
            case("digital_map_bb", "byte", "byte", map="digital.constellation_qpsk().base().pre_diff_code()"),
            case("digital_chunks_to_symbols_xx", "byte", "float", in_type="byte", out_type="float", num_ports=1,
                 symbol_table="list(range(256))", dimension=1),
            case("digital_binary_slicer_fb", "float", "byte", signal="zeros")]


def lists_and_turns() -> list[Case]:
    made = [case("blocks_vector_source_x", "", kind, type=kind, vector=vector, tags="[]", repeat=repeat)
            for kind, vector in (("complex", "[1j, -2, 0.1 + 3j]"), ("float", "np.array([1, 2, 3]) * 0.7"),
                                 ("int", "(70000, -7)"), ("short", "range(-3, 4)"), ("byte", "[0, 255, 3]"))
            for repeat, vector in (("True", vector), ("False", f"50 * list({vector})"))]
    for kind in ("complex", "byte"):
        turns = {"type": kind, "blocksize": 2, "num_streams": 3}
        made += [case("blocks_interleave", f"{kind} {kind} {kind}", kind, **turns),
                 case("blocks_deinterleave", kind, f"{kind} {kind} {kind}", **turns)]
    turns = {"type": "short", "lengths": "(2, 3, 1)"}
    made += [case("blocks_stream_mux", "short short short", "short", vlen=(vector, vector), num_inputs=3,
                  tail=-6 * vector, **turns) for vector in (1, 4)]
    made += [case("blocks_stream_demux", "short", "short short short", num_outputs=3, tail=-3, **turns),
             *(case("blocks_matrix_interleaver", kind, kind, type=kind, rows=rows, cols=cols, deint=deint, tail=-12)
               for kind, rows, cols in (("complex", 3, 4), ("byte", 2, 5), ("int", 1, 4), ("int", 4, 1))
               for deint in ("True", "False")),
             case("blocks_selector", "int int int", "int", type="int", enabled="True", num_inputs=3, num_outputs=1,
                  input_index=1, output_index=0)]
    made += [case("blocks_mute_xx", kind, kind, type=kind, mute=mute) for kind in NUMBERS for mute in ("True", "False")]
    return [*made, *(case("blocks_rms_xx", kind, "float", type=kind, alpha=0.01) for kind in FLOATS),
            case("blocks_threshold_ff", "float", "float", low=-0.5, high=0.5, init=3)]


KEPT = [*waves(), *arithmetic(), *conversions(), *flow(), *filters(), *transforms(), *modulation(), *bits(),
        *lists_and_turns(), *noise(), *loops(), *impairments(), *polyphase()]


@pytest.mark.parametrize("tried", KEPT, ids=str)
def test_what_is_kept_gives_the_same_items(gnuradio, tmp_path, tried):
    ran = both(tried, gnuradio, tmp_path)
    assert ran.entry.outcome == "kept", ran.entry
    rule = ran.imported.made["dut"].rule
    for ours, theirs in zip(ran.ours, ran.theirs):
        assert_same(ours, theirs, rule, tried.tail)
    goes_back(ran, rule, gnuradio, tmp_path / "back", len(tried.inputs))


def goes_back(ran: Ran, rule: table.Rule, gnuradio, folder: Path, inputs: int) -> None:
    """Export the project without the original flowgraph, and check that the kept blocks give the same items, too."""
    document = json.loads(jsontext.write(ran.imported.document))
    del document["x_grc"]
    for part in (*document["graph"]["blocks"], *document.get("parameters", {}).values()):
        part.pop("x_grc", None)
    folder.mkdir()
    for i in range(inputs):
        (folder / f"in{i}").write_bytes((folder.parent / f"in{i}").read_bytes())
    checked = check(json.dumps(document), directory=folder)
    exported = export_project(checked, checked.project.deployments[0], None)
    # The export cannot know that a resampler has the taps and the offset of GNU Radio's, so it says what may differ.
    resamples = any(block["type"] == "resample" for block in document["graph"]["blocks"])
    assert any(entry.kind == "block" for entry in exported.report.of("replaced")) == resamples
    file = folder / "made.grc"
    file.write_text(write_grc(exported.flow))
    gnuradio.run(file)
    for i, theirs in enumerate(ran.theirs):
        again = np.fromfile(folder / f"out{i}", theirs.dtype)
        assert_same(again[:len(theirs)], theirs[:len(again)], rule, times=2)


def test_a_selector_gives_items_to_one_output(gnuradio, tmp_path):
    ran = both(case("blocks_selector", "float float", "float float", type="float", enabled="True", num_inputs=2,
                    num_outputs=2, input_index=1, output_index=1), gnuradio, tmp_path)
    assert [len(theirs) for theirs in ran.theirs] == [len(ours) for ours in ran.ours] == [0, ITEMS]
    assert_same(ran.ours[1], ran.theirs[1], ran.imported.made["dut"].rule)


def test_a_copy_that_is_not_enabled_gives_nothing(gnuradio, tmp_path):
    ran = both(case("blocks_copy", "float", "float", type="float", enabled="False"), gnuradio, tmp_path)
    assert ran.entry.outcome == "kept" and len(ran.theirs[0]) == len(ran.ours[0]) == 0


def million() -> list[Case]:
    wave = {"type": "complex", "waveform": "analog.GR_COS_WAVE", "samp_rate": 32000, "amp": 1, "offset": 0, "phase": 0}
    return [*(case("analog_sig_source_x", "", "complex", freq=freq, **wave)
              for freq in (12345.67, -12987.88, 15999.3, -30001)),
            *(case("blocks_rotator_cc", "complex", "complex", phase_inc=turn, tag_inc_update="False")
              for turn in (3.1, -1.3)),
            case("freq_xlating_fir_filter_xxx", "complex", "complex", type="ccf", decim=1, taps=TAPS,
                 center_freq=12345.67,
                 samp_rate=32000)]


@pytest.mark.parametrize("tried", million(), ids=str)
def test_the_drift_is_within_its_bound_after_a_million_items(gnuradio, tmp_path, monkeypatch, tried):
    """Check the drift of GNU Radio, which keeps the phase of each oscillator as float32 somewhere: it shows late."""
    monkeypatch.setattr(beside_gnuradio, "ITEMS", 1_000_000)
    ran = both(tried, gnuradio, tmp_path)
    [ours], [theirs] = ran.ours, ran.theirs
    assert len(ours) == 1_000_000 and distance(ours,
                                               theirs)[-1000:].max() > 1e-4, "there is none, and the bound is too wide"
    assert_same(ours, theirs, ran.imported.made["dut"].rule)


def installed(block_id: str) -> bool:
    return any((folder / f"{block_id}.block.yml").exists() for folder in FOLDERS)


#: Rules of blocks that move no items through ports, and where these are compared instead.
ELSEWHERE = {"blocks_file_source": "every case", "blocks_file_sink": "every case", "blocks_null_sink": "takes items",
             "blocks_wavfile_sink": "the files"}
#: One input, which GNU Radio 3.10 refuses and flowgraphs of earlier versions have; and a copy that gives no items.
UNTRIED = ({"num_inputs": [1]}, {"enabled": [False]})


def test_every_rule_that_keeps_is_tried(gnuradio, tmp_path):
    """Check that each rule built the block of a case, unless this GNU Radio lacks the block."""
    tried: dict[str, list[table.Rule]] = {}
    for i, one in enumerate(KEPT):
        file = tmp_path / f"{i}.grc"
        file.write_bytes(flowgraph(one))
        tried.setdefault(one.id, []).append(imported(one, file)[0].made["dut"].rule)
    missing = [f"{name} {rule.only}" for name in table.block_names() for rule in table.rules(name)
               if not rule.reason and installed(name) and name not in ELSEWHERE and rule.only not in UNTRIED
               and rule not in tried.get(name, [])]
    assert not missing


#: Parameters of GNU Radio's blocks that change no item, with the reasons.
NEUTRAL = {
    "atten": "Companion does not pass it on, or the taps are given", "bw": "the taps are given",
    "tb": "the taps are given", "ripple": "the taps are given",
    "affinity": "which CPUs", "minoutbuf": "buffers", "maxoutbuf": "buffers", "alias": "a name", "comment": "words",
    "vlen": "vectors are streams, for blocks that know no place in them", "showports": "message ports",
    "tag_propagation_policy": "tags", "n_filterbanks": "how it is computed",
    "samp_delay": "tags",
    "bus_structure_source": "how ports are drawn", "bus_structure_sink": "how ports are drawn", "begin_tag": "tags",
    "ignoretag": "tags", "verbose": "words", "log": "files beside", "align_output": "of packets",
    "tag_inc_update": "tags", "nthreads": "how it is computed", "max_iter": "how it is computed",
    "unbuffered": "when it is written", "vector_input": "vectors are streams", "vector_output": "vectors are streams",
    "bits_per_sample2": "of other formats", "bits_per_sample3": "of other formats",
    "bits_per_sample4": "of other formats"}


def test_no_parameter_of_what_is_kept_is_ignored(gnuradio):
    """Check, in the installed block files, that each parameter is in the rule or changes no item."""
    passed_over = []
    for name in table.block_names():
        file = FOLDERS[0] / f"{name}.block.yml"
        described = read_yaml(file.read_text())[0] if file.exists() else {}
        for rule in table.rules(name):
            told = str((rule.only, rule.parts, rule.fold, rule.turns, rule.returns, rule.mixes, rule.channels,
                        rule.selects))
            passed_over += [(name, parameter["id"]) for parameter in described.get("parameters", ())
                            if not rule.reason and parameter["id"] not in NEUTRAL
                            and not re.search(rf"\b{parameter['id']}\b", told)
                            and parameter["id"] not in ("num_inputs", "num_outputs")]
    assert not passed_over


def samples(wav: bytes, dtype: str) -> np.ndarray:
    return np.frombuffer(wav[wav.index(b"data") + 8:], dtype)


@pytest.mark.parametrize(("bits", "dtype"), [("FORMAT_PCM_16", "<i2"), ("FORMAT_FLOAT", "<f4")])
@pytest.mark.parametrize("channels", [1, 2])
def test_wav_files_have_the_same_samples(gnuradio, tmp_path, bits, dtype, channels):
    """Compare 16-bit files within a step: GNU Radio rounds with another scale."""
    sink = {"name": "wav", "id": "blocks_wavfile_sink", "file": "out.wav", "nchan": str(channels), "samp_rate": "8000",
            "format": "FORMAT_WAV", "bits_per_sample1": bits, "append": "False"}
    blocks, wires = [sink], []
    for i in range(channels):
        (items_for("float", i, "noise") * np.float32(0.2)).tofile(tmp_path / f"in{i}")
        blocks.append({"name": f"from{i}", "id": "blocks_file_source", "type": "float", "file": f"in{i}",
                       "repeat": "False", "begin_tag": "pmt.PMT_NIL"})
        wires.append([f"from{i}", "0", "wav", str(i)])
    file = tmp_path / "made.grc"
    file.write_bytes(grc(blocks, wires))
    made, checked = imported(case("blocks_wavfile_sink"), file)
    assert {entry.outcome for entry in made.report.entries if entry.kind == "block"} == {"kept"}
    answers = evaluate(checked.graph, Conditions(ITEMS, 1, tmp_path)).answers
    ours = samples(answers["wav"]["path"], dtype)
    gnuradio.run(file)
    theirs = samples((tmp_path / "out.wav").read_bytes(), dtype)
    assert len(ours) == len(theirs) == ITEMS * channels
    assert np.abs(ours.astype(float) - theirs).max() <= (1 if dtype == "<i2" else 0)


def test_a_compiled_flowgraph_gives_the_items_of_gnuradio(gnuradio, tmp_path, capsys):
    """Run many blocks in a row as programs; in the other tests the numpy references represent Weir."""
    wave = {"type": "complex", "samp_rate": "rate", "amp": "0.5", "offset": "0", "phase": "0"}
    blocks = [
        {"name": "rate", "id": "variable", "value": "64000"}, {"name": "size", "id": "variable", "value": "64"},
        {"name": "in0", "id": "blocks_file_source", "type": "complex", "file": "in0", "repeat": "False",
         "begin_tag": "pmt.PMT_NIL"},
        {"name": "saw", "id": "analog_sig_source_x", "waveform": "analog.GR_TRI_WAVE", "freq": "rate / 64", **wave},
        {"name": "total", "id": "blocks_add_xx", "type": "complex", "num_inputs": "2"},
        {"name": "tune", "id": "freq_xlating_fir_filter_xxx", "type": "ccc", "decim": "2", "taps": COMPLEX_TAPS,
         "center_freq": "rate / 16", "samp_rate": "rate"},
        {"name": "mean", "id": "blocks_moving_average_xx", "type": "complex", "length": "8", "scale": "0.125",
         "max_iter": "4000"},
        {"name": "thin", "id": "blocks_keep_one_in_n", "type": "complex", "n": "2"},
        {"name": "again", "id": "blocks_repeat", "type": "complex", "interp": "2"},
        {"name": "group", "id": "blocks_stream_to_vector", "type": "complex", "num_items": "size"},
        {"name": "spectrum", "id": "fft_vxx", "type": "complex", "fft_size": "size", "forward": "True", "nthreads": "1",
         "window": "window.blackmanharris(size)", "shift": "True"},
        {"name": "flat", "id": "blocks_vector_to_stream", "type": "complex", "num_items": "size"},
        {"name": "real", "id": "blocks_complex_to_real"},
        {"name": "soft", "id": "analog_fm_deemph", "samp_rate": "rate", "tau": "75e-6"},
        {"name": "out", "id": "blocks_file_sink", "type": "float", "file": "out"}]
    chain = ["total", "tune", "mean", "thin", "again", "group", "spectrum", "flat", "real", "soft", "out"]
    wires = [["in0", "0", "total", "0"], ["saw", "0", "total", "1"],
             *([a, "0", b, "0"] for a, b in zip(chain, chain[1:]))]
    items_for("complex", 0, "noise").tofile(tmp_path / "in0")
    file, project = tmp_path / "made.grc", tmp_path / "made.weir.json"
    file.write_bytes(grc(blocks, wires))
    gnuradio.run(file)
    assert main(["import", str(file), "-o", str(project)]) == 0
    assert "0 replaced, 0 stubbed" in capsys.readouterr().err
    assert main(["run", str(project), "--out", str(tmp_path / "runs"), "--json"]) == 0
    [result] = json.loads(capsys.readouterr().out)
    assert result["status"] == "ok"
    [written] = (tmp_path / "runs").glob("*/out")
    ours, theirs = np.fromfile(written, "<f4"), np.fromfile(tmp_path / "out", "<f4")
    assert len(ours) == len(theirs) == ITEMS // 2 // 64 * 64
    assert distance(ours, theirs).max() < 1e-4
