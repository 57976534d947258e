"""What `weir run` takes on its command line, and how its summary counts sinks."""

import argparse
import json

import pytest
from planning import EXAMPLES, MACHINES, chain

from weir import cli
from weir.reporting.summary import _sinks
from weir.verbs.run import _items


@pytest.mark.parametrize("text, items", [("1", 1), ("100000", 100_000), ("2M", 2_000_000), ("1.5 k", 1500)])
def test_items_take_the_suffixes_of_a_project(text, items):
    assert _items(text) == items


@pytest.mark.parametrize("text", ["0", "-3", "2.5", "1u", "many", "", "9**9**9"])
def test_what_is_not_a_count_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError, match="is not a count"):
        _items(text)


@pytest.mark.parametrize("short, end", [(4, "of 9 items"), (6, "of 9 items, 2 more")])
def test_short_sinks_beyond_four_are_counted(short, end):
    text = _sinks([{"id": f"sink@p{i}", "items": 3, "expected": 9, "digest": None} for i in range(short)])
    assert text.count("sink@") == 4 and text.endswith(end)


@pytest.mark.parametrize("asked, code", [([], 0), (["--deployment", "good"], 0), (["--deployment", "bad"], 1)])
def test_an_error_in_a_deployment_that_was_not_asked_for_does_not_stop_the_others(asked, code, tmp_path, capsys):
    file = tmp_path / "p.weir.json"
    file.write_text(json.dumps(deployed_twice()))
    assert cli.main(["plan", str(file), "--machine", str(MACHINES / "two_core.json"), *asked]) == code
    assert "E_WORKER_UNKNOWN" in capsys.readouterr().err
    assert cli.main(["validate", str(file)]) == 1


def deployed_twice() -> dict:
    good = {"name": "good", "scheduler": "flow", "workers": 2}
    return {**chain(2), "deployments": [good, {**good, "name": "bad", "affinity": {"w7": [0]}}]}


@pytest.mark.parametrize("param, said", [
    ("stage.a", "must be instance.parameter=value"), ("stagee.a=2", "did you mean `stage.a`?"),
    ("stage.item_type=f64", "no such parameter"), ("scheduler.steps=2", "no such parameter")])
def test_parameters_that_no_program_has_are_refused_before_one_is_built(param, said, tmp_path, capsys):
    out = tmp_path / "runs"
    assert cli.main(["run", str(EXAMPLES / "quickstart.weir.json"), "--param", param, "--out", str(out)]) == 2
    assert said in capsys.readouterr().err and not out.exists()
