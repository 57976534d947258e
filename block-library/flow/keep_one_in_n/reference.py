def reference(parameters, inputs, item_type, context):
    n, index = parameters["n"], parameters["index"]
    return {"out": inputs["in"][:len(inputs["in"]) // n * n][index::n]}


def cases(item_type, context):
    return [{"n": n} for n in (1, 2, 17, 1000, 100_000)] + [{"n": 3, "index": 2}, {"n": 1000, "index": 500}]
