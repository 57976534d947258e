"""Call every block once, upstream to downstream; sinks last, after all items have left the sources."""


def run(nodes, call):
    """Call each of the `nodes`, upstream first; `call` lets a node process all its input."""
    for node in sorted(nodes, key=lambda node: not node.outputs):
        call(node)
