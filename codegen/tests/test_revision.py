"""Test the commit in a result with untrusted repositories: nothing that they name is executed."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from weir import cli
from weir.engine.measuring.revision import git_revision, order_of

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")

PROJECT = Path(__file__).resolve().parents[2] / "examples" / "quickstart.weir.json"


def git(folder: Path, *words: str) -> str:
    """Run git with all the user's settings, which must never happen in a stranger's folder."""
    made = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    made |= {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return subprocess.run(["git", *words], cwd=folder, env={**made, "GIT_CONFIG_GLOBAL": os.devnull}, check=True,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "stranger")


def make_repository(folder: Path) -> Path:
    folder.mkdir()
    git(folder, "init", "--quiet")
    (folder / "p.weir.json").write_bytes(PROJECT.read_bytes())
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "first")
    return folder


def test_it_is_the_commit_and_whether_files_differ_from_it(repository: Path) -> None:
    commit = git(repository, "rev-parse", "HEAD")
    below = repository / "below"
    below.mkdir()
    assert git_revision(repository) == git_revision(below) == commit
    (repository / "untracked").write_text("")
    os.utime(repository / "p.weir.json", (1, 1))  # other times and equal bytes
    assert git_revision(repository) == commit
    (repository / "p.weir.json").write_text("{}")
    assert git_revision(repository) == commit + "-dirty"
    git(repository, "add", ".")
    assert git_revision(repository) == commit + "-dirty"


def test_it_is_found_packed_detached_and_in_linked_work_trees(repository: Path, tmp_path: Path) -> None:
    commit = git(repository, "rev-parse", "HEAD")
    git(repository, "gc", "--quiet")
    git(repository, "pack-refs", "--all")
    assert not (repository / ".git" / "refs" / "heads" / "master").exists() and git_revision(repository) == commit
    git(repository, "worktree", "add", "--quiet", str(tmp_path / "linked"), "-b", "other")
    assert (tmp_path / "linked" / ".git").is_file() and git_revision(tmp_path / "linked") == commit
    (tmp_path / "linked" / "p.weir.json").write_text("{}")
    assert git_revision(tmp_path / "linked") == commit + "-dirty" and git_revision(repository) == commit
    git(repository, "checkout", "--quiet", "--detach")
    assert git_revision(repository) == commit


def test_what_cannot_be_told_is_not_told(repository: Path, tmp_path: Path, monkeypatch) -> None:
    commit = git(repository, "rev-parse", "HEAD")
    plain = tmp_path / "plain"
    plain.mkdir()
    assert git_revision(plain) is None and git_revision(tmp_path / "missing") is None
    (repository / ".git" / "index").write_bytes(b"damaged")
    assert git_revision(repository) == commit + "-unchecked"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert git_revision(repository) == commit + "-unchecked"


def test_commits_have_their_places_in_a_history_and_none_of_another_one(repository: Path, tmp_path: Path,
                                                                        monkeypatch) -> None:
    def commit(name: str) -> str:
        git(repository, "commit", "--quiet", "--allow-empty", "-m", name)
        return git(repository, "rev-parse", "HEAD")

    first = git(repository, "rev-parse", "HEAD")
    git(repository, "checkout", "--quiet", "-b", "side")
    side = commit("side")
    git(repository, "checkout", "--quiet", "-")
    main = commit("main")
    git(repository, "merge", "--quiet", "-m", "both", "side")
    both = git(repository, "rev-parse", "HEAD")
    places = order_of([both, side, first, main, both], repository)
    assert places and sorted(places) == sorted({first, side, main, both})
    assert places[first] < min(places[side], places[main]) and max(places[side], places[main]) < places[both]
    assert order_of([first, "a" * 40], repository) is None and order_of(["--all"], repository) is None
    assert order_of([first], tmp_path) is None
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{repository}", "shallow")
    assert order_of([first, both], tmp_path / "shallow") is None
    monkeypatch.setenv("PATH", str(tmp_path))
    assert order_of([first], repository) is None


@pytest.mark.parametrize("head", ["ref: refs/heads/../../../secret", "ref: /etc/hostname", "ref: refs/heads/gone",
                                  "nothing", "ref: HEAD", ""])
def test_a_head_that_leads_elsewhere_is_none(head: str, repository: Path) -> None:
    (repository / "secret").write_text("0" * 40)
    (repository / ".git" / "HEAD").write_text(head)
    assert git_revision(repository) is None


def test_a_pipe_in_the_place_of_a_file_of_git_is_not_waited_for(repository: Path) -> None:
    (repository / ".git" / "HEAD").unlink()
    os.mkfifo(repository / ".git" / "HEAD")
    assert git_revision(repository) is None


# Commands that a stranger can have git execute. Each test puts a line into .git/config, or into a file that it names.

def fsmonitor(folder: Path, program: str) -> None:
    git(folder, "config", "core.fsmonitor", program)


def clean_filter(folder: Path, program: str) -> None:
    (folder / ".git" / "info" / "attributes").write_text("* filter=evil\n")
    git(folder, "config", "filter.evil.clean", program)


def clean_filter_of_a_file_in_the_tree(folder: Path, program: str) -> None:
    (folder / ".gitattributes").write_text("* filter=evil\n")
    git(folder, "config", "filter.evil.clean", program)


def process_filter(folder: Path, program: str) -> None:
    (folder / ".git" / "info" / "attributes").write_text("* filter=evil\n")
    git(folder, "config", "filter.evil.process", program)


def included_file(folder: Path, program: str) -> None:
    (folder / "innocent.txt").write_text(f"[core]\n\tfsmonitor = {program}\n")
    git(folder, "config", "include.path", "../innocent.txt")


def conditionally_included_file(folder: Path, program: str) -> None:
    (folder / "innocent.txt").write_text(f"[core]\n\tfsmonitor = {program}\n")
    git(folder, "config", f"includeIf.gitdir:{folder}/.path", "../innocent.txt")


def configuration_of_the_work_tree(folder: Path, program: str) -> None:
    git(folder, "config", "extensions.worktreeConfig", "true")
    git(folder, "config", "--worktree", "core.fsmonitor", program)


def hook(folder: Path, program: str) -> None:
    file = folder / ".git" / "hooks" / "post-index-change"
    file.parent.mkdir(exist_ok=True)
    shutil.copy(program, file)


def hook_elsewhere(folder: Path, program: str) -> None:
    (folder / "hooks").mkdir()
    shutil.copy(program, folder / "hooks" / "post-index-change")
    git(folder, "config", "core.hooksPath", "hooks")


def submodule(folder: Path, program: str) -> None:
    inner = make_repository(folder / "inner")
    git(folder, "add", "inner")
    git(folder, "commit", "--quiet", "-m", "second")
    fsmonitor(inner, program)


def repository_elsewhere(folder: Path, program: str) -> None:
    fsmonitor(folder, program)
    (folder / ".git").rename(folder / "innocent")
    (folder / ".git").write_text("gitdir: innocent\n")


VECTORS = [fsmonitor, clean_filter, clean_filter_of_a_file_in_the_tree, process_filter, included_file,
           conditionally_included_file, configuration_of_the_work_tree, hook, hook_elsewhere, submodule,
           repository_elsewhere]


@pytest.fixture(params=VECTORS, ids=lambda vector: vector.__name__)
def hostile(request, repository: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Return the folder of a project, and the file that exists once anything was executed.

    `git status` on a copy confirms that the attack would work.
    """
    mark, program = tmp_path / "executed", tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {shlex.quote(str(mark))}\n")
    program.chmod(0o755)
    request.param(repository, str(program))
    for file in repository.rglob("p.weir.json"):
        os.utime(file, (2, 2))  # git reads a file whose time has changed
    shutil.copytree(repository, tmp_path / "tried" / "stranger", symlinks=True)
    if request.param is not conditionally_included_file:  # its condition names the folder
        subprocess.run(["git", "status"], cwd=tmp_path / "tried" / "stranger", capture_output=True, check=False)
        assert mark.exists()
        mark.unlink()
    return repository, mark


def test_nothing_is_executed_to_tell_the_revision(hostile: tuple[Path, Path]) -> None:
    folder, mark = hostile
    commit = git_revision(folder)
    assert commit is not None and not mark.exists()
    order_of([commit[:40]], folder)
    assert not mark.exists()
    subprocess.run(["git", "status"], cwd=folder, capture_output=True, check=False)
    assert mark.exists()  # the command was ready to be executed all along


def test_nothing_is_executed_to_look_at_a_project(hostile: tuple[Path, Path], capsys) -> None:
    folder, mark = hostile
    for words in (["validate"], ["plan"], ["layout"], ["render"], ["format", "--check"]):
        assert cli.main([*words, str(folder / "p.weir.json")]) == 0
    assert not mark.exists()


@pytest.mark.parametrize("name, value", [("GIT_DIR", "{evil}/.git"), ("GIT_CONFIG_GLOBAL", "{evil}/.git/config"),
                                         ("GIT_CONFIG_PARAMETERS", "'core.fsmonitor'='{program}'")])
def test_the_environment_of_git_does_not_count(name: str, value: str, repository: Path, tmp_path: Path,
                                               monkeypatch) -> None:
    commit = git(repository, "rev-parse", "HEAD")
    mark, program = tmp_path / "executed", tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {shlex.quote(str(mark))}\n")
    program.chmod(0o755)
    evil = make_repository(tmp_path / "evil")
    fsmonitor(evil, str(program))
    monkeypatch.setenv(name, value.format(evil=evil, program=program))
    assert git_revision(repository) == commit and not mark.exists()
