import numpy as np

RANGES = {"u8": (0, 255), "i8": (-128, 127), "i16": (-32768, 32767), "i32": (-(2**31), 2**31 - 1)}


def reference(parameters, inputs, item_type, context):
    scale, offset = (float(np.float32(parameters[name])) for name in ("scale", "offset"))
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = (inputs["in"].astype(np.float64) * scale + offset).astype(np.float32).astype(np.float64)
    return {"out": np.nan_to_num(np.clip(np.rint(scaled), *RANGES[item_type]), nan=0.0)}


def edges(item_type):
    lowest, highest = RANGES[item_type]
    near = [edge + step for edge in (lowest, highest, 0) for step in (-1.5, -1, -0.5, 0, 0.5, 1, 1.5)]
    return {"in": np.array([*near, 2.5, 1e-45, np.inf, -np.inf, np.nan, 3e38, -3e38], np.float32)}


def cases(item_type, context):
    yield {}
    yield {"scale": 127.5, "offset": 127.5}
    yield {"scale": -3.0}
