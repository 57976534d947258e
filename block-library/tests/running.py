"""Run a block through the driver."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from weir.model.behaviour import lengths_of
from weir.model.document.expressions import evaluate
from weir_reference import Block, Context


@dataclass(frozen=True)
class Ran:
    outcome: str
    message: str
    outputs: dict[str, np.ndarray]
    answer: dict


def rates_of(block: Block, side: str, values: Mapping[str, object]) -> list[int]:
    """Return the items per firing of each port."""
    numbers = {name: value for name, value in values.items() if isinstance(value, int)} | lengths_of(values)
    rates = [port.get("rate", 1) for port in block.descriptor.get(side, [])]
    return [rate if isinstance(rate, int) else int(evaluate(rate["expr"], numbers)) for rate in rates]


def run(driver, folder: Path, block: Block, item_type: str, given: Mapping[str, object],
        inputs: Mapping[str, np.ndarray],
        context: Context, cut_seed: int = 0, max_chunk: int = 700, **how: object) -> Ran:
    """Run a block. Cut seed 0 offers everything at once; other seeds cut randomly. `how`: see driver/request.hpp."""
    paths = {port: folder / f"in-{port}" for port in inputs}
    for port, items in inputs.items():
        items.tofile(paths[port])
    outputs = block.ports("outputs", item_type)
    targets = {port: folder / f"out-{port}" for port in outputs}
    for target in targets.values():
        target.unlink(missing_ok=True)
    values = block.parameters(given, "")
    answer = driver.ask({
        "op": "run", "block": f"{block.id}/{item_type}", "parameters": dict(given), "cut_seed": cut_seed,
        "max_chunk": max_chunk, "in_place": False, "equal_offers": False, "by_element": False, "items": context.items,
        "in_rates": rates_of(block, "inputs", values), "out_rates": rates_of(block, "outputs", values),
        "inputs": [str(paths[p]) for p in block.ports("inputs", item_type)],
        "outputs": [str(t) for t in targets.values()],
        "context": {"instance": "subject", "seed": context.seed, "run_items": context.run_items,
                    "project_dir": str(context.project_dir), "output_dir": str(context.output_dir)}, **how})
    made = {port: np.fromfile(target, outputs[port]) for port, target in targets.items() if target.exists()}
    return Ran(answer["outcome"], answer.get("message", ""), made, answer)
