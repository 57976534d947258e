"""What others bring and take: flowgraphs of GNU Radio Companion, and capsules."""
