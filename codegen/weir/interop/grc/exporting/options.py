"""Options block of a flowgraph, and a report on settings of a project that GNU Radio lacks."""

from __future__ import annotations

from collections.abc import Mapping

from weir.interop.grc.importing.importer import Imported
from weir.interop.grc.names import python_name
from weir.interop.grc.reading.flowgraph import Flowgraph, GrcBlock, states_of
from weir.interop.grc.reading.yaml_text import Plain
from weir.interop.grc.report import Report
from weir.model.check import Checked
from weir.model.document.deployment import Deployment

_NEW = {"author": "", "catch_exceptions": "True", "category": "[GRC Hier Blocks]", "cmake_opt": "", "comment": "",
        "copyright": "", "gen_cmake": "On", "gen_linking": "dynamic", "generate_options": "no_gui",
        "hier_block_src_path": ".:", "max_nouts": "0", "output_language": "python", "placement": "(0,0)",
        "qt_qss_theme": "", "realtime_scheduling": "", "run": "True", "run_command": "{python} -u {filename}",
        "run_options": "run", "sizing_mode": "fixed", "thread_safe_setters": "", "window_size": "(1000,1000)"}
_FORMAT, _REALTIME = 1, ("fifo", "rr")


def options_of(checked: Checked, deployment: Deployment, base: Flowgraph | None,
               again: Imported | None) -> tuple[GrcBlock, Mapping[str, Plain]]:
    """Return the options and the metadata: the original ones, with the project's name, title and description."""
    document = checked.loaded().document
    parameters = dict(base.options.parameters) if base else dict(_NEW)
    before = again.document if again else {}
    if not base or document["name"] != before.get("name"):
        parameters["id"] = python_name(document["name"])
    for key in ("title", "description"):
        if not base or document.get(key, "") != before.get(key, ""):
            parameters[key] = document.get(key, "")
    if deployment.policy in _REALTIME:
        parameters["realtime_scheduling"] = "1"
    if isinstance(deployment.chunk_items, int):
        parameters["max_nouts"] = str(deployment.chunk_items)
    states = base.options.states if base else states_of((8, 8))
    return GrcBlock("", "options", parameters, states), base.metadata if base else {"file_format": _FORMAT}


def report_unsupported_settings(checked: Checked, deployment: Deployment, report: Report) -> None:
    """Report the settings of the deployment that GNU Radio does not support."""
    document = checked.loaded().document
    if deployment.scheduler not in ("thread_per_block", checked.catalog.gnuradio_scheduler()):
        report.add("replaced", "setting", f"{deployment.name}.scheduler", deployment.scheduler,
                   reason="GNU Radio gives each block a thread")
    for other in checked.loaded().deployments:
        if other.name != deployment.name:
            report.add("dropped", "setting", other.name, other.scheduler, reason="a flowgraph has only one way to run")
    if document.get("run", {}).get("items", 0) != 0:
        report.add("dropped", "setting", "run.items",
                   reason="a flowgraph runs until a head or a file ends it, or the user stops it")
    if document.get("sweeps"):
        report.add("dropped", "setting", "sweeps", reason="a flowgraph has none")
