#!/usr/bin/python3
"""Finds the tone in the audio of the FM receiver: check_tone.py AUDIO.wav...; exits 1 where it is not as it was sent.

Checked are the frequency, the amplitude, the ratio of the tone to everything else in the band (SINAD), and what came
through of the neighbouring station's tone and of the stereo pilot.
"""

from __future__ import annotations

import sys
import wave
from pathlib import Path

import numpy as np

TONE_HZ, TONE_AMPLITUDE = 1_000, 0.6
NEIGHBOUR_HZ, PILOT_HZ = 2_500, 19_000
SETTLING_S = 0.01  # filters fill up


def read(path: Path) -> tuple[np.ndarray, int]:
    """float64 samples in [-1, 1] and the sample rate. ValueError where it is no audio of this receiver."""
    try:
        with wave.open(str(path), "rb") as file:
            if (file.getnchannels(), file.getsampwidth()) != (1, 2):
                raise ValueError(f"{path} is not one channel of 16 bits")
            samples = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32767
            rate = file.getframerate()
    except (wave.Error, EOFError) as error:
        raise ValueError(f"{path} is no WAV file: {error}") from None
    samples = samples[round(SETTLING_S * rate):]
    if len(samples) < rate // 10:
        raise ValueError(f"{path} has less than 0.1 s of audio")
    return samples, rate


def strongest(samples: np.ndarray, rate: int) -> float:
    """Frequency in Hz of the highest peak of the spectrum, made exact by how the phase moves from half to half."""
    half = len(samples) // 2
    window = np.hanning(half)
    frequency = float(np.argmax(np.abs(np.fft.rfft((samples - samples.mean())[:half] * window))) * rate / half)
    for _ in range(3):
        back = window * np.exp(-2j * np.pi * frequency * np.arange(half) / rate)
        moved = np.sum(samples[half:2 * half] * back) * np.conj(np.sum(samples[:half] * back))
        expected = np.exp(2j * np.pi * frequency * half / rate)
        frequency += float(np.angle(moved * np.conj(expected))) / (2 * np.pi) * rate / half
    return frequency


def sine(samples: np.ndarray, rate: int, frequency_hz: float) -> np.ndarray:
    """The sine of that frequency that fits best, by least squares; a constant is fitted with it."""
    turn = 2 * np.pi * frequency_hz * np.arange(len(samples)) / rate
    basis = np.stack([np.cos(turn), np.sin(turn), np.ones_like(turn)], axis=1)
    weights = np.linalg.lstsq(basis, samples, rcond=None)[0]
    return basis[:, :2] @ weights[:2]


def amplitude(tone: np.ndarray) -> float:
    """The amplitude of a sine, from its mean power."""
    return float(np.sqrt(2 * np.mean(tone ** 2)))


def decibels(ratio: float) -> float:
    """A ratio of amplitudes in dB."""
    return float(20 * np.log10(max(ratio, 1e-12)))


def check(path: Path) -> bool:
    """Prints what is in a file; returns whether it is the station's tone."""
    samples, rate = read(path)
    print(path)
    found = strongest(samples, rate)
    tone = sine(samples, rate, found)
    rest = samples - samples.mean() - tone
    others = [decibels(amplitude(sine(rest, rate, hz)) / TONE_AMPLITUDE) for hz in (NEIGHBOUR_HZ, PILOT_HZ)]
    right = True
    for name, value, unit, least, most in [
            ("tone", found, "Hz", TONE_HZ - 1, TONE_HZ + 1),
            ("amplitude", amplitude(tone), "", TONE_AMPLITUDE - 0.01, TONE_AMPLITUDE + 0.01),
            ("SINAD", decibels(np.std(tone) / max(np.std(rest), 1e-12)), "dB", 40, np.inf),
            ("neighbour's tone", others[0], "dB", -np.inf, -60),
            ("stereo pilot", others[1], "dB", -np.inf, -50)]:
        is_right = least <= value <= most
        wanted = f"{least:g} to {most:g}" if np.isfinite([least, most]).all() else (
            f"at least {least:g}" if np.isinf(most) else f"at most {most:g}")
        print(f"  {name:17} {value:10.3f} {unit:3} wanted {wanted}: {'ok' if is_right else 'WRONG'}")
        right = right and is_right
    return right


def main(arguments: list[str]) -> int:
    """Checks the files that are named; returns the exit code."""
    if not arguments or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        return 0 if all([check(Path(argument)) for argument in arguments]) else 1
    except (OSError, ValueError) as error:
        print(f"check_tone.py: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
