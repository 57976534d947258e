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
    """Return the largest output of each group, because its rounding error reaches every output of the group.

    Sizes with a large prime factor count three times, because FFTW computes them by a longer convolution.
    """
    size = parameters["size"]
    largest = np.abs(reference(parameters, inputs, item_type, context)["out"].reshape(-1, size)).max(axis=1)
    return {"out": np.repeat(largest * (1 if _has_small_factors(size) else 3), size)}


def cases(item_type, context):
    yield {"size": 1}
    for size, window in ((2, "rectangular"), (7, "hann"), (64, "hamming"), (1000, "blackman"), (1024, "hann"),
                         (128, "blackman_harris")):
        for shift in (False, True):
            yield {"size": size, "window": window, "shift": shift}
            yield {"size": size, "window": window, "shift": shift, "direction": "inverse"}
            yield {"size": size, "window": window, "shift": shift, "symmetric": True}


def limits(item_type):
    for size in (2, 3, 97, 1000, 1021, 2039, 2048, 4096, 4097, 8191, 8192, 16381, 50000, 65521, 65535, 65536):
        yield {"size": size}
        yield {"size": size, "window": "hann", "direction": "inverse"}
    # The error of a window is that of one item, at any length.
    for window in WINDOWS:
        yield {"size": 2048, "window": window}
        yield {"size": 4097, "window": window, "direction": "inverse"}


def _has_small_factors(size):
    for factor in (2, 3, 5, 7, 11, 13):
        while size % factor == 0:
            size //= factor
    return size == 1


def _windowed(parameters, inputs):
    x, size = wide(inputs["in"]), parameters["size"]
    a, b, c, d = WINDOWS[parameters["window"]]
    turn = 2 * np.pi * np.arange(size) / (max(size - 1, 1) if parameters["symmetric"] else size)
    return x[:len(x) // size * size].reshape(-1, size) * (
        a - b * np.cos(turn) + c * np.cos(2 * turn) - d * np.cos(3 * turn))
