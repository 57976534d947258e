"""Cache of verifications, by binary, request, CPU and libraries."""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

from weir.engine.generation.host import bytes_identity, cpu_identity, own_folder, scratch_folder
from weir.engine.generation.kept import AnswerCache
from weir.engine.verifying.references import LIBRARY, file_of
from weir.engine.verifying.verification import Verification
from weir.machine.environment import volk_machine, volk_version
from weir.machine.processes import may_live
from weir.model import ownership
from weir.model.catalog import BlockType
from weir.model.document import jsontext

FORMAT = 1
ANSWERS = AnswerCache("verified", 512)
SCRATCH = "weir-verifying-"


def key(binary_hash: str, params: Sequence[str], seed: int, kinds: Iterable[BlockType]) -> str:
    """Return the key of a verification: a hash of everything that the result may depend on."""
    kinds = sorted(kinds, key=lambda kind: kind.id)
    volk = [volk_machine(), volk_version()] if any("volk" in kind.uses for kind in kinds) else None
    judges = [bytes_identity(path) for kind in kinds for path in (file_of(kind), kind.folder / "block.json")]
    whole = [FORMAT, binary_hash, list(params), seed, cpu_identity(), volk, judges, _code()]
    return hashlib.sha256(jsontext.write(whole).encode()).hexdigest()[:32]


@cache
def _code() -> list[str | None]:
    return [bytes_identity(path) for path in (LIBRARY, *sorted(Path(__file__).parent.glob("*.py")))]


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """Yield a folder for a verifying run; remove it afterwards, with those that killed processes left."""
    with contextlib.ExitStack() as stack:
        try:
            with own_folder(ANSWERS.folder):
                for path in ANSWERS.folder.glob(f"{SCRATCH}*"):
                    with contextlib.suppress(OSError):
                        _remove_abandoned(path)
                made = stack.enter_context(scratch_folder(ANSWERS.folder, SCRATCH, ownership.RUN))
        except OSError:  # no cache can be written
            made = stack.enter_context(scratch_folder(Path(tempfile.gettempdir()), SCRATCH, ownership.RUN))
        yield made


def _remove_abandoned(path: Path) -> None:
    marker = ownership.read(path)
    if marker and marker.kind == ownership.RUN and not may_live(marker.live):
        ownership.remove(path, marker.files)


def load(key: str) -> Verification | None:
    """Return the kept verification, None if there is none or it cannot be read."""
    try:
        return Verification.from_json(cast(Any, ANSWERS.load(key)))
    except (ValueError, LookupError, TypeError):
        return None


def store(key: str, found: Verification) -> None:
    """Keep a verification. If the folder cannot be written, the next run verifies again."""
    ANSWERS.store(key, found.as_json())
