"""What targets in Rust share: names and text of the language, and how cargo builds a generated project."""
