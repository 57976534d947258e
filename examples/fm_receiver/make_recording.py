#!/usr/bin/python3
"""Makes the recording of the FM receiver example beside this file: broadcast.sigmf-data (cu8) and broadcast.sigmf-meta.

What a cheap receiver tuned between two stations would give, at 960 kS/s: the wanted station 250 kHz above the middle, a
stronger one 150 kHz below it, leakage of the receiver's own oscillator in the middle, noise, and 8 bits. Each station
sends a tone with the emphasis of 50 us and a stereo pilot at 19 kHz. Every frequency has whole cycles in the 0.25 s, so
that the recording can be played again and again without a seam. The same bytes every time.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np

SAMPLE_RATE_HZ = 960_000
SAMPLES = 240_000
DEVIATION_HZ = 75_000
EMPHASIS_S = 50e-6
PILOT_HZ, PILOT_PART = 19_000, 0.09
TONE_PART = 0.6  # of the deviation, before the emphasis
LEAKAGE = 0.02 - 0.01j
NOISE_SIGMA = 0.02

# middle of the station, its tone, its amplitude at the receiver
STATIONS = [(250_000, 1_000, 0.25), (-150_000, 2_500, 0.5)]


def station(offset_hz: float, tone_hz: float, amplitude: float) -> np.ndarray:
    """One station as it is received: complex128 [SAMPLES]."""
    t = np.arange(SAMPLES) / SAMPLE_RATE_HZ
    emphasis = 1 + 2j * np.pi * tone_hz * EMPHASIS_S
    # The phase is the integral of the frequency; that of a sine of whole cycles closes on itself.
    tone = TONE_PART * (emphasis * np.exp(2j * np.pi * tone_hz * t)).real / tone_hz
    pilot = PILOT_PART * np.cos(2 * np.pi * PILOT_HZ * t) / PILOT_HZ
    return amplitude * np.exp(1j * (2 * np.pi * offset_hz * t + DEVIATION_HZ * (tone + pilot)))


def recording() -> np.ndarray:
    """All stations with noise: uint8 [SAMPLES, 2], real and imaginary part."""
    random = np.random.default_rng(1)
    noise = random.normal(0, NOISE_SIGMA, (SAMPLES, 2))
    signal = sum(station(*s) for s in STATIONS) + LEAKAGE
    parts = np.stack([signal.real, signal.imag], axis=1) + noise
    return np.clip(np.rint(128 + 128 * parts), 0, 255).astype(np.uint8)


def main() -> None:
    """Writes the recording and its description beside this file."""
    folder = Path(__file__).resolve().parent
    data = recording().tobytes()
    meta = {
        "global": {
            "core:datatype": "cu8",
            "core:sample_rate": SAMPLE_RATE_HZ,
            "core:version": "1.0.0",
            "core:sha512": hashlib.sha512(data).hexdigest(),
            "core:description": "Two synthetic FM stations; the one 250 kHz above the middle sends a tone of 1 kHz",
        },
        "captures": [{"core:sample_start": 0}],
        "annotations": [],
    }
    (folder / "broadcast.sigmf-data").write_bytes(data)
    (folder / "broadcast.sigmf-meta").write_text(json.dumps(meta, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
