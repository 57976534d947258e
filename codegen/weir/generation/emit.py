"""Plan -> a project of its own: rendered templates, and copies of the runtime and of the blocks that it uses.

Templates hold layout, `flowgraph_view` the logic; text of a project passes through an escape filter of its language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from weir import __version__
from weir.catalog import ROOT, Catalog, Target
from weir.diagnostics import WeirError, diagnostic, os_error
from weir.document import jsontext
from weir.document.project import Project
from weir.generation import escape, flowgraph_view, source_map
from weir.generation.source_map import Marks, Region
from weir.generation.tree import MANIFEST, put_tree
from weir.ownership import sha256
from weir.planning.plan import Plan, without_decoration

@dataclass(frozen=True)
class Source:
    """One file of a generated project. `origin`: the template or file that it came from, relative to its root."""

    data: bytes
    origin: str
    origin_hash: str


def generate(plan: Plan, project: Project, catalog: Catalog, target: str | None = None) -> dict[str, bytes]:
    """The files of the generated project by relative path, the manifest included.

    WeirError when a source is missing.
    """
    chosen = catalog.targets.get(target or plan.deployment.target)
    if chosen is None:
        raise WeirError(diagnostic("E_TARGET_UNKNOWN", "", f"there is no target `{target}`"))
    marks = Marks(plan)
    rendered, regions = _rendered(plan, project, catalog, chosen, marks)
    copied = _copied(plan, catalog, chosen)
    regions |= _regions_of_copies(plan, catalog, copied, marks)
    sources = {**copied, **rendered}
    for name, document in (("plan.json", plan.as_json()), ("project.json", without_decoration(project.document)),
                           (source_map.FILE, source_map.as_json(regions))):
        text = jsontext.write(document).encode()
        sources[name] = Source(text, "", sha256(text))
    files = {path: sources[path].data for path in sorted(sources)}
    files[MANIFEST] = jsontext.write(_manifest(plan, chosen, sources)).encode()
    return files


def _manifest(plan: Plan, target: Target, sources: Mapping[str, Source]) -> dict[str, object]:
    return {
        "format": 1,
        "weir_version": __version__,
        "target": target.id,
        "project": plan.project,
        "deployment": plan.deployment.name,
        "project_hash": plan.project_hash,
        "machine_hash": plan.machine_hash,
        "plan_hash": plan.hash,
        "compiler": plan.build.compiler,
        "flags": list(flowgraph_view.flags(plan.build)),
        "templates": {s.origin: s.origin_hash for _, s in sorted(sources.items()) if s.origin.endswith(".j2")},
        "files": {path: sha256(source.data) for path, source in sorted(sources.items())},
    }


def _rendered(plan: Plan, project: Project, catalog: Catalog, target: Target,
              marks: Marks) -> tuple[dict[str, Source], dict[str, list[Region]]]:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(target.folder), undefined=jinja2.StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True, autoescape=False)
    environment.filters.update(flowgraph_view.FILTERS, cmake=escape.cmake, markdown=escape.markdown)
    environment.globals.update(begin=marks.begin, end=marks.end)
    context = flowgraph_view.context(plan, catalog, project.title, project.description)
    rendered, regions = {}, {}
    for entry in target.descriptor["files"]:
        template = target.folder / entry["template"]
        marked = environment.get_template(entry["template"]).render(context)
        text, regions[entry["output"]] = marks.taken_out(entry["output"], marked)
        rendered[entry["output"]] = Source(text.encode(), f"{target.id}/{entry['template']}", sha256(_read(template)))
    return rendered, regions


def _regions_of_copies(plan: Plan, catalog: Catalog, copied: Mapping[str, Source],
                       marks: Marks) -> dict[str, list[Region]]:
    """Headers of blocks and of the scheduler: a region each, as long as the file."""
    regions = {}
    for path, source in copied.items():
        folder, lines = Path(source.origin).parent, (1, max(source.data.count(b"\n"), 1))
        if folder == catalog.schedulers[plan.scheduler].folder:
            regions[path] = [marks.region(path, lines, "scheduler", plan.scheduler, ())]
        for block in flowgraph_view.used_blocks(plan, catalog):
            if folder == block.folder:
                regions[path] = [marks.region(path, lines, "header", block.id,
                                              flowgraph_view.instances_of(plan, block.id))]
    return regions


def _copied(plan: Plan, catalog: Catalog, target: Target) -> dict[str, Source]:
    """`copies` of the target: from a folder of Weir, from the scheduler's or from those of the used blocks."""
    folders = {"scheduler": [catalog.schedulers[plan.scheduler].folder],
               "blocks": [block.folder for block in flowgraph_view.used_blocks(plan, catalog)]}
    copied: dict[str, Source] = {}
    for entry in target.descriptor.get("copies", []):
        for folder in folders.get(entry["from"], [ROOT / entry["from"]]):
            for path in sorted(p for pattern in entry["files"] for p in folder.glob(pattern)):
                data = _read(path)
                name = f"{entry['to']}/{path.name}"
                if name in copied and copied[name].data != data:
                    raise WeirError(diagnostic("E_DESCRIPTOR_DUPLICATE", "",
                                               f"{path} and {copied[name].origin} would both become {name}"))
                copied[name] = Source(data, str(path), sha256(data))
    return copied


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise WeirError(os_error(error, f"read {path}")) from None


def write_tree(files: Mapping[str, bytes], directory: Path) -> None:
    """Puts a generated project where `directory` says. WeirError when it cannot; nothing has changed then.

    In a project that Weir generated there before only its files are replaced; `build` and whatever else is there stay.
    """
    try:
        put_tree(files, directory)
    except OSError as error:
        raise WeirError(os_error(error, f"write {directory}")) from None
