"""Text of a project as Markdown, safe for every string."""

from __future__ import annotations

import re


def markdown(text: str) -> str:
    """Return one line of Markdown that shows the text without markup, HTML or links."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    line = re.sub(r"([\\`*_\[\]#!|~$])", r"\\\1", line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))
    return re.sub(r"^([-+=]|[0-9]+(?=[.)]))", _begins_nothing, line)


def _begins_nothing(match: re.Match) -> str:
    """Escape the start of a line that would make it a list item or a rule."""
    return f"&#{ord(match[0][0])};{match[0][1:]}"
