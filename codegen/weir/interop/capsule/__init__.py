"""Capsules: a sweep with everything needed to repeat it, in one file. Pack it here, check and judge it elsewhere."""
