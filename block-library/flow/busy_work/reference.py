def reference(parameters, inputs, item_type, context):
    return {"out": inputs["in"]}


def cases(item_type, context):
    return [{}, {"iterations": 0}, {"iterations": 1}]
