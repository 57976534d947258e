"""Check that generated C++ is well-formed: a project's texts appear only in literals and comments."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r'"(?:[^"\\\n]|\\(?:["\\abfnrtv?]|[0-7]{1,3}|x[0-9a-fA-F]{2}))*"'
    r"|'(?:[^'\\\n]|\\.)'"
    r"|//[^\n]*(?<!\\)(?=\n|$)"
    r"|/\*(?:(?!\*/)[\s\S])*\*/"
    r"|#(?:pragma once|include [<\"][a-z0-9_/.]+[>\"])(?=\n)"
    r"|[A-Za-z_][A-Za-z0-9_]*|[0-9](?:'?[0-9A-Za-z.]|[eE][-+])*|\.[0-9]+|[ \n]|/(?!\*)|[-+*%<>=!&|(){}\[\];:,.?~^]")
_PAIRS = {")": "(", "]": "[", "}": "{"}


def fault_of(text: str) -> str:
    """Return a description of the fault, or ""."""
    at, open_, before = 0, [], ""
    while at < len(text):
        match = _TOKEN.match(text, at)
        if not match:
            return f"no token at {text[max(0, at - 40):at + 40]!r}"
        token = match[0]
        if token in "([{":
            open_.append(token)
        elif token in ")]}" and (not open_ or open_.pop() != _PAIRS[token]):
            return f"unbalanced at {text[max(0, at - 40):at + 40]!r}"
        elif token.startswith("evil"):
            return f"text of the project is code: {text[max(0, at - 40):at + 40]!r}"
        elif token[0] in "\"'" and (before[-1:].isalnum() or before[-1:] == "_"):
            return f"a literal with a prefix at {text[max(0, at - 40):at + 40]!r}"
        at, before = match.end(), token
    return "unbalanced at the end" if open_ else ""
