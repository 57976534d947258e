"""Filters from what is asked of them: taps, what they do to frequencies, and designs that stand beside stored taps."""
