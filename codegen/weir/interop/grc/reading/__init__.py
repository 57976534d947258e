"""Reader of GNU Radio Companion files: YAML, XML of 3.7, the shape of a flowgraph, and block files."""
