"""A flowgraph as a project: blocks by the table, variables, streams, and what is said of the rest."""
