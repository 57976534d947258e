"""Import of a flowgraph as a project: blocks by the table, variables, streams, and a report on the rest."""
