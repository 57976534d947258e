from fractions import Fraction

import numpy as np
from weir_reference import indices, wide


def reference(parameters, inputs, item_type, context):
    x = wide(inputs["in"])
    step = round(Fraction(parameters["frequency"]) / Fraction(parameters["sample_rate"]) * 2**64) % 2**64
    cycles = (indices(len(x)) * np.uint64(step)).astype(np.float64) / 2.0**64
    return {"out": x * np.exp(2j * np.pi * cycles + 1j * parameters["phase"])}


def magnitude(parameters, inputs, item_type, context):
    return {"out": np.abs(wide(inputs["in"]))}


def cases(item_type, context):
    return [{"frequency": 1234.5}, {"sample_rate": 960e3, "frequency": -250e3, "phase": 1.0},
            {"sample_rate": 1.0, "frequency": 0.499999}, {"sample_rate": 3.0, "frequency": 1e6, "phase": -2.0}]
