"""What was found, for people: what makes measurements noisy first, each with what mends it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from weir.diagnostics import printable
from weir.machine.doctoring.examination import Finding
from weir.machine.doctoring.sight import BROKEN, NOISY, NOTE, OK, UNKNOWN

_WIDTH, _LABEL = 110, 9
_COLOURS = {BROKEN: "1;31", NOISY: "1;33", NOTE: "1", UNKNOWN: "2", OK: "1;32"}
_DIM, _BOLD = "2", "1"


def page(about: Mapping[str, Any], findings: Sequence[Finding], colour: bool) -> str:
    """`about`: {machine, project, deployments} of the answer. `colour`: with ANSI colours."""
    def paint(text: str, code: str) -> str:
        return f"\033[{code}m{text}\033[0m" if colour and text.strip() else text

    def rows(text: str, label: str = "", code: str = "") -> Iterator[str]:
        """Under each other, the label at the left of the first."""
        for line in textwrap.wrap(printable(text), _WIDTH - _LABEL, break_on_hyphens=False, break_long_words=False):
            yield paint(f"{label:<{_LABEL}}", _COLOURS.get(label, "")) + (paint(line, code) if code else line)
            label = ""

    machine = about["machine"]
    lines = [paint(printable(", ".join(filter(None, (machine["cpu"] or machine["host"], f"{machine['cpus']} CPUs",
                                                      f"Linux {machine['kernel']}")))), _BOLD)]
    if about["project"]:
        lines.append(printable(f"{about['project']}: {', '.join(about['deployments'])}"))
    for finding in findings:
        seen = finding.seen
        if seen.severity not in (BROKEN, NOISY, NOTE):
            continue
        lines += ["", *rows(f"{finding.check.title}: {seen.message}", seen.severity)]
        lines += rows(finding.check.why, code=_DIM)
        for message in dict.fromkeys(seen.concerns.values()):
            names = [f"`{name}`" for name, said in seen.concerns.items() if said == message]
            lines += rows(f"deployment{'s' * (len(names) > 1)} {', '.join(names)}: {message}")
        # As they are to be copied: on one line each, however long.
        lines += [f"{'':<{_LABEL}}{paint('$', _DIM)} {printable(command)}" for command in seen.commands]
        lines += rows(seen.remedy, code=_DIM)
    not_told = [finding for finding in findings if finding.seen.severity == UNKNOWN]
    if not_told:
        lines.append("")
    for finding in not_told:
        remedy = f"; {finding.seen.remedy}" if finding.seen.remedy else ""
        lines += rows(f"{finding.check.title}: {finding.seen.message}{remedy}", UNKNOWN)
    good = [finding.check.title + (f" ({value})" if len(value := finding.seen.value or "") in range(1, 13) else "")
            for finding in findings if finding.seen.severity == OK]
    lines += ["", *rows(", ".join(good), OK)] if good else []
    return "\n".join([*lines, "", paint(summary(findings), _BOLD)]) + "\n"


def summary(findings: Sequence[Finding]) -> str:
    """The last line of the page."""
    noisy, broken = (sum(finding.seen.severity == severity for finding in findings) for severity in (NOISY, BROKEN))
    things = f"{noisy} things make" if noisy > 1 else "1 thing makes" if noisy else "nothing makes"
    lacking = f", and {broken} that the project asks for {'does' if broken == 1 else 'do'} not work" if broken else ""
    return f"{things} measurements noisy here{lacking}"
