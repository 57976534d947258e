"""Older project files: one function a version, each taking a document to the next version."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from weir.diagnostics import Diagnostic, diagnostic
from weir.model.document.shape import describe

SCHEMA_VERSION = 1

#: from version -> the function that returns the document as version + 1 has it; the argument may be changed
MIGRATIONS: Mapping[int, Callable[[dict], dict]] = {}


def migrate(document: dict, migrations: Mapping[int, Callable[[dict], dict]] = MIGRATIONS,
            current: int = SCHEMA_VERSION) -> tuple[dict, list[Diagnostic]]:
    """The document as version `current`, or E_SCHEMA_VERSION. Never guesses."""
    if "schema_version" not in document:
        return document, [diagnostic("E_SCHEMA_VERSION", "", "the key `schema_version` is missing",
                                     f'this Weir writes "schema_version": {current}')]
    version = document["schema_version"]
    if not isinstance(version, int) or isinstance(version, bool):
        return document, [diagnostic("E_SCHEMA_VERSION", "/schema_version",
                                     f"the version is a whole number, not {describe(version)}")]
    if version > current:
        return document, [diagnostic("E_SCHEMA_VERSION", "/schema_version", f"version {version} is newer than this "
                                     f"Weir, which knows up to {current}", "use a newer Weir")]
    while version < current:
        if version not in migrations:
            return document, [diagnostic("E_SCHEMA_VERSION", "/schema_version", f"there is no version {version}",
                                         f"this Weir writes version {current}")]
        document = migrations[version](document)
        version += 1
        document["schema_version"] = version
    return document, []
