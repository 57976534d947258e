"""Export of a project as a flowgraph. Imported parts return unchanged, and the inverted table gives the new ones."""
