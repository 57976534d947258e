#!/usr/bin/python3
"""Makes the recording of this example, and checks what the flowgraph decoded.

recording.py make              writes airspace.sigmf-data (cu8) and airspace.sigmf-meta beside this file
recording.py check FRAMES      reads frames.i32 of a run; exits 1 if frames are missing or too many
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import numpy as np

SAMPLE_RATE_HZ = 2_000_000
SAMPLES = 200_000
#: Samples of a frame: a preamble of 8 us and 112 bits of 1 us.
PREAMBLE, FRAME = 16, 240
PULSES = (0, 2, 7, 9)
FRAMES, BROKEN, AIRCRAFT = 120, 20, 12
NOISE_SIGMA = 0.01
#: Generator of the parity, ICAO Annex 10.
GENERATOR = 0x1FFF409


def with_parity(message: int) -> int:
    """Return the 112 bits of a frame from its first 88."""
    rest = message << 24
    for shift in range(87, -1, -1):
        if rest >> shift + 24 & 1:
            rest ^= GENERATOR << shift
    return message << 24 | rest


def pulses(bits: int) -> np.ndarray:
    """Return the samples of a frame, 1 for a pulse and 0 without one: float64 [FRAME]."""
    found = np.zeros(FRAME)
    found[list(PULSES)] = 1
    for i in range(112):
        found[PREAMBLE + 2 * i + (1 - (bits >> 111 - i & 1))] = 1
    return found


def traffic() -> list[tuple[int, int, bool]]:
    """Return the frames: place, 112 bits, and whether a bit is wrong, so that the frame must not be decoded."""
    random = np.random.default_rng(1)
    addresses = [int(it) for it in random.choice(np.arange(0x3C0000, 0x3FFFFF), AIRCRAFT, replace=False)]
    # Each frame has a slot of its own, and a random place in it.
    slot = SAMPLES // (FRAMES + BROKEN)
    broken = set(random.choice(FRAMES + BROKEN, BROKEN, replace=False).tolist())
    found = []
    for i in range(FRAMES + BROKEN):
        data = int.from_bytes(random.bytes(7), "big")
        # Downlink format 17, capability 5: an airborne transponder.
        bits = with_parity((17 << 3 | 5) << 80 | addresses[int(random.integers(AIRCRAFT))] << 56 | data)
        bits ^= 1 << int(random.integers(107)) if i in broken else 0
        found.append((i * slot + int(random.integers(slot - FRAME)), bits, i in broken))
    return found


def decodable() -> np.ndarray:
    """Return what the decoder must find: the address at the last sample of each good frame, int32 [SAMPLES]."""
    found = np.zeros(SAMPLES, np.int32)
    for at, bits, is_broken in traffic():
        if not is_broken:
            found[at + FRAME - 1] = bits >> 80 & 0xFFFFFF
    return found


def make(folder: Path) -> None:
    """Write frames of different power and carrier, and Gaussian noise; the same bytes every time."""
    random = np.random.default_rng(2)
    signal = random.normal(0, NOISE_SIGMA, (SAMPLES, 2)) @ np.array([1, 1j])
    for at, bits, _ in traffic():
        amplitude, offset_hz, phase = random.uniform(0.1, 0.9), random.uniform(-5e4, 5e4), random.uniform(0, 2 * np.pi)
        carrier = amplitude * np.exp(1j * (phase + 2 * np.pi * offset_hz / SAMPLE_RATE_HZ * np.arange(FRAME)))
        signal[at:at + FRAME] += pulses(bits) * carrier
    parts = np.stack([signal.real, signal.imag], axis=1)
    data = np.clip(np.rint(128 + 128 * parts), 0, 255).astype(np.uint8).tobytes()
    meta = {
        "global": {
            "core:datatype": "cu8",
            "core:sample_rate": SAMPLE_RATE_HZ,
            "core:version": "1.0.0",
            "core:sha512": hashlib.sha512(data).hexdigest(),
            "core:description": f"{FRAMES} synthetic ADS-B frames of {AIRCRAFT} aircraft, {BROKEN} with a wrong bit",
        },
        "captures": [{"core:sample_start": 0, "core:frequency": 1_090_000_000}],
        "annotations": [],
    }
    (folder / "airspace.sigmf-data").write_bytes(data)
    (folder / "airspace.sigmf-meta").write_text(json.dumps(meta, indent=2) + "\n", encoding="utf-8")


def check(path: Path) -> bool:
    """Print the number of decoded frames and whether these are all and only the good ones."""
    found = np.fromfile(path, "<i4")
    wanted = np.resize(decodable(), len(found))
    right, more = int(np.sum((found == wanted) & (wanted != 0))), int(np.sum((found != wanted) & (found != 0)))
    sent = int(np.count_nonzero(wanted))
    print(f"{path}: {right} of {sent} frames of {len(set(found[found != 0].tolist()))} aircraft, {more} wrong ones, in "
          f"{len(found) / SAMPLE_RATE_HZ:g} s")
    return sent > 0 and right == sent and more == 0


def main(words: list[str]) -> int:
    """Carry out the command line."""
    if words[:1] == ["make"] and len(words) == 1:
        make(Path(__file__).resolve().parent)
        return 0
    if words[:1] == ["check"] and len(words) == 2:
        return 0 if check(Path(words[1])) else 1
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
