"""Test that `test_blocks` detects false claims in a block's descriptor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from conftest import BLOCKS
from test_blocks import test_element_function as of_element_function
from test_blocks import test_history as of_history
from test_blocks import test_rates as of_rates
from test_blocks import test_seek as of_seek
from weir_reference import Context, counter_pattern, ulp_error


def claimed(name: str, behaviour: dict):
    if name not in BLOCKS:
        pytest.skip("the tested blocks are not the library's")
    descriptor = BLOCKS[name].descriptor
    return replace(BLOCKS[name], descriptor={**descriptor, "behaviour": {**descriptor["behaviour"], **behaviour}})


@pytest.mark.parametrize(("name", "items", "behaviour", "test", "said"), [
    ("copy_rand", "f32", {"rates": "fixed"}, of_rates, "left firings that it had items and space for"),
    ("copy_rand", "f32", {"rates": "until_end"}, of_rates, "left firings that it had items and space for"),
    ("head", "u8", {"rates": "fixed"}, of_rates, "done"),
    ("file_source", "f32", {"rates": "fixed"}, of_rates, "done"),
    ("dc_blocker", "f32", {"state": "history", "history": 1}, of_history, "from firing"),
    ("delay", "i16", {"state": "stateless"}, of_history, "from firing"),
    ("fir_filter", "c64", {"history": {"expr": "taps_length - 2"}}, of_history, "from firing"),
    ("interpolate", "f32", {"history": {"expr": "taps_length // interpolation - 1"}}, of_history, "from firing"),
    ("agc", "f32", {"random_access": True}, of_seek, "has no noexcept `seek`"),
    ("multiply", "c64", {"element_function": True}, of_element_function, "has no `element`"),
])
def test_it_is_found_out(name, items, behaviour, test, said, driver, tmp_path):
    with pytest.raises(AssertionError, match=said):
        test(claimed(name, behaviour), items, driver, tmp_path)


@pytest.mark.parametrize("size", [1000, 2048, 4097, 65536])
def test_a_wrong_transform_of_what_a_verification_feeds_is_beyond_the_bound(size):
    if "fft" not in BLOCKS:
        pytest.skip("the tested blocks are not the library's")
    block, items = BLOCKS["fft"], {"in": counter_pattern(size, "c64")}
    given = {"size": size, "window": "hann"}

    def made(change=(), x=items):
        return block.reference({**given, **dict(change)}, x, "", Context())["out"]

    truth, stated = made(), block.descriptor["accuracy"]["ulp"]
    largest = block.magnitude(given, items, "", Context())["out"]
    without_one = {"in": np.where(np.arange(size) == size // 2, 0, items["in"])}
    for wrong in (made({"symmetric": True}), made({"window": "hamming"}), made({"shift": True}), made(x=without_one),
                  truth.conj(), truth * (1 + 1e-5)):
        assert ulp_error(wrong.astype(np.complex64), truth, largest) > 2 * stated
