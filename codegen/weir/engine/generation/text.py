"""Text of a project as Markdown: safe for every string there is."""

from __future__ import annotations

import re


def markdown(text: str) -> str:
    """One line of Markdown that shows the text, and is no markup, HTML or link."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    line = re.sub(r"([\\`*_\[\]#!|~$])", r"\\\1", line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))
    return re.sub(r"^([-+=]|[0-9]+(?=[.)]))", _begins_nothing, line)


def _begins_nothing(match: re.Match) -> str:
    """The beginning of a line that would make it a list item or a rule."""
    return f"&#{ord(match[0][0])};{match[0][1:]}"
