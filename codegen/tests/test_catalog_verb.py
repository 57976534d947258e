"""Test `weir catalog` as text, and the page that is made from the same descriptors."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from weir.cli import main
from weir.cli.verbs.catalog import what_finds
from weir.model.catalog import load_catalog
from weir.model.catalog_text import description

ROOT = Path(__file__).resolve().parents[2]
CATALOG = load_catalog()


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["catalog", *words]) == 0
    return capsys.readouterr().out


def test_a_block_is_described_with_all_that_its_descriptor_says(capsys):
    text = said(capsys, "fir_filter")
    assert text.startswith("fir_filter: FIR filter (filters)\n")
    for line in ("item types  f32 c64", "  in   in   T  decimation items per firing",
                 "  out  out  T  1 item per firing",
                 "  decimation  i64, default 1, 1 to 1000000, a change needs a rebuild"):
        assert line in text.splitlines(), line
    assert "search words  low pass, high pass" in text
    assert "history" in text and "ulp" in text and "uses  volk" in text


@pytest.mark.parametrize("subject", [*CATALOG.blocks.values(), *CATALOG.schedulers.values(), *CATALOG.targets.values()],
                         ids=lambda subject: subject.id)
def test_everything_can_be_described(subject):
    text = description(subject)
    assert all(len(line) <= 100 for line in text.splitlines() if not line.startswith("  "))
    for parameter in getattr(subject, "parameters", ()):
        assert f"\n  {parameter.id}  {parameter.type}" in text
    for port in (*getattr(subject, "inputs", ()), *getattr(subject, "outputs", ())):
        assert port.id in text


def test_units_ranges_and_options_are_reported(capsys):
    text = said(capsys, "signal_source")
    assert "f64 in Hz" in text and "one of " in text


def test_one_kind_alone(capsys):
    assert said(capsys, "schedulers").startswith("SCHEDULER") and "BLOCK" not in said(capsys, "schedulers")
    assert said(capsys, "blocks").startswith("BLOCK")
    both = said(capsys, "blocks", "targets")
    assert "BLOCK" in both and "TARGET" in both and "SCHEDULER" not in both


def test_json_is_the_whole_catalog_or_what_was_requested(capsys):
    whole = json.loads(said(capsys, "--json"))
    assert len(whole["blocks"]) == len(CATALOG.blocks) and whole["schedulers"] and whole["targets"]
    # Weir's own schedulers come first; among them, those that run every drawing.
    order = [(scheduler.get("runtime", ""), bool(scheduler.get("requires"))) for scheduler in whole["schedulers"]]
    assert order == sorted(order) and {("", False), ("", True), ("GNU Radio 3.10", False)} <= {*order}
    one = json.loads(said(capsys, "copy", "--json"))
    assert [b["id"] for b in one["blocks"]] == ["copy"] and one["schedulers"] == one["targets"] == []
    assert json.loads(said(capsys, "schedulers", "--json"))["blocks"] == []


def test_json_has_the_names_of_gnu_radio_and_what_follows_in_the_examples(capsys):
    blocks = {block["id"]: block for block in json.loads(said(capsys, "--json"))["blocks"]}
    assert "analog_sig_source_x" in blocks["signal_source"]["gnuradio"]
    # If several blocks represent one of GNU Radio's, the first does what the name says.
    assert "channels_channel_model" in blocks["freq_xlating_fir_filter"]["gnuradio"]
    assert "channels_channel_model" not in blocks["rotator"]["gnuradio"]
    following = blocks["quadrature_demod"]["followed_by"]
    assert following == {"fm_deemphasis": 3}
    assert sum(blocks["head"]["followed_by"].values()) > 3
    assert [*blocks["head"]["followed_by"].values()] == sorted(blocks["head"]["followed_by"].values(), reverse=True)


def test_an_example_that_is_broken_teaches_nothing(tmp_path):
    good = {"schema_version": 1, "name": "good",
            "graph": {"blocks": [{"id": "a", "type": "copy"}, {"id": "b", "type": "head"}],
            "connections": [["a", "out", "b", "in"], ["a", "out", "gone", "in"]]}}
    (tmp_path / "examples").mkdir()
    for name, text in {"good": json.dumps(good), "cut": '{"schema_version": 1,', "other": '{"graph": []}'}.items():
        (tmp_path / "examples" / f"{name}.weir.json").write_text(text)
    assert [found["followed_by"] for found in what_finds(["copy", "head"], tmp_path)] == [{"head": 1}, {}]


def test_every_block_says_what_it_is_for():
    assert not [block.id for block in CATALOG.blocks.values() if not block.keywords]


def test_an_unknown_name_is_met_with_the_nearest(capsys):
    assert main(["catalog", "complex_to_mga"]) == 2
    assert "did you mean `complex_to_mag`?" in capsys.readouterr().err
    assert main(["catalog", "flow", "blocks"]) == 2


def test_the_page_of_blocks_is_current():
    made = subprocess.run([sys.executable, ROOT / "docs/make_blocks.py"], capture_output=True, text=True, check=True)
    page = (ROOT / "docs/blocks.md").read_text(encoding="utf-8")
    assert made.stdout == page, "renew it: /usr/bin/python3 docs/make_blocks.py > docs/blocks.md"


def test_a_folder_of_extensions_may_have_any_kind(alone, capsys):
    """Put extensions of all kinds into one folder; a missing folder is reported once."""
    for words in (["block", "my_block"], ["scheduler", "my_scheduler"], ["target", "my_target"]):
        assert main(["new", *words, "-o", str(alone / "mine")]) == 0
    capsys.readouterr()
    assert main(["catalog", "--json", "--extensions", str(alone / "mine")]) == 0
    said = json.loads(capsys.readouterr().out)
    for kind in ("block", "scheduler", "target"):
        assert f"my_{kind}" in [it["id"] for it in said[f"{kind}s"]]
    assert main(["catalog", "--extensions", str(alone / "none")]) == 3
    assert capsys.readouterr().err.count("E_FILE_MISSING") == 1
