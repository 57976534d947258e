"""Two sets of runs beside each other: which runs go together, how much they differ, and in what they were different."""
