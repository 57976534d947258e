import math

import numpy as np
from weir_reference import splitmix64

WORD = 2**64 - 1
JUMP = 0xD86B048B86AA9922 << 64 | 0xBEAC0467EBA5FACB
FLOOR = 9.0


def reference(parameters, inputs, item_type, context):
    pool, parts = parameters["pool"], 2 if item_type == "c64" else 1
    made = _variates(parameters["distribution"], _words(parameters["seed"]), (pool or context.items) * parts)
    made = made * (parameters["amplitude"] / math.sqrt(parts))
    items = made[1::2] + 1j * made[::2] if parts == 2 else made
    if pool:
        items = items[_take(_words(parameters["seed"]), context.items) % np.uint64(pool)]
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


def _words(seed):
    """Yield the numbers of xoroshiro128+, from 2^64 steps after the state that splitmix64 makes of the seed on."""
    a = (seed + 0x9E3779B97F4A7C15) & WORD
    b = int(splitmix64(np.array([seed], np.uint64))[0])
    jumped = [0, 0]
    for bit in range(128):
        if JUMP >> bit & 1:
            jumped = [jumped[0] ^ a, jumped[1] ^ b]
        a, b = _next(a, b)
    a, b = jumped
    while True:
        yield (a + b) & WORD
        a, b = _next(a, b)


def _next(a, b):
    b ^= a
    return _turned(a, 55) ^ b ^ (b << 14) & WORD, _turned(b, 36)


def _turned(x, by):
    return (x << by | x >> (64 - by)) & WORD


def _take(words, count):
    return np.fromiter(words, np.uint64, count)


def _unit(words):
    return np.minimum(words.astype(np.float32).astype(np.float64) * 2.0**-64, 1 - 2.0**-24)


def _single(values):
    return values.astype(np.float32).astype(np.float64)
