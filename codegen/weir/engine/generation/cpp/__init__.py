"""Shared code of the targets that generate C++: names, text, values, the compiler and its messages."""
