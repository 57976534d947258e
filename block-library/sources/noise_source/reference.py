import math

import numpy as np
from weir_reference import xoroshiro

FLOOR = 9.0


def reference(parameters, inputs, item_type, context):
    pool, parts = parameters["pool"], 2 if item_type == "c64" else 1
    made = _variates(parameters["distribution"], xoroshiro(parameters["seed"]), (pool or context.items) * parts)
    made = made * (parameters["amplitude"] / math.sqrt(parts))
    items = made[1::2] + 1j * made[::2] if parts == 2 else made
    if pool:
        items = items[_take(xoroshiro(parameters["seed"]), context.items) % np.uint64(pool)]
    return {"out": items}


def cases(item_type, context):
    for kind in ("uniform", "gaussian", "laplacian", "impulse"):
        for pool in (0, 1000):
            yield {"distribution": kind, "amplitude": 0.3, "seed": 42, "pool": pool}


def _variates(kind, words, count):
    if kind != "gaussian":
        unit = _unit(_take(words, count))
        if kind == "uniform":
            return 2 * unit - 1
        with np.errstate(divide="ignore"):
            if kind == "impulse":
                z = -math.sqrt(2) * np.log(unit)
                return np.where(z <= FLOOR, 0.0, z)
            z = unit - 0.5
            return np.copysign(np.log(1 - 2 * np.abs(z)), z)
    found = np.empty((0, 2))
    while found.size < count:
        x, y = _single(2 * _unit(_take(words, 2 * count)) - 1).reshape(-1, 2).T
        square = _single(_single(x * x) + _single(y * y))
        kept = (square < 1) & (square > 0)
        x, y, square = x[kept], y[kept], square[kept]
        stretch = np.sqrt(-2 * np.log(square) / square)
        found = np.concatenate([found, np.column_stack([y * stretch, x * stretch])])
    return found.ravel()[:count]


def _take(words, count):
    return np.fromiter(words, np.uint64, count)


def _unit(words):
    return np.minimum(words.astype(np.float32).astype(np.float64) * 2.0**-64, 1 - 2.0**-24)


def _single(values):
    return values.astype(np.float32).astype(np.float64)
