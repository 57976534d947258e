"""Deployments of any target, built by its toolchain and run through its run protocol, as `weir run` does."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from weir.engine.measuring.child import LAST_LINES
from weir.engine.measuring.results import without_results
from weir.engine.pipeline import Pipeline
from weir.engine.targets.interface import Ended, Order
from weir.model.check import Checked
from weir.model.planning.machine import Machine


@dataclass(frozen=True)
class Elsewhere:
    """Deployments of a project that are not C++."""

    checked: Checked
    machine: Machine

    def run(self, deployment: str, folder: Path, timeout_s: float) -> dict:
        """Return the results of one run. `folder`: of the project.

        Raises AssertionError if the run writes no results or does not end.
        """
        pipeline = Pipeline(self.checked, here=self.machine)
        planned = pipeline.plan(deployment)
        plan = planned.plan
        built = pipeline.build(plan, directory=folder / f"made-{deployment}")
        runnable, out = pipeline.runnable(planned, built, ""), folder / "runs" / deployment
        out.mkdir(parents=True)
        order = Order(out, folder.absolute())
        try:
            done = subprocess.run(runnable.protocol.command(built.program, order), cwd=out, timeout=timeout_s,
                                  capture_output=True, text=True, errors="replace", check=False)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{deployment}: no end after {timeout_s} s") from None
        ended = Ended(done.returncode, False, tuple((done.stdout + done.stderr).splitlines()[-LAST_LINES:]))
        assert runnable.protocol.verdict(ended).kind == "ended", f"{deployment}: {ended}"
        result = runnable.protocol.results(order, plan.as_json(), ended,
                                           lambda: without_results(plan.as_json(), "", 0, "off", {}))
        assert result is not None, f"{deployment}: no results: {ended}"
        return result
