"""Reading of a file of GNU Radio Companion: its YAML, and the shape of a flowgraph."""
