"""Test `weir export` of capsules: their contents, reproducible bytes, and what is not packed."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from urllib.parse import unquote

import jsonschema
import pytest
import yaml
from capsules import CREDITS, bring_code, change_results, contents, packed, shared
from planning import EXAMPLES
from stored_runs import store
from sweep_world import program, sweep
from weir import ROOT, cli
from weir.diagnostics import WeirError
from weir.engine.measuring.profiles import read_profile
from weir.engine.measuring.run_directory import load_run
from weir.interop.capsule import used
from weir.interop.capsule.packing import planned_with, recorded
from weir.lab.sweeping.record import record_of
from weir.lab.sweeping.state import State, read_state
from weir.model.document import shape
from weir.model.planning.machine import read_machine


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared(tmp_path_factory) / "out"


@pytest.fixture(scope="module")
def capsule(out: Path) -> Path:
    return out.parent / "c.zip"


@pytest.fixture(scope="module")
def held(capsule: Path) -> dict[str, bytes]:
    return contents(capsule)


def test_it_holds_all_that_the_page_says(held: dict[str, bytes], out: Path):
    runs = [path.name for path in out.iterdir() if path.is_dir()]
    wanted = ["README.md", "CITATION.cff", "ro-crate-metadata.json", "SHA256SUMS", "capsule.json", "machine.json",
              "project/quickstart.weir.json", "sweep/sweep.json", "sweep/table.csv", "report/report.html",
              "sources/runtime/schedulers/flow/flow.hpp", "sources/templates/cpp_app/target.json",
              *(f"sweep/{run}/{name}" for run in runs for name in ("results.json", "run.json", "plan.json"))]
    assert not set(wanted) - held.keys() and len(runs) == 16
    assert {Path(name).suffix for name in held if name.startswith("report/figures/")} >= {".svg", ".png", ".pdf"}
    page = (ROOT / "docs" / "capsules.md").read_text()
    for name in held:
        assert f"`{name.split('/')[0]}" in page, name
    jsonschema.Draft202012Validator(shape.schema("capsule")).validate(json.loads(held["capsule.json"]))


def test_blocks_schedulers_and_targets_are_those_of_the_tree(held: dict[str, bytes]):
    own = {name.removeprefix("sources/"): data for name, data in held.items() if name.startswith("sources/")}
    assert all((ROOT / name).read_bytes() == data for name, data in own.items())
    types = {block["type"] for block in json.loads((EXAMPLES / "quickstart.weir.json").read_text())["graph"]["blocks"]}
    assert {name.split("/")[2] for name in own if name.startswith("block-library/")} == types


def test_the_same_sweep_is_the_same_bytes(capsule: Path, out: Path):
    before = capsule.read_bytes()
    assert packed(out, *CREDITS) == capsule
    assert capsule.read_bytes() == before  # and it was replaced, because it is a capsule
    with zipfile.ZipFile(capsule) as archive:
        entries = archive.infolist()
    assert [entry.filename for entry in entries] == sorted(entry.filename for entry in entries)
    assert {(entry.date_time, entry.external_attr) for entry in entries} == {((1980, 1, 1, 0, 0, 0), 0o100644 << 16)}


def test_sha256sum_finds_every_file_as_it_was(capsule: Path, tmp_path: Path):
    with zipfile.ZipFile(capsule) as archive:
        archive.extractall(tmp_path)
    done = subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=tmp_path,
                          capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_was_unpacked_is_a_sweep_with_the_same_rows(capsule: Path, out: Path, tmp_path: Path):
    with zipfile.ZipFile(capsule) as archive:
        archive.extractall(tmp_path)
    there, here = record_of(read_state(out))[0], record_of(read_state(tmp_path / "sweep"))[0]
    assert there.table() == here.table() and here.following is None
    with open(tmp_path / "sweep/table.csv", newline="") as file:
        assert [row["directory"] for row in csv.DictReader(file)] == [row["directory"] for row in there.table()]


def test_the_citation_is_one_of_format_1_2(held: dict[str, bytes]):
    """Check keys and types against the schema of CITATION.cff, with a date and an author."""
    value = yaml.safe_load(held["CITATION.cff"])
    assert value["cff-version"] == "1.2.0" and value["type"] == "dataset" and value["license"] == "CC-BY-4.0"
    assert set(value) == {"cff-version", "message", "type", "title", "abstract", "authors", "date-released", "license",
                          "keywords"}
    assert value["authors"] == [{"family-names": "Curie", "given-names": "Marie"}, {"name": "The lab: \"A\""}]
    assert (re.fullmatch(r"\d{4}-\d\d-\d\d", value["date-released"])
            and len(set(value["keywords"])) == len(value["keywords"]))
    assert all(isinstance(value[key], str) and value[key] for key in ("message", "title", "abstract"))


def test_the_crate_describes_every_file_with_its_hash(held: dict[str, bytes]):
    crate = json.loads(held["ro-crate-metadata.json"])
    of = {entity["@id"]: entity for entity in crate["@graph"]}
    assert len(of) == len(crate["@graph"]) and crate["@context"][0] == "https://w3id.org/ro/crate/1.1/context"
    descriptor, root = of["ro-crate-metadata.json"], of["./"]
    assert descriptor["conformsTo"]["@id"] == "https://w3id.org/ro/crate/1.1" and descriptor["about"] == {"@id": "./"}
    assert root["@type"] == "Dataset" and all(root[key] for key in ("name", "description", "datePublished", "license"))
    files = {unquote(part["@id"]): of[part["@id"]] for part in root["hasPart"]}
    assert files.keys() == held.keys() - {"ro-crate-metadata.json"}
    for name in files.keys() - {"SHA256SUMS"}:
        assert files[name]["sha256"] == hashlib.sha256(held[name]).hexdigest(), name
        assert int(files[name]["contentSize"]) == len(held[name])


def test_the_readme_names_files_that_are_there_and_the_command(held: dict[str, bytes]):
    text = held["README.md"].decode()
    for name in re.findall(r"^- `(.+?)`", text, re.MULTILINE):
        for one in name.split("`, `"):
            assert any(it == one or it.startswith(one) for it in held), one
    assert "./weir reproduce" in text and "weir sweep q.weir.json --vary stages=1,2,3" in text
    assert all(len(line) <= 120 for line in text.splitlines() if not line.startswith("    ") and "commit" not in line)


def test_a_sweep_that_is_not_finished_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture):
    out = tmp_path / "out"
    sweep(out, program(tmp_path / "world"), repetitions=2)  # begun without measurements
    assert cli.main(["export", str(out), "-o", str(tmp_path / "c.zip")]) == 2
    assert "E_SWEEP_UNFINISHED" in capsys.readouterr().err and not (tmp_path / "c.zip").exists()
    assert cli.main(["export", str(tmp_path), "-o", str(tmp_path / "c.zip")]) == 2
    assert "is not the folder of a sweep" in capsys.readouterr().err


def test_no_file_of_others_is_replaced(out: Path, tmp_path: Path, capsys: pytest.CaptureFixture):
    for name, data in (("notes.txt", b"mine"), ("other.zip", None)):
        path = tmp_path / name
        if data is None:
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("capsule.json", '{"format": "another"}')
        else:
            path.write_bytes(data)
        before = path.read_bytes()
        assert cli.main(["export", str(out), "-o", str(path)]) == 3
        assert "E_OUTPUT_EXISTS" in capsys.readouterr().err and path.read_bytes() == before
    assert sorted(it.name for it in tmp_path.iterdir()) == ["notes.txt", "other.zip"]
    assert cli.main(["export", str(out), "-o", str(tmp_path / "gone" / "c.zip")]) == 3
    assert "there is no folder" in capsys.readouterr().err


@pytest.mark.parametrize("words", [("--license", "no licence"), ("--author", ""), ("--title", "a\nb")])
def test_what_cannot_be_cited_is_refused(words: tuple[str, str], out: Path, tmp_path: Path,
                                         capsys: pytest.CaptureFixture):
    assert cli.main(["export", str(out), "-o", str(tmp_path / "c.zip"), *words]) == 2
    assert words[0] in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_code_of_others_is_taken_from_what_the_runs_kept(out: Path, tmp_path: Path):
    assert cli.main(["new", "block", "my_block", "-o", str(tmp_path / "blocks")]) == 0
    mine = shutil.copytree(out, tmp_path / "out")
    bring_code(mine, tmp_path / "blocks" / "my_block")
    runs = [load_run(path.parent) for path in sorted(mine.glob("*/results.json"))]
    found = used.code(runs)
    assert found["code/blocks/my_block/block.json"] == (tmp_path / "blocks/my_block/block.json").read_bytes()
    (runs[-1].path / "sources/blocks/my_block/block.json").write_text("{}")
    with pytest.raises(WeirError, match="was changed after the run"):
        used.code(runs)


def test_the_files_that_blocks_read_are_in_it_and_none_from_outside(tmp_path: Path):
    here = tmp_path / "project"
    here.mkdir()
    (here / "taps.f32").write_bytes(b"\0" * 64)
    project = {"schema_version": 1, "name": "reads", "graph": {
        "blocks": [{"id": "source", "type": "file_source", "parameters": {"item_type": "f32", "path": "taps.f32"}},
                   {"id": "sink", "type": "digest_sink"}],
        "connections": [["source", "out", "sink", "in"]]}}
    (here / "reads.weir.json").write_text(json.dumps(project))
    run = load_run(store(tmp_path / "runs", project=here / "reads.weir.json"))
    run.run["request"]["folder"] = str(here)
    assert used.inputs([run]) == {"project/taps.f32": b"\0" * 64}
    (here / "taps.f32").unlink()
    with pytest.raises(WeirError, match="taps.f32"):
        used.inputs([run])
    (tmp_path / "outside.f32").write_bytes(b"\0" * 64)
    project["graph"]["blocks"][0]["parameters"]["path"] = str(tmp_path / "outside.f32")
    (run.path / "project.json").write_text(json.dumps(project))
    run.run["request"]["catalog_paths"] = {"--allow-path": [str(tmp_path)]}
    with pytest.raises(WeirError, match="outside.f32") as error:
        used.inputs([run])
    assert error.value.diagnostics[0].code == "E_PATH_OUTSIDE"


def test_the_machine_file_and_the_costs_that_plans_were_made_with_are_in_it(out: Path, tmp_path: Path):
    mine, costs = shutil.copytree(out, tmp_path / "out"), {"format": 1, "blocks": {"stage": {"ns_per_item": 1.5}}}
    first = sorted(mine.glob("*/plan.json"))[0]
    first.write_text(json.dumps({**json.loads(first.read_text()), "profile": costs}))
    at, run = read_state(mine), load_run(first.parent)
    assert planned_with(at, run) == {}
    asked = State(mine, {**at.value, "request": {**at.value["request"], "machine": "/m.json", "profile": "/p.json"}})
    found = planned_with(asked, run)
    assert found["inputs/machine.json"] == (first.parent / "machine.json").read_bytes()
    (tmp_path / "p.json").write_bytes(found["inputs/profile.json"])
    (tmp_path / "m.json").write_bytes(found["inputs/machine.json"])
    assert read_profile(tmp_path / "p.json").as_json() == costs and read_machine(tmp_path / "m.json")


def test_sources_that_were_changed_since_the_sweep_are_reported(out: Path, monkeypatch: pytest.MonkeyPatch):
    runs = [load_run(path.parent) for path in sorted(out.glob("*/results.json"))[:1]]
    runtime = ROOT / "runtime/include/weir/clock.hpp"
    header = next(iter(sorted((ROOT / "block-library").glob("*/digest_sink/digest_sink.hpp"))))
    monkeypatch.setitem(runs[0].run["sources"], "weir/blocks/digest_sink.hpp",
                        hashlib.sha256(header.read_bytes()).hexdigest())
    assert used.own(runs, {})[1] == []
    monkeypatch.setitem(runs[0].run["sources"], "weir/blocks/digest_sink.hpp", "0" * 64)
    monkeypatch.setitem(runs[0].run["sources"], "weir/include/weir/clock.hpp", "0" * 64)
    assert used.own(runs, {})[1] == [str(it.relative_to(ROOT)) for it in (header, runtime)]


def test_another_runtimes_target_has_its_lock_file_its_schedulers_and_what_it_copies(tmp_path: Path):
    run = load_run(store(tmp_path, project=EXAMPLES / "saxpy_chain.weir.json", deployment="futuresdr_flow"))
    found, _ = used.own([run], {})
    for name in ("templates/futuresdr/Cargo.lock", "templates/futuresdr/target.json", "templates/rust/weir.rs",
                 "templates/futuresdr/schedulers/futuresdr_flow/scheduler.json", "runtime/include/weir/block.hpp"):
        assert found[f"sources/{name}"] == (ROOT / name).read_bytes()


def test_blocks_of_gnu_radio_are_no_sources_of_weir(tmp_path: Path):
    ports = {"a": ("outputs", "out0"), "b": ("inputs", "in0")}
    hosted = {"schema_version": 1, "name": "hosted", "graph": {
        "blocks": [{"id": name, "type": "my_block", "gnuradio": {
            "type": "my_block", "name": name, side: [{"id": port, "key": "0", "type": "f32"}]}}
            for name, (side, port) in ports.items()], "connections": [["a", "out0", "b", "in0"]]},
        "deployments": [{"name": "gnuradio", "scheduler": "gnuradio310"}], "run": {"items": 1000},
        "gnuradio": {"flowgraph": {"options": {}, "blocks": [], "connections": []}}}
    project = tmp_path / "hosted.weir.json"
    project.write_text(json.dumps(hosted))
    found, _ = used.own([load_run(store(tmp_path / "runs", project=project, deployment="gnuradio"))], {})
    assert "sources/templates/companion/run.py" in found and not any("block-library" in name for name in found)


def test_the_table_is_that_of_the_runs_and_not_what_somebody_made_of_it(out: Path, tmp_path: Path):
    mine = shutil.copytree(out, tmp_path / "out")
    (mine / "table.csv").write_text("made up\n")
    change_results(mine, lambda it: it["deployment"] == "flow", lambda it: it.update(throughput_items_per_s=5e8))
    at = read_state(mine)
    held = recorded(at, record_of(at)[0], [])["sweep/table.csv"].decode()
    assert {row["throughput_items_per_s"] for row in csv.DictReader(io.StringIO(held))
            if row["deployment"] == "flow"} == {"500000000.0"}
