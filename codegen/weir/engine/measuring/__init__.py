"""Make and analyse runs: processes, LTTng sessions, traces, latency, results, run directories."""
