"""Flowgraphs in the XML of GNU Radio 3.7: translated as GNU Radio 3.8 does, and hostile ones refused."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from grc_world import DATA, INSTALLED, errors, exported, imported, meaning, needs_examples
from weir.cli import main
from weir.diagnostics import WeirError
from weir.interop.grc.importing.importer import Options, import_flowgraph
from weir.interop.grc.importing.message_keys import with_message_keys
from weir.interop.grc.reading import xml_text
from weir.interop.grc.reading.block_files import FOLDERS
from weir.interop.grc.reading.flowgraph import read_flowgraph, read_grc
from weir.interop.grc.reading.yaml_text import MAX_BYTES
from weir.model.catalog import load_catalog

OLDER = DATA / "older.grc"
SECRET = "weir-secret-of-another-file"
needs_gnuradio = pytest.mark.skipif(importlib.util.find_spec("gnuradio") is None, reason="GNU Radio is not installed")
needs_blocks = pytest.mark.skipif(not any(it.is_dir() for it in FOLDERS), reason="GNU Radio is not installed")

OPTIONS = "<block><key>options</key><param><key>id</key><value>made</value></param></block>"


def block(kind: str, name: str, *more: str, **parameters: str) -> str:
    pairs = [("id", name), *parameters.items()]
    inner = "".join(f"<param><key>{key}</key><value>{value}</value></param>" for key, value in pairs)
    return f"<block><key>{kind}</key>{inner}{''.join(more)}</block>"


def wire(source: str, out: str, sink: str, into: str) -> str:
    return (f"<connection><source_block_id>{source}</source_block_id><sink_block_id>{sink}</sink_block_id>"
            f"<source_key>{out}</source_key><sink_key>{into}</sink_key></connection>")


def xml(*parts: str, head: str = "<?xml version='1.0' encoding='ASCII'?>", options: str = OPTIONS) -> bytes:
    return f"{head}\n<flow_graph>{options}{''.join(parts)}</flow_graph>".encode()


def test_names_states_and_connections_become_those_of_today():
    flow = read_grc(OLDER.read_bytes())
    assert flow.options.parameters == {"id": "older", "title": "Grüße & co", "generate_options": "wx_gui"}
    assert flow.metadata == {"file_format": 1} and "options" not in [it.id for it in flow.blocks]
    assert flow.by_name["import_0"].parameters == {"imports": "import math"}
    tone, gone, scope = (flow.by_name[name] for name in ("tone", "gone", "scope"))
    assert tone.states == {"coordinate": [200.5, -16], "rotation": 180, "state": "enabled"}
    assert "id" not in tone.parameters and tone.parameters["freq"] == "1000"
    assert gone.state == "enabled" and gone.parameters["text"] == "two\nlines" and scope.state == "disabled"
    assert [c.ends for c in flow.connections][3] == ("strobe", "strobe", "store", "print")
    assert read_flowgraph(flow.as_json()).by_name == flow.by_name


@pytest.mark.parametrize(("enabled", "state"), [("True", "enabled"), ("1", "enabled"), ("2", "bypassed"),
                                                ("False", "disabled"), ("0", "disabled"), ("", "disabled")])
def test_states(enabled, state):
    assert read_grc(xml(block("a", "x", _enabled=enabled))).by_name["x"].state == state


def test_a_project_has_every_block_and_exports_todays_format(tmp_path, capsys):
    answer, document = imported(capsys, OLDER)
    assert not errors(answer)
    entries = {entry["gnuradio"]["name"]: entry for entry in document["graph"]["blocks"]}
    assert {"tone", "gone", "sink", "scope", "strobe", "store"} <= set(entries)
    # The ports of a block that GNU Radio no longer has are those that connections use.
    gone = entries["gone"]["gnuradio"]
    assert [len(gone[side]) for side in ("inputs", "outputs")] == [2, 1] and entries["scope"]["state"] == "disabled"
    assert len(document["graph"]["connections"]) == 4
    assert any(it["name"] == "file format" and "3.7.13" in it["reason"] and "YAML" in it["reason"]
               for it in answer["replaced"])
    assert any("bus_source" in it["name"] for it in answer["dropped"])
    project = tmp_path / "older.weir.json"
    project.write_text(json.dumps(document), encoding="utf-8")
    answer, flow = exported(capsys, project)
    assert answer["document"].startswith("options:") and meaning(flow) == meaning(read_grc(OLDER.read_bytes()))


def test_what_has_no_place_today_is_reported():
    flow = read_grc(xml(block("a", "x", "<bus_sink>1</bus_sink>", "<key>b</key>", p="1"), "<!-- a note -->",
                        "<event a='b'/>", "words", head="<?xml version='1.0'?><?other x?>")
                    .replace(b"<value>1</value>", b"<value>1</value></param><param><key>p</key><value>2</value>"))
    assert flow.by_name["x"].parameters == {"p": "2"}
    assert {it.setting for it in flow.remarks if it.outcome == "dropped"} == {
        "x.p", "<bus_sink> in <block>", "further <key> in <block>", "XML comment", "<event> in <flow_graph>",
        "text in <flow_graph>", "instruction <?other?>"}


@pytest.mark.parametrize(("head", "keys", "file_format"), [
    ("", ("0", "0"), 0), ("", ("0", "in"), 1), ("<?grc format='1' created='3.7.2'?>", ("0", "0"), 1),
    ('<?grc format="0"?>', ("out", "in"), 0)])
def test_the_format_is_stated_or_told_by_the_keys(head, keys, file_format):
    flow = read_grc(xml(block("a", "x"), block("b", "y"), wire("x", keys[0], "y", keys[1]), head=head))
    assert flow.metadata == {"file_format": file_format}


@needs_blocks
def test_numbers_of_message_ports_become_names():
    """Check format 0: the print port of a debug block is number 0 there, and a stream keeps its number."""
    parts = (block("blocks_message_strobe", "strobe"), block("blocks_message_debug", "store"),
             block("blocks_null_source", "zeros", type="float"), block("blocks_null_sink", "sink", type="float"),
             block("gone", "gone"), wire("strobe", "0", "store", "0"), wire("zeros", "0", "sink", "0"),
             wire("strobe", "0", "gone", "0"), wire("strobe", "7", "store", "0"))
    flow = read_grc(xml(*parts))
    ends = [c.ends[1::2] for c in with_message_keys(flow).connections]
    assert ends == [("strobe", "print"), ("0", "0"), ("0", "0"), ("7", "0")]
    document = import_flowgraph(flow, load_catalog(), Options("host")).document
    assert ["strobe", "out_strobe", "store", "in_print"] in document["graph"]["connections"]
    newer = read_grc(xml(*parts, head="<?grc format='1'?>"))
    assert with_message_keys(newer) is newer


@needs_blocks
def test_the_report_names_parameters_that_gnuradio_no_longer_has():
    flow = read_grc(xml(block("blocks_null_source", "zeros", type="quaternion", bus_conns="[[0,],]", comment="a"),
                        block("gone", "gone"), wire("zeros", "0", "gone", "0")))
    report = import_flowgraph(flow, load_catalog(), Options("host")).report
    [reason] = [it.reason for it in report.of("kept") if it.name == "zeros"]
    assert "`bus_conns`" in reason and "type `quaternion`" in reason and "comment" not in reason


def test_an_embedded_block_of_3_7_stores_its_ports_as_a_parameter():
    cache = "('b', 'blk', [('gain', '1')], [('0', 'complex', 1)], [('0', 'float', 2)], '', ['gain'])"
    flow = read_grc(xml(block("epy_block", "own", _io_cache=cache, _source_code="import os"), block("a", "x"),
                        wire("x", "0", "own", "0")))
    document = import_flowgraph(flow, load_catalog(), Options("host")).document
    [entry] = [it["gnuradio"] for it in document["graph"]["blocks"] if it["gnuradio"]["type"] == "epy_block"]
    assert [port["type"] for port in (*entry["inputs"], *entry["outputs"])] == ["c64", "f32[2]"]


LAUGHS = "".join(f"<!ENTITY l{i + 1} '{f'&l{i};' * 10}'>" for i in range(12))


@pytest.mark.parametrize(("data", "code", "said"), [
    (xml(head=f"<!DOCTYPE flow_graph [<!ENTITY l0 'ha'>{LAUGHS}]>", options="&l12;"), "E_GRC_SYNTAX", "document type"),
    (xml(head="<!DOCTYPE flow_graph [<!ENTITY e SYSTEM 'file:///SECRET'>]>", options="&e;"), "E_GRC_SYNTAX",
     "document type"),
    (xml(head="<!DOCTYPE flow_graph SYSTEM 'SECRET'>"), "E_GRC_SYNTAX", "document type"),
    (xml(head="<!DOCTYPE flow_graph PUBLIC 'a' 'http://127.0.0.1:9/x.dtd'>"), "E_GRC_SYNTAX", "document type"),
    (xml(head="<!DOCTYPE a [<!ENTITY % p SYSTEM 'SECRET'> %p;]>"), "E_GRC_SYNTAX", "document type"),
    (xml("&nothing;"), "E_GRC_SYNTAX", "undefined entity"),
    (xml("&#xD800;"), "E_GRC_SYNTAX", "invalid character"),
    (xml("&#0;"), "E_GRC_SYNTAX", "invalid character"),
    (xml("\x01"), "E_GRC_SYNTAX", "not well-formed"),
    (xml("\x00"), "E_GRC_SYNTAX", "not well-formed"),
    (xml("\ud800".encode("utf-8", "surrogatepass").decode("latin-1")).decode().encode("latin-1"), "E_GRC_SYNTAX",
     "UTF-8"),
    (xml("\xe9", head="<?xml version='1.0' encoding='latin-1'?>").decode().encode("latin-1"), "E_GRC_SYNTAX", "UTF-8"),
    (xml(head="<?xml version='1.0' encoding='latin-1'?>"), "E_GRC_SYNTAX", "encoding is latin-1"),
    (xml(head="<?xml version='1.0' encoding='UTF-7'?>"), "E_GRC_SYNTAX", "encoding is UTF-7"),
    (xml().decode().encode("utf-16"), "E_GRC_SYNTAX", "UTF-8"),
    (xml("<a>" * 100_000 + "</a>" * 100_000), "E_GRC_LIMIT", "deep"),
    (xml("<a>" * 100_000), "E_GRC_LIMIT", "deep"),
    (xml("<block>"), "E_GRC_SYNTAX", "mismatched tag"),
    (xml() + b"<flow_graph/>", "E_GRC_SYNTAX", "junk after"),
    (b" " + xml(), "E_GRC_SYNTAX", "not at start"),
    (xml(head="<?xml version='1.0'?>").replace(b"flow_graph", b"block"), "E_GRC_SHAPE", "<block>"),
    (b"<", "E_GRC_SYNTAX", "unclosed token"), (b"<html></html>", "E_GRC_SHAPE", "<html>"),
    (xml(head="<?grc format='9'?>"), "E_GRC_VERSION", "file_format 9"),
    (xml(head="<?grc format='a'?>"), "E_GRC_VERSION", "file_format a"),
    (xml(options=""), "E_GRC_SHAPE", "options"), (xml(OPTIONS, block("a", "")), "E_GRC_SHAPE", "`id`"),
    (xml("<block/>"), "E_GRC_SHAPE", "no <key>"), (xml("<block><key>a</key></block>"), "E_GRC_SHAPE", "`id`"),
    (xml("<block><key>a</key><param><key>b</key></param></block>"), "E_GRC_SHAPE", "<value>"),
    (xml("<connection/>"), "E_GRC_SHAPE", "<source_block_id>"), (xml(wire("a", "0", "", "0")), "E_GRC_SHAPE", "<sink"),
    (xml(block("a", "x", _coordinate="(1e9, 2)")), "E_GRC_SHAPE", "position"),
    (xml(block("a", "x", _coordinate="__import__('os').system('true')")), "E_GRC_SHAPE", "position"),
    (xml(block("a", "x", _rotation="9" * 5000)), "E_GRC_SHAPE", "rotation"),
    (xml(*[block("a", "x")] * 20_001), "E_GRC_LIMIT", "blocks"),
    (b"<?xml version='1.0'?>" + b" " * MAX_BYTES, "E_GRC_LIMIT", "bytes"),
], ids=lambda value: value[:60].decode("latin-1") if isinstance(value, bytes) else value)
def test_hostile_and_broken_files_are_refused(tmp_path, capsys, data, code, said):
    secret = tmp_path / "secret"
    secret.write_text(SECRET, encoding="utf-8")
    file = tmp_path / "x.grc"
    file.write_bytes(data.replace(b"SECRET", str(secret).encode()))
    start = time.monotonic()
    assert main(["import", str(file), "-o", str(tmp_path / "p.weir.json"), "--json"]) == 1
    assert time.monotonic() - start < 20
    text = capsys.readouterr().out
    found = json.loads(text)["diagnostics"]
    assert {it["code"] for it in found} == {code} and any(said in it["message"] for it in found), found
    assert all(it["hint"] for it in found) and SECRET not in text


def test_there_is_an_end_to_elements(monkeypatch):
    monkeypatch.setattr(xml_text, "MAX_NODES", 1000)
    for part in ("<a/>", "<?a?>"):
        with pytest.raises(WeirError) as caught:
            read_grc(xml(part * 2000))
        assert caught.value.diagnostics[0].code == "E_GRC_LIMIT"


def test_reports_of_many_unknown_elements_are_short():
    flow = read_grc(xml(*(f"<e{i}/>" for i in range(5000)), *(block("a", f"x{i}", "<param><key>id</key>"
                        f"<value>y{i}</value></param>") for i in range(200))))
    assert len(flow.remarks) < 150 and any("further" in it.setting for it in flow.remarks)


CONVERT = """import json, sys
from gnuradio.grc.converter.flow_graph import from_xml
print(json.dumps([from_xml(name) for name in sys.argv[1:]]))"""


@needs_gnuradio
@needs_examples
def test_gnuradios_own_converter_says_the_same(tmp_path):
    """Compare blocks, parameters, states and connections of the installed files, and of made-up ones."""
    made = {"plain": xml(block("import", "i", **{"import": "import math"}), block("a", "x", _coordinate="(1.5, -2)")),
            "messages": xml(block("a", "x", _enabled="0"), block("b", "y", _enabled="2"), wire("x", "out", "y", "0")),
            "twice": xml(block("a", "x", "<param><key>p</key><value>2</value></param>", p="3"), block("a", "x"))}
    files = [OLDER, *(it for it in sorted(INSTALLED.rglob("*.grc")) if it.read_bytes().lstrip()[:1] == b"<")]
    for name, data in made.items():
        files.append(tmp_path / f"{name}.grc")
        files[-1].write_bytes(data)
    answer = subprocess.run([sys.executable, "-c", CONVERT, *map(str, files)], capture_output=True, text=True,
                            timeout=120, check=True)
    assert len(files) >= 4
    for file, theirs in zip(files, json.loads(answer.stdout)):
        assert read_grc(Path(file).read_bytes()).as_json() == theirs, file
