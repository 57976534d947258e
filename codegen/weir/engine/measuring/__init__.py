"""Runs: processes, LTTng sessions, traces, latency, results, run directories."""
