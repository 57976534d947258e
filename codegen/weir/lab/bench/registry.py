"""Who takes part: every module of `contenders` lists its own, so that one more is one more file."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter

from weir.lab.bench import contenders
from weir.lab.bench.contender import Contender


def all_contenders() -> list[Contender]:
    """In the order of their modules' names. ValueError where two have one name: their rows would be one."""
    found = [it for module in sorted(pkgutil.iter_modules(contenders.__path__), key=lambda module: module.name)
             for it in importlib.import_module(f"{contenders.__name__}.{module.name}").CONTENDERS]
    twice = [name for name, count in Counter(it.name for it in found).items() if count > 1]
    if twice:
        raise ValueError(f"two contenders are called {twice[0]}")
    return found
