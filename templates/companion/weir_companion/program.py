"""Program from GNU Radio Companion: its top block, and the settings that its main function makes."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from weir_companion.faults import Fault, in_a_line


@dataclass
class Program:
    """Top block, ready to start."""

    module: ModuleType
    top: Any
    window: Any  #: the application of its windows, or None
    start_with: tuple[int, ...]  #: arguments of `start`
    notes: list[str]

    def snippets(self, section: str) -> None:
        """Run the snippets that the program runs at this point. Raises Fault."""
        run = getattr(self.module, f"snippets_main_{section}", None)
        if run is None:
            return
        try:
            run(self.top)
        except Exception as error:
            raise Fault(f"{self.module.__file__}: a snippet ({section}) failed: {in_a_line(error)}") from None

    def named(self) -> Iterator[tuple[str, Any]]:
        """Yield the blocks of the top block by their names in the flowgraph."""
        for name, value in list(vars(self.top).items()):
            if not name.startswith("_") and callable(getattr(value, "symbol_name", None)):
                yield name, value


def load(file: Path) -> Program:
    """Load a program and construct its top block with default arguments. Raises Fault."""
    if not file.is_file():
        raise Fault(f"{file}: there is no such file")
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError) as error:
        raise Fault(f"{file}: not a Python program: {in_a_line(error)}") from None
    module = imported(file)
    top_class = class_of_top(file, module)
    notes: list[str] = []
    main = next((node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "main"), None)
    window = application(module, top_class)
    if main is not None and calls(main, "enable_realtime_scheduling"):
        from gnuradio import gr

        if gr.enable_realtime_scheduling() != gr.RT_OK:
            notes.append("the program asks for real-time scheduling, which this machine refuses")
    try:
        top = top_class()
    except (Exception, SystemExit) as error:
        raise Fault(f"{file}: the flowgraph could not be constructed: {in_a_line(error)}") from None
    return Program(module, top, window, start_arguments(main), notes)


def imported(file: Path) -> ModuleType:
    """Import the program from its own folder, where its embedded blocks are."""
    sys.path.insert(0, str(file.resolve().parent))
    sys.argv = [str(file)]
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise Fault(f"{file}: {in_a_line(error)}") from None
    return module


def class_of_top(file: Path, module: ModuleType) -> Any:
    """Return the class of the top block. Raises Fault if the program cannot run alone."""
    try:
        from gnuradio import gr
    except ImportError as error:
        raise Fault(f"GNU Radio's Python package does not load: {in_a_line(error)}") from None
    main = getattr(module, "main", None)
    parameter = inspect.signature(main).parameters.get("top_block_cls") if callable(main) else None
    found = parameter.default if parameter is not None else getattr(module, file.stem, None)
    if inspect.isclass(found) and issubclass(found, gr.top_block):
        return found
    if inspect.isclass(found) and issubclass(found, gr.hier_block2):
        raise Fault(f"{file}: {found.__name__} is a hierarchical block, which runs only within another flowgraph")
    raise Fault(f"{file}: the program has no GNU Radio top block")


def application(module: ModuleType, top_class: Any) -> Any:
    """Return the application that a top block with windows needs, or None."""
    qt = getattr(module, "Qt", None)
    if qt is None or not hasattr(qt, "QWidget") or not issubclass(top_class, qt.QWidget):
        return None
    return qt.QApplication.instance() or qt.QApplication([top_class.__name__])


def calls(main: ast.FunctionDef, name: str) -> bool:
    """Return whether the main function calls a method of this name."""
    return any(isinstance(node, ast.Attribute) and node.attr == name for node in ast.walk(main))


def start_arguments(main: ast.FunctionDef | None) -> tuple[int, ...]:
    """Return the literal argument of `tb.start(…)`: the maximum number of items per call."""
    for node in ast.walk(main) if main is not None else ():
        if (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "start"
                and isinstance(node.func.value, ast.Name) and node.func.value.id == "tb" and node.args):
            argument = node.args[0]
            if isinstance(argument, ast.Constant) and isinstance(argument.value, int) and argument.value > 0:
                return (argument.value,)
    return ()
