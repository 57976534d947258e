"""Shared code of the targets in Rust: names, text, and building a generated project with cargo."""
