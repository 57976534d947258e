import numpy as np
from weir_reference import wide


def reference(parameters, inputs, item_type, context):
    n = min(len(inputs["in0"]), len(inputs["in1"]))
    with np.errstate(divide="ignore", invalid="ignore"):
        return {"out": wide(inputs["in0"][:n]) / wide(inputs["in1"][:n])}


def magnitude(parameters, inputs, item_type, context):
    return {"out": np.abs(reference(parameters, inputs, item_type, context)["out"])}
