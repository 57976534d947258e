import struct

import numpy as np


def reference(parameters, inputs, item_type, context):
    channels, rate = (2 if item_type == "c64" else 1), parameters["sample_rate"]
    samples, frames = inputs["in"].view("<f4"), len(inputs["in"])
    if parameters["format"] == "pcm_16":
        with np.errstate(invalid="ignore", over="ignore"):
            scaled = np.clip(np.nan_to_num(samples.astype(np.float64), nan=0.0) * 32767, -32768, 32767)
        data, width = np.rint(scaled).astype("<i2").tobytes(), 2
        kind, extra, fact = 1, b"", b""
    else:
        data, width = samples.tobytes(), 4
        kind, extra, fact = 3, struct.pack("<H", 0), b"fact" + struct.pack("<II", 4, frames)
    form = struct.pack("<HHIIHH", kind, channels, rate, rate * channels * width, channels * width, 8 * width) + extra
    body = b"WAVEfmt " + struct.pack("<I", len(form)) + form + fact + b"data" + struct.pack("<I", len(data)) + data
    return {"path": b"RIFF" + struct.pack("<I", len(body)) + body}


def cases(item_type, context):
    return [{"path": "a.wav"}, {"path": "b.wav", "sample_rate": 100, "format": "float_32"}]
