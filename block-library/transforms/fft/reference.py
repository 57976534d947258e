import numpy as np
from weir_reference import wide

WINDOWS = {"rectangular": (1, 0, 0, 0), "hann": (0.5, 0.5, 0, 0), "hamming": (0.54, 0.46, 0, 0),
           "blackman": (0.42, 0.5, 0.08, 0), "blackman_harris": (0.35875, 0.48829, 0.14128, 0.01168)}


def reference(parameters, inputs, item_type, context):
    groups = _windowed(parameters, inputs)
    if parameters["direction"] == "forward":
        spectra = np.fft.fft(groups, axis=1)
        return {"out": (np.fft.fftshift(spectra, axes=1) if parameters["shift"] else spectra).ravel()}
    return {"out": np.fft.ifft(np.fft.ifftshift(groups, axes=1) if parameters["shift"] else groups, axis=1).ravel()}


def magnitude(parameters, inputs, item_type, context):
    groups = _windowed(parameters, inputs)
    scale = 1 if parameters["direction"] == "forward" else 1 / parameters["size"]
    return {"out": np.repeat(np.linalg.norm(groups, axis=1) * scale, parameters["size"])}


def cases(item_type, context):
    yield {"size": 1}
    for size, window in ((2, "rectangular"), (7, "hann"), (64, "hamming"), (1000, "blackman"), (1024, "hann"),
                         (128, "blackman_harris")):
        for shift in (False, True):
            yield {"size": size, "window": window, "shift": shift}
            yield {"size": size, "window": window, "shift": shift, "direction": "inverse"}
            yield {"size": size, "window": window, "shift": shift, "symmetric": True}


def _windowed(parameters, inputs):
    x, size = wide(inputs["in"]), parameters["size"]
    a, b, c, d = WINDOWS[parameters["window"]]
    turn = 2 * np.pi * np.arange(size) / (max(size - 1, 1) if parameters["symmetric"] else size)
    return x[:len(x) // size * size].reshape(-1, size) * (
        a - b * np.cos(turn) + c * np.cos(2 * turn) - d * np.cos(3 * turn))
