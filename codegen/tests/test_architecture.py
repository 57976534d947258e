"""Count the files that an extension touches by making one: a block, a scheduler, a target, a verb, a metric, an option.

Nothing outside the folder of a target or a scheduler knows its name.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from planning import chain, machine
from stored_runs import store
from target_world import NUMPY, TARGETS, answer, copied, small, weir, written
from weir import ROOT
from weir.engine.generation.emit import generate
from weir.model.catalog import load_catalog
from weir.model.check import check
from weir.model.document.options import OF_DEPLOYMENT, OF_RUN
from weir.model.planning.plan import make_plan

BY_NEED = '''"""Every block when what follows it asks for it, from the sinks on."""


def run(nodes, call):
    writers, done = {f"{node.name}.{port}": node for node in nodes for port in node.outputs}, set()

    def need(node):
        if node.name not in done:
            done.add(node.name)
            for stream in node.inputs.values():
                need(writers[stream])
            call(node)

    for node in nodes:
        if not node.outputs:
            need(node)
'''
def files(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts)


def test_a_block_is_three_files(alone: Path, capsys) -> None:
    assert weir("new", "block", "mine", "-o", alone / "blocks") == 0
    assert files(alone / "blocks") == ["mine/block.json", "mine/mine.hpp", "mine/reference.py"]
    [result] = answer(capsys, "run", written(alone, small(block="mine")), "--block-path", alone / "blocks",
                      "--target-path", TARGETS, "--out", alone / "runs")
    assert result["status"] == "ok" and result["verification"]["ok"] and result["sinks"][0]["items"] == 5000
    [there] = [b for b in answer(capsys, "catalog", "mine", "--block-path", alone / "blocks")["blocks"]]
    assert there["source"].endswith("mine/mine.hpp")


def test_a_scheduler_is_two_files(alone: Path, capsys) -> None:
    """Check scaffolds in C++ and in the language of another target, which does not name the scheduler either."""
    assert weir("new", "scheduler", "mine", "-o", alone / "schedulers") == 0
    assert files(alone / "schedulers") == ["mine/mine.hpp", "mine/scheduler.json"]
    folder = alone / "schedulers" / "by_need"
    folder.mkdir()
    facts = json.loads((NUMPY / "schedulers" / "in_order" / "scheduler.json").read_text())
    (folder / "scheduler.json").write_text(json.dumps({**facts, "id": "by_need"}))
    (folder / "by_need.py").write_text(BY_NEED)
    names = ["in_order", "by_need"]
    document = small(deployments=[{"name": name, "scheduler": name} for name in names])
    made = answer(capsys, "run", written(alone, document), *(w for n in names for w in ("--deployment", n)),
                  "--scheduler-path", alone / "schedulers", "--target-path", TARGETS, "--out", alone / "runs")
    assert [r["status"] for r in made] == ["ok", "ok"]
    assert len({r["sinks"][0]["digest"] for r in made}) == 1 and {r["scheduler"] for r in made} == set(names)
    catalog = load_catalog(scheduler_paths=[alone / "schedulers"], target_paths=[TARGETS])
    assert [catalog.target_for(name) for name in ("mine", "by_need")] == ["cpp_app", "numpy_app"]
    result = check(json.dumps(chain(deployments=[{"name": "d", "scheduler": "mine"}])), catalog=catalog)
    plan = make_plan(result.project, result.graph, catalog, machine("two_core")).plan
    assert b"weir::schedulers::Mine" in generate(plan, result.project, catalog)["src/main.cpp"]


def test_a_target_is_one_folder(alone: Path, capsys) -> None:
    """Put the same target under another name beside the first, whose schedulers it offers, too."""
    mine = copied(alone / "targets", "another", title="Another")
    shutil.rmtree(mine / "schedulers")
    document = small(deployments=[{"name": "first", "scheduler": "in_order"},
                                  {"name": "second", "scheduler": "in_order", "target": "another"}])
    made = answer(capsys, "run", written(alone, document), "--deployment", "first", "--deployment", "second",
                  "--target-path", TARGETS, "--target-path", mine.parent, "--out", alone / "runs")
    assert {(r["deployment"], r["status"], r["sinks"][0]["digest"]) for r in made} == {
        (name, "ok", made[0]["sinks"][0]["digest"]) for name in ("first", "second")}
    plans = [json.loads((run / "plan.json").read_text())["target"] for run in (alone / "runs").iterdir()]
    assert sorted(plans) == ["another", "numpy_app"]


def test_the_target_of_the_tree_is_one_folder_too(tmp_path: Path) -> None:
    """Move and rename a target: it generates the same files except for its name."""
    mine = tmp_path / "mine"
    shutil.copytree(ROOT / "templates" / "cpp_app", mine, ignore=shutil.ignore_patterns("__pycache__"))
    file = mine / "target.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "id": "mine"}))
    catalog, made = load_catalog(target_paths=[tmp_path]), []
    for target in ("cpp_app", "mine"):
        document = chain(deployments=[{"name": "d", "scheduler": "flow", "target": target}])
        result = check(json.dumps(document), catalog=catalog)
        plan = make_plan(result.project, result.graph, catalog, machine("two_core")).plan
        files = generate(plan, result.project, catalog)
        made.append({name: re.sub(rb"[0-9a-f]{64}", b"<hash>", data) for name, data in files.items()})
    own = {"manifest.json", "plan.json", "project.json"}
    assert made[0].keys() == made[1].keys() and {n for n in made[0] if made[0][n] != made[1][n]} == own


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the command line's files beside the tree's blocks, schedulers and targets."""
    root = tmp_path_factory.mktemp("tree")
    for name in ("block-library", "runtime", "templates"):
        (root / name).symlink_to(ROOT / name)
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "codegen" / "weir", root / "codegen" / "weir", ignore=skipped)
    shutil.copytree(ROOT / "setup", root / "setup")
    shutil.copy(ROOT / "codegen" / "make_results.py", root / "codegen")
    shutil.copy(ROOT / "weir", root)
    (root / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "make_options.py", root / "docs")
    return root


def said(root: Path, *words: object, codes: tuple[int, ...] = (0, 4)) -> str:
    """Return the output of this tree's `weir`."""
    environment = {**os.environ, "WEIR_SKIP_SETUP": "1", "WEIR_PYTHON": sys.executable}
    done = subprocess.run([str(root / "weir"), *map(str, words)], capture_output=True, text=True, env=environment,
                          check=False)
    assert done.returncode in codes, done.stderr
    return done.stdout


def test_a_verb_is_one_file(tree: Path) -> None:
    chapter = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("\n## Add a verb\n")[2]
    module, = re.findall(r"```python\n(.*?)```", chapter.partition("\n## ")[0], re.DOTALL)
    (tree / "codegen" / "weir" / "cli" / "verbs" / "count.py").write_text(module)
    assert said(tree, "count", "--target-path", TARGETS) == f"{len(load_catalog().schedulers) + 1} schedulers\n"
    assert json.loads(said(tree, "count", "--json")) == {"schedulers": len(load_catalog().schedulers)}
    assert "  count      count the schedulers\n" in said(tree, "--help").partition("\nextend:\n")[2]


def test_a_metric_is_one_entry(tree: Path, tmp_path: Path) -> None:
    model = tree / "codegen" / "weir" / "schema" / "results.model.json"
    document = json.loads(model.read_text())
    document["metrics"].append({"id": "dropped", "title": "Dropped items", "at": "/tail_items", "better": "lower",
                                "beside": True})
    model.write_text(json.dumps(document))
    for side, items in (("a", 10), ("b", 20)):
        store(tmp_path / side, changes={"tail_items": items})
    found = json.loads(said(tree, "compare", tmp_path / "a", tmp_path / "b", "--metric", "dropped", "--json"))
    [metric] = [m for m in found["comparisons"][0]["metrics"] if m["id"] == "dropped"]
    assert metric["gate"] and metric["ratio"] == pytest.approx(2)


NAP = {"title": "Nap (µs)", "description": "So long a worker sleeps.", "x-form": "scheduling", "x-axis": "nap",
       "default": 50, "type": "integer", "minimum": 1, "maximum": 1000}


def test_an_option_of_a_deployment_is_one_entry(tree: Path, tmp_path: Path) -> None:
    schema = tree / "codegen" / "weir" / "schema" / "project.schema.json"
    document = json.loads(schema.read_text())
    document["properties"]["deployments"]["items"]["properties"]["nap_us"] = NAP
    schema.write_text(json.dumps(document))
    project = tmp_path / "p.weir.json"
    project.write_text(json.dumps(chain(deployments=[{"name": "d", "scheduler": "flow"}])))
    assert json.loads(said(tree, "validate", project, "--set", "/deployments/0/nap_us=20", "--json"))["ok"]
    [fault] = json.loads(said(tree, "validate", project, "--set", "/deployments/0/nap_us=2000", "--json",
                              codes=(1,)))["diagnostics"]
    assert (fault["code"], fault["pointer"]) == ("E_VALUE_RANGE", "/deployments/0/nap_us")
    [fault] = json.loads(said(tree, "validate", project, "--set", "nap=20", "--json", codes=(2,)))["diagnostics"]
    assert fault["hint"] == "set an option by its JSON pointer: /deployments/0/nap_us=…"
    swept = json.loads(said(tree, "sweep", project, "--vary", "nap=10,100", "--dry-run", "--json"))
    assert [point["values"] for point in swept["points"]] == [{"nap": 10}, {"nap": 100}]
    page = subprocess.run([sys.executable, tree / "docs" / "make_options.py"], capture_output=True, text=True,
                          check=True).stdout
    assert "| `nap_us` | 1 to 1000 | `50` | `nap` | Nap (µs). So long a worker sleeps. |\n" in page


def test_the_page_of_options_is_that_of_the_schema() -> None:
    made = subprocess.run([sys.executable, ROOT / "docs" / "make_options.py"], capture_output=True, text=True,
                          check=True).stdout
    page = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")
    assert made == page, "renew it: /usr/bin/python3 docs/make_options.py > docs/options.md"


def test_the_diagrams_of_the_page_are_those_of_the_imports_and_includes(tmp_path: Path) -> None:
    script = "docs/make_architecture.py"
    assert subprocess.run([sys.executable, "-B", ROOT / script, "--check"], check=False).returncode == 0, (
        f"renew them: /usr/bin/python3 {script}")
    for name in ("cmake", "docs/architecture.md", script, "editor/app", "editor/core", "editor/features",
                 "editor/shell", "codegen/weir"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / name, tmp_path / name)
    (tmp_path / "codegen/weir/lab/tuning/more.py").write_text("import weir.lab.rating.answer\n")
    assert subprocess.run([sys.executable, "-B", tmp_path / script, "--check"], check=False).returncode == 1
    subprocess.run([sys.executable, "-B", tmp_path / script], check=True)
    assert "    tuning --> rating\n" in (tmp_path / "docs/architecture.md").read_text(encoding="utf-8")


#: Options that the editor's forms name, with the reasons.
NAMED = {**dict.fromkeys(("chunk_items", "environment", "items", "policy"), "a command leads to the field"),
         **dict.fromkeys(("target", "wait", "workers"), "the scheduler says what there is to choose"),
         "kernels": "VOLK says which there are", "cpus": "the kind of field"}


def test_forms_of_the_editor_name_no_other_option() -> None:
    options = {place.rpartition("/")[2] for place, rule in {**OF_DEPLOYMENT, **OF_RUN}.items() if "x-form" in rule}
    named = {word for folder in ("features/deployment", "shell/fields") for path in (ROOT / "editor" / folder).iterdir()
             for word in re.findall(r'"(\w+)"', path.read_text(encoding="utf-8"))}
    assert len(options) > 30 and named & options == NAMED.keys()


#: Code that may not name a target or a scheduler: engines, editor and runtime.
LOOKED_AT = ("codegen/weir", "codegen/native", "runtime/include", "runtime/src", "editor/core",
             "editor/shell", "editor/features", "editor/app", "block-library", "cmake", "setup", "weir",
             "CMakeLists.txt")
#: Exceptions by the beginning of their path: the names, with the reasons.
ALLOWED = {
    "codegen/weir/model/document/deployment.py": ({"single_thread"},
                                                  "a project without deployments: docs of `weir run`"),
    "editor/core/deployment/": ({"single_thread"}, "what a project without deployments runs under"),
    "codegen/weir/cli/scaffolds/project/": ({"flow", "single_thread"}, "a project is data, and this one chooses"),
    "codegen/weir/cli/verbs/doctor.py": ({"gnuradio4"}, "what it builds on request"),
    "codegen/weir/engine/generation/gnuradio4.py": ({"gnuradio4"}, "how it builds that"),
    "codegen/weir/schema/installed.schema.json": ({"gnuradio4"}, "its answer"),
    "setup/": ({"gnuradio4"}, "the packages and the files for that"),
    "codegen/weir/interop/grc/importing/deployments.py": ({"flow", "single_thread", "thread_per_block"},
                                                  "as is an imported one"),
    "codegen/weir/interop/grc/exporting/options.py": ({"thread_per_block"},
                                                      "what GNU Radio does, said where one goes back"),
    "codegen/weir/lab/works.py": ({"drained"}, "the loop that the others are held against"),
    "codegen/weir/cli/scaffolds/planner/": ({"static"}, "whose code runs what the planner makes"),
    "codegen/weir/engine/measuring/coordinates.py": ({"cpp_app"}, "what programs were for when there was nothing else"),
    "codegen/weir/engine/conformance/planning_context.py": (
        {"flow"}, "what random graphs are held against, besides numpy"),
    "runtime/src/": ({"single_thread"}, "a program verifies itself beside one thread, which is part of the runtime"),
}


def naming() -> dict[str, set[str]]:
    """Return file -> targets and schedulers that its code names: quoted, as a class, or as a header."""
    catalog = load_catalog()
    targets, schedulers = "|".join(catalog.targets), "|".join(catalog.schedulers)
    classes = {name.title().replace("_", ""): name for name in catalog.schedulers}
    named = re.compile(rf"\b({targets})\b|[\"']({schedulers})[\"']|schedulers::({'|'.join(classes)})\b|"
                       rf"[/\"]({schedulers})\.hpp")
    found: dict[str, set[str]] = {}
    for folder in LOOKED_AT:
        for path in [ROOT / folder] if (ROOT / folder).is_file() else sorted((ROOT / folder).rglob("*")):
            name = str(path.relative_to(ROOT))
            if path.suffix in (".png", ".ttf", ".bin", ".svg", ".pyc") or "/tests/" in name or not path.is_file():
                continue
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                if not line.lstrip().startswith(("//", "#", "*", '"""')):  # a comment may give an example
                    names = {next(filter(None, match.groups())) for match in named.finditer(line)}
                    if names:
                        found.setdefault(name, set()).update(classes.get(it, it) for it in names)
    return found


def test_no_line_of_ours_is_longer_than_120_columns() -> None:
    """Check files other than tests, whose tables are read line by line."""
    ours = [path for folder in ("codegen", "templates", "block-library", "runtime", "cmake", "docs", "bench")
            for path in (ROOT / folder).rglob("*.py") if "tests" not in path.parts]
    assert len(ours) > 200
    assert [f"{path.relative_to(ROOT)}:{number}" for path in ours
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if len(line) > 120] == []


def test_nothing_outside_their_folders_knows_a_target_or_a_scheduler_by_name() -> None:
    used = set()
    for name, names in naming().items():
        where = next((start for start in ALLOWED if name.startswith(start)), None)
        assert where is not None and names <= ALLOWED[where][0], f"{name} knows {', '.join(sorted(names))} by name"
        used.add(where)
    assert used == ALLOWED.keys(), "this needs no exception any more"
