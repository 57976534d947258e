"""Test the rules for every block of the library, without naming any block."""

from __future__ import annotations

import zlib
from dataclasses import replace

import numpy as np
import pytest
from conftest import LARGEST_ERRORS
from running import rates_of, run
from weir.model.behaviour import history_of
from weir_reference import DTYPES, Context, counter_pattern, nearest_turn, ulp_error

CUTS = ((1, 700), (2, 5), (3, 64), (4, 5000))
ITEMS = 6000
NAMES = {dtype: name for name, dtype in DTYPES.items()}


def expected_array(values, dtype):
    pairs = [complex(*v) if isinstance(v, list) else v for v in values]
    return np.array(pairs, dtype)


def test_descriptor_is_complete(block):
    descriptor = block.descriptor
    assert descriptor["id"] == block.folder.name
    assert (block.folder / f"{block.id}.hpp").is_file()
    assert len(descriptor["documentation"]) > 20 and descriptor["title"]
    assert len(descriptor["vectors"]) >= 2
    for parameter in descriptor["parameters"]:
        assert parameter["documentation"].endswith("."), parameter["id"]


def test_defaults_are_those_of_the_header(block, item_type, driver):
    defaults = driver.ask({"op": "defaults", "block": f"{block.id}/{item_type}"})
    parameters = {p["id"]: p for p in block.descriptor["parameters"]}
    assert set(defaults) == set(parameters)
    for name, parameter in parameters.items():
        if "default" in parameter:
            pair = parameter["type"] == "item" and isinstance(defaults[name], list)
            assert (complex(*defaults[name]) if pair else defaults[name]) == parameter["default"], name


def vectors(block, item_type):
    return [v for v in block.descriptor["vectors"] if v.get("item_type", "") == item_type]


@pytest.mark.parametrize(("cut_seed", "max_chunk"), [(0, 0), *CUTS])
def test_vectors(block, item_type, driver, tmp_path, cut_seed, max_chunk):
    for vector in vectors(block, item_type):
        inputs, wanted = ({port: expected_array(vector[side][port], dtype)
                           for port, dtype in block.ports(side, item_type).items()} for side in ("inputs", "outputs"))
        items = max([1, *(len(w) for w in wanted.values())])
        context = Context(items=items, project_dir=block.folder, output_dir=tmp_path)
        given = vector.get("parameters", {})
        ran = run(driver, tmp_path, block, item_type, given, inputs, context, cut_seed, max_chunk)
        assert ran.outcome in ("done", "exhausted", "satisfied"), f"{vector['name']}: {ran.outcome}: {ran.message}"
        for port, want in wanted.items():
            out = ran.outputs[port]
            assert len(out) == len(want), vector["name"]
            if vector.get("ulp", 0) == 0:
                np.testing.assert_array_equal(out, want, err_msg=vector["name"])
            else:
                assert ulp_error(out, want, want) <= vector["ulp"], vector["name"]


def random_inputs(block, item_type, random, most=ITEMS):
    """Return inputs of unequal lengths: floats over six decades with zeros, or any bits for blocks that copy them."""
    inputs = {}
    for port, dtype in block.ports("inputs", item_type).items():
        n = int(random.integers(most // 2, most))
        if dtype.kind in "iu" or block.descriptor["accuracy"]["ulp"] == 0:
            inputs[port] = random.integers(0, 256, n * dtype.itemsize, np.uint8).view(dtype)
        else:
            floats = (random.normal(size=n * dtype.itemsize // 4) * 10 ** random.uniform(-3, 3,
                                                                                         n * dtype.itemsize // 4))
            floats[random.integers(0, len(floats), 20)] = 0.0
            inputs[port] = floats.astype(np.float32).view(dtype)
        edges = block.edges(item_type).get(port, ())
        inputs[port][random.integers(0, n, 3 * len(edges))] = np.tile(edges, 3)
    return inputs


def same_bits(a, b):
    return a.dtype == b.dtype and a.tobytes() == b.tobytes()


def truth_of(block, item_type, given, inputs, context):
    """Return the reference and its magnitudes for `check_outputs`. This may take longer than the run."""
    return block.reference(given, inputs, item_type, context), block.magnitude(given, inputs, item_type, context)


def check_outputs(block, item_type, ran, given, truth_and_magnitudes, context):
    """Check every result of a run against the reference."""
    truth, magnitudes = truth_and_magnitudes
    for port, dtype in block.ports("outputs", item_type).items():
        out, want = ran.outputs[port], truth[port]
        assert len(out) == len(want), port
        if dtype.kind in "iu" or block.descriptor["accuracy"]["ulp"] == 0:
            assert same_bits(out, want.astype(dtype)), port
        else:
            want = nearest_turn(out, want, block.period(given, item_type).get(port))
            error = ulp_error(out, want, magnitudes.get(port, want))
            name = f"{block.id} {item_type}".strip()
            LARGEST_ERRORS[name] = max(LARGEST_ERRORS.get(name, 0.0), error)
            assert error <= block.descriptor["accuracy"]["ulp"] * (1 + 1e-6), f"{port}: {error} ulp"
    check_sinks(block, item_type, ran, given, truth, context)


def check_sinks(block, item_type, ran, given, truth, context):
    """Check the digest and the written files."""
    if "digest" in truth:
        assert ran.answer["digest"] == truth["digest"]
    for parameter in block.descriptor["parameters"]:
        if parameter.get("access") == "write":
            path = block.parameters(given, item_type)[parameter["id"]]
            assert (context.output_dir / path).read_bytes() == truth[parameter["id"]]


def every_case(block, item_type, tmp_path, run_items=0):
    random = np.random.default_rng(zlib.crc32(f"{block.id}/{item_type}".encode()))
    context = Context(items=ITEMS, seed=int(random.integers(2**63)), run_items=run_items,
                      project_dir=tmp_path, output_dir=tmp_path)
    for given in block.cases(item_type, context):
        yield given, random_inputs(block, item_type, random), context


def test_reference_and_cuts(block, item_type, driver, tmp_path):
    """The whole stream in one call is within the stated ulp of the reference, and all chunks give the same bits."""
    for given, inputs, context in every_case(block, item_type, tmp_path):
        whole = run(driver, tmp_path, block, item_type, given, inputs, context)
        assert whole.outcome in ("done", "exhausted", "satisfied"), f"{given}: {whole.outcome}: {whole.message}"
        truth = truth_of(block, item_type, given, inputs, context)
        check_outputs(block, item_type, whole, given, truth, context)
        for cut_seed, max_chunk in CUTS:
            cut = run(driver, tmp_path, block, item_type, given, inputs, context, cut_seed, max_chunk)
            assert cut.outcome in ("done", "exhausted", "satisfied"), f"{given}: {cut.outcome}: {cut.message}"
            for port, out in whole.outputs.items():
                assert same_bits(cut.outputs[port], out), f"{given}: {port} depends on the cuts of seed {cut_seed}"
            check_sinks(block, item_type, cut, given, truth[0], context)


def test_bound_over_the_stated_range(block, item_type, driver, tmp_path):
    """The bound holds for the items of a verification, and for random items at the limits of the range."""
    random = np.random.default_rng(zlib.crc32(f"{block.id}/{item_type} limits".encode()))
    ports = block.ports("inputs", item_type)
    if not ports or not block.descriptor["accuracy"]["ulp"]:
        return
    context = Context(items=ITEMS, seed=1, project_dir=tmp_path, output_dir=tmp_path)
    limits = list(block.limits(item_type))
    for given in (*block.cases(item_type, context), *limits):
        values = block.parameters(given, "")
        least = max(*rates_of(block, "inputs", values), *(len(v) for v in values.values() if isinstance(v, list)), 1)
        most = max(ITEMS, 3 * least)
        counted = {port: counter_pattern(most, NAMES[dtype]).astype(dtype) for port, dtype in ports.items()}
        for inputs in (counted, *([random_inputs(block, item_type, random, 2 * most)] if given in limits else ())):
            ran = run(driver, tmp_path, block, item_type, given, inputs, context)
            assert ran.outcome in ("exhausted", "satisfied", "done"), f"{given}: {ran.outcome}: {ran.message}"
            check_outputs(block, item_type, ran, given, truth_of(block, item_type, given, inputs, context), context)


def test_run_items_bound_what_ends_with_the_run(block, item_type, driver, tmp_path):
    bounds = block.descriptor["behaviour"].get("bounds")
    for given, inputs, context in every_case(block, item_type, tmp_path, run_items=321):
        ran = run(driver, tmp_path, block, item_type, given, inputs, context, 7)
        check_outputs(block, item_type, ran, given, truth_of(block, item_type, given, inputs, context), context)
        if bounds and not block.parameters(given, item_type)[bounds]:
            assert ran.outcome == "done" and ran.answer["total_items"] == 321
            return


def test_in_place(block, item_type, driver, tmp_path):
    if not block.descriptor["behaviour"].get("in_place"):
        return
    assert list(block.ports("inputs", item_type).values())[0] == list(block.ports("outputs", item_type).values())[0]
    for given, inputs, context in every_case(block, item_type, tmp_path):
        apart = run(driver, tmp_path, block, item_type, given, inputs, context, 8)
        within = run(driver, tmp_path, block, item_type, given, inputs, context, 9, in_place=True)
        assert within.outcome == apart.outcome
        for port, out in apart.outputs.items():
            assert same_bits(within.outputs[port], out), f"{given}: {port}"


def test_rates(block, item_type, driver, tmp_path):
    """A block with fixed rates moves all firings if all ports are offered the same number, until its end if stated."""
    rates = block.descriptor["behaviour"].get("rates", "varying")
    if rates == "varying":
        return
    for given, inputs, context in every_case(block, item_type, tmp_path, run_items=1234):
        whole = run(driver, tmp_path, block, item_type, given, inputs, context)
        for cut_seed, max_chunk in (*CUTS, (5, 1)):
            ran = run(driver, tmp_path, block, item_type, given, inputs, context, cut_seed, max_chunk,
                      equal_offers=True)
            assert ran.outcome in {"fixed": ("exhausted", "satisfied")}.get(rates,
                                                                            ("exhausted", "satisfied", "done")), \
                f"{given}: {ran.outcome}: {ran.message}"
            for port, out in whole.outputs.items():
                assert same_bits(ran.outputs[port], out), f"{given}: {port}"
            if rates == "until_end":
                moved = (ran.answer["produced"] or ran.answer["consumed"])[0]
                end = ran.answer.get("total_items")
                assert end == moved if ran.outcome == "done" else end is None or end >= moved, given


def test_history(block, item_type, driver, tmp_path):
    """A stream that begins `history` items before a firing is bit-identical to the whole stream from that firing on."""
    state = block.descriptor["behaviour"]["state"]
    if state == "stateful" or state == "history" and "history" not in block.descriptor["behaviour"] or not block.ports(
            "inputs", item_type) or not block.ports("outputs", item_type):
        return
    compared = 0
    for given, inputs, context in every_case(block, item_type, tmp_path):
        values = block.parameters(given, "")
        history = history_of(block.descriptor, values)
        in_rates, out_rates = (rates_of(block, side, values) for side in ("inputs", "outputs"))
        whole = run(driver, tmp_path, block, item_type, given, inputs, context, 6)
        firings = min(len(items) // rate for items, rate in zip(inputs.values(), in_rates))
        begun = zlib.crc32(str(given).encode()) % max(firings // 2, 1)
        lead = -(-history // in_rates[0])
        later = {port: items[begun * rate:] for (port, items), rate in zip(inputs.items(), in_rates)}
        part = run(driver, tmp_path, block, item_type, given, later, context, 7)
        for (port, out), rate in zip(whole.outputs.items(), out_rates):
            from_here = out[(begun + lead) * rate:]
            compared += len(from_here)
            assert same_bits(part.outputs[port][lead * rate:], from_here), f"{given}: {port} from firing {begun}"
    assert compared


def test_seek(block, item_type, driver, tmp_path):
    """A stream that begins at item n, near or far, is bit-identical to the whole stream from item n on."""
    if not block.descriptor["behaviour"].get("random_access"):
        return
    ends = block.descriptor["behaviour"].get("rates") == "until_end"
    for given, inputs, context in every_case(block, item_type, tmp_path):
        for first, after in ((0, 1), (0, 3 if ends else 777), (0 if ends else 2**40 + 5, 2 if ends else 2500)):
            whole, part = (run(driver, tmp_path, block, item_type, given, {p: x[skipped:] for p, x in inputs.items()},
                               replace(context, items=ITEMS - skipped), 11, **place)
                           for skipped, place in ((0, {"seek": first} if first else {}),
                                                  (after, {"seek": first + after})))
            assert whole.outcome == part.outcome in ("exhausted", "satisfied", *(("done",) if ends else ())), \
                f"{given}: {part.outcome}: {part.message}"
            for port, out in whole.outputs.items():
                assert same_bits(part.outputs[port], out[after:]), f"{given}: {port} from item {first + after}"


def test_element_function(block, item_type, driver, tmp_path):
    if not block.descriptor["behaviour"].get("element_function"):
        return
    for given, inputs, context in every_case(block, item_type, tmp_path):
        whole = run(driver, tmp_path, block, item_type, given, inputs, context, 12)
        singly = run(driver, tmp_path, block, item_type, given, inputs, context, 13, equal_offers=True, by_element=True)
        assert singly.outcome == whole.outcome, f"{given}: {singly.outcome}: {singly.message}"
        for port, out in whole.outputs.items():
            assert same_bits(singly.outputs[port], out), f"{given}: {port}"


def test_every_item_type_is_known(block):
    assert set(block.item_types) <= {*DTYPES, ""}
