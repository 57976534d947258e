"""Test malformed and hostile flowgraphs: nothing in them is executed, and each fault is reported."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from grc_world import HEAD, grc, imported
from weir.cli import main
from weir.interop.grc.reading import yaml_text

MARK = "/tmp/weir-grc-was-executed"
BLOCKS = [{"name": "s", "id": "blocks_null_source", "type": "float"},
          {"name": "x", "id": "blocks_multiply_const_xx", "type": "float", "const": "v"},
          {"name": "e", "id": "blocks_null_sink", "type": "float"}]
WIRES = [["s", "0", "x", "0"], ["x", "0", "e", "0"]]


def refused(tmp_path: Path, capsys: pytest.CaptureFixture, data: bytes) -> list[dict]:
    """Return the diagnostics with which a file is refused."""
    file, project = tmp_path / "x.grc", tmp_path / "p.weir.json"
    file.write_bytes(data)
    start = time.monotonic()
    assert main(["import", str(file), "-o", str(project), "--json"]) == 1
    assert time.monotonic() - start < 20 and not project.exists()
    answer = json.loads(capsys.readouterr().out)
    assert answer["ok"] is False and all(d["hint"] and d["message"] for d in answer["diagnostics"])
    return answer["diagnostics"]


@pytest.mark.parametrize(("data", "code", "said"), [
    (b"", "E_GRC_SHAPE", "no flowgraph"),
    (b"\0\1\2\xff\xfe\xfd" * 100, "E_GRC_SYNTAX", "UTF-8"),
    (b"\0\0\0\0", "E_GRC_SYNTAX", ""),
    (b"- 1\n- 2\n", "E_GRC_SHAPE", "no flowgraph"),
    (b"a: [1, 2\nb: }", "E_GRC_SYNTAX", "line"),
    (HEAD.encode() + b"metadata: {file_format: 3}", "E_GRC_VERSION", "file_format 3"),
    (HEAD.encode() + b"metadata: {file_format: [1]}", "E_GRC_VERSION", "file_format"),
    (b"blocks: [{id: gr::Odd, parameters: {name: a, b: !!python/name:os.system  }}]", "E_GRC_SYNTAX", "tag"),
    (HEAD.encode() + b"x: !!python/object/apply:os.system ['touch " + MARK.encode() + b"']", "E_GRC_SYNTAX", "tag"),
    (HEAD.encode() + b"blocks: !!python/name:os.system", "E_GRC_SYNTAX", "tag"),
    (HEAD.encode() + b"x: &a [1]\ny: *a", "E_GRC_SYNTAX", "alias"),
    (HEAD.encode() + b"x: &a {b: *a}", "E_GRC_SYNTAX", "alias"),
    (HEAD.encode() + b"x: " + b"[" * 100_000, "E_GRC_LIMIT", "deep"),
    (HEAD.encode() + b"x: " + b"{a: " * 100_000, "E_GRC_LIMIT", "deep"),
    (HEAD.encode() + b"".join(b" " * i + b"a:\n" for i in range(200)), "E_GRC_LIMIT", "deep"),
    (HEAD.encode() + b"blocks: [{name: a, id: b}" + b",{name: a, id: b}" * 30_000 + b"]", "E_GRC_LIMIT", "blocks"),
    (HEAD.encode() + b"? [1, 2]\n: 3", "E_GRC_SYNTAX", "key"),
], ids=lambda value: value[:24].decode("latin-1") if isinstance(value, bytes) else value)
def test_what_is_no_flowgraph_is_refused(tmp_path, capsys, data, code, said):
    found = refused(tmp_path, capsys, data)
    assert {d["code"] for d in found} == {code} and said in found[0]["message"]
    assert not Path(MARK).exists()


def test_there_is_an_end_to_values(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(yaml_text, "MAX_NODES", 1000)
    [fault] = refused(tmp_path, capsys, HEAD.encode() + b"blocks: [" + b"1," * 2000 + b"1]")
    assert fault["code"] == "E_GRC_LIMIT" and "values" in fault["message"]


def test_100_megabytes_are_not_read(tmp_path, capsys):
    with (tmp_path / "big.grc").open("wb") as file:
        file.truncate(100_000_000)
    assert main(["import", str(tmp_path / "big.grc"), "-o", "-"]) == 1
    assert "E_GRC_LIMIT" in capsys.readouterr().err


@pytest.mark.parametrize(("key", "value"), [
    (key, value) for key in ("options", "blocks", "connections", "metadata")
    for value in ("3", "text", "[1]", "[[1, 2, 3]]", "[{}]", "{a: 1}", "[null]", "[{name: {}, id: []}]", "true")])
def test_wrong_types_have_a_place(tmp_path, capsys, key, value):
    lines = {"options": "{parameters: {}, states: {}}", "blocks": "[]", "connections": "[]",
             "metadata": "{file_format: 1}"} | {key: value}
    file = tmp_path / "x.grc"
    file.write_text("\n".join(f"{k}: {v}" for k, v in lines.items()))
    code = main(["import", str(file), "-o", "-", "--json"])
    answer = json.loads(capsys.readouterr().out)
    if code == 0:  # an options block or metadata without known contents
        assert key in ("options", "metadata")
    else:
        assert code == 1 and {d["code"] for d in answer["diagnostics"]} <= {"E_GRC_SHAPE", "E_GRC_VERSION"}
        assert any(d["pointer"].startswith(f"/{key}") for d in answer["diagnostics"])


HOSTILE = [
    f"__import__('os').system('touch {MARK}')", f"open('{MARK}', 'w')", f"eval(\"open('{MARK}', 'w')\")",
    f"(lambda: open('{MARK}', 'w'))()", f"[open('{MARK}', 'w') for i in [1]]", "().__class__.__bases__[0]",
    "math.__loader__.load_module('os')", "9**9**9", "9**9**9**9**9", "1 << 10**9", "[0] * 10**9",
    "[[0] * 99999] * 99999",
    "'a' * 10**9", "1e999", "1 / 0", "10**400", "9" * 5000, "(" * 5000 + ")" * 5000, "-" * 50_000 + "1",
    "+".join("1" * 20_000), "[" * 5000, "1[0]", "'a'[0]", "abs(abs)", "int('" + "9" * 5000 + "')", "round(1, 10**9)",
    "range(10**12)", "list(range(10**12))", "max()", "min([])", "sum(['a'])", "complex('x')", "float('nan')",
    "math.sqrt(-1)", "math.gcd(1.5, 2)", "math.exp(1e9)", "firdes.low_pass(1, 1e9, 1, 1e-9)", "firdes.low_pass()",
    "firdes.low_pass(1, 'a', [], None)", "firdes.root_raised_cosine(1, 1, 1, 0.5, 10**9)", "v", "x.y.z",
    "$(rm)", "`id`",
    "a.b(c=d(e=f))", "1 if", "not", "lambda", "\ud7ff", "0x", "0b2", "1__0j", "'\\", "\0", "f'{1}'", "1 and 2 or 3 <",
    "0 < (" * 60 + "1" + ") < 9" * 60, "((1 and 1) and " * 60 + "1" + ")" * 60, " and ".join(["1"] * 20_000),
    r"'\ud800'", r"'a\0b'", "[max(a) for a in [range(100000)] * 1000]", "[1 for i in range(100000)][::0]",
    "[[1 for i in range(100000)] for j in range(100000)]", "['" + "a" * 9000 + "' + 'b' for i in range(100000)]",
    "[" * 40 + "1" + " for i in range(100)]" * 40, f"[open('{MARK}', 'w') for i in [1] if open('{MARK}', 'w')]",
    "[__import__ for __import__ in [1]]", "[1 for i.j in [1]]", "firdes.complex_band_pass(1, 2)",
    "firdes.low_pass_2(1, 1e9, 1, 1, 10**9)", "firdes.gaussian(1, 0, 1, 9)", "firdes.gaussian(1, 2, 1, 10**9)",
    "firdes.hilbert(8)", "firdes.hilbert('x')", "np.convolve(np.ones(9**5), np.ones(9**5))", "np.convolve(1, [])",
    "digital.constellation_bpsk(1)", "digital.constellation_calcdist([], [], 1, 1)", "digital.constellation_bpsk() + 1",
    "digital.constellation_calcdist([1e999], 'x', None, 1)", "str(digital.constellation_bpsk())", "[1].points()",
    "digital.constellation_calcdist([0], [], 1, 1).points()", "weir.ratio(0)", "weir.ratio(1e-300)", "weir.ratio('x')"]


def test_expressions_execute_nothing(tmp_path, capsys):
    """Check that such a variable has no value, and its block is a stub or has a harmlessly computed number."""
    blocks, wires = [], []
    for i, text in enumerate(HOSTILE):
        blocks += [{"name": f"v{i}", "id": "variable", "value": text}, BLOCKS[0] | {"name": f"s{i}"},
                   BLOCKS[1] | {"name": f"x{i}", "const": f"v{i}"}, BLOCKS[2] | {"name": f"e{i}"}]
        wires += [[f"s{i}", "0", f"x{i}", "0"], [f"x{i}", "0", f"e{i}", "0"]]
    file = tmp_path / "x.grc"
    file.write_bytes(grc(blocks, wires))
    start = time.monotonic()
    _, document = imported(capsys, file)
    assert time.monotonic() - start < 20
    made = {b["id"]: b for b in document["graph"]["blocks"]}
    for i, text in enumerate(HOSTILE):
        block = made[f"x{i}"]
        assert block["type"] == "blocks_multiply_const_xx" or isinstance(
            block["parameters"]["constant"], (int, float, dict)), text
    assert made["x0"]["type"] == "blocks_multiply_const_xx" and not Path(MARK).exists()


def test_lists_that_share_their_parts_take_no_time(tmp_path, capsys):
    chains = [{"name": f"{c}{i}", "id": "variable", "value": f"[{c}{i + 1}, {c}{i + 1}]" if i < 60 else "[1]"}
              for c in "ab" for i in range(61)]
    deep = [{"name": f"d{i}", "id": "variable", "value": "+".join(["1"] * 150 + [f"d{i + 1}"]) if i < 50 else "1"}
            for i in range(51)]
    for text in ("a0 == b0", "max(a0, b0)", "a0", "d0"):
        file = tmp_path / "x.grc"
        file.write_bytes(grc([*BLOCKS, *chains, *deep, {"name": "v", "id": "variable", "value": text}], WIRES))
        start = time.monotonic()
        imported(capsys, file)
        assert time.monotonic() - start < 10


def test_many_lists_are_counted_together(tmp_path, capsys):
    """Use lists that are small enough one by one; all of them would take gigabytes."""
    many = [{"name": f"v{i}", "id": "variable", "value": "range(100000)"} for i in range(400)]
    file = tmp_path / "x.grc"
    file.write_bytes(grc([*BLOCKS, *many, {"name": "v", "id": "variable", "value": "0.5"}], WIRES))
    start = time.monotonic()
    report, document = imported(capsys, file)
    assert time.monotonic() - start < 20
    assert "entries together" in json.dumps(report)
    assert [b["type"] for b in document["graph"]["blocks"]] == ["null_source", "multiply_const", "null_sink"]


def test_many_variables_that_double_each_other(tmp_path, capsys):
    chain = [{"name": f"v{i}", "id": "variable", "value": f"v{i + 1} + v{i + 1}"} for i in range(3000)]
    file = tmp_path / "x.grc"
    file.write_bytes(grc([*BLOCKS, *chain, {"name": "v", "id": "variable", "value": "v0"}], WIRES))
    imported(capsys, file)


def test_names_that_are_hardly_names(tmp_path, capsys):
    names = ["", "9", "A B", "../../etc/passwd", "x" * 900, "é", "a\nb", "__proto__", "\u202e", "a", "A", "a_2", "-o"]
    blocks = [{"name": name or "empty", "id": "blocks_null_source", "type": "float"} for name in names]
    sinks = [{"name": f"sink {name}", "id": "unknown/../é", "../x": "y", "x_y": "1", "": "2"} for name in names]
    file = tmp_path / "x.grc"
    file.write_bytes(grc([*blocks, *sinks], [[b["name"], "0", s["name"], "0"] for b, s in zip(blocks, sinks)]))
    answer, document = imported(capsys, file)
    ids = [block["id"] for block in document["graph"]["blocks"]]
    assert len(set(ids)) == len(ids) == 2 * len(names)
    assert not [d for d in answer["diagnostics"] if d["severity"] == "error"]


@pytest.mark.parametrize("port", ["99999", "-1", "1e3", "٣", "0x0", "999999999999999999999"])
def test_ports_that_there_are_not(tmp_path, capsys, port):
    file = tmp_path / "x.grc"
    file.write_bytes(grc(BLOCKS[:1] + BLOCKS[2:], [["s", port, "e", "0"], ["s", "0", "nowhere", "0"]]))
    imported(capsys, file)


@pytest.mark.parametrize("states", [None, [], {"coordinate": "a", "state": []}, {"coordinate": [1e300, None]},
                                    {"coordinate": [10**30, -(10**30)], "rotation": {"a": [{}]}}])
def test_odd_states(tmp_path, capsys, states):
    text = json.dumps([{"name": "s", "id": "blocks_null_source", "parameters": None, "states": states},
                       {"name": "e", "id": "blocks_null_sink", "parameters": {}, "states": states}])
    file = tmp_path / "x.grc"
    file.write_text(f"{HEAD}blocks: {text}\nconnections: [[s, '0', e, '0']]")
    code = main(["import", str(file), "-o", "-"])
    assert code == 0 or code == 1 and "E_GRC_SHAPE" in capsys.readouterr().err
