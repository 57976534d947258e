"""Points that the other side has no partner for: what keeps them apart, and the options that choose what is compared.

A gate must not pass because something was not compared, so they make a comparison `not comparable`.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from weir.engine.measuring.choosing import conditions
from weir.engine.measuring.points import short_names, varying
from weir.read.comparing.sides import Side


@dataclass(frozen=True)
class Unpaired:
    """Of side `name`, "A" or "B", a point that the other one lacks."""

    name: str
    side: Side

    def __str__(self) -> str:
        return f"{self.name} has {self.side.label}"


def why(alone: Sequence[Unpaired]) -> str:
    """"" where nothing is alone."""
    if not alone:
        return ""
    others = {name: dict.fromkeys(one.side.deployment for one in alone if one.name != name) for name in "AB"}
    told = []
    for deployment in dict.fromkeys(one.side.deployment for one in alone if one.side.deployment in others[one.name]):
        told.append(_apart(deployment, *([one.side for one in alone if (one.name, one.side.deployment) ==
                                          (name, deployment)] for name in "AB")))
    lone = [one for one in alone if one.side.deployment not in others[one.name]]
    for name, other in ("AB", "BA"):
        labels = [one.side.label for one in lone if one.name == name]
        told += [f"{other} has no {' and no '.join(labels)}"] if labels else []
    if lone:
        told.append("--deployment or --at chooses what both have; --a-deployment and --b-deployment, or --a-point and "
                    "--b-point, pair two that differ")
    return "; ".join(told)


def _apart(deployment: str, a: Sequence[Side], b: Sequence[Side]) -> str:
    """Both have points of this deployment without a partner: by which coordinates, and what would pair two of them."""
    points = [side.point for side in (*a, *b)]
    every = varying(points)
    keys = [key for key in every
            if {side.point.text_of(key) for side in a} != {side.point.text_of(key) for side in b}] or every
    names = short_names(keys)
    words = [word for option, side in (("--a-point", a[0]), ("--b-point", b[0]))
             for chosen in conditions(side.point, points, keys) for word in (option, chosen)]
    return (f"{deployment} differs in {', '.join(names[key] for key in keys)}: "
            f"{shlex.join(['--deployment', deployment, *words])} pairs two of them")
