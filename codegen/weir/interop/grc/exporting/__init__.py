"""A project as a flowgraph: what came from one as it came, and the table read backwards for what is new."""
