"""Many runs for one question: sweeps, searches, and the benchmark of this tree."""
