"""Test a drawing under GNU Radio 4: each instance becomes a block, each connection one of its buffers."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from planning import UNOPTIMISED
from planning import project as project_of
from runtimes import want
from target_world import answer, ends_of_all_kinds, small, weir, written
from weir import ROOT, cli
from weir.engine.generation import gnuradio4
from weir.engine.generation.cpp import gnuradio4 as program
from weir.engine.pipeline import Pipeline
from weir.model import installed, ownership
from weir.model.catalog import load_catalog
from weir.sure import sure

EXAMPLE = ROOT / "examples" / "saxpy_chain.weir.json"
SIMPLE = {"name": "simple", "scheduler": "gnuradio4_simple"}
THREADS = {"name": "threads", "scheduler": "gnuradio4_simple_mt", "workers": 2}
FUSED = {"name": "fused", "scheduler": "gnuradio4_custom", "workers": 1, "blocks": "native",
         "parameters": {"fuse": True}}
CUSTOM = {"name": "custom", "scheduler": "gnuradio4_custom", "workers": 2, "placement": {"strategy": "contiguous"}}


def project(folder: Path, *deployments: dict) -> Path:
    document = json.loads(EXAMPLE.read_text())
    document["deployments"] = list(deployments)
    document["run"] |= {"items": 1_000_003, "warmup_items": 0}
    return written(folder, document)


def generated(folder: Path, deployment: dict) -> str:
    """Return the main.cpp of the generated project."""
    out = folder / deployment["name"]
    assert weir("generate", project(folder, deployment), "-o", out) == 0
    return (out / "src" / "main.cpp").read_text()


def test_it_reads_as_a_graph_of_gnu_radio(tmp_path: Path) -> None:
    text = generated(tmp_path, CUSTOM)
    assert re.findall(r'\{"(.*)", \d, (\w+)\},', text) == [
        ("source", "make_to_f32"), *((f"stage[{i}]", "make_f32_to_f32") for i in range(4)), ("sink", "make_f32_to")]
    assert re.findall(r"^ +\{(\d.*)\},$", text, re.MULTILINE) == [f"{i}, 0, {i + 1}, 0, 65536" for i in range(5)]
    assert re.findall(r"kBlocksOf\d\[\] = \{(.*)\};", text) == ["0, 1, 2", "3, 4, 5"]
    assert "{kBlocks, kEdges, kWorkers, true}" in text
    rules = (tmp_path / "custom" / "src" / "Makefile").read_text()
    assert "-DWEIR_MAKE=make_f32_to_f32 -DWEIR_INPUTS=f32 -DWEIR_OUTPUTS=f32 -c block.cpp" in rules


def test_what_a_deployment_asks_becomes_a_setting_of_gnu_radio(tmp_path: Path) -> None:
    text = generated(tmp_path, {**CUSTOM, "affinity": {"w0": [1], "w1": [0]}, "parameters": {"double_mapped": False},
                                "buffers": {"source.out->stage[0].in": {"items": 4096}}})
    assert "{0, 0, 1, 0, 4096}," in text and "{1, 0, 2, 0, 65536}," in text
    assert re.findall(r"kCpusOf\d\[\] = \{(.*)\};", text) == ["1", "0"]
    assert "{kBlocks, kEdges, kWorkers, false}" in text
    # GNU Radio's own multi-threaded scheduler distributes the blocks, and Linux the threads.
    text = generated(tmp_path, {**THREADS, "affinity": {"w0": [1], "w1": [0]}})
    assert "kBlocksOf" not in text and re.findall(r"kCpusOf\d\[\] = \{(.*)\};", text) == ["0, 1", "0, 1"]


@pytest.fixture
def absent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Hide an installed GNU Radio 4."""
    for name in ("PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR"):
        monkeypatch.setenv(name, str(tmp_path / "empty"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    installed.look.cache_clear()
    yield
    installed.look.cache_clear()


@pytest.mark.usefixtures("absent")
def test_without_it_the_command_that_installs_it_is_named(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert weir("run", project(tmp_path, SIMPLE), "--out", tmp_path / "runs") != 0
    said = capsys.readouterr().err
    assert "/deployments/0: error E_RUNTIME_MISSING" in said and "pkg-config does not know gnuradio4" in said
    assert "weir doctor --install gnuradio4 --source DIR" in said


@pytest.mark.usefixtures("absent")
def test_without_it_the_catalog_says_how_to_install_it(capsys: pytest.CaptureFixture) -> None:
    assert weir("catalog", "targets") == 0
    assert re.search(r"^gnuradio4 .* \(cannot be built here\)$", capsys.readouterr().out, re.MULTILINE)
    assert weir("catalog", "gnuradio4") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "runtime GNU Radio 4 built by" in said
    assert "GNU Radio 4 is not installed" in said and "weir doctor --install gnuradio4 --source DIR" in said


@pytest.mark.usefixtures("absent")
def test_it_is_found_in_a_named_prefix_and_where_weir_installs_it(tmp_path: Path,
                                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = load_catalog().targets["gnuradio4"].runtime
    assert installed.look(runtime).version is None
    for prefix in (installed.kept_prefix("gnuradio4"), tmp_path / "named"):
        folder = prefix / "lib" / "pkgconfig"
        folder.mkdir(parents=True)
        (folder / "gnuradio4.pc").write_text(f"x={prefix}\nName: x\nDescription: x\nVersion: 4.0.0-{prefix.name}\n")
        installed.look.cache_clear()
        assert installed.look(runtime) == installed.InstalledRuntime(f"4.0.0-{prefix.name}", "")
        assert installed.variable("gnuradio4", "x") == str(prefix)
        monkeypatch.setenv("PKG_CONFIG_PATH", str(tmp_path / "named" / "lib" / "pkgconfig"))


def checkout(folder: Path) -> Path:
    """Make what `install` takes for a checkout."""
    file = folder / "gr4" / gnuradio4._CHECKOUT
    file.parent.mkdir(parents=True)
    file.touch()
    return folder / "gr4"


def simd(folder: Path) -> None:
    file = folder / "vir-simd" / gnuradio4._VIR_SIMD
    file.parent.mkdir(parents=True)
    file.touch()


@pytest.mark.usefixtures("absent")
@pytest.mark.parametrize(("lacks", "why"), [
    ("checkout", "is no checkout of GNU Radio 4"), ("compiler", "needs clang 22 with libc++, or g++ 14 or newer"),
    ("vir-simd", "needs the headers of vir-simd"), ("anything", "cannot be built: CMake Error")])
def test_what_an_installation_lacks_is_said(lacks: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                            capsys: pytest.CaptureFixture) -> None:
    source = checkout(tmp_path) if lacks != "checkout" else tmp_path
    if lacks != "vir-simd":
        simd(tmp_path)
    monkeypatch.setattr(gnuradio4, "_TRIAL", "#error" if lacks == "compiler" else "")
    monkeypatch.setattr(gnuradio4, "_COMPILERS", (("g++", ()),))
    assert cli.main(["doctor", "--install", "gnuradio4", "--source", str(source)]) == 3
    said = capsys.readouterr().err
    assert "error E_SETUP: " in said and why in said
    assert not installed.kept_prefix("gnuradio4").exists()


def installs(folder: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> int:
    """Install from a checkout for which CMake only writes a file with `content`. Return the exit code."""
    source = folder / "gr4"
    if not source.exists():
        checkout(folder)
        simd(folder)
    rules = folder / "rules"
    rules.mkdir(exist_ok=True)
    (rules / "content").write_text(content)
    (rules / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.22)\nproject(it LANGUAGES NONE)\n"
                                          "install(FILES content DESTINATION .)\n")
    monkeypatch.setattr(gnuradio4, "RULES", rules)
    monkeypatch.setattr(gnuradio4, "_TRIAL", "")
    monkeypatch.setattr(gnuradio4, "_COMPILERS", (("g++", ()),))
    return cli.main(["doctor", "--install", "gnuradio4", "--source", str(source)])


@pytest.mark.usefixtures("absent")
def test_a_new_installation_is_in_place_before_the_old_one_is_removed(tmp_path: Path,
                                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    prefix = installed.kept_prefix("gnuradio4")
    assert installs(tmp_path, monkeypatch, "old") == 0
    seen = []

    def remove(folder: Path, files: ownership.Files) -> list[str]:
        seen.append(((folder / "content").read_text(), (prefix / "content").read_text()))
        return removed(folder, files)

    removed = ownership.remove
    monkeypatch.setattr(ownership, "remove", remove)
    assert installs(tmp_path, monkeypatch, "new") == 0
    assert seen == [("old", "new")]
    assert {it.name for it in prefix.iterdir()} == {"content", ownership.MARKER}
    assert not list((prefix.parent / "gnuradio4_build").iterdir())


@pytest.mark.usefixtures("absent")
def test_an_installation_that_cannot_be_moved_in_place_keeps_the_old_one(tmp_path: Path,
                                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    prefix = installed.kept_prefix("gnuradio4")
    assert installs(tmp_path, monkeypatch, "old") == 0
    rename = Path.rename

    def refuse_new(self: Path, target: Path) -> Path:
        if self.name == "made":
            raise OSError("no")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse_new)
    assert installs(tmp_path, monkeypatch, "new") != 0
    assert (prefix / "content").read_text() == "old"


@pytest.mark.usefixtures("absent")
@pytest.mark.parametrize("kind", ["folder", "link", "other"])
def test_a_folder_that_weir_did_not_install_stays(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                  capsys: pytest.CaptureFixture) -> None:
    prefix = installed.kept_prefix("gnuradio4")
    place = tmp_path / "elsewhere" if kind == "link" else prefix
    place.mkdir(parents=True)
    (place / "mine").touch()
    if kind != "folder":
        ownership.mark(place, ownership.Marker(ownership.LIBRARY, "gnuradio4" if kind == "link" else "another",
                                               ownership.WHOLE))
    if kind == "link":
        prefix.parent.mkdir(parents=True)
        prefix.symlink_to(place)
    assert installs(tmp_path, monkeypatch, "new") != 0
    said = capsys.readouterr().err
    assert f"error E_OUTPUT_EXISTS: {prefix} exists, and Weir did not install it" in said
    assert "move or remove it" in said
    assert "building" not in said and (place / "mine").exists()


def test_old_objects_are_forgotten(tmp_path: Path) -> None:
    folders = [tmp_path / str(i) for i in range(6)]
    for i, folder in enumerate(folders):
        folder.mkdir()
        (folder / "x.o").touch()
        os.utime(folder, (i, i))
    (tmp_path / "lock").touch()
    program.forget_old(tmp_path, folders[0])
    assert {it.name for it in tmp_path.iterdir()} == {"lock", "0", "3", "4", "5"}


def test_its_runs_are_verified_with_the_kernels_of_ours(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    want("gnuradio4")
    document = small(1_000_003, deployments=[{"name": "ours", "scheduler": "flow", "kernels": "linked"},
                                             {**CUSTOM, "placement": {"strategy": "round_robin"},
                                              "affinity": {"w0": [0], "w1": [0]}}])
    document["run"] |= {"trace": {"backend": "memory", "probe_granularity": 4096}}
    results = {it["deployment"]: it for it in answer(
        capsys, "run", written(tmp_path, document), "--deployment", "ours", "--deployment", "custom",
        "--out", tmp_path / "runs")}
    assert all((it["status"], it["verification"]["ok"]) == ("ok", True) for it in results.values())
    ours, theirs = results["ours"], results["custom"]
    assert ours["sinks"] == theirs["sinks"] and theirs["sinks"][0]["digest"]
    assert ours["runtime"]["kernel_object_hash"] == theirs["runtime"]["kernel_object_hash"]
    assert theirs["runtime"]["target"] == "gnuradio4" and theirs["runtime"]["version"].startswith("4.")
    assert theirs["granted"]["affinity"] == {"w0": [0], "w1": [0]}
    assert set(theirs["granted"]["buffers"].values()) == {65536}
    assert all(block["calls"] > 0 for block in theirs["blocks"])
    assert theirs["latency"]["count"] == 1_000_003 // 4096


@pytest.mark.parametrize("deployment", [SIMPLE, THREADS, {**CUSTOM, "parameters": {"double_mapped": False}}],
                         ids=lambda it: it["name"])
def test_graphs_with_ends_of_all_kinds_are_verified(deployment: dict, tmp_path: Path,
                                                    capsys: pytest.CaptureFixture) -> None:
    want("gnuradio4")
    blocks, connections = ends_of_all_kinds()
    file = written(tmp_path, project_of(blocks, connections, deployments=[deployment], run={"items": 100_003}))
    (result,) = answer(capsys, "run", file, "--out", tmp_path / "runs")
    assert (result["status"], result["verification"]["ok"]) == ("ok", True)
    items = {it["id"]: it["items"] for it in result["sinks"]}
    assert (items["x"], items["few_sink"]) == (100_003, 60_000)


@pytest.mark.parametrize("deployment", [{**CUSTOM, "placement": {"strategy": "round_robin"}}, THREADS],
                         ids=lambda it: it["name"])
def test_a_writer_ends_after_its_readers(deployment: dict, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    want("gnuradio4")
    file = written(tmp_path, project_of(
        [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
         {"id": "gain", "type": "multiply_const", "parameters": {"constant": 0.7}},
         {"id": "limit", "type": "head", "parameters": {"items": 300_003}}, {"id": "sink", "type": "digest_sink"}],
        ["source.out > gain.in", "gain.out > limit.in", "limit.out > sink.in"],
        deployments=[deployment], run={"items": 1_000_003}))
    (result,) = answer(capsys, "run", file, "--out", tmp_path / "runs")
    assert (result["status"], result["verification"]["ok"]) == ("ok", True)
    assert [it["items"] for it in result["sinks"]] == [300_003]


def natives(folder: Path) -> Path:
    """Return a project with native blocks, with a fork and a join of them, between Weir's ends."""
    return written(folder, project_of(
        [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
         {"id": "limit", "type": "head"}, {"id": "gain", "type": "multiply_const", "parameters": {"constant": 0.7}},
         {"id": "pass", "type": "copy"}, {"id": "sum", "type": "add"},
         {"id": "low", "type": "fir_filter", "parameters": {"taps": [0.3, 0.5, 0.1]}},
         {"id": "sink", "type": "digest_sink"}],
        ["source.out > limit.in", "limit.out > gain.in", "limit.out > pass.in", "gain.out > sum.in0",
         "pass.out > sum.in1", "sum.out > low.in", "low.out > sink.in"],
        deployments=[{**CUSTOM, "blocks": "native"}], run={"items": 100_003}))


def test_with_native_blocks_gnu_radios_own_stand_where_they_mean_the_same(tmp_path: Path) -> None:
    assert weir("generate", natives(tmp_path), "-o", tmp_path / "out") == 0
    text = (tmp_path / "out" / "src" / "main.cpp").read_text()
    assert '{"gain", 2, make_multiply_const_f32, record_multiply_const_f32, kSettings2, false},' in text
    assert 'kSettings2[] = {{"value", Setting::item, kValues2_value}};' in text and "kValues2_value[] = {0.7};" in text
    assert '{"sum", 4, make_add_f32, record_add_f32, kSettings4, true},' in text and "Setting::size" in text
    assert '{"limit", 1, make_f32_to_f32},' in text and '{"sink", 6, make_f32_to},' in text
    rules = (tmp_path / "out" / "src" / "Makefile").read_text()
    assert "-D'WEIR_BLOCK=gr::filter::fir_filter<f32>'" in rules


def native_chain(folder: Path) -> Path:
    """Return a project with a chain of native blocks from end to end, in runs that measure nothing."""
    return written(folder, project_of(
        [{"id": "zeros", "type": "null_source", "parameters": {"item_type": "f32"}}, {"id": "some", "type": "head"},
         {"id": "same", "type": "copy"}, {"id": "nowhere", "type": "null_sink"}],
        ["zeros.out > some.in", "some.out > same.in", "same.out > nowhere.in"],
        deployments=[{**SIMPLE, "blocks": "native", "build": UNOPTIMISED}],
        run={"items": 1_000_003, "trace": {"backend": "off"}}))


def test_native_ends_have_blocks_of_weir_beside_them(tmp_path: Path) -> None:
    assert weir("generate", native_chain(tmp_path), "-o", tmp_path / "out") == 0
    text = (tmp_path / "out" / "src" / "main.cpp").read_text()
    assert '{"zeros", 0, make_null_source_f32, record_null_source_f32, {}, false, make_to_f32},' in text
    assert '{"some", 1, make_head_f32, record_head_f32, kSettings1, false, make_f32_to_f32},' in text
    assert 'kSettings1[] = {{"n_samples_max", Setting::total, {}}};' in text
    assert '{"same", 2, make_copy_f32, record_copy_f32, {}, false},' in text
    assert '{"nowhere", 3, make_null_sink_f32, record_null_sink_f32, {}, false, make_f32_to},' in text
    rules = (tmp_path / "out" / "src" / "Makefile").read_text()
    assert {"$(OBJECTS)/make_null_sink_f32.o:", "$(OBJECTS)/make_f32_to.o:"} <= set(rules.split())


@pytest.mark.slow
def test_a_chain_is_gnu_radios_from_end_to_end_where_nothing_is_watched(tmp_path: Path,
                                                                        capsys: pytest.CaptureFixture) -> None:
    want("gnuradio4")
    file = native_chain(tmp_path)
    (result,) = answer(capsys, "run", file, "--param", "some.items=500000", "--out", tmp_path / "runs")
    assert (result["status"], result["verification"]["ok"]) == ("ok", True)
    assert {block["id"]: (block["calls"], block["items_in"]) for block in result["blocks"]} == {
        "zeros": (None, 0), "some": (None, 500_000), "same": (None, None), "nowhere": (None, 500_000)}
    assert result["throughput_items_per_s"] > 0
    # GNU Radio's source does not know when to stop, and its head cannot count to the second number.
    pipeline = Pipeline.open(file)
    binary = pipeline.build(pipeline.plan("simple").plan).binary
    for items, hosted in ((4_000_000_000, set()), (1_000_000_000_000, {"some"})):
        subprocess.run([binary, "--param", f"some.items={items}", "--timeout-s", "0.2", "--out", tmp_path / "late"],
                       check=False, capture_output=True, timeout=60)
        late = json.loads((tmp_path / "late" / "results.json").read_text())
        assert late["status"] == "timeout"
        assert {block["id"] for block in late["blocks"] if block["calls"] is not None} == hosted


@pytest.mark.slow
@pytest.mark.parametrize(("item_type", "constant"), [("f32", 0.7), ("c64", [0.7, -0.4])])
def test_native_arithmetic_is_verified(item_type: str, constant: object, tmp_path: Path,
                                       capsys: pytest.CaptureFixture) -> None:
    want("gnuradio4")
    blocks: list[dict] = [{"id": "source", "type": "counter_source", "parameters": {"item_type": item_type}},
                          {"id": "limit", "type": "head"}]
    wires, last = ["source.out > limit.in"], "limit"
    for kind in ("subtract", "multiply", "add"):  # forks and joins one behind the other
        blocks += [{"id": f"{kind}_pass", "type": "copy"},
                   {"id": f"{kind}_gain", "type": "multiply_const", "parameters": {"constant": constant}},
                   {"id": kind, "type": kind}]
        wires += [f"{last}.out > {kind}_pass.in", f"{last}.out > {kind}_gain.in", f"{kind}_pass.out > {kind}.in0",
                  f"{kind}_gain.out > {kind}.in1"]
        last = kind
    file = written(tmp_path, project_of(
        [*blocks, {"id": "sink", "type": "digest_sink"}], [*wires, f"{last}.out > sink.in"],
        deployments=[{**SIMPLE, "blocks": "native", "build": UNOPTIMISED}], run={"items": 100_003}))
    (result,) = answer(capsys, "run", file, "--out", tmp_path / "runs")
    assert (result["status"], result["verification"]["ok"]) == ("ok", True)
    assert {it["id"] for it in result["blocks"] if it["calls"] is not None} == {"source", "limit", "sink"}


def test_native_blocks_are_verified(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    want("gnuradio4")
    (result,) = answer(capsys, "run", natives(tmp_path), "--out", tmp_path / "runs")
    assert (result["status"], result["verification"]["ok"], result["runtime"]["blocks"]) == ("ok", True, "native")
    assert {block["id"] for block in result["blocks"] if block["calls"] is None} == {"gain", "pass", "sum", "low"}
    assert {block["id"]: block["items_in"] for block in result["blocks"]}["sink"] == 100_003


def fusible(folder: Path, *deployments: dict, **changes: object) -> Path:
    """Return a project with blocks that GNU Radio can fuse, and `low`, which it cannot."""
    return written(folder, project_of(
        [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
         {"id": "scale", "type": "saxpy", "repeat": 2},
         {"id": "gain", "type": "multiply_const", "parameters": {"constant": 0.7}}, {"id": "pass", "type": "copy"},
         {"id": "low", "type": "fir_filter", "parameters": {"taps": [0.3, 0.5, 0.1]}},
         {"id": "more", "type": "saxpy", "repeat": 2}, {"id": "sink", "type": "digest_sink"}],
        ["source.out > scale.in", "scale.out > gain.in", "gain.out > pass.in", "pass.out > low.in",
         "low.out > more.in", "more.out > sink.in"], deployments=list(deployments) or [{**FUSED, **changes}],
        run={"items": 100_003}))


def blocks_of(file: Path, out: Path) -> list[tuple[str, str]]:
    """Return name and function of each block of the generated graph."""
    assert weir("generate", file, "-o", out) == 0
    return re.findall(r'\{\s*"(.*)", \d+, (\w+)', (out / "src" / "main.cpp").read_text())


def test_neighbours_that_compute_one_item_from_one_are_fused(tmp_path: Path) -> None:
    assert blocks_of(fusible(tmp_path), tmp_path / "out") == [
        ("source", "make_to_f32"), ("scale[0] to pass", "make_fused_saxpy_2_multiply_const_1_copy_1_f32"),
        ("low", "make_fir_filter_f32"), ("more[0] to more[1]", "make_fused_saxpy_2_f32"), ("sink", "make_f32_to")]
    text = (tmp_path / "out" / "src" / "main.cpp").read_text()
    assert "kMembers1[] = {{1, kSettings1}, {2, kSettings2}, {3, kSettings3}, {4, {}}};" in text
    assert re.findall(r"^ +\{(\d.*)\},$", text, re.MULTILINE) == [f"{i}, 0, {i + 1}, 0, 65536" for i in range(4)]
    assert re.findall(r"kBlocksOf\d\[\] = \{(.*)\};", text) == ["0, 1, 2, 3, 4"]
    rules = (tmp_path / "out" / "src" / "Makefile").read_text()
    assert "-D'WEIR_BLOCK=gr::MergeByIndex<Saxpy<f32>, 0, Saxpy<f32>, 0>' -include saxpy.hpp -c fused.cpp" in rules
    assert "gr::MergeByIndex<gr::blocks::math::MultiplyConst<f32>, 0, gr::testing::Copy<f32>, 0>, 0>' " in rules


@pytest.mark.parametrize(("changes", "names"), [
    ({"parameters": {"fuse": False}}, ["scale[0]", "scale[1]", "gain", "pass"]),
    ({"blocks": "shared"}, ["scale[0]", "scale[1]", "gain", "pass"]),
    ({"buffers": {"scale[1].out->gain.in": {"items": 4096}}}, ["scale[0] to scale[1]", "gain to pass"]),
    ({"workers": 2, "placement": {"strategy": "explicit", "map": {"source": "w0", "scale[0]": "w0", **dict.fromkeys(
        ("scale[1]", "gain", "pass", "low", "more", "sink"), "w1")}}}, ["scale[0]", "scale[1] to pass"]),
    ({"scheduler": "gnuradio4_simple"}, ["scale[0] to pass"])])
def test_what_lies_between_fused_blocks(changes: dict, names: list[str], tmp_path: Path) -> None:
    made = [name for name, _ in blocks_of(fusible(tmp_path, **changes), tmp_path / "out")]
    assert made[1:made.index("low")] == names


def test_a_stream_with_a_second_reader_ends_a_fused_block(tmp_path: Path) -> None:
    file = written(tmp_path, project_of(
        [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
         {"id": "scale", "type": "saxpy", "repeat": 2}, {"id": "last", "type": "saxpy"},
         {"id": "sink", "type": "digest_sink"}, {"id": "other", "type": "digest_sink"}],
        ["source.out > scale.in", "scale.out > last.in", "scale.out > other.in", "last.out > sink.in"],
        deployments=[FUSED]))
    assert {name for name, _ in blocks_of(file, tmp_path / "out")} == {
        "source", "scale[0] to scale[1]", "last", "other", "sink"}


def test_long_fused_blocks_have_short_names(tmp_path: Path) -> None:
    file = written(tmp_path, project_of(
        [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
         *({"id": f"scale{i}", "type": ("saxpy", "multiply_const")[i % 2]} for i in range(40)),
         {"id": "sink", "type": "null_sink"}],
        ["source.out > scale0.in", *(f"scale{i}.out > scale{i + 1}.in" for i in range(39)), "scale39.out > sink.in"],
        deployments=[FUSED]))
    assert re.fullmatch("make_fused_[0-9a-f]{16}_f32", blocks_of(file, tmp_path / "out")[1][1])


@pytest.mark.parametrize(("blocks", "why"), [
    ("native", "the runtime cannot fuse `low` (fir_filter), and leaves a buffer on both sides"),
    ("shared", 'the runtime fuses only its own blocks ("blocks": "native")')])
def test_what_cannot_be_fused_is_said(blocks: str, why: str, tmp_path: Path,
                                      capsys: pytest.CaptureFixture) -> None:
    assert weir("plan", fusible(tmp_path, blocks=blocks)) == 0
    assert f"/deployments/0/parameters/fuse: warning W_TARGET_SETTING: {why}" in capsys.readouterr().err


@pytest.mark.slow
def test_fused_blocks_are_verified_and_compute_what_ours_do(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    want("gnuradio4")
    document = json.loads(fusible(tmp_path, {"name": "ours", "scheduler": "flow", "workers": 1}, FUSED).read_text())
    document["graph"]["blocks"] = [it for it in document["graph"]["blocks"] if it["id"] not in ("low", "more")]
    document["graph"]["connections"] = [it for it in document["graph"]["connections"]
                                        if "low" not in it and "more" not in it] + [["pass", "out", "sink", "in"]]
    ours, fused = answer(capsys, "run", written(tmp_path, document), "--deployment", "ours", "--deployment", "fused",
                         "--out", tmp_path / "runs")
    assert [it["status"] for it in (ours, fused)] == ["ok", "ok"]
    assert fused["verification"]["ok"] and fused["verification"]["reference"] == "numpy"
    assert fused["sinks"] == ours["sinks"] and ours["sinks"][0]["digest"]


@pytest.mark.slow
def test_a_paced_source_keeps_its_pace(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    want("gnuradio4")
    file = written(tmp_path, project_of(
        [{"id": "source", "type": "paced_source", "parameters": {"item_type": "f32", "rate": 1e6}},
         {"id": "sink", "type": "null_sink"}], ["source.out > sink.in"], deployments=[SIMPLE],
        run={"items": 1_000_000, "trace": {"backend": "memory", "probe_granularity": 256}}))
    (result,) = answer(capsys, "run", file, "--out", tmp_path / "runs")
    assert result["latency"]["count"] == 1_000_000 // 256 and result["latency"]["p50_ns"] < 50e6


@pytest.mark.slow
@pytest.mark.usefixtures("absent")
def test_a_checkout_is_built_and_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Build GNU Radio 4 from the checkout in WEIR_GNURADIO4, twice. Takes about 10 minutes of a CPU."""
    source = os.environ.get("WEIR_GNURADIO4")
    if not source:
        pytest.skip("WEIR_GNURADIO4 names no checkout of GNU Radio 4")
    for _ in range(2):  # the second replaces the first
        assert cli.main(["doctor", "--install", "gnuradio4", "--source", source]) == 0
    assert (installed.kept_prefix("gnuradio4") / "lib" / "libgnuradio-core.a").is_file()
    installed.look.cache_clear()
    found = installed.look(sure(load_catalog().targets["gnuradio4"].runtime))
    assert (found.version or "").startswith("4.") and not found.lacks
