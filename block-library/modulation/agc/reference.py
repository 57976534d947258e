import numpy as np
from weir_reference import wide


def reference(parameters, inputs, item_type, context):
    x = wide(inputs["in"])
    sizes = np.abs(x)
    gains, level = np.empty(len(x)), sizes[0] if len(x) else 0.0
    largest, wanted = (float(np.float32(parameters[name])) for name in ("max_gain", "reference"))
    for n, size in enumerate(sizes):
        level += (parameters["attack"] if size > level else parameters["decay"]) * (size - level)
        gains[n] = min(largest, wanted / level) if level > 0 else largest
    return {"out": x * gains}


def cases(item_type, context):
    return [{}, {"reference": 0.25, "attack": 0.5, "decay": 0.1}, {"attack": 0.0, "decay": 0.0},
            {"attack": 1.0, "decay": 1e-5, "max_gain": 10.0}]
