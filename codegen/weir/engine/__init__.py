"""From a plan to a run: generates, builds, runs, traces and verifies."""
