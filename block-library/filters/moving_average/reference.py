import numpy as np
from weir_reference import DTYPES, wide


def reference(parameters, inputs, item_type, context):
    x = inputs["in"]
    if x.dtype.kind == "i":  # sums modulo 2^64 are also right modulo the size of the item
        return {"out": (_sums(x.astype(np.int64), parameters["length"]) * parameters["scale"]).astype(x.dtype)}
    return {"out": _sums(wide(x), parameters["length"]) * _scale(parameters, item_type)}


def magnitude(parameters, inputs, item_type, context):
    return {"out": _sums(np.abs(wide(inputs["in"])), parameters["length"]) * abs(_scale(parameters, item_type))}


def cases(item_type, context):
    scale = {"f32": 0.125, "c64": [0.25, -0.5]}.get(item_type, 3)
    return [{"length": length, "scale": scale} for length in (1, 2, 33, 1000, 100_000)]


def _scale(parameters, item_type):
    return DTYPES[item_type].type(parameters["scale"]).astype(complex if item_type == "c64" else float)


def _sums(x, length):
    """Return the moving sums. Doubling the window adds numbers of similar size and subtracts none."""
    sums, have, total, ready = x.copy(), 1, np.zeros_like(x), 0
    while True:
        if length & have:
            total = total + _later(sums, ready)
            ready += have
        if have * 2 > length:
            return total
        sums = sums + _later(sums, have)
        have *= 2


def _later(x, items):
    return np.concatenate([np.zeros(min(items, len(x)), x.dtype), x[:max(len(x) - items, 0)]])
