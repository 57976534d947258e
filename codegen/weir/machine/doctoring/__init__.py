"""Check a machine for measuring: the faults, why they matter, and their remedies. `weir doctor` and every run use this.
"""
