def reference(parameters, inputs, item_type, context):
    first, group = parameters["first"], parameters["first"] + parameters["second"]
    x = inputs["in"]
    groups = x[:len(x) // group * group].reshape(-1, group)
    return {"out0": groups[:, :first].ravel(), "out1": groups[:, first:].ravel()}


def cases(item_type, context):
    return [{"first": a, "second": b} for a, b in ((1, 1), (3, 1), (2, 5), (100, 7))]
