"""Engine: generates, builds, runs, traces and verifies the programs of a plan."""
