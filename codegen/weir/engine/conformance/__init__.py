"""The conformance kit: what a scheduler is held to, tried in programs of its own, on one page of findings.

The programs are runtime/tests/conformance, with the fixtures of the runtime's own tests; here they are built, run and
read.
"""
