"""Description of a capsule: capsule.json, the source of all other descriptions, and the citation."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from weir.diagnostics import WeirError, diagnostic

_SPDX = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]{0,63}")


@dataclass(frozen=True)
class Credits:
    """Facts that only the authors know. An entry of `authors` is `Family, Given` for a person, any other text for a
    group.
    """

    title: str | None = None
    authors: Sequence[str] = ()
    licence: str | None = None

    def check(self) -> None:
        """Check that all facts can be written. Raises WeirError (E_USAGE)."""
        for option, texts in (("--title", [self.title or "-"]), ("--author", self.authors)):
            for text in texts:
                if not text.strip() or not text.isprintable() or len(text) > 500:
                    raise WeirError(diagnostic("E_USAGE", "", f"{option} {text!r} is not a text of one line"))
        if self.licence is not None and not _SPDX.fullmatch(self.licence):
            raise WeirError(diagnostic("E_USAGE", "",
                                       f"--license {self.licence!r} is not an identifier of the SPDX list",
                                       "such as CC-BY-4.0"))


def names_of(author: str) -> tuple[str, str] | None:
    """Return (family, given) of a person, None for a group."""
    family, comma, given = (part.strip() for part in author.partition(","))
    return (family, given) if comma and family and given else None


def authors_of(about: Mapping) -> list[str]:
    """Return the named authors, else a placeholder, because a citation needs an author."""
    return list(about["authors"]) or [f"The authors of {about['project']}"]


def title_of(about: Mapping) -> str:
    """Return the capsule's title, or one that names its project."""
    return about["title"] or f"{about['project']}: a sweep of Weir"


def revision_words(about: Mapping) -> str:
    """Return `, commit …`, with a note if there were uncommitted changes; "" without a commit."""
    commit, _, state = str(about["weir_revision"] or "").partition("-")
    return "" if not commit else f", commit {commit}" + (" and changes that are in none" if state == "dirty" else "")


def day(about: Mapping) -> str:
    """Return the day on which the measurement ended."""
    return str(about["measured"]["to"])[:10]


def citation(about: Mapping) -> str:
    """Return CITATION.cff in the Citation File Format 1.2.0. It is YAML, where text in double quotes may be written as
    in JSON.
    """
    return "\n".join(_lines(about)) + "\n"


def _lines(about: Mapping) -> Iterator[str]:
    yield "cff-version: 1.2.0"
    yield f"message: {_text('If you use these measurements, please cite them as below.')}"
    yield "type: dataset"
    yield f"title: {_text(title_of(about))}"
    yield f"abstract: {_text(about['summary'])}"
    yield "authors:"
    for author in authors_of(about):
        person = names_of(author)
        if person:
            yield f"  - family-names: {_text(person[0])}"
            yield f"    given-names: {_text(person[1])}"
        else:
            yield f"  - name: {_text(author)}"
    yield f"date-released: {_text(day(about))}"
    if about["license"]:
        yield f"license: {_text(about['license'])}"
    yield "keywords:"
    yield from (f"  - {word}" for word in ("benchmark", "scheduling", "signal processing"))


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
