"""Whether a binary computes what its project says: held against numpy, against other schedulers, against other runs."""
