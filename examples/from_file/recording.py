#!/usr/bin/python3
"""Makes the recording of this example, and checks what the flowgraph made of it.

recording.py make                      writes tones.sigmf-data (cf32_le) and tones.sigmf-meta beside this file
recording.py check SIGNAL POWER        reads signal.c64 and power.f32 of a run; exits 1 when the answer is wrong
"""

from __future__ import annotations

import array
import cmath
import hashlib
import json
import random
import sys
from pathlib import Path

SAMPLE_RATE_HZ = 48_000
SAMPLES = 16_384
DECIMATION = 8
TAPS = 63
KEPT_HZ, KEPT_AMPLITUDE = 1_000, 0.5
REMOVED_HZ, REMOVED_AMPLITUDE = 9_000, 0.4
NOISE_SIGMA = 0.01


def tone(frequency_hz: float, sample_rate_hz: float, n: int) -> complex:
    """Item `n` of a complex tone."""
    return cmath.exp(2j * cmath.pi * frequency_hz * n / sample_rate_hz)


def make(folder: Path) -> None:
    """Two tones and Gaussian noise; the same bytes every time."""
    noise = random.Random(1)
    data = array.array("f")
    for n in range(SAMPLES):
        sample = (KEPT_AMPLITUDE * tone(KEPT_HZ, SAMPLE_RATE_HZ, n)
                  + REMOVED_AMPLITUDE * tone(REMOVED_HZ, SAMPLE_RATE_HZ, n)
                  + complex(noise.gauss(0, NOISE_SIGMA), noise.gauss(0, NOISE_SIGMA)))
        data.extend((sample.real, sample.imag))
    if sys.byteorder == "big":
        data.byteswap()
    (folder / "tones.sigmf-data").write_bytes(data.tobytes())
    meta = {
        "global": {
            "core:datatype": "cf32_le",
            "core:sample_rate": SAMPLE_RATE_HZ,
            "core:version": "1.0.0",
            "core:sha512": hashlib.sha512(data.tobytes()).hexdigest(),
            "core:description": f"Tones at {KEPT_HZ} Hz and {REMOVED_HZ} Hz, and noise",
        },
        "captures": [{"core:sample_start": 0}],
        "annotations": [],
    }
    (folder / "tones.sigmf-meta").write_text(json.dumps(meta, indent=2) + "\n", encoding="utf-8")


def read_floats(path: Path) -> array.array:
    """The little-endian float32 values of a file."""
    values = array.array("f", path.read_bytes())
    if sys.byteorder == "big":
        values.byteswap()
    return values


def amplitude(signal: list[complex], frequency_hz: float) -> float:
    """Return the complex tone at that frequency in the decimated signal."""
    rate = SAMPLE_RATE_HZ / DECIMATION
    return abs(sum(x * tone(-frequency_hz, rate, n) for n, x in enumerate(signal)) / len(signal))


def check(signal_file: Path, power_file: Path) -> bool:
    """Returns whether both files hold what the example computes."""
    floats, power = read_floats(signal_file), read_floats(power_file)
    items = SAMPLES // DECIMATION
    if len(floats) != 2 * items or len(power) != items:
        print(f"{len(floats) / 2:g} items and {len(power)} of power, wanted {items}: WRONG")
        return False
    signal = [complex(*floats[i:i + 2]) for i in range(0, len(floats), 2)]
    # The filter fills up first; what is left is cut to whole periods of the kept tone, which has 6 items in each.
    settled = signal[TAPS // DECIMATION + 1:]
    settled = settled[:len(settled) // 6 * 6]
    found = [
        ("amplitude at 1 kHz", amplitude(settled, KEPT_HZ), KEPT_AMPLITUDE, 0.005),
        ("amplitude at 9 kHz", amplitude(settled, REMOVED_HZ), 0, 0.001),
        ("power", sum(power[-len(settled):]) / len(settled), KEPT_AMPLITUDE ** 2, 0.005),
    ]
    right = True
    for name, value, wanted, tolerance in found:
        is_right = abs(value - wanted) <= tolerance
        print(f"{name:20} {value:<12.6g} wanted {wanted:g} +- {tolerance:g}: {'ok' if is_right else 'WRONG'}")
        right = right and is_right
    return right


def main(arguments: list[str]) -> int:
    """Makes the recording or checks what was made of it; returns the exit code."""
    match arguments:
        case ["make"]:
            make(Path(__file__).resolve().parent)
            return 0
        case ["check", signal_file, power_file]:
            try:
                return 0 if check(Path(signal_file), Path(power_file)) else 1
            except (OSError, ValueError) as error:
                print(f"recording.py: {error}", file=sys.stderr)
                return 1
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
