import numpy as np
from weir_reference import wide


def reference(parameters, inputs, item_type, context):
    x = wide(inputs["in"])
    turned = x * np.conj(np.concatenate([[0], x[:-1]]))
    return {"out": np.angle(turned) * parameters["sample_rate"] / (2 * np.pi * parameters["deviation"])}


def magnitude(parameters, inputs, item_type, context):
    return {"out": np.full(len(inputs["in"]), parameters["sample_rate"] / (2 * parameters["deviation"]))}


def cases(item_type, context):
    return [{}, {"sample_rate": 240e3}, {"sample_rate": 1.0, "deviation": 0.1}]
