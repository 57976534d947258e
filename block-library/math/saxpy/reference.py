import numpy as np
from weir_reference import DTYPES, wide


def reference(parameters, inputs, item_type, context):
    a, b = _constants(parameters, item_type)
    return {"out": a * wide(inputs["in"]) + b}


def magnitude(parameters, inputs, item_type, context):
    a, b = _constants(parameters, item_type)
    if item_type == "f32":
        return reference(parameters, inputs, item_type, context)
    return {"out": np.abs(a * wide(inputs["in"])) + np.abs(b)}


def cases(item_type, context):
    yield {}
    yield {"a": -3.1, "b": 1000.7}
    if item_type == "c64":
        yield {"a": [0.6, -1.7], "b": [0.3, 20.1]}


def _constants(parameters, item_type):
    return (wide(np.array(parameters[name], DTYPES[item_type])) for name in ("a", "b"))
