"""What Weir says about bad input: one record per finding, one registry of codes.

Every code is registered once, with its severity and the kind of fault it stands for. The kind decides the exit code.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

ERROR, WARNING = "error", "warning"

#: kind of fault -> exit code of the process
EXIT_CODES = {"project": 1, "usage": 2, "environment": 3, "run": 4}


@dataclass(frozen=True)
class Diagnostic:
    """`pointer` is a JSON Pointer (RFC 6901) into the document, "" for the whole of it or where there is none."""

    code: str
    severity: str
    pointer: str
    message: str
    hint: str = ""

    def as_json(self) -> dict[str, str]:
        return {"code": self.code, "severity": self.severity, "pointer": self.pointer,
                "message": self.message, "hint": self.hint}


@dataclass(frozen=True)
class Code:
    """`kind`: project (a project file shows it), descriptor, usage, environment or run (tested where they arise)."""

    severity: str
    kind: str
    meaning: str


def _table(severity: str, kind: str, rows: dict[str, str]) -> dict[str, Code]:
    return {code: Code(severity, kind, meaning) for code, meaning in rows.items()}


CODES: dict[str, Code] = {
    **_table(ERROR, "project", {
        "E_JSON_SYNTAX": "the text is not JSON",
        "E_JSON_ENCODING": "the text is not valid UTF-8, or escapes half a surrogate pair",
        "E_JSON_DUPLICATE_KEY": "an object has the same key twice",
        "E_JSON_NOT_FINITE": "NaN or Infinity",
        "E_JSON_NUMBER": "a number does not fit int64 or a double",
        "E_JSON_DEPTH": "containers are nested too deeply",
        "E_JSON_SIZE": "the text is too large",
        "E_SCHEMA_VERSION": "schema_version is missing, newer than this Weir, or has no migration",
        "E_KEY_UNKNOWN": "a key that the schema does not know",
        "E_KEY_MISSING": "a key that must be there is not",
        "E_VALUE_TYPE": "a value of the wrong JSON type",
        "E_VALUE_RANGE": "a number, text or list outside its limits",
        "E_VALUE_CHOICE": "not one of the allowed values",
        "E_NAME_INVALID": "a name that does not match the pattern for names",
        "E_NAME_DUPLICATE": "two things of a kind have the same name",
        "E_EXPR_SYNTAX": "an expression cannot be parsed",
        "E_EXPR_NAME": "an expression uses an unknown name or function",
        "E_EXPR_ZERO_DIVISION": "an expression divides by zero",
        "E_EXPR_OVERFLOW": "an expression's value or exponent is too large",
        "E_EXPR_DOMAIN": "an expression has no real value",
        "E_EXPR_LIMIT": "an expression is too long or too deep",
        "E_EXPR_RECURSION": "parameters are defined by each other",
        "E_EXPR_FRACTION": "a whole number is needed and the expression gives a fraction",
        "E_PARAMETER_UNKNOWN": "the block, scheduler or project has no such parameter",
        "E_PARAMETER_MISSING": "a parameter without a default has no value",
        "E_PARAMETER_TYPE": "a parameter's value has the wrong type",
        "E_PARAMETER_RANGE": "a parameter's value is outside its range",
        "E_PARAMETER_CHOICE": "a parameter's value is not one of its options",
        "E_PATH_OUTSIDE": "a path leaves the project's folder",
        "E_BLOCK_TYPE": "no block type of that name in the catalog",
        "E_BLOCK_UNKNOWN": "a connection or group names a block that the graph does not have",
        "E_PORT_UNKNOWN": "a connection names a port that the block does not have",
        "E_PORT_OPEN": "an input or output port has no connection",
        "E_PORT_TAKEN": "an input port has two connections",
        "E_TYPE_MISMATCH": "connected ports have different item types",
        "E_TYPE_AMBIGUOUS": "nothing decides a block's item type",
        "E_TYPE_UNSUPPORTED": "the block cannot be made for this item type",
        "E_CYCLE": "the connections form a cycle",
        "E_GRAPH_EMPTY": "nothing is left to run",
        "E_GRAPH_SIZE": "more instances than Weir can handle",
        "E_REPEAT_SHAPE": "a repeated block or group is not one in, one out",
        "E_GROUP_OVERLAP": "a block is in two groups",
        "E_BYPASS": "a bypassed block is not one in, one out of equal types",
        "E_SCHEDULER_UNKNOWN": "no scheduler of that name in the catalog",
        "E_SCHEDULER_BLOCK": "the scheduler cannot run a block of the graph",
        "E_SCHEDULER_WORKERS": "more or fewer workers than the scheduler can have",
        "E_SCHEDULER_PLACEMENT": "the scheduler takes no placement",
        "E_SCHEDULER_WAIT": "the scheduler does not know this wait policy",
        "E_TARGET_UNKNOWN": "no target of that name in the catalog",
        "E_WORKER_UNKNOWN": "affinity or placement names a worker that there is not",
        "E_PLACEMENT_INSTANCE": "placement names an instance that there is not",
        "E_PLACEMENT_CONFLICT": "placement gives an instance two workers, or none",
        "E_BUFFER_EDGE": "buffers names an edge that there is not",
        "E_PRIORITY": "priority and policy do not go together",
        "E_BUILD_REFUSED": "a compiler or flag that is not on the allow-list",
        "E_SWEEP_KEY": "a sweep varies something that there is not",
        "E_RATE_INCONSISTENT": "the rates around the graph have no solution",
        "E_RATE_LIMIT": "an iteration of the graph would have too many items",
    }),
    **_table(WARNING, "project", {
        "W_BLOCK_DISABLED": "a block is disabled because one upstream or downstream of it is",
    }),
    **_table(WARNING, "environment", {
        "W_CPU_MISSING": "a worker is to be pinned to a CPU that the machine does not give",
        "W_OVERSUBSCRIBED": "more workers than CPUs",
        "W_SPIN_SHARED": "two workers that wait by spinning share a core",
        "W_WORKER_IDLE": "a worker has nothing to do",
    }),
    **_table(ERROR, "descriptor", {
        "E_DESCRIPTOR": "a block, scheduler or target descriptor is not well-formed",
        "E_DESCRIPTOR_DUPLICATE": "two descriptors have the same id",
    }),
    **_table(ERROR, "usage", {
        "E_USAGE": "the command line is wrong",
        "E_SET_UNKNOWN": "--set names a parameter or a place that the project does not have",
        "E_DEPLOYMENT_UNKNOWN": "the project has no deployment of that name",
    }),
    **_table(ERROR, "environment", {
        "E_FILE_MISSING": "a file is not there",
        "E_FILE_PERMISSION": "a file may not be read or written",
        "E_FILE_IO": "the system could not read or write a file",
        "E_DISK_FULL": "no space left on the device",
        "E_COMPILER_MISSING": "the compiler is not installed",
        "E_COMPILER_REFUSED": "the compiler does not take the deployment's flags",
        "E_BUILD_FAILED": "the generated project does not build",
        "E_MACHINE": "a machine file is not well-formed",
        "E_CPU_MISSING": "a worker is pinned to a CPU that this machine does not give",
        "E_OUTPUT_EXISTS": "the output folder is there and is not one that Weir generated",
        "E_TOOL_MISSING": "a program that the verb needs is not installed",
        "E_INTERNAL": "a fault of Weir itself",
    }),
    **_table(ERROR, "run", {
        "E_RUN_DIRECTORY": "not a run directory, or a damaged one",
        "E_RUN_NONE": "there is no run to report on",
        "E_BENCH": "a contender of the benchmark does not build or run",
    }),
}


class WeirError(Exception):
    """Ends a verb: the command line prints the diagnostics and exits with `exit_code`."""

    def __init__(self, diagnostics: Diagnostic | Iterable[Diagnostic], exit_code: int | None = None):
        self.diagnostics = [diagnostics] if isinstance(diagnostics, Diagnostic) else list(diagnostics)
        self.exit_code = exit_code_for(self.diagnostics) if exit_code is None else exit_code
        super().__init__("; ".join(d.message for d in self.diagnostics))


def diagnostic(code: str, pointer: str, message: str, hint: str = "") -> Diagnostic:
    """A diagnostic with its registered severity. KeyError for a code that is not in the registry."""
    return Diagnostic(code, CODES[code].severity, pointer, message, hint)


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(d.severity == ERROR for d in diagnostics)


def exit_code_for(diagnostics: Iterable[Diagnostic]) -> int:
    """0 without errors, else the exit code of the first error's kind."""
    for d in diagnostics:
        if d.severity == ERROR:
            return EXIT_CODES.get(CODES[d.code].kind, 3)
    return 0


def os_error(error: OSError, what: str) -> Diagnostic:
    """The diagnostic of a failed system call; `what` says what was tried, e.g. "write out/plan.json"."""
    import errno

    code = {errno.ENOENT: "E_FILE_MISSING", errno.EACCES: "E_FILE_PERMISSION", errno.EPERM: "E_FILE_PERMISSION",
            errno.EROFS: "E_FILE_PERMISSION", errno.ENOSPC: "E_DISK_FULL", errno.EDQUOT: "E_DISK_FULL"}
    return diagnostic(code.get(error.errno, "E_FILE_IO"), "", f"cannot {what}: {error.strerror or error}")


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """A hint naming the choice nearest to `word`, else all of them when they are few, else ""."""
    choices = sorted(choices)
    near = difflib.get_close_matches(word, choices, n=1, cutoff=0.6)
    if near:
        return f"did you mean `{near[0]}`?"
    if 0 < len(choices) <= 12:
        return "it is one of " + ", ".join(f"`{c}`" for c in choices)
    return ""


def pointer(*parts: str | int) -> str:
    """A JSON Pointer from its unescaped parts."""
    return "".join("/" + str(p).replace("~", "~0").replace("/", "~1") for p in parts)


def resolve(document: object, path: str) -> object:
    """The value at a JSON Pointer. LookupError where there is none."""
    value = document
    for part in path.split("/")[1:] if path else ():
        part = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            if not (part.isascii() and part.isdigit()) or (part[0] == "0" and part != "0"):
                raise LookupError(part)
            value = value[int(part)]
        elif isinstance(value, dict):
            value = value[part]
        else:
            raise LookupError(part)
    return value


def format_for_people(diagnostics: Iterable[Diagnostic], source: str, colour: bool = False) -> str:
    """One finding a paragraph, as compilers print them: `file:pointer: error CODE: message`, then the hint."""
    paint = {ERROR: "\033[1;31m", WARNING: "\033[1;33m"} if colour else {}
    lines = []
    for d in diagnostics:
        place = printable(f"{source}:{d.pointer}" if d.pointer else source)
        severity = f"{paint[d.severity]}{d.severity}\033[0m" if d.severity in paint else d.severity
        lines.append(f"{place}: {severity} {d.code}: {printable(d.message)}")
        if d.hint:
            lines.append(f"    hint: {printable(d.hint)}")
    return "\n".join(lines)


def printable(text: str) -> str:
    """`text` with control characters and lone surrogates spelled out: a project must not drive the terminal."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
