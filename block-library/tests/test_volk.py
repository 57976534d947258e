"""Test the blocks that call VOLK, with every implementation for this CPU and with their own code.

They keep their stated bounds, and their results are bit-identical for any chunks.
"""

from __future__ import annotations

import re

from conftest import TREE, Driver
from running import run
from test_blocks import check_outputs, every_case, same_bits, truth_of
from weir.engine.measuring.volk import implementations

#: Cut seed and largest chunk: chunks that begin and end at any item, and very short ones.
CUTS = ((1, 701), (2, 3))
CALL = re.compile(r"\b(volk_\d+[a-z]+_[a-z0-9_]+?)(?:_[au])?\(")


def kernels_of(block, item_type: str) -> list[str]:
    return [name for name, types in block.descriptor.get("kernels", {}).items() if not types or item_type in types]


def test_the_descriptor_has_the_kernels_that_the_code_calls(block):
    """Compare the kernels in the descriptor with the calls in the block's header."""
    code = (block.folder / f"{block.id}.hpp").read_text()
    if '"weir/volk_dot.hpp"' in code:
        code += (TREE / "runtime/include/weir/volk_dot.hpp").read_text()
    stated = set(block.descriptor.get("kernels", {}))
    if not stated and not block.folder.is_relative_to(TREE):
        return
    if "volk_scal" in code:
        assert stated and all("convert" in kernel for kernel in stated)
        return
    assert {call for call in CALL.findall(code) if not call.endswith("_get_func_desc")} == stated
    asked = re.findall(r'calls_volk\("(\w+)"\)', code)
    assert set(asked) == stated, "it would call a kernel that is off"
    assert ("volk" in block.descriptor.get("uses", ())) == bool(stated)


def choices(kernels: list[str]) -> dict[str, dict[str, tuple[str, str]]]:
    """Return implementation -> kernel -> names expected for aligned and for other items."""
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for kernel, names in implementations(kernels).items():
        for name in {re.sub("^[au]_", "", name) for name in names}:
            anyhow = next((it for it in (f"u_{name}", name) if it in names), None)
            aligned = f"a_{name}" if f"a_{name}" in names else anyhow
            found.setdefault(name, {})[kernel] = (aligned, anyhow or "generic")
            if aligned != anyhow is not None:
                found.setdefault(f"u_{name}", {})[kernel] = (anyhow, anyhow)
    return found


def cases_of(block, item_type, tmp_path) -> list[tuple]:
    return [(given, inputs, context, truth_of(block, item_type, given, inputs, context))
            for given, inputs, context in every_case(block, item_type, tmp_path)]


def hold(block, item_type, driver, tmp_path, cases: list[tuple]):
    for given, inputs, context, truth in cases:
        whole = run(driver, tmp_path, block, item_type, given, inputs, context)
        assert whole.outcome in ("done", "exhausted", "satisfied"), f"{given}: {whole.outcome}: {whole.message}"
        check_outputs(block, item_type, whole, given, truth, context)
        for cut_seed, max_chunk in CUTS:
            cut = run(driver, tmp_path, block, item_type, given, inputs, context, cut_seed, max_chunk)
            for port, out in whole.outputs.items():
                assert same_bits(cut.outputs[port], out), f"{given}: {port} depends on the cuts of seed {cut_seed}"


def test_every_implementation(block, item_type, request, tmp_path):
    kernels = kernels_of(block, item_type)
    if not kernels:
        return
    cases = cases_of(block, item_type, tmp_path)
    for name, chosen in choices(kernels).items():
        folder = tmp_path / name / "volk"
        folder.mkdir(parents=True)
        (folder / "volk_config").write_text("".join(f"{kernel} {a} {u}\n" for kernel, (a, u) in chosen.items()))
        driver = Driver(request.config.getoption("--driver"), {"VOLK_CONFIGPATH": str(folder.parent)})
        try:
            hold(block, item_type, driver, tmp_path, cases)
        except AssertionError as error:
            raise AssertionError(f"with {chosen}: {error}") from error
        finally:
            driver.close()


def test_without_volk(block, item_type, request, tmp_path):
    path = request.config.getoption("--driver-without-volk")
    if not path or not kernels_of(block, item_type):
        return
    driver = Driver(path)
    hold(block, item_type, driver, tmp_path, cases_of(block, item_type, tmp_path))
    driver.close()
