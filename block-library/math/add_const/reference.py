import numpy as np
from weir_reference import DTYPES, wide


def reference(parameters, inputs, item_type, context):
    return {"out": wide(inputs["in"]) + wide(np.array([parameters["constant"]], DTYPES[item_type]))}


def cases(item_type, context):
    yield {}
    yield {"constant": 7}
    if item_type in ("f32", "c64"):
        yield {"constant": -0.7123}
    if item_type == "c64":
        yield {"constant": [0.3, -1.9]}
