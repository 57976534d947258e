"""Test the table as Parquet: the source of pyarrow, equal contents, and what pandas reads from the CSV."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pandas  # imported before any replacement of pyarrow, for which it would look
import pytest
import weir
from conftest import answered
from sweep_world import program, sweep
from weir import cli
from weir.engine.generation import pinned
from weir.lab.sweeping import parquet, table

FAKE = '''
import json, sys
def string(): return "string"
def int64(): return "int64"
def float64(): return "float64"
def bool_(): return "bool"
def schema(fields): return fields
def table(columns, schema): return {"columns": columns, "schema": schema}
'''
FAKE_PARQUET = '''
import json
def write_table(table, out): out.write(json.dumps(table).encode())
'''


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    """Hide pyarrow, even if this Python has it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in [name for name in sys.modules if name.partition(".")[0] == parquet.MODULE]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if not (Path(entry) / parquet.MODULE).exists()])
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == parquet.MODULE]:
        del sys.modules[name]


def put(folder: Path) -> None:
    """Install a replacement that records its arguments."""
    (folder / "pyarrow").mkdir(parents=True)
    (folder / "pyarrow" / "__init__.py").write_text(FAKE)
    (folder / "pyarrow" / "parquet.py").write_text(FAKE_PARQUET)


def got() -> None:
    for folder in (parquet.PACKAGE.place().parent, parquet.PACKAGE.place().parent.parent):
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
    put(parquet.PACKAGE.place())


def test_what_is_got_is_pinned_by_hash_and_built_for_each_release(monkeypatch, capsys):
    asked = []

    def pip(command, **_):
        asked.append(command)
        put(Path(command[command.index("--target") + 1]))
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(pinned.subprocess, "run", pip)
    assert cli.main(["doctor", "--install", "parquet"]) == 0
    [command] = asked
    assert command[1:5] == ["-I", "-m", "pip", "install"] and command[-1] == str(parquet.PACKAGE.file)
    assert {"--require-hashes", "--no-deps"} <= set(command) and command[command.index("--only-binary") + 1] == ":all:"
    lines = parquet.PACKAGE.file.read_text().replace("\\\n", " ").splitlines()[1:]
    assert [line.split()[0] for line in lines] == ["pyarrow==21.0.0"]
    assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}(?!\S)", lines[0])) == 3 * 2  # Pythons, and machine types
    capsys.readouterr()
    assert cli.main(["doctor", "--install", "parquet", "--json"]) == 0 and len(asked) == 1  # already installed
    answer = answered(capsys, "installed")
    assert answer["was_there"]


def test_what_cannot_be_got_is_reported_and_leaves_nothing(monkeypatch, capsys):
    monkeypatch.setattr(pinned.subprocess, "run", lambda command, **_: subprocess.CompletedProcess(
        command, 1, "", "WARNING: x\nERROR: THESE PACKAGES DO NOT MATCH THE HASHES"))
    assert cli.main(["doctor", "--install", "parquet"]) == 3
    assert "E_SETUP" in (said := capsys.readouterr().err) and "DO NOT MATCH THE HASHES" in said
    assert list(parquet.PACKAGE.place().parent.iterdir()) == []


def test_what_others_may_write_to_is_not_imported(monkeypatch):
    got()
    parquet.PACKAGE.place().parent.chmod(0o777)
    with pytest.raises(OSError, match="other users can write"):
        parquet.found()
    assert parquet.MODULE not in sys.modules
    parquet.PACKAGE.place().parent.chmod(0o700)
    assert parquet.found() is not None


def test_the_sweep_writes_both_with_the_types_that_columns_have(tmp_path):
    out, script = tmp_path / "out", program(tmp_path / "world")
    sweep(out, script, repetitions=1).go_on()
    assert not (out / parquet.PARQUET).exists() and (out / table.TABLE).exists()
    got()
    sweep(out, script, repetitions=2).go_on()
    made = json.loads((out / parquet.PARQUET).read_text())
    types, columns, frame = dict(made["schema"]), made["columns"], weir.load(out)
    assert list(types) == list(frame.columns) == (out / table.TABLE).read_text().splitlines()[0].split(",")
    assert (types["stages"], types["round"], types["kept_up"], types["throughput_items_per_s"], types["cpu"]) == (
        "int64", "int64", "bool", "float64", "string")
    for name, values in columns.items():
        assert [None if pandas.isna(value) else value for value in frame[name]] == values, name


def test_a_table_of_an_earlier_state_does_not_stay(tmp_path):
    (tmp_path / parquet.PARQUET).write_text("old")
    table.write(tmp_path, [], ["stages"])
    assert not (tmp_path / parquet.PARQUET).exists()


def test_pandas_has_the_same_types_whatever_is_missing(tmp_path):
    out = tmp_path / "out"
    it = sweep(out, program(tmp_path / "world"), repetitions=1)
    it.go_on()
    some = weir.load(out)
    for row in it.record.rows.values():
        row.update(dict.fromkeys(table.COLUMNS[10:]))
    it.write_table()
    none = weir.load(out)
    assert none.dtypes.to_dict() == some.dtypes.to_dict()
    assert (str(some.dtypes["latency_count"]), str(some.dtypes["verified"]),
            some.dtypes["window_s"].kind) == ("Int64", "boolean", "f")


def test_columns_of_earlier_versions_get_their_new_names_and_types(tmp_path):
    (tmp_path / "table.csv").write_text("block,block_disturbed,foreign,disturbing_loops\n1,true,0.5,4\n")
    frame = weir.load(tmp_path)
    assert frame.columns.tolist() == ["round", "round_disturbed", "other_programs", "interference_loops"]
    assert frame.iloc[0].tolist() == [1, True, 0.5, 4] and str(frame.dtypes["round"]) == "Int64"


def test_numbers_come_back_to_their_last_bit_and_text_stays_text(tmp_path):
    it = sweep(tmp_path / "out", program(tmp_path / "world"), repetitions=1)
    it.go_on()
    for i, row in enumerate(it.record.table()):
        row["other_programs"], row["kernel_hash"] = 0.1 + i / 3e7, "0123"
    it.write_table()
    frame = weir.load(tmp_path / "out")
    assert frame["other_programs"].tolist() == [0.1 + i / 3e7 for i in range(6)]
    assert set(frame["kernel_hash"]) == {"0123"}


def test_the_kind_of_an_axis_is_that_of_its_values():
    rows = [{"a": 1, "b": 1, "c": True, "d": "x", "e": None, "f": 2**70},
            {"a": 2, "b": 0.5, "c": None, "d": 1, "e": None, "f": 1}]
    assert table.kinds(rows, list("abcdef")) == {"a": "integer", "b": "number", "c": "flag", "d": "text", "e": "text",
                                                 "f": "number"}


@pytest.mark.slow
def test_the_real_one_reads_back_what_was_written(tmp_path, monkeypatch):
    """Skip unless the package can be downloaded, which needs the network."""
    parquet.PACKAGE.get()
    sweep(tmp_path / "out", program(tmp_path / "world"), repetitions=1).go_on()
    made = parquet.found().read_table(tmp_path / "out" / parquet.PARQUET)
    assert (made.num_rows == 6 and str(made.schema.field("stages").type) == "int64"
            and str(made.schema.field("disturbed").type) == "bool")
    assert made.column("stages").to_pylist() == weir.load(tmp_path / "out")["stages"].tolist()
