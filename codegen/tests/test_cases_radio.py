"""Test recordings that were once read wrongly, and their present reports."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from planning import project
from weir.engine.verifying.evaluation import Conditions, evaluate
from weir.model.catalog import Catalog, load_catalog
from weir.model.check import Checked, check

SIGMF = Path(__file__).parent / "cases" / "06-sigmf-start"


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def with_recording(name: str, catalog: Catalog) -> Checked:
    document = project([{"id": "src", "type": "sigmf_source", "parameters": {"item_type": "c64", "path":
                                                                             f"{name}.sigmf-meta"}},
                        {"id": "sink", "type": "file_sink", "parameters": {"path": "out.c64"}}],
                       ["src.out > sink.in"], run={"items": 1000, "warmup_items": 0, "trace": {"backend": "off"}})
    return check(json.dumps(document), directory=SIGMF, catalog=catalog)


@pytest.mark.parametrize(("name", "said"), [
    ("dup", 'global.core:datatype: line 1, column 38: the key "core:datatype" occurs twice'),
    ("leadzero", "global.core:sample_rate: line 1, column 57: a JSON number cannot begin with 0"),
    ("nullf", "global.core:num_channels: must be a number")])
def test_a_recording_is_refused_with_the_name_of_the_field(name: str, said: str, catalog: Catalog) -> None:
    [fault] = with_recording(name, catalog).diagnostics
    assert (fault.code, fault.pointer) == ("E_RECORDING", "/graph/blocks/0/parameters/path")
    assert fault.message == f"`src`: {name}.sigmf-meta: {said}"


@pytest.mark.parametrize(("name", "first"), [("a", 0), ("bom", 0), ("start5", 5)])
def test_a_recording_begins_with_its_first_capture(name: str, first: int, catalog: Catalog) -> None:
    """Check the reader; the block's own tests compare the block with the same reference."""
    checked = with_recording(name, catalog)
    assert not checked.diagnostics
    written = evaluate(checked.graph, Conditions(1000, 1, SIGMF)).answers["sink"]["path"]
    whole = np.fromfile(SIGMF / f"{name}.sigmf-data", "<i2").astype(np.float32) / np.float32(32768)
    assert written == whole[2 * first:].tobytes()
