"""The expressions of a flowgraph: parsed, evaluated, and told in the words that a project has."""
