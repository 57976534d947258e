"""Variables of a flowgraph. Those that blocks use become parameters of the project, the others are left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set

from weir.interop.grc.expressions.evaluation import Namespace
from weir.interop.grc.expressions.parsing import NotUnderstood, names_in
from weir.interop.grc.expressions.values import Values
from weir.interop.grc.names import parameter, unique
from weir.interop.grc.reading.flowgraph import Flowgraph, GrcBlock
from weir.interop.grc.report import Report
from weir.model.document import expressions as ours
from weir.model.document.jsontext import INT64_MAX, INT64_MIN
from weir.model.flowgraph.components import reached

_LONGEST_TEXT = 1000
#: Variables whose value is a filter design: the function of `firdes`, and its arguments.
_DESIGNED = {
    "variable_low_pass_filter_taps": ("low_pass", "gain samp_rate cutoff_freq width win beta"),
    "variable_high_pass_filter_taps": ("high_pass", "gain samp_rate cutoff_freq width win beta"),
    "variable_band_pass_filter_taps": ("band_pass", "gain samp_rate low_cutoff_freq high_cutoff_freq width win beta"),
    "variable_band_reject_filter_taps": ("band_reject",
                                         "gain samp_rate low_cutoff_freq high_cutoff_freq width win beta"),
    "variable_rrc_filter_taps": ("root_raised_cosine", "gain samp_rate sym_rate alpha ntaps"),
}
_DEFAULTS = {"gain": "1", "beta": "6.76", "win": "window.WIN_HAMMING"}
#: Variables whose value is a constellation: the function, and its arguments.
_CONSTELLATIONS = {
    "variable_constellation": ("constellation_calcdist", "const_points sym_map rot_sym dims normalization"),
    "variable_constellation_rect": ("constellation_rect",
                                    "const_points sym_map rot_sym real_sect imag_sect w_real_sect w_imag_sect")}
_OF_CONSTELLATIONS = {
    "type": "calcdist", "sym_map": "[0, 1, 3, 2]", "const_points": "[-1-1j, -1+1j, 1+1j, 1-1j]", "rot_sym": "4",
    "dims": "1", "normalization": "digital.constellation.AMPLITUDE_NORMALIZATION", "real_sect": "2", "imag_sect": "2",
    "w_real_sect": "1", "w_imag_sect": "1"}


def is_variable(block_id: str) -> bool:
    """Return whether a block of GNU Radio is a variable or a parameter."""
    return block_id == "parameter" or block_id.startswith("variable")


def drawn(flow: Flowgraph) -> set[str]:
    """Return the names of the variables that are blocks with ports, such as buttons: those with connections."""
    ends = {name for c in flow.connections for name in (c.src, c.dst)}
    return {name for name, block in flow.by_name.items() if is_variable(block.id) and name in ends}


def value_text(block: GrcBlock) -> str | None:
    """Return the expression of a variable's value, None if unknown."""
    if block.id in _DESIGNED:
        given = _DEFAULTS | {name: text for name, text in block.parameters.items() if text.strip()}
        function, names = _DESIGNED[block.id]
        function = "complex_" + function if given.get("type") == "complex_" + function else function
        arguments = ", ".join(f"({given.get(name, '')})" for name in names.split())
        return f"firdes.{function}({arguments})"
    if block.id in _CONSTELLATIONS:
        given = _OF_CONSTELLATIONS | {name: text for name, text in block.parameters.items() if text.strip()}
        if block.id == "variable_constellation" and given["type"] != "calcdist":
            return f"digital.constellation_{given['type']}()"
        function, names = _CONSTELLATIONS[block.id]
        return f"digital.{function}({', '.join(f'({given[name]})' for name in names.split())})"
    return block.parameters.get("value")


class Variables:
    """Variables of a flowgraph. `values` has the numeric ones, by their names in the project. Those of `without` have
    values in expressions, but the project does not have them as parameters.
    """

    def __init__(self, flow: Flowgraph, without: Set[str] = frozenset()):
        blocks = [block for block in flow.blocks if is_variable(block.id) and flow.by_name[block.name] is block]
        texts: dict[str, str] = {}
        for block in blocks:
            text = value_text(block)
            if block.state != "disabled" and text is not None:
                texts.setdefault(block.name, text)
        self.namespace = Namespace(texts)
        self.blocks = [block for block in blocks if block.name not in without]
        self.renamed: dict[str, str] = {}
        self.numbers: dict[str, int | float] = {}
        for block in self.blocks:
            number = self.number(block.name)
            if number is not None and block.name not in self.renamed:
                own = unique(parameter(block.name), self.numbers)
                self.renamed[block.name], self.numbers[own] = own, number
        self.values = Values(self.namespace, self.renamed, self.numbers)

    def number(self, name: str) -> int | float | None:
        """Return the number of a variable, None if it is not a number."""
        return _number(self.namespace.value, name)

    def parameters(self, used_by: Iterable[Mapping[str, object]], report: Report) -> dict[str, object]:
        """Return the project's `parameters`: variables that the given values use, directly or indirectly. Report the
        rest.
        """
        entries = {self.renamed[block.name]: self.entry(block) for block in self.blocks if block.name in self.renamed}
        at_once = {name for values in used_by for value in values.values() for name in _used(value)}
        wanted = reached(at_once, lambda name: _used(entries[name]["value"]))
        for block in self.blocks:
            self.report_variable(block, wanted, entries, report)
        return {name: entry for name, entry in entries.items() if name in wanted}

    def every_parameter(self, report: Report) -> dict[str, object]:
        """Return all variables that are numbers as the project's `parameters`. GNU Radio evaluates the others."""
        made: dict[str, object] = {}
        for block in self.blocks:
            own = self.renamed.get(block.name) if block.state != "disabled" else None
            if own is not None:
                made[own] = self.entry(block)
            report.add("kept", "variable", block.name, block.id, (own,) if own else (),
                       "" if own else "GNU Radio evaluates it")
        return made

    def entry(self, block: GrcBlock) -> dict[str, object]:
        """Return the entry in the project's `parameters`."""
        number = self.numbers[self.renamed[block.name]]
        node = self.namespace.node(block.name)
        spelled = self.values.spelled(node, number) if names_in(node) & self.renamed.keys() else None
        entry: dict[str, object] = {"value": spelled or number}
        if block.id == "variable_qtgui_range":
            entry |= self.limits(block, number)
        description = block.parameters.get("label") or block.parameters.get("comment") or ""
        if description.strip("'\""):
            entry["description"] = description.strip("'\"")[:_LONGEST_TEXT]
        return entry | {"x_grc": {"block": block.name}}

    def limits(self, block: GrcBlock, number: int | float) -> dict[str, object]:
        """Return the limits of a slider if the value lies between them."""
        low, high = (_number(self.namespace.text_value, block.parameters.get(key, "")) for key in ("start", "stop"))
        between = low is not None and high is not None and low <= number <= high
        return {"minimum": low, "maximum": high} if between else {}

    def report_variable(self, block: GrcBlock, wanted: set[str], entries: Mapping[str, Mapping],
                        report: Report) -> None:
        """Report the result for a variable."""
        own = self.renamed.get(block.name)
        if own in wanted:
            note = "" if block.id in ("variable", "parameter") else "only its value: there is no control during a run"
            if "minimum" in entries[own]:
                note = "its value and its range: a slider among the parameters, but no control during a run"
            if names_in(self.namespace.node(block.name)) and not isinstance(entries[own]["value"], dict):
                note = "its current value: a project cannot express the expression"
            report.add("kept", "variable", block.name, block.id, (own,), note)
            return
        reason = "no expression of the project uses it"
        if own is None and block.state != "disabled":
            reason = "it is not a number: its users get its value"
            try:
                self.namespace.value(block.name)
            except NotUnderstood as error:
                reason = str(error)
        report.add("dropped", "variable", block.name, block.id, (), reason if block.state != "disabled"
                   else "it is disabled")


def _number(evaluate: Callable[[str], object], what: str) -> int | float | None:
    """Return the value if a parameter of a project can have it, else None."""
    try:
        value = evaluate(what)
    except NotUnderstood:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if isinstance(value, float) or INT64_MIN <= value <= INT64_MAX else None


def _used(value: object) -> set[str]:
    return set(ours.names_in(value["expr"])) if isinstance(value, dict) and "expr" in value else set()
