"""Evaluation of runs: comparisons, reports and histories."""
