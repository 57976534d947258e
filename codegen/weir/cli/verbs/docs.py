"""weir docs: the documentation as a site."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from weir import ROOT
from weir.cli.verbs import add_common
from weir.diagnostics import WeirError, diagnostic, trying

GROUP = "extend"
HELP = "build the documentation as a searchable site, and open it"


def add_parser(sub: argparse._SubParsersAction) -> argparse.ArgumentParser:
    parser = sub.add_parser("docs", help=HELP, description=HELP)
    parser.add_argument("-o", "--output", metavar="DIR", type=Path,
                        help="folder of the site (default: ~/.cache/weir/docs)")
    add_common(parser, "--json")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.engine.generation.host import cache_folder, own_folder
    from weir.engine.generation.tree import put_tree

    site = _built()
    folder = args.output
    with trying(f"write {folder or 'the site'}"):
        if folder is None:
            folder = cache_folder().with_name("docs")
            with own_folder(folder):
                put_tree(site, folder)
        else:
            put_tree(site, folder)
    page = Path(os.path.abspath(folder)) / "index.html"
    print(json.dumps({"directory": str(folder), "page": str(page)}) if args.json else page)
    if not args.json:
        _open(page)
    return 0


def _built() -> dict[str, bytes]:
    """Return the files of the site by name. Raises WeirError without mkdocs, or if a page has a broken link."""
    if not importlib.util.find_spec("mkdocs"):
        raise WeirError(diagnostic("E_TOOL_MISSING", "", "mkdocs, which builds the site, is not installed",
                                   "on Debian: apt-get install mkdocs-material"))
    with tempfile.TemporaryDirectory(prefix="weir-docs-") as scratch:
        done = subprocess.run([sys.executable, "-I", "-B", "-m", "mkdocs", "build", "--quiet", "--strict",
                               "--config-file", str(ROOT / "mkdocs.yml"), "--site-dir", scratch],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode:
            raise WeirError(diagnostic("E_INTERNAL", "", f"the site cannot be built: {done.stderr.strip()[-1000:]}"))
        return {str(path.relative_to(scratch)): path.read_bytes()
                for path in sorted(Path(scratch).rglob("*")) if path.is_file()}


def _open(page: Path) -> None:
    """Show the page in the user's browser, if there is a display."""
    opener = shutil.which("xdg-open")
    if opener and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        subprocess.Popen([opener, str(page)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL, start_new_session=True)
