"""The flat flowgraph: `repeat`, `groups` and `pipes` expanded, item types inferred, rates balanced."""
