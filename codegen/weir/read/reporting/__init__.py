"""What people see: terminal summaries, reports with figures, pictures of the flowgraph."""
