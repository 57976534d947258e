"""Six pipes of copy_rand, flat out: as saxpy, of another project."""

from weir.lab.bench.works.saxpy import entries

__all__ = ["entries"]
