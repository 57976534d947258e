"""Output for people: terminal summaries, reports with figures, and pictures of the flowgraph."""
