"""Import and export: flowgraphs of GNU Radio Companion, and capsules."""
