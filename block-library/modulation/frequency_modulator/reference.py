import numpy as np
from weir_reference import wide


def reference(parameters, inputs, item_type, context):
    with np.errstate(invalid="ignore"):
        cycles = np.modf(parameters["deviation"] / parameters["sample_rate"] * wide(inputs["in"]))[0]
    words = np.ldexp(np.abs(np.where(np.isfinite(cycles), cycles, 0.0)), 64).astype(np.uint64)
    phases = np.cumsum(np.where(cycles < 0, np.uint64(0) - words, words), dtype=np.uint64)
    return {"out": np.exp(2j * np.pi * (phases.astype(np.float64) / 2.0**64))}


def magnitude(parameters, inputs, item_type, context):
    return {"out": np.ones(len(inputs["in"]))}


def cases(item_type, context):
    return [{}, {"sample_rate": 240e3}, {"sample_rate": 1.0, "deviation": -0.1}, {"deviation": 0.0}]


def edges(item_type):
    return {"in": [np.nan, np.inf, -np.inf, 0.0]}
