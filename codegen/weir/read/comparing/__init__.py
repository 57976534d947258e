"""Comparison of two sets of runs: match the runs, estimate their differences, and list what differed between them."""
