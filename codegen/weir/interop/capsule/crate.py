"""ro-crate-metadata.json: RO-Crate 1.1, which repositories of research data read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from weir.interop.capsule.about import authors_of, names_of, title_of
from weir.interop.capsule.layout import CAPSULE, CRATE, SUMS, SWEEP
from weir.lab.sweeping.table import TABLE

_SPECIFICATION = "https://w3id.org/ro/crate/1.1"
_FORMATS = {".json": "application/json", ".csv": "text/csv", ".html": "text/html", ".svg": "image/svg+xml",
            ".png": "image/png", ".pdf": "application/pdf", ".md": "text/markdown", ".cff": "application/yaml"}
#: Licence entry if the authors have named none, because RO-Crate requires one.
UNKNOWN = "not stated by its authors; the files in sources/ are parts of Weir, which is GPL-3.0-or-later"


def crate(about: Mapping, contents: Mapping[str, bytes]) -> dict[str, object]:
    """Return the crate, which lists each file with its SHA-256. `contents`: all files except this one and the sums."""
    files = [_file(name, data) for name, data in sorted(contents.items())]
    files.append({"@id": SUMS, "@type": "File", "name": f"the SHA-256 of every file, as `sha256sum -c {SUMS}` reads"})
    people = [*_people(about)]
    return {
        "@context": [f"{_SPECIFICATION}/context", {"sha256": "http://schema.org/sha256"}],
        "@graph": [
            {"@id": CRATE, "@type": "CreativeWork", "conformsTo": {"@id": _SPECIFICATION}, "about": {"@id": "./"}},
            {"@id": "./", "@type": "Dataset", "name": title_of(about), "description": about["summary"],
             "datePublished": about["measured"]["to"], "author": [{"@id": one["@id"]} for one in people],
             "license": {"@id": _licence(about)} if about["license"] else UNKNOWN,
             "mainEntity": {"@id": f"{SWEEP}/{TABLE}"}, "mentions": {"@id": "#measurement"},
             "hasPart": [{"@id": one["@id"]} for one in files]},
            *([{"@id": _licence(about), "@type": "CreativeWork", "name": about["license"]}]
              if about["license"] else []),
            *people, *_measurement(about), *files]}


def _licence(about: Mapping) -> str:
    return f"https://spdx.org/licenses/{about['license']}"


def _people(about: Mapping) -> Iterator[dict[str, object]]:
    for number, author in enumerate(authors_of(about), 1):
        person = names_of(author)
        yield {"@id": f"#author-{number}", "@type": "Person" if person else "Organization",
               "name": " ".join(reversed(person)) if person else author,
               **({"familyName": person[0], "givenName": person[1]} if person else {})}


def _measurement(about: Mapping) -> Iterator[dict[str, object]]:
    yield {"@id": "#weir", "@type": "SoftwareApplication", "name": "Weir", "version": about["weir_version"],
           "softwareVersion": about["weir_revision"] or about["weir_version"]}
    yield {"@id": "#measurement", "@type": "CreateAction", "name": about["commands"]["sweep"],
           "instrument": {"@id": "#weir"}, "object": {"@id": about["project_file"]},
           "result": {"@id": f"{SWEEP}/{TABLE}"}, "startTime": about["measured"]["from"],
           "endTime": about["measured"]["to"]}


def _file(name: str, data: bytes) -> dict[str, object]:
    found: dict[str, Any] = {"@id": quote(name), "@type": "File", "name": PurePosixPath(name).name,
                                "contentSize": str(len(data)), "sha256": hashlib.sha256(data).hexdigest()}
    if name == CAPSULE:
        found["name"] = "the description of this capsule, for `weir reproduce`"
    form = _FORMATS.get(PurePosixPath(name).suffix)
    return {**found, "encodingFormat": form} if form else found
