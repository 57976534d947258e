def reference(parameters, inputs, item_type, context):
    return {"out": inputs["in"]}


def cases(item_type, context):
    return [{}, {"max_copy": 1}, {"max_copy": 100_000}]
