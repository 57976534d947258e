import numpy as np
from weir_reference import wide


def reference(parameters, inputs, item_type, context):
    n = min(len(inputs["in0"]), len(inputs["in1"]))
    divisor = wide(inputs["in1"][:n])
    with np.errstate(divide="ignore", invalid="ignore"):
        out = wide(inputs["in0"][:n]) / divisor
    if item_type == "c64":
        out[divisor == 0] = complex(np.nan, np.nan)
    return {"out": out}


def magnitude(parameters, inputs, item_type, context):
    return {"out": np.abs(reference(parameters, inputs, item_type, context)["out"])}
