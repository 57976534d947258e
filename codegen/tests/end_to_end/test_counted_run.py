"""Test CPU counters and energy in a real run: each has a number, or a reason why there is none."""

from __future__ import annotations

import json

from lttng_world import environment
from weir.cli import main
from weir.engine.results_model import fields
from weir.lab.sweeping.table import rows_of_folder
from weir_process import ended, project, start

EVENTS = [name for name, it in fields("cpu_counters").items() if it.kind.base == "count"]


def test_each_worker_is_counted_where_that_was_requested_and_nobody_elsewhere(tmp_path, capsys):
    path = project(tmp_path, 0.3, "counted", deployments=[{"name": "many", "scheduler": "thread_per_block"}])
    ask = ("--trace", "memory", "--set", "/run/cpu_counters=true")
    [counted], [plain] = (ended(start(tmp_path, path, environment(tmp_path), *more), 0) for more in (ask, ask[:2]))
    assert plain["cpu_counters"] is None and not any(thread["cpu_counters"] for thread in plain["threads"])
    said = "".join(reason["message"] for reason in counted["reasons"] if reason["code"] == "N_CPU_COUNTERS")
    total, each = counted["cpu_counters"], [thread["cpu_counters"] for thread in counted["threads"]]
    assert counted["status"] == "ok" and len(each) > 1
    assert 0 < total["counted"] <= 1 or total["counted"] == 0 and "nmi_watchdog" in said
    for name in EVENTS:
        assert (total[name] is None) == (name in said)
        assert total[name] is None or total[name] == sum(one[name] for one in each)
    for energy in (counted["energy"], plain["energy"]):
        assert energy["interval_s"] > 0.3 and (energy["joules"] is not None or energy["why_not"])
    rows = {row["run_id"]: row for row in rows_of_folder(tmp_path / "runs")}
    assert {name: rows[counted["run_id"]][name] for name in EVENTS} == {name: total[name] for name in EVENTS}
    assert rows[plain["run_id"]]["page_faults"] is None
    folder = tmp_path / "runs"
    assert main(["compare", str(folder / counted["run_id"]), str(folder / plain["run_id"]), "--json"]) in (0, 1, 4)
    assert "cpu counters on → off" in json.dumps(json.loads(capsys.readouterr().out), ensure_ascii=False)
