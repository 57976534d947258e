"""What the tests of the runtime share."""

from __future__ import annotations

import pytest
from spoilt_runtime import Build


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return Build(tmp_path_factory.mktemp("spoilt"))
