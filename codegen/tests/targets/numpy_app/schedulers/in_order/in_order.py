"""Every block once, upstream to downstream; the sinks last, so that all that the sources made has left them by then."""


def run(nodes, call):
    """`nodes` come upstream first; `call` lets one work on all that has come to it."""
    for node in sorted(nodes, key=lambda node: not node.outputs):
        call(node)
