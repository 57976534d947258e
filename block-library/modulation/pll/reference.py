import math

import numpy as np
from weir_reference import nearest, phasor, wide

WORD = 2.0**63 / math.pi


def reference(parameters, inputs, item_type, context):
    x, phases = wide(inputs["in"]), _phases(parameters, inputs["in"])
    turns = np.array([phasor(phase) for phase in phases], complex)
    return {"out": turns if parameters["output"] == "carrier" else x * np.conj(turns)}


def magnitude(parameters, inputs, item_type, context):
    x = np.abs(wide(inputs["in"]))
    return {"out": np.ones_like(x) if parameters["output"] == "carrier" else x}


def cases(item_type, context):
    return [{"output": output, "bandwidth": width, "min_frequency": low, "max_frequency": high}
            for output, width, low, high in (("baseband", 0.0628, -1.0, 1.0), ("carrier", 0.3, -3.0, 0.1))]


def _phases(parameters, items):
    """Yield the phase before each item, in units of 2^-64 cycles."""
    bandwidth, damping = parameters["bandwidth"], math.sqrt(2) / 2
    gain = 4 / (1 + 2 * damping * bandwidth + bandwidth * bandwidth)
    to_phase, to_frequency = gain * damping * bandwidth, gain * bandwidth * bandwidth
    low, high = (nearest(parameters[name] * WORD) for name in ("min_frequency", "max_frequency"))
    phase = frequency = 0
    for angle in np.angle(wide(items)).astype(np.float32).tolist():
        yield phase
        e = float((nearest(angle * (WORD / 2)) * 2 - phase + 2**63) % 2**64 - 2**63) if angle == angle else 0.0
        frequency += nearest(to_frequency * e)
        phase += frequency + nearest(to_phase * e)
        frequency = min(max(frequency, low), high)
