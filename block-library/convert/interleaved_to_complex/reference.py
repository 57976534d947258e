import numpy as np
from weir_reference import wide


def reference(parameters, inputs, item_type, context):
    scale, offset = (float(np.float32(parameters[name])) for name in ("scale", "offset"))
    x = (wide(inputs["in"]) - offset) / scale
    return {"out": _pairs(x)}


def magnitude(parameters, inputs, item_type, context):
    x = (np.abs(wide(inputs["in"]).astype(np.float64)) + abs(parameters["offset"])) / abs(parameters["scale"])
    return {"out": _pairs(x)}


def cases(item_type, context):
    yield {}
    yield {"scale": 127.5, "offset": 127.5}
    yield {"scale": -3.5, "offset": 2}


def _pairs(x):
    n = len(x) // 2 * 2
    return x[:n:2] + 1j * x[1:n:2]
