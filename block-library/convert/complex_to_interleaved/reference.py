import numpy as np

RANGES = {"u8": (0, 255), "i8": (-128, 127), "i16": (-32768, 32767)}


def reference(parameters, inputs, item_type, context):
    scale, offset = (float(np.float32(parameters[name])) for name in ("scale", "offset"))
    scaled = inputs["in"].view(np.float32).astype(np.float64) * scale + offset
    if item_type == "f32":
        return {"out": scaled}
    with np.errstate(over="ignore"):
        rounded = np.rint(scaled.astype(np.float32).astype(np.float64))
    return {"out": np.nan_to_num(np.clip(rounded, *RANGES[item_type]), nan=0.0)}


def edges(item_type):
    ends = (np.inf, -np.inf, np.nan, 3e38, 0.5, 1.5, 2.5, 127.5, 255.5)
    return {} if item_type == "f32" else {"in": np.array([complex(e, 1) for e in ends], np.complex64)}


def cases(item_type, context):
    yield {}
    yield {"scale": 127.5, "offset": 127.5}
