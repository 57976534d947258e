"""Compare statements of the README and the pages about Weir's own code with that code."""

from __future__ import annotations

import argparse
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import CODEGEN
from documents import PAGES
from planning import EXAMPLES, plan
from weir import __version__, cli
from weir.model.catalog import load_catalog
from weir.model.check import check
from weir.model.document.item_types import ITEM_TYPES
from weir.read.comparing import estimates, statistics, work

ROOT = CODEGEN.parent
README, CLI, INSTALL, SCHEDULERS, EXAMPLE_LIST = (
    (ROOT / page).read_text(encoding="utf-8")
    for page in ("README.md", "docs/cli.md", "docs/install.md", "docs/schedulers.md", "examples/README.md"))
STATISTICS = " ".join((ROOT / "docs" / "statistics.md").read_text(encoding="utf-8").split())


def section(page: str, title: str) -> str:
    """Return one section of a page as one line."""
    return " ".join(page.partition(f"\n## {title}\n")[2].partition("\n## ")[0].split())


def test_the_options_of_the_page_about_the_command_line_are_taken() -> None:
    assert "`--trace lttng|memory|off`" in CLI
    for words in (["--trace", "lttng"], ["--trace", "memory"], ["--trace", "off"], ["--set", "stages=5"],
                  ["--set", "/run/items=50M"], ["--json"], ["--repeat", "10", "--out", "A"], ["--extensions", "DIR"]):
        assert words[0] in CLI
        cli.build_parser(["run"]).parse_args(["run", "P", *words])
    assert "stages" in check(EXAMPLES / "quickstart.weir.json").project.document["parameters"]


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield the parsers of the verbs and of their actions."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from parsers(inner)


def test_every_verb_that_reads_a_project_takes_folders_of_extensions() -> None:
    """Check the option for all kinds and the older ones for each kind."""
    wanted, takers = {"--extensions", "--block-path", "--scheduler-path", "--target-path"}, 0
    for parser in parsers(cli.build_parser([])):
        taken = wanted & set(parser._option_string_actions) - {"--scheduler-path" if parser.prog == "weir test" else ""}
        if taken - {"--block-path"} or any(action.dest == "project" for action in parser._get_positional_actions()):
            assert taken == wanted, parser.prog
            takers += 1
    assert takers > 12 and "to every verb that knows blocks" in section(CLI, "Common options")


def test_the_page_about_the_command_line_has_every_verb_and_exit_code() -> None:
    assert set(re.findall(r"^\| \[?`(\w+)`", CLI, re.MULTILINE)) == set(cli.verb_modules())
    assert re.findall(r"^\| \*\*(\w+)\*\* \|", CLI, re.MULTILINE) == list(cli.GROUPS)
    codes = re.findall(r"^  (\d+) ", cli.EXIT_CODES_HELP, re.MULTILINE)
    assert re.findall(r"- (\d+):", section(CLI, "Exit codes")) == codes


def test_the_citation_and_the_changelog_have_the_version_of_the_tree() -> None:
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## [{__version__}] - " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_project_of_the_readme_is_valid() -> None:
    [text] = re.findall(r"```json\n(.*?)```", README, re.DOTALL)
    found = check(text)
    assert found.graph is not None and not found.diagnostics
    assert found.project.deployments[0].scheduler == "flow"


def names(page: str) -> set[str]:
    """Return the names in the first column of a page's tables."""
    return {name for row in re.findall(r"^\| (`.+?) \|", page, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}


def test_pages_list_every_example_and_every_scheduler() -> None:
    assert names(EXAMPLE_LIST) == {path.name.partition(".")[0] for path in EXAMPLES.glob("**/*.weir.json")}
    assert names(SCHEDULERS) == set(load_catalog().schedulers) and len(load_catalog().schedulers) == 25
    assert "All 25 schedulers" in SCHEDULERS and "adds another" in section(SCHEDULERS, "Guarantees and defaults")


def test_the_blocks_that_use_volk_and_fftw_are_counted() -> None:
    used: dict[str, list[str]] = {}
    blocks = sorted((ROOT / "block-library").glob("*/*/block.json"))
    for path in blocks:
        header = (path.parent / f"{path.parent.name}.hpp").read_text(encoding="utf-8")
        uses = json.loads(path.read_text(encoding="utf-8"))["uses"]
        assert ("volk" in uses) == ('"weir/volk' in header), path
        for library in uses:
            used.setdefault(library, []).append(path.parent.name)
    assert set(used) == {"volk", "fftw3f"} and used["fftw3f"] == ["fft_filter", "fft"]
    licences = section(INSTALL, "Licences of the libraries")
    assert f"Of the {len(blocks)} blocks, {len(used['volk'])} use VOLK" in licences
    assert "`fft` and `fft_filter` use FFTW" in licences


def test_qt_is_installed_for_the_editor_and_the_tests_alone() -> None:
    lines = (ROOT / "setup" / "verbs.txt").read_text(encoding="utf-8").splitlines()
    groups = {line.split()[0]: line.split()[1:] for line in lines if line and not line.startswith("#")}
    assert {verb for verb, names in groups.items() if "editor" in names} == {"edit", "test"}
    packages = (ROOT / "setup" / "packages.txt").read_text(encoding="utf-8").splitlines()
    assert {line.split()[0] for line in packages if re.search(r"qt6|qml6", line.split("  ")[0])} <= {"editor"}


def test_the_item_types_are_those() -> None:
    assert f"Item types are `{' '.join(ITEM_TYPES)}`" in section(README, "Requirements and limitations")


def test_by_default_a_ring_holds_four_chunks_and_a_stream_within_a_worker_one_or_two() -> None:
    """Check the plans of every deployment of every example, under Weir's own schedulers."""
    assert "a ring between two workers holds four chunks or more, and a stream within a worker (`flow`, " \
           "`single_thread`) holds one or two" in section(SCHEDULERS, "Guarantees and defaults")
    kinds = set()
    for path in EXAMPLES.glob("**/*.weir.json"):
        for deployment in check(path).project.deployments:
            made = plan(path, "two_core", deployment.name).plan
            if made.target != "cpp_app":
                continue
            chunk = {block.instance: block.chunk_items for block in made.blocks}
            if made.target != "cpp_app":
                continue  # a peer runtime has its own
            paced = {block.instance for block in made.blocks if block.type in ("pace", "paced_source")}
            # Streams of a worker schedule are as large as it needs; a paced chunk has the items due in its latency
            # budget.
            for stream in (it for it in made.streams if it.arena is None and it.kind != "register"):
                if stream.name.rpartition(".")[0] in paced:
                    continue
                chunks = stream.planned_items / chunk[stream.name.rpartition(".")[0]]
                assert 1 <= chunks <= 2 if stream.kind == "linear" else chunks >= 4, (path, stream.name)
                kinds.add((made.scheduler, stream.kind))
    assert {("flow", "linear"), ("flow", "ring"), ("single_thread", "linear"), ("thread_per_block", "ring")} <= kinds
    assert ("single_thread", "ring") not in kinds and ("thread_per_block", "linear") not in kinds


@pytest.mark.parametrize("words", ["stream tags", "message ports", "feedback cycles"])
def test_what_is_out_of_scope_is_diagnosed_by_name(words: str) -> None:
    document = json.loads((EXAMPLES / "quickstart.weir.json").read_text())
    if words == "feedback cycles":
        document["graph"]["connections"] = [["gain", "out", "stage", "in"], ["stage", "out", "gain", "in"]]
        document["graph"]["blocks"] = [b for b in document["graph"]["blocks"] if b["id"] in ("gain", "stage")]
    else:
        document["graph"]["tags" if words == "stream tags" else "message_connections"] = []
    assert words in section(README, "Requirements and limitations")
    named = "Weir does not support feedback" if words == "feedback cycles" else words
    assert any(named in f"{d.message} {d.hint}" for d in check(json.dumps(document)).diagnostics)


def test_the_page_about_comparing_has_the_numbers_of_the_code() -> None:
    assert f"Fewer than {statistics.MIN_ROUNDS} rounds have no interval" in STATISTICS
    assert f"It has {statistics.RESAMPLES:,} resamples" in STATISTICS
    assert f"by more than {100 * work.EQUAL_WITHIN:g} %" in STATISTICS
    assert f"measured for less than {estimates.SHORT_WINDOW_S} s" in STATISTICS
    assert all(f"`--despite {it}`" in STATISTICS for it in work.DESPITE)
    code = (ROOT / "runtime" / "src" / "app_results.cpp").read_text(encoding="utf-8")
    assert f"kShortWindow_s = {estimates.SHORT_WINDOW_S};" in code


def test_the_commands_of_the_pages_are_taken() -> None:
    """Check all commands shown, except forms with choices."""
    commands = [command for page in PAGES for command in re.findall(
        r"^(?: {4}| {8})\./weir (?!.*(?:…|\[[\w-]))(.+?)(?: +#.*)?$", page.read_text(encoding="utf-8"), re.MULTILINE)]
    assert len(commands) > 100
    for command in commands:
        words = shlex.split(command)
        cli.build_parser(words).parse_args(words)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
