def reference(parameters, inputs, item_type, context):
    return {"out": inputs["in"]}


def cases(item_type, context):
    return [{"rate": 1e9}, {"rate": 1e9, "burst_items": 1}, {"rate": 1e9, "latency_budget": 1e-6}]
