"""Checks of a project's sweeps that the schema cannot express: existing names, and expressions with a value."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from weir.diagnostics import Diagnostic, diagnostic, did_you_mean, pointer, resolve
from weir.model.document import sweeps
from weir.model.document.expressions import WHATEVER_THE_VALUES, ExpressionError, evaluate, holds

Path = tuple[str | int, ...]


def check_sweeps(document: Mapping) -> list[Diagnostic]:
    """Check the sweeps of a document of the right shape."""
    found: list[Diagnostic] = []
    for i, sweep in enumerate(document.get("sweeps", ())):
        found += _axes(document, sweep["vary"], ("sweeps", i, "vary"))
        found += _axes(document, sweep.get("quick", {}).get("vary", {}), ("sweeps", i, "quick", "vary"), sweep["vary"])
        found += _items(document, sweep.get("items", {}), ("sweeps", i, "items"))
        found += _items(document, sweep.get("quick", {}).get("items", {}), ("sweeps", i, "quick", "items"))
        found += _loads(document, sweep.get("loads", {}), ("sweeps", i, "loads"))
        known = sweeps.numbers_of(document, sweep["vary"])
        for j, text in enumerate(sweep.get("where", ())):
            found += _evaluates(holds, text, [*known, sweeps.CPUS], ("sweeps", i, "where", j))
        found += _plot(sweep, known, ("sweeps", i, "plot"))
    return found


def _axes(document: Mapping, vary: Mapping, at: Path, of: Mapping | None = None) -> Iterator[Diagnostic]:
    """Check axes and their values. `of`: the axes of the whole sweep, if `vary` is the quick subset."""
    deployments = _deployments(document)
    for key, values in vary.items():
        if of is not None:
            if key not in of:
                yield _no((*at, key), f"the sweep does not vary `{key}`", key, of)
            else:
                yield from (_no((*at, key, j), f"the sweep does not vary `{key}` to `{value}`", value, of[key])
                            for j, value in enumerate(values) if value not in of[key])
        elif key == sweeps.DEPLOYMENT:
            for j, value in enumerate(values):
                if value not in deployments:
                    yield _no((*at, key, j), f"there is no deployment `{value}`", value, deployments)
        elif not (_resolves(document, key) if key.startswith("/") else key in sweeps.names(document)):
            yield _no((*at, key), f"there is no `{key}` to vary", key, sweeps.names(document))
        elif cases := sweeps.cases_of(document, key):
            yield from (_no((*at, key, j), f"`{key}` has no case `{value}`", value, cases)
                        for j, value in enumerate(values) if value not in cases)


def _loads(document: Mapping, loads: Mapping, at: Path) -> Iterator[Diagnostic]:
    for key, what, known in (("parameter", "parameter of the project", document.get("parameters", {})),
                             ("of", "deployment", _deployments(document))):
        if key in loads and loads[key] not in known:
            yield _no((*at, key), f"there is no {what} `{loads[key]}`", loads[key], known)


def _items(document: Mapping, items: Mapping, at: Path) -> Iterator[Diagnostic]:
    for name in items:
        if name not in _deployments(document):
            yield _no((*at, name), f"there is no deployment `{name}`", name, _deployments(document))


def _plot(sweep: Mapping, known: Collection[str], at: Path) -> Iterator[Diagnostic]:
    plot, vary = sweep.get("plot", {}), sweep["vary"]
    for name, there, what in (("x", vary, "varied"), ("by", vary, "varied"),
                              ("y", sweeps.PLOTTED, "a quantity that a sweep can plot")):
        if name in plot and plot[name] not in there:
            yield _no((*at, name), f"`{plot[name]}` is not {what}", plot[name], there)
    for key, value in plot.get("against", {}).items():
        if key not in vary:
            yield _no((*at, "against", key), f"the sweep does not vary `{key}`", key, vary)
        elif value not in vary[key]:
            yield _no((*at, "against", key), f"the sweep does not vary `{key}` to `{value}`", value, vary[key])
    rated = plot.get("y") in sweeps.RATES and "against" not in plot
    ceiling = [sweeps.CEILING] if rated else []
    for j, line in enumerate(plot.get("reference", ())):
        yield from _evaluates(evaluate, line["value"], [*known, sweeps.CPUS, *ceiling], (*at, "reference", j, "value"))
    for key in plot.get("overlay", {}).get("columns", {}):
        if key not in vary:
            yield _no((*at, "overlay", "columns", key), f"the sweep does not vary `{key}`", key, vary)
    if plot.get("ceiling") and not rated:
        yield diagnostic("E_SWEEP_KEY", pointer(*at, "ceiling"), "the ceiling is a rate, but the plot shows no rate",
                         f"set `y` to one of {', '.join(sweeps.RATES)}, and remove `against`")
    if plot.get("y") == sweeps.FAILURES and "against" in plot:
        yield diagnostic("E_SWEEP_KEY", pointer(*at, "against"), "differences in per cent are undefined for values "
                                                                 "that may be 0",
                         f"remove `against`, or set `y` to something other than {sweeps.FAILURES}")
    if "overlay" in plot and (plot.get("y") not in sweeps.OVERLAID or "against" in plot):
        yield diagnostic("E_SWEEP_KEY", pointer(*at, "overlay"),
                         "published results are shares of a ceiling, but the plot shows no shares",
                         f"set `y` to {' or '.join(sweeps.OVERLAID)}, and remove `against`")


def _evaluates(how, text: str, known: Collection[str], at: Path) -> Iterator[Diagnostic]:
    """Check an expression for faults that no value of its names avoids. Faults of certain values are reported at the
    point that has them.
    """
    try:
        how(text, dict.fromkeys(known, 1))
    except ExpressionError as error:
        if error.code in WHATEVER_THE_VALUES:
            yield diagnostic(error.code, pointer(*at), f"`{text}` {error.message}",
                             error.hint or "the expression may use " + ", ".join(known))


def _no(at: Path, words: str, name: object, known: Collection[object]) -> Diagnostic:
    return diagnostic("E_SWEEP_KEY", pointer(*at), words, did_you_mean(str(name), list(map(str, known))))


def _deployments(document: Mapping) -> list[str]:
    return [d["name"] for d in document.get("deployments", ())]


def _resolves(document: Mapping, path: str) -> bool:
    try:
        resolve(document, path)
    except LookupError:
        return False
    return True
