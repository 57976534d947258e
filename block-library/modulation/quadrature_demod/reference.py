import numpy as np
from weir_reference import wide


def reference(parameters, inputs, item_type, context):
    x = wide(inputs["in"])
    turned = x * np.conj(np.concatenate([[0], x[:-1]]))
    angle = np.where(turned == 0, 0, np.angle(turned))  # numpy returns pi for -0
    return {"out": angle * parameters["sample_rate"] / (2 * np.pi * parameters["deviation"])}


def magnitude(parameters, inputs, item_type, context):
    return {"out": np.full(len(inputs["in"]), parameters["sample_rate"] / (2 * parameters["deviation"]))}


def period(parameters):
    return {"out": parameters["sample_rate"] / parameters["deviation"]}


def cases(item_type, context):
    return [{}, {"sample_rate": 240e3}, {"sample_rate": 1.0, "deviation": 0.1}]
