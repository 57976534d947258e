import math

import numpy as np
from weir_reference import nearest, wide

WORD = 2.0**63 / math.pi


def reference(parameters, inputs, item_type, context):
    bandwidth, damping = parameters["bandwidth"], math.sqrt(2) / 2
    gain = 4 / (1 + 2 * damping * bandwidth + bandwidth * bandwidth)
    to_phase, to_frequency = gain * damping * bandwidth, gain * bandwidth * bandwidth
    low, high = (nearest(parameters[name] * WORD) for name in ("min_frequency", "max_frequency"))
    phase, frequency, found = 0, 0, []
    for angle in np.angle(wide(inputs["in"])).astype(np.float32).tolist():
        found.append(frequency / WORD)
        e = float((nearest(angle * (WORD / 2)) * 2 - phase + 2**63) % 2**64 - 2**63) if angle == angle else 0.0
        frequency += nearest(to_frequency * e)
        phase += frequency + nearest(to_phase * e)
        frequency = min(max(frequency, low), high)
    return {"out": np.array(found)}


def cases(item_type, context):
    return [{"bandwidth": width, "min_frequency": low, "max_frequency": high}
            for width, low, high in ((0.0628, -1.0, 1.0), (0.3, -3.0, 0.1))]
