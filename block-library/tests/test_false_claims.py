"""A block of the library that says of itself what is not so is found out: what `test_blocks` asks can fail."""

from __future__ import annotations

from dataclasses import replace

import pytest
from conftest import BLOCKS
from test_blocks import test_element_function as of_element_function
from test_blocks import test_history as of_history
from test_blocks import test_rates as of_rates
from test_blocks import test_seek as of_seek


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
