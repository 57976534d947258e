"""Runner of GNU Radio programs: loads one, maps its blocks, runs it and writes what its probes counted."""
