"""An installed Weir: `cmake --install` of the tree, run from there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("an install")
    for words in (["-S", ROOT, "-B", folder / "build", "-G", "Ninja", "-DWEIR_BUILD_TESTING=OFF"],
                  ["--install", folder / "build", "--prefix", folder / "prefix"]):
        subprocess.run(["cmake", *words], check=True, capture_output=True, timeout=120)
    return folder / "prefix"


def test_it_runs_a_project_and_writes_nothing_into_its_prefix(prefix: Path, tmp_path: Path):
    before = sorted(prefix.rglob("*"))
    project = shutil.copy(prefix / "share/weir/examples/quickstart.weir.json", tmp_path)
    # What the sources say is imported, not what is installed: no PYTHONPATH of the tests.
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONPYCACHEPREFIX")}
    ran = subprocess.run([prefix / "bin/weir", "run", project, "--json"], cwd=tmp_path, text=True, capture_output=True,
                         timeout=300, env=environment | {"WEIR_SKIP_SETUP": "1"}, check=False)
    assert ran.returncode == 0, ran.stderr
    [result] = json.loads(ran.stdout)
    assert result["status"] == "ok" and result["verification"]["ok"]
    assert sorted(prefix.rglob("*")) == before


def test_every_module_and_descriptor_is_installed(prefix: Path):
    folders = ("codegen/weir", "codegen/native", "runtime/include", "runtime/src", "runtime/schedulers", "block-library",
               "templates", "setup")
    wanted = {path.relative_to(ROOT) for folder in folders for path in (ROOT / folder).rglob("*")
              if path.is_file() and path.suffix != ".pyc" and ROOT / "block-library/tests" not in path.parents}
    assert len(wanted) > 300 and {path for path in wanted if not (prefix / "share/weir" / path).is_file()} == set()
