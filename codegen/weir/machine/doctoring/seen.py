"""What a check sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

#: The worst first. broken: something that is asked for does not work; noisy: numbers vary by it from run to run, or are
#: worse by it now and then; note: worth knowing where numbers are held against others; unknown: it cannot be read.
BROKEN, NOISY, NOTE, UNKNOWN, OK = SEVERITIES = ("broken", "noisy", "note", "unknown", "ok")


@dataclass(frozen=True)
class Seen:
    """`value`: as short as the machine says it, None where it does not; `message` says it in a sentence.

    `commands` mend it, in their order; `remedy`: what else there is to say of that, or why nothing can be done here.
    `concerns`: deployment -> what it means for it, of a project.
    """

    severity: str
    value: str | None
    message: str
    commands: tuple[str, ...] = ()
    remedy: str = ""
    concerns: Mapping[str, str] = field(default_factory=dict)


def ok(value: str | None, message: str) -> Seen:
    """What is as it should be."""
    return Seen(OK, value, message)


def unknown(message: str, remedy: str = "") -> Seen:
    """`message`: why it cannot be read."""
    return Seen(UNKNOWN, None, message, remedy=remedy)
