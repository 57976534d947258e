"""Run every command of the pages in a folder like the tree, unless its kind says why it cannot run.

What the pages call P, RUN, A or kept is made once and copied into the folder of each page. Runs are short. Commands
that take minutes run only with --all: otherwise a sweep only says what it would measure, and a finished one replaces
it.
"""

from __future__ import annotations

import functools
import json
import os
import re
import shlex
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from documents import PAGES, ROOT, commands
from planning import EXAMPLES, UNOPTIMISED, unoptimised
from weir import cli

TIMEOUT_S = 1800
#: Short runs have too few items for a verdict, so these verbs end with exit code 4, or `compare` says that B is worse.
ANSWERS = {"compare": (0, 1, 4), "rate": (0, 4), "reproduce": (0, 1, 4)}
#: Reported after building and measuring, on a machine that runs other tests.
RESTLESS = "the machine changes its speed between measurements"

#: The project P of the pages.
P = {
    "schema_version": 1, "name": "radio", "parameters": {"stages": {"value": 3}},
    "graph": {
        "blocks": [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
                   {"id": "limit", "type": "head"},
                   {"id": "channel", "type": "fir_filter", "parameters": {"taps": [0.25, 0.5, 0.25]}},
                   {"id": "stage", "type": "copy", "repeat": {"expr": "stages"}},
                   {"id": "sink", "type": "digest_sink"}],
        "connections": [["source", "out", "limit", "in"], ["limit", "out", "channel", "in"],
                        ["channel", "out", "stage", "in"], ["stage", "out", "sink", "in"]]},
    "run": {"items": 200000, "trace": {"probe_granularity": 100}},
}
PACED = {"id": "source", "type": "paced_source", "parameters": {"item_type": "f32", "rate": 1000000}}

SHORT = "--set /run/items=200k --set /run/warmup_items=0"
#: (pattern in a command, replacement): a placeholder of the pages, or something that takes long.
REWRITTEN = (
    (r"report runs/\*", "report $(ls -d runs/*/ | head -n 3)"),
    (r"(\w+)/(?:RUN|…)", r"$(ls -d \1/*/ | head -n 1)"),
    (r"\bRUN\b", r"$(ls -d runs/*/ | head -n 1)"),
    (r"(?<=history )DIR", "kept"),
    (r"(?<=-o )DIR", "generated"),
    (r"(weir new (\w+)) NAME", r"\1 my_\2"),
    (r"--repeat \d+", "--repeat 2"),
    (r"seq \d+", "seq 2"),
    (r"(weir compare P (?!.*--repeat).*)", r"\1 --repeat 2"),
    (r"--trial \S+", "--trial 0.2s"),
    (r"--duration-sum \S+", "--duration-sum 0.4s"),
    (r"(weir rate .*?)(?: --budget \S+|$)", r"\1 --budget 2s"),
    (r"--budget \d+m", "--budget 90s"),
    (r"(weir run (?!.*/run/items|demo_ofdm).*)", rf"\1 {SHORT}"),
    (r"(weir (?:run|compare) demo_ofdm.*)", r"\1 --set /run/timeout_s=2"),  # only the time limit ends it
    (r"(weir compare (?!demo_ofdm)\w+\.weir\.json .*)", r"\1 --items 200k"),
    (r"(weir sweep (?!.*--dry-run).*--quick.*)", rf"\1 --repetitions 1 {SHORT}"),
    (r"(weir reproduce .*\.zip.*)", r"\1 --quick --trust"),
)


def project(page: Path | None, paced: bool) -> str:
    """Return P with the deployments that the commands name: those that the page makes, or those of the examples.

    Weir's own schedulers have the same deployments on all pages that make none, so a program of P is built once.
    """
    text = page.read_text(encoding="utf-8") if page else ""
    known = {it["name"]: it["scheduler"] for path in sorted(EXAMPLES.rglob("*.weir.json"))
             for it in json.loads(path.read_text())["deployments"]}
    made = re.findall(r"weir new (?:scheduler|target) (\w+) .*~", text)
    names = named(page) if page else ()
    if not made:
        names = (*sorted(it for one in pages() for it in named(one) if is_own(known.get(it, "flow"))), *names)
    document = {**P, "deployments": [deployment(it, known.get(it, [*made, "flow"][0]))
                                     for it in dict.fromkeys(("flow", "static", *names))]}
    if paced:
        document["graph"] = {**P["graph"], "blocks": [PACED, *P["graph"]["blocks"][1:]]}
    return json.dumps(document)


@functools.cache
def named(page: Path) -> tuple[str, ...]:
    """Return the deployments of P that the commands of a page name."""
    asked = "\n".join(it.text for it in commands(page))
    lists = re.findall(r"deployment[ =]([a-z][\w,]*)", asked)
    lists += [name for pair in re.findall(r"weir compare P (\w+) (\w+)", asked) for name in pair]
    return tuple(dict.fromkeys(",".join(lists).split(","))) if lists else ()


def is_own(scheduler: str) -> bool:
    """Return whether the scheduler belongs to the tree's runtime, whose optimisation a project can choose."""
    return (ROOT / "runtime" / "schedulers" / scheduler).is_dir()


def deployment(name: str, scheduler: str) -> dict:
    """Return a deployment; one of the tree's runtime compiles quickly."""
    return {"name": name, "scheduler": scheduler, **({"build": UNOPTIMISED} if is_own(scheduler) else {})}


class Session:
    """Commands of one page, run in order in a folder like the tree's root."""

    def __init__(self, folder: Path, page: Path | None = None, made: Path | None = None,
                 everything: bool = False) -> None:
        self.folder, self.page, self.made, self.everything = folder / "tree", page, made, everything
        self.folder.mkdir(parents=True)
        for path in ROOT.iterdir():
            if path.name not in ("build", "runs") and not path.name.startswith("."):
                (self.folder / path.name).symlink_to(path)
        home = folder / "home"
        home.mkdir()
        (home / "radio").symlink_to(made or self.folder)
        kept = {name: os.environ.get(name) or str(Path.home() / folder)
                for name, folder in (("XDG_CACHE_HOME", ".cache"), ("CARGO_HOME", ".cargo"),
                                     ("RUSTUP_HOME", ".rustup"))}
        self.environment = {**os.environ, **kept, "HOME": str(home), "WEIR_SKIP_SETUP": "1",
                            "PATH": f"{self.folder}:{os.environ['PATH']}", "QT_QPA_PLATFORM": "offscreen"}
        self.environment.pop("PYTHONPATH", None)
        if shutil.which("ccache"):
            self.environment["CMAKE_CXX_COMPILER_LAUNCHER"] = "ccache"
        if made:
            for name, source in (("runs", "runs"), ("A", "runs"), ("B", "runs"), ("kept/first", "sweep"),
                                 ("sweep", "sweep"), ("s1", "sweep"), ("DIR", "program"),
                                 *((name, name) for name in ("mine", "ring", "queues"))):
                shutil.copytree(made / source, self.folder / name)
            for name in ("dial_tone.grc", "X.grc"):
                shutil.copy(ROOT / "codegen/tests/grc/data/three_tones.grc", self.folder / name)
        for name, text in (projects(page) if page else {}).items():
            document = json.loads(text)
            quick = [deployment(it["name"], it["scheduler"]) | it for it in document["deployments"]]
            (self.folder / name).write_text(json.dumps({**document, "deployments": quick}))

    def fault(self, command: str) -> str:
        """Return what is wrong with the command; "" if it works."""
        for name in ("P", "project.weir.json"):
            (self.folder / name).write_text(project(self.page, "weir rate" in command or "--goal p99" in command))
        shown = command
        for pattern, replacement in REWRITTEN:
            shown = re.sub(pattern, replacement, shown)
        example = re.search(r"weir run (examples/\S+\.weir\.json)", shown)
        if example:
            shown += f" {shlex.join(unoptimised(ROOT / example[1]))}"
        for kind in ("scheduler", "target", "block"):
            shown = re.sub(rf"(?<=--{kind}-path )DIR", self._extensions(kind), shown)
            if self.page and self.page.stem.endswith(kind):  # write-a-target
                shown = re.sub(r"(?<=--extensions )DIR", self._extensions(kind), shown)
        sweep = re.search(r"weir sweep (?!.*--dry-run).*--out (\S+)", shown)
        measured = sweep and self.everything and "--quick" in shown
        if sweep and not measured and self.made:
            shown = shown.replace(" --resume", "") + " --dry-run"
        written = sweep or re.search(r" -o (\S+\.\w+)|^mkdir (\w+)", shown)
        if written and "--resume" not in shown:
            self._remove(self.folder / (written[1] or written[2]))
        environment = dict(self.environment)
        if "--measure" in shown:  # speeds of a busy machine must not be kept for the user
            environment["XDG_CACHE_HOME"] = str(self.folder.parent / "cache")
        done = subprocess.run(["sh", "-c", shown], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        if sweep and not measured and self.made:
            shutil.copytree(self.made / "sweep", self.folder / sweep[1])
        if "weir import" in command and written and (changes := deployments_shown(self.page)):
            imported = self.folder / written[1]
            imported.write_text(json.dumps(json.loads(imported.read_text()) | changes))
        verb = re.search(r"weir (\w+)", command)
        if done.returncode in ANSWERS.get(verb[1] if verb else "", (0,)) or RESTLESS in done.stderr:
            return ""
        return f"{command}\n  run as: {shown}\n  ended with {done.returncode}: {(done.stderr + done.stdout)[-1500:]}"

    def _extensions(self, kind: str) -> str:
        """Return the folder that the page made, or the tests' own."""
        text = self.page.read_text(encoding="utf-8") if self.page else ""
        found = re.search(rf"weir new {kind} \w+ -o (\S+?)[`\s]", text)
        return found[1] if found else f"codegen/tests/{kind}s"

    @staticmethod
    def _remove(path: Path) -> None:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


#: The least that an adopted program says about the flowgraph of `quickstart`.
REPORTED = {"schema_version": 1, "scheduler": "a loop", "sinks": [{"id": "sink", "items": 100_000_000}]}
#: Folder -> target of such programs, as the page about them names both.
PROGRAMS = {"mine": "two_threads", "ring/1": "two_threads", "queues/1": "queue"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make what pages may name: `runs` of P, a `sweep` of P, the direct run of a `generated` program, and PROGRAMS."""
    session = Session(tmp_path_factory.mktemp("made"))
    profiled = "--set /run/metrics=profile --set /run/items=200k"
    faults = [session.fault(it) for it in (
        "git init -q && git add P && git -c user.name=A -c user.email=a@b.invalid commit -q -m 'P as it is'",
        f"./weir run P --deployment flow --deployment static --repeat 2 --keep-trace {profiled}",
        f"./weir sweep P --out sweep --vary stages=3,5 --vary deployment=flow --repetitions 2 {profiled}",
        shlex.join(["./weir", "generate", "--build", "examples/quickstart.weir.json", "-o", "program",
                    *unoptimised(EXAMPLES / "quickstart.weir.json")]),
        "cd program && build/quickstart --items 200k --warmup-items 0 --out run")]
    assert not any(faults), "\n".join(filter(None, faults))
    for name, target in PROGRAMS.items():
        (session.folder / name).mkdir(parents=True)
        (session.folder / name / "results.json").write_text(json.dumps({**REPORTED, "runtime": {"target": target}}))
    return session.folder


COUNT: Counter[str] = Counter()
DONE: set[str] = set()


def run_page(page: Path, folder: Path, made: Path, everything: bool) -> None:
    """Run a page's commands in order and count their results. Report all failures together."""
    session, faults = Session(folder, page, made, everything), []
    for command in commands(page):
        if command.exception or command.slow:
            _is_taken(command.text)
        if command.exception:
            COUNT[command.exception] += 1
        elif command.slow and not everything:
            COUNT["left to --all"] += 1
        elif command.text in DONE and not everything:
            COUNT["run on another page"] += 1
        else:
            COUNT["run"] += 1
            DONE.add(command.text)
            faults.append(session.fault(command.text))
    assert not any(faults), "\n".join(filter(None, faults))


def _is_taken(command: str) -> None:
    """Check that the command line accepts the command, whether it runs here or not."""
    for words in re.findall(r"^(?:\./)?(weir (?!edit)[^…|\[]+)$|-- \./(weir .+)", command):
        verb, *rest = shlex.split("".join(words))[1:]
        cli.build_parser([verb, *rest]).parse_args([verb, *rest])


def pages() -> list[Path]:
    """Return the pages that have commands."""
    return [page for page in PAGES if commands(page)]


def projects(page: Path) -> dict[str, str]:
    """Return name -> text of the project files that a page shows in full after a line with their name."""
    return dict(re.findall(r"`(\w+\.weir\.json)`:\n\n```json\n(.*?)^```$", page.read_text(encoding="utf-8"),
                           re.MULTILINE | re.DOTALL))


def deployments_shown(page: Path | None) -> dict:
    """Return what a page shows to change in an imported project."""
    found = re.search(r"^```json\n(\{\n  \"deployments\".*?)^```$", page.read_text(encoding="utf-8") if page else "",
                      re.MULTILINE | re.DOTALL)
    return json.loads(found[1]) if found else {}


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_the_commands_of_a_page_do_what_it_says(page: Path, tmp_path: Path, made: Path) -> None:
    run_page(page, tmp_path, made, everything=False)


@pytest.mark.slow
@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_the_long_commands_of_a_page_do_too(page: Path, tmp_path: Path, made: Path) -> None:
    run_page(page, tmp_path, made, everything=True)


def test_what_became_of_the_commands(record_property) -> None:
    """Count the results, so that a growing share of commands that are not run is seen."""
    record_property("documents", f"commands of {len(pages())} pages: "
                    + ", ".join(f"{count} {kind}" for kind, count in COUNT.most_common()))
    every = [it for page in pages() for it in commands(page)]
    # Tests that a page names are run as tests, so they are not counted as left out.
    left_out = [it for it in every if it.exception and it.exception != "are the tests or a part of them"]
    assert len(left_out) < len(every) / 6
