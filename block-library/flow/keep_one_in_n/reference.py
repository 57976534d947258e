def reference(parameters, inputs, item_type, context):
    n, index, vector = (parameters[name] for name in ("n", "index", "vector"))
    x = inputs["in"]
    return {"out": x[:len(x) // (n * vector) * n * vector].reshape(-1, n, vector)[:, index].ravel()}


def cases(item_type, context):
    return [{"n": n} for n in (1, 2, 17, 1000, 100_000)] + [
        {"n": 3, "index": 2}, {"n": 1000, "index": 500}, {"n": 3, "index": 1, "vector": 64}, {"vector": 5}]
