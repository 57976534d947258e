"""Test the generated project: safe for any text of a project, deterministic, self-contained, and written completely."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from conftest import CODEGEN
from hypothesis import given
from hypothesis import strategies as st
from planning import EXAMPLES, chain, checked, deployed, generated, machine, project
from weir import cli
from weir.diagnostics import WeirError
from weir.engine.generation import cmake
from weir.engine.generation.cpp import layout
from weir.engine.generation.cpp import names as naming
from weir.engine.generation.cpp import text as escape
from weir.engine.generation.cpp import values as cpp_values
from weir.engine.generation.cpp.columns import Columns
from weir.engine.generation.cpp.structs import source_of
from weir.engine.generation.emit import write_tree
from weir.engine.generation.text import markdown
from weir.model.document import shape
from weir.model.ownership import sha256
from weir.model.planning.plan import make_plan

HOSTILE = ['"); system("true"); ("', "line\nbreak\r\u2028", "*/ #error caught /*", "#{x} {{ plan }} {% raw %}",
           "$(rm -rf ~) `id`",
           "${CMAKE_SOURCE_DIR};b;${x}", "??/\n#error trigraph", "end\\", "a\\\nb", "\0nul", "\u202edrow", "é𝄞", "%s%n",
           "//", "'"]
TWO_CORE = str(CODEGEN / "tests" / "machines" / "two_core.json")


def with_texts(text: str) -> dict:
    """Return a project with `text` in every free text."""
    document = project(
        [{"id": "source", "type": "file_source", "parameters": {"item_type": "f32", "path": "data.bin"},
          "comment": text},
         {"id": "sink", "type": "file_sink", "parameters": {"path": "out.bin"}, "comment": text}],
        ["source.out > sink.in"])
    return {**document, "title": text, "description": text, "ui": {"notes": text}, "x_text": text}


# Escaping

def test_literals_mean_what_they_say(tmp_path: Path) -> None:
    """Compile each literal with trigraphs enabled, and compare bytes and bits."""
    texts = [*HOSTILE, "".join(map(chr, range(256))), "1" * 9 + "\x017", "\udc80"]
    floats = [0.1, -0.0, 1.0, 3.4028234663852886e38, 1e-45, 16777217.0, -2.5e-10, 1 / 3, 100000.0, 5]
    integers = [0, -1, 2**31, 2**63 - 1, -(2**63)]
    print_text = "".join(f"show(std::string{{{escape.cpp_string(t)}, {len(t.encode('utf-8', 'surrogatepass'))}}});\n"
                         for t in texts)
    print_text += "".join(f"show({escape.cpp_std_string(t)});\n" for t in texts)
    print_real = "".join(f'std::printf("%a\\n%a\\n", double({escape.cpp_float(f)}), {escape.cpp_double(f)});\n'
                         for f in floats)
    print_whole = "".join(f'std::printf("%lld\\n", (long long)std::int64_t{{{escape.cpp_integer(i)}}});\n'
                          for i in integers)
    comments = "".join(f"// {escape.comment(t)}\n/* {escape.comment(t)} */\n" for t in HOSTILE)
    source = tmp_path / "literals.cpp"
    source.write_text("#include <cstdint>\n#include <cstdio>\n#include <string>\n"
                      "void show(const std::string& s) {\n"
                      '    for (unsigned char c : s) std::printf("%02x", c);\n    std::puts("");\n}\n'
                      f"{comments}int main() {{\n{print_text}{print_real}{print_whole}}}\n")
    program = tmp_path / "literals"
    done = subprocess.run(["g++", "-std=c++20", "-trigraphs", "-Wall", "-Wextra", "-Werror", source, "-o", program],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    shown = [t.encode("utf-8", "surrogatepass").hex() for t in texts]
    assert lines[:len(texts)] == shown and lines[len(texts):2 * len(texts)] == shown
    reals = [float.fromhex(line) for line in lines[2 * len(texts):-len(integers)]]
    assert reals[0::2] == [struct.unpack("<f", struct.pack("<f", f))[0] for f in floats] and reals[1::2] == floats
    assert [int(line) for line in lines[-len(integers):]] == integers


@given(st.text())
def test_comments_and_markdown_stay_on_their_line(text: str) -> None:
    for line in (escape.comment(text), markdown(text)):
        assert len(line.splitlines()) <= 1 and line.isprintable()
    assert not re.search(r"\*/|/\*|\\|\?\?", escape.comment(text))
    assert "<" not in markdown(text)


def test_cmake_takes_any_text_as_one_argument(tmp_path: Path) -> None:
    script = tmp_path / "check.cmake"
    lines = ["function(count)", '  math(EXPR total "${ARGC}")', '  if(NOT total EQUAL 1)',
             '    message(FATAL_ERROR "${ARGC}")',
             "  endif()", "endfunction()", *(f"count({cmake.quoted(text)})" for text in HOSTILE)]
    script.write_text("\n".join(lines))
    done = subprocess.run(["cmake", "-P", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_change_no_code(text: str) -> None:
    """Check that the sources, apart from comments and hashes, are those of a project without texts."""
    def code(text: str) -> dict[str, list[str]]:
        files = generated(with_texts(text))
        sources = {n: files[n].decode() for n in ("src/main.cpp", "src/flowgraph.hpp", "CMakeLists.txt")}
        return {n: [line for line in s.splitlines() if not line.lstrip().startswith("//") and "_hash" not in line]
                for n, s in sources.items()}

    assert code(text) == code("plain")
    readme = generated(with_texts(text))["README.md"].decode()
    assert len(readme.splitlines()) == len(generated(with_texts("plain"))["README.md"].decode().splitlines())


def test_hostile_parameters_are_strings_and_nothing_else() -> None:
    document = with_texts("plain")
    for text in (t for t in HOSTILE if "\0" not in t):
        document["graph"]["blocks"][1]["parameters"]["path"] = "out" + text.replace("/", "_") + ".bin"
        source = generated(document)["src/flowgraph.hpp"].decode()
        (line,) = [line for line in source.splitlines() if ".path = \"out" in line]
        assert re.fullmatch(r'\s*\{\.path = "(?:[^"\\]|\\.)*"[^"]*\},?', line)
        assert all(32 <= ord(c) < 127 for c in line)


# Names

def test_identifiers() -> None:
    names = naming.unique_identifiers(["stage[2]@p3", "stage_2_p3", "double", "double_block", "a__b", "tasks", "n",
                                       "source.out", "source_out", "errno"])
    assert list(names.values()) == ["stage_2_p3", "stage_2_p3_2", "double_block", "double_block_2", "a_b",
                                    "tasks_block", "n_block", "source_out", "source_out_2", "errno_block"]


@given(st.lists(st.from_regex(r"[a-z][a-z0-9_]{0,12}(\[[0-9]\])?(@p[0-9])?", fullmatch=True), unique=True))
def test_identifiers_are_unique_and_legal(texts: list[str]) -> None:
    names = list(naming.unique_identifiers(texts).values())
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", n) and "__" not in n and n not in naming.RESERVED for n in names)


def test_no_macro_of_the_headers_is_free_to_be_a_name() -> None:
    root = CODEGEN.parent
    headers = sorted([*(root / "runtime/include/weir").glob("*.hpp"), *(root / "block-library").glob("*/*/*.hpp")])
    macros = subprocess.run(["g++", "-std=c++20", "-dM", "-E", "-x", "c++", f"-I{root / 'runtime/include'}", "-"],
                            input="".join(f'#include "{h}"\n' for h in headers if "tests" not in h.parts),
                            capture_output=True, text=True, check=True).stdout
    plain = set(re.findall(r"^#define ([a-z][a-z0-9_]*) ", macros, re.MULTILINE))
    names = {n for n in plain if naming.identifier(n) == n}
    assert names == set(), names


# The tree

@pytest.mark.parametrize("on", ["two_core", pytest.param("kria", marks=pytest.mark.slow)])
def test_same_input_same_bytes_and_no_absolute_path(on: str, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "moved")
    for example in sorted(EXAMPLES.glob("**/*.weir.json")):
        files = generated(example, on)
        assert generated(tmp_path / "moved" / example.relative_to(EXAMPLES), on) == files
        for name, data in files.items():
            if not name.startswith("weir/"):
                assert not re.search(rb'(?:^|[\s"=(])/(?:home|root|work|tmp|usr|var)\b', data), name
            assert str(CODEGEN.parent).encode() not in data, name


def test_the_manifest_has_every_hash(tmp_path: Path) -> None:
    files = generated(chain(2))
    manifest = json.loads(files.pop("manifest.json"))
    jsonschema.validate(manifest, shape.schema("manifest"))
    assert manifest["files"] == {name: sha256(data) for name, data in files.items()}
    assert set(manifest["templates"]) == {f"cpp_app/{t}.j2"
                                          for t in ("CMakeLists.txt", "README.md", "main.cpp", "flowgraph.hpp")} | {
        "cpp/kernels.cmake.j2", "cpp/plan.hpp.j2", "cpp/program.cmake.j2", "cpp/runtime.cmake.j2", "readme.md.j2"}
    assert {manifest[k] for k in ("plan_hash", "project_hash", "machine_hash")} == {
        json.loads(files["plan.json"])[k] for k in ("plan_hash", "project_hash", "machine_hash")}


def test_only_what_is_used_is_copied() -> None:
    names = set(generated(chain(2)))
    assert {n for n in names if n.startswith("weir/blocks/")} == {
        f"weir/blocks/{b}.hpp" for b in ("copy", "counter_source", "digest_sink", "head")}
    assert {n for n in names if n.startswith("weir/schedulers/")} == {"weir/schedulers/flow.hpp"}
    assert "volk" not in generated(chain(2))["CMakeLists.txt"].decode()
    with_volk = generated(EXAMPLES / "diamond.weir.json")["CMakeLists.txt"].decode()
    assert "PkgConfig::VOLK" in with_volk and "fftw" not in with_volk.lower()
    document = chain(1, "fft")
    document["graph"]["blocks"][0]["parameters"]["item_type"] = "c64"
    with_fftw = generated(document)["CMakeLists.txt"].decode()
    assert "pkg_check_modules(FFTW3F REQUIRED IMPORTED_TARGET fftw3f)" in with_fftw and "PkgConfig::FFTW3F" in with_fftw


def test_moving_a_box_changes_no_byte() -> None:
    document = chain(2)
    assert generated(document) == generated({**document, "ui": {"positions": {"source": [1, 2]}}})


def test_all_of_the_deployment_reaches_the_source() -> None:
    document = deployed(
        chain(2), workers=2, affinity={"w0": [1], "w1": [0]}, wait="park", policy="fifo", priority=50, chunk_items=512,
        buffers={"stage[0].out->stage[1].in": {"items": 4096}},
        memory={"lock": True, "hugepages": True, "numa": "local"},
        build={"march": "x86-64-v2", "optimisation": "O2", "extra_flags": ["-funroll-loops"]},
        require=["affinity", "priority"])
    document["run"] = {"items": 1000, "warmup_items": 10, "seed": -1, "timeout_s": 2.5, "metrics": "profile",
                       "trace": {"backend": "memory", "events": ["work", "park"], "probe_granularity": 100}}
    files = generated(document)
    source, cmake = files["src/flowgraph.hpp"].decode(), files["CMakeLists.txt"].decode()
    for text in (".cpus = weir::cpus<1>", "WaitPolicy::park", "SchedulingPolicy::fifo", ".priority = 50",
                 ".chunk_items = 512",
                 '"stage[0].out", 4096, weir::StreamKind::ring}',
                 ".lock = true, .hugepages = true",
                 '.numa = "local"', '.require = {"affinity", "priority"}', ".items = 1000", ".warmup_items = 10",
                 ".seed = 18446744073709551615U", ".timeout_s = 2.5", "Metrics::profile", "TraceBackend::memory",
                 '.events = {"work", "park"}', ".probe_granularity = 100",
                 "g++ -O2 -march=x86-64-v2 -ffp-contract=off -funroll-loops"):
        assert text in source, text
    assert "-O2 -march=x86-64-v2 -ffp-contract=off -funroll-loops" in cmake and "ffast-math" not in cmake


def test_no_trace_compiles_the_probes_out() -> None:
    files = generated({**chain(1), "run": {"trace": {"backend": "off"}}})
    assert "WEIR_TRACING=0" in files["CMakeLists.txt"].decode() and "lttng" not in files["CMakeLists.txt"].decode()


def test_a_thousand_blocks_in_two_seconds(tmp_path: Path) -> None:
    file = tmp_path / "big.weir.json"
    file.write_text(json.dumps(chain(997)))
    before = time.process_time()
    assert cli.main(["generate", str(file), "--machine", TWO_CORE, "-o", str(tmp_path / "out")]) == 0
    assert time.process_time() - before < 2.0


def test_parameters_of_every_kind(library) -> None:
    def values(block: str, item_type: str, **values) -> list[str]:
        kind = library.blocks[block]
        return [cpp_values.parameter_value(p, values[p.id], cpp_values.block_class(kind, item_type), item_type)
                for p in kind.parameters if p.id in values]

    assert values("signal_source", "c64", waveform="sine", offset=(0.5, -1), amplitude=2) == [
        "weir::blocks::SignalSource<std::complex<float>>::Waveform::kSine", "2.0F", "{0.5F, -1.0F}"]
    assert values("fir_filter", "f32", taps=[1, 0.1], decimation=3) == ["{1.0F, 0.1F}", "3"]
    assert values("head", "u8", items=2**40) == ["1099511627776"]
    assert cpp_values.item(7, "u8") == "7" and cpp_values.item(2.5, "c64") == "{2.5F, 0.0F}"


def test_an_output_that_nothing_reads_is_named() -> None:
    result = checked(chain(1))
    graph = replace(result.graph, instances=result.graph.instances[:-1], edges=result.graph.edges[:-1])
    planned = make_plan(result.project, graph, result.catalog, machine("two_core")).plan
    (flowgraph,) = source_of(planned, (), result.catalog).structs
    assert flowgraph.nodes[-1].outs == ("weir::unconnected<float>",)


# Layout

def test_long_lists_keep_to_the_line() -> None:
    items = [f"&stage_{i}" for i in range(300)]
    inner = ", ".join(f'{{.name = "a, (b", .at = {i}}}' for i in range(90))
    numbers = ", ".join(map(str, range(200)))
    marked = f"\x027\x02    list.add({{{', '.join(items)}}}, weir::tasks<{numbers}>, {{{inner}}});\x03"
    text = layout.laid_out(f"short\n{marked}\n")
    lines = text.splitlines()
    assert lines[0] == "short" and all(len(line) <= layout.COLUMNS + 4 for line in lines)
    assert re.findall(r"&stage_\d+", text) == items and text.count('"a, (b"') == 90 and text.count("\x02") == 2
    assert "".join(text.split()) == "".join(f"short\n{marked}".split())
    assert lines[1].startswith("\x027\x02    list.add(") and lines[-1].endswith("});\x03")


@pytest.mark.parametrize("line", ["// " + "word, (" * 40, "x" * 200, 'f[' + '", " ' * 40 + "];"])
def test_what_is_no_list_stays_on_its_line(line: str) -> None:
    assert layout.laid_out(line) == line


def test_names_in_short() -> None:
    names = ["source", *(f"stage[{i}]@p1" for i in range(4)), "stage[5]@p1", "stage[6]@p2", "sink"]
    assert escape.in_short(names) == "source, stage[0..3]@p1, stage[5]@p1, stage[6]@p2, sink"
    assert escape.in_short(names, 2) == "source, stage[0..3]@p1 and 3 more" and escape.in_short(()) == ""


# Writing

def test_a_folder_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("x")
    with pytest.raises(WeirError) as caught:
        write_tree({"manifest.json": b"{}"}, tmp_path / "mine")
    assert caught.value.diagnostics[0].code == "E_OUTPUT_EXISTS" and caught.value.exit_code == 3
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]
    assert [p.name for p in (tmp_path / "mine").iterdir()] == ["thesis.tex"]
    (tmp_path / "file").write_text("x")
    with pytest.raises(WeirError):
        write_tree({"manifest.json": b"{}"}, tmp_path / "file")


def test_an_empty_folder_is_welcome(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    write_tree({"manifest.json": b"1"}, tmp_path / "out")
    assert (tmp_path / "out" / "manifest.json").is_file()


@pytest.mark.parametrize("number,code", [(errno.ENOSPC, "E_DISK_FULL"), (errno.EACCES, "E_FILE_PERMISSION")])
def test_nothing_half_written(number: int, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_tree({"manifest.json": b"1", "a": b"1"}, tmp_path / "out")
    opened = Path.open

    def fails(self: Path, *arguments, **options):
        if self.name == "b":
            raise OSError(number, os.strerror(number))
        return opened(self, *arguments, **options)

    monkeypatch.setattr(Path, "open", fails)
    with pytest.raises(WeirError) as caught:
        write_tree({"manifest.json": b"2", "a": b"2", "b": b"2"}, tmp_path / "out")
    assert caught.value.diagnostics[0].code == code and caught.value.exit_code == 3
    assert (tmp_path / "out" / "a").read_bytes() == b"1" and [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_file_that_cannot_grow_is_a_message(tmp_path: Path) -> None:
    """Force a real short write: the process may not make a file larger than 4 KiB."""
    code = ("import resource, sys; from weir.cli import main; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); "
            "sys.exit(main(sys.argv[1:]))")
    done = subprocess.run([sys.executable, "-c", code, "generate", str(EXAMPLES / "quickstart.weir.json"), "--machine",
                           TWO_CORE, "-o", str(tmp_path / "out")], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(CODEGEN), "PYTHONDONTWRITEBYTECODE": "1"})
    assert done.returncode == 3 and "E_FILE_IO" in done.stderr and "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_target_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    arguments = ["generate", str(EXAMPLES / "fork.weir.json"), "--target", "cobol", "-o", str(tmp_path / "out")]
    assert cli.main(arguments) == 1 and "cobol" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("text", ["- a", "+ a", "12. a", "1) a", "=== a", "# a", "> a", "[a](b)", "![a](b)", "`a`",
                                  "*a*", "_a_", "| a |", "<b>a</b>", "&lt;"])
def test_markdown_shows_text_as_it_is(text: str) -> None:
    shown = re.sub(r"\\(.)", r"\1", markdown(text))
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), *((f"&#{ord(c)};", c) for c in "-+=1"), ("&amp;", "&")):
        shown = shown.replace(entity, character)
    assert shown == text
    assert not re.search(r"^[-+=>#]|^[0-9]+[.)]|(?<!\\)[`*_\[\]|#]", markdown(text).replace("&#", "&"))


def test_a_field_that_no_spec_has_is_refused() -> None:
    with pytest.raises(KeyError, match="lost"):
        Columns().cells("stream", [{"name": '"a"'}, {"name": '"b"', "lost": "1"}])


def test_cpu_counters_are_requested_by_the_programs_of_whoever_wants_them_alone() -> None:
    asking = b".cpu_counters = true,"
    on, off = (generated({**chain(2), "run": {"cpu_counters": wanted}}) for wanted in (True, False))
    assert sum(asking in data for data in on.values()) == 1 and json.loads(on["plan.json"])["run"]["cpu_counters"]
    for files in (off, generated(chain(2))):
        assert not any(asking in data for data in files.values()) and b"cpu_counters" not in files["plan.json"]
