import math

import numpy as np
from weir_reference import WORDS_PER_RAD, loop_gains, nearest, phasor, wide

FASTEST = int(WORDS_PER_RAD)
RATIO = math.sqrt(2) - 1


def reference(parameters, inputs, item_type, context):
    to_phase, to_frequency = (gain * WORDS_PER_RAD for gain in loop_gains(parameters["bandwidth"]))
    phase = frequency = 0
    x, turns = wide(inputs["in"]), np.empty(len(inputs["in"]), complex)
    for n, item in enumerate(x):
        turns[n] = phasor(-phase)
        e = _error(np.complex64(item * turns[n]), parameters["modulation"])
        frequency += nearest(to_frequency * e)
        phase += frequency + nearest(to_phase * e)
        frequency = min(max(frequency, -FASTEST), FASTEST)
    return {"out": x * turns}


def magnitude(parameters, inputs, item_type, context):
    return {"out": np.abs(wide(inputs["in"]))}


def cases(item_type, context):
    return [{"modulation": kind, "bandwidth": width}
            for kind, width in (("bpsk", 0.0628), ("qpsk", 0.5), ("psk8", 0.1))]


def _error(y, modulation):
    re, im = float(y.real), float(y.imag)
    from_re, from_im = im if re > 0 else -im, re if im > 0 else -re
    if modulation == "bpsk":
        e = re * im
    elif modulation == "qpsk":
        e = from_re - from_im
    else:
        e = from_re - from_im * RATIO if abs(re) >= abs(im) else from_re * RATIO - from_im
    return float(np.float32(min(max(e, -1.0), 1.0))) if math.isfinite(e) else 0.0
