"""CITATION.cff of a capsule, as the Citation File Format 1.2.0 has it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from weir.interop.capsule.about import authors_of, day, names_of, title_of


def citation(about: Mapping) -> str:
    """YAML, of which text in double quotes is written as JSON writes it."""
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
