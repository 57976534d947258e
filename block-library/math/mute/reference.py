import numpy as np


def reference(parameters, inputs, item_type, context):
    return {"out": np.zeros_like(inputs["in"]) if parameters["mute"] else inputs["in"]}


def cases(item_type, context):
    return [{}, {"mute": True}]
