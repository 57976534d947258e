"""What is wrong with a machine for measuring, why that matters, and what mends it: `weir doctor` and every run."""
