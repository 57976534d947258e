"""A file of GNU Radio Companion as data: its YAML, and the shape of a flowgraph."""
