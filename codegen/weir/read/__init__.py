"""What runs say: compared, reported, and over time."""
