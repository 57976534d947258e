"""Verify that a binary computes its project, by comparison with numpy, other schedulers and other runs."""
