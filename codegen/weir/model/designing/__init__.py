"""Filter design: taps, their response, and designs stored beside taps."""
