"""The plan: which worker runs what, on which CPU, through which buffers, for the machine at hand."""
