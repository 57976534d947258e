"""What the machines of some runs were, as rows of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from weir.engine.measuring.run_directory import StoredRun
from weir.machine.doctoring.seen import SEVERITIES
from weir.machine.isolating.words import words
from weir.read.comparing.documents import disturbance, isolation
from weir.read.reporting.quantities import MISSING

#: Of an environment, what is another number every time, and what has a row of its own.
FLEETING = ("load", "runnable", "steal", "foreign", "mitigations")


def environments(runs: Sequence[StoredRun]) -> list[dict[str, object]]:
    """What the machines were, each different one once; load and what others had as ranges over its runs."""
    groups: dict[tuple, list[StoredRun]] = {}
    for run in runs:
        stable = {k: v for k, v in run.results["environment"].items() if k not in FLEETING}
        stable["host"] = run.run["host"].get("name")
        stable["isolation"], stable["disturbance"] = isolation(run), disturbance(run)
        groups.setdefault(tuple((k, str(v)) for k, v in stable.items()), []).append(run)
    return [_view(members) for members in groups.values()]


def _view(runs: Sequence[StoredRun]) -> dict[str, object]:
    e = runs[0].results["environment"]
    loads = [r.results["environment"]["load"][0] for r in runs if r.results["environment"]["load"]]
    steals, foreign = ([r.results["environment"][key] for r in runs if r.results["environment"][key] is not None]
                       for key in ("steal", "foreign"))
    known = {True: "on", False: "off", None: MISSING}
    denormals = {True: "flushed to zero", False: "kept", None: MISSING}
    cpus = MISSING if e["cpus"] is None else e["cpus"]
    rows = [
        ("Machine", runs[0].run["host"].get("name")), ("CPU", f"{e['cpu'] or MISSING}, {cpus} CPUs"),
        ("Kernel", e["kernel"]),
        ("Governor", e["governor"]), ("Turbo", known[e["turbo"]]), ("SMT", known[e["smt"]]),
        ("Isolated CPUs", "none" if e["isolated_cpus"] == "" else e["isolated_cpus"]),
        ("Isolation", "; ".join(words(runs[0].run["isolation"])) if "isolation" in runs[0].run else "none"),
        ("Disturbance", disturbance(runs[0])),
        ("Clock source", e["clock_source"]),
        ("Compiler", e["compiler"]),
        ("Flags", e["flags"]), ("Denormals", denormals[e["flush_to_zero"]]),
        ("VOLK machine", e["volk_machine"]), ("Git revision", e["git_revision"]),
        ("Load before", f"{min(loads):.2f} … {max(loads):.2f}" if loads else None),
        ("Steal", f"{min(steals):.2%} … {max(steals):.2%}" if steals else None),
        ("Other processes", f"{min(foreign):.2%} … {max(foreign):.2%} of the run's CPUs" if foreign else None),
        ("Weir", runs[0].results["weir_version"]), ("LTTng", runs[0].run["versions"].get("lttng")),
        ("Mitigations", "; ".join(f"{name}: {state}" for name, state in e["mitigations"].items()
                                  if state != "Not affected") or "none"),
    ]
    return {"rows": [(label, value or MISSING) for label, value in rows], "runs": len(runs),
            "findings": _findings(runs)}


def _findings(runs: Sequence[StoredRun]) -> list[dict[str, object]]:
    """What the machine was found to have wrong before these runs, the worst first; each different one once."""
    told: dict[tuple, list[Mapping]] = {}
    for run in runs:
        for finding in run.run.get("findings", ()):
            told.setdefault((finding["id"], finding["severity"]), []).append(finding)
    return [{**alike[0], "concerns": list(dict.fromkeys(it["concern"] for it in alike if it["concern"])),
             "of": len(alike)} for _, alike in sorted(told.items(), key=lambda it: SEVERITIES.index(it[0][1]))]
