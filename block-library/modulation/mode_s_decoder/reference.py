import numpy as np

PREAMBLE, BITS = 16, 112
FRAME = PREAMBLE + 2 * BITS
PULSES, QUIET = [0, 2, 7, 9], [4, 5, 11, 12, 13, 14]


def reference(parameters, inputs, item_type, context):
    x = np.concatenate([np.zeros(FRAME - 1, np.float32), inputs["in"]])
    frames = np.lib.stride_tricks.sliding_window_view(x, FRAME)
    with_preamble = np.ones(len(frames), bool)
    for pulse in PULSES:
        for quiet in QUIET:
            with_preamble &= frames[:, pulse] > frames[:, quiet]
    out = np.zeros(len(frames), np.int32)
    for at in np.flatnonzero(with_preamble):
        out[at] = _address(frames[at, PREAMBLE:])
    return {"out": out}


def edges(item_type):
    return {"in": np.array([np.nan, np.inf, -np.inf, 0, -1], np.float32)}


def _address(samples):
    message = int("".join("1" if one > other else "0" for one, other in samples.reshape(-1, 2)), 2)
    if message >> 107 != 17 or _remainder(message):
        return 0
    return message >> 80 & 0xFFFFFF


def _remainder(message):
    for shift in range(BITS - 25, -1, -1):
        if message >> shift + 24 & 1:
            message ^= 0x1FFF409 << shift
    return message
