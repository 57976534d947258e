"""The flat flowgraph: `repeat`, `groups` and `pipes` worked out, item types inferred, rates balanced."""
