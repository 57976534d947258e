import numpy as np
from weir_reference import wide


def reference(parameters, inputs, item_type, context):
    scale, offset = (float(np.float32(parameters[name])) for name in ("scale", "offset"))
    return {"out": (wide(inputs["in"]) - offset) / scale}


def magnitude(parameters, inputs, item_type, context):
    distance = np.abs(wide(inputs["in"]).astype(np.float64)) + abs(parameters["offset"])
    return {"out": distance / abs(parameters["scale"])}


def cases(item_type, context):
    yield {}
    yield {"scale": 127.5, "offset": 127.5}
    yield {"scale": -3.5, "offset": 2}
    yield {"scale": 32768}
    yield {"scale": 32767}
