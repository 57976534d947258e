"""Conformance kit for schedulers: builds and runs test programs, and lists the findings on one page.

The programs' sources are in runtime/tests/conformance. They share the fixtures of the runtime's own tests.
"""
