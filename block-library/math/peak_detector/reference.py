import numpy as np


def reference(parameters, inputs, item_type, context):
    alpha, ahead = parameters["alpha"], parameters["look_ahead"]
    x = inputs["in"].astype(float)
    marks, means = np.zeros(len(x), np.uint8), np.zeros(len(x))
    mean, begin = 0.0, None
    for n, newest in enumerate(x):
        mean = means[n] = alpha * newest + (1 - alpha) * mean
        if begin is None and newest > (1 + parameters["threshold"]) * mean:
            begin = n
        if begin is not None and n == begin + ahead - 1:
            window = x[begin:n + 1]
            marks[begin + np.argmax(np.where(np.isnan(window), -np.inf, window))] = 1
            begin = None
    late = min(ahead - 1, len(x))
    return {"out": np.concatenate([np.zeros(late, np.uint8), marks[:len(x) - late]]),
            "average": np.concatenate([np.zeros(late), means[:len(x) - late]]).astype(np.float32)}


def cases(item_type, context):
    return [{}, {"threshold": 0.3, "look_ahead": 7, "alpha": 0.01}, {"threshold": 0, "look_ahead": 1, "alpha": 1.0},
            {"threshold": -2, "look_ahead": 100, "alpha": 0.1}]
