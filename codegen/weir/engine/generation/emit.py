"""Generate a self-contained project from a plan: rendered templates, and copies of the runtime and the used blocks.

Templates have the layout, the target's `view.py` the logic. Text of a project passes through an escape filter of the
language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from weir import ROOT, __version__
from weir.diagnostics import WeirError, diagnostic, trying
from weir.engine.generation import source_map
from weir.engine.generation.source_map import Marks, Region
from weir.engine.generation.text import markdown
from weir.engine.generation.tree import MANIFEST, put_tree
from weir.engine.targets.code import code_of, guarded
from weir.engine.targets.interface import GenerationInput
from weir.model.catalog import Catalog
from weir.model.document import jsontext
from weir.model.document.project import Project
from weir.model.ownership import sha256
from weir.model.planning.plan import Plan, without_decoration

if TYPE_CHECKING:
    import jinja2

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Source:
    """One file of a generated project. `origin` is its template or original file, relative to its root."""

    data: bytes
    origin: str
    origin_hash: str


def generate(plan: Plan, project: Project, catalog: Catalog) -> dict[str, bytes]:
    """Return the files of the generated project by relative path, the manifest included.

    Raises WeirError if a source is missing, two files have the same path, the target's code fails (E_TARGET_CODE), or
    the target does not support the plan's schedule (E_SCHEDULE_TARGET).
    """
    subject, marks = GenerationInput(plan, project, catalog), Marks(plan)
    if plan.schedule is not None and not subject.target.schedules:
        raise WeirError(diagnostic("E_SCHEDULE_TARGET", plan.deployment.pointer,
                                   f"`{plan.scheduler}` makes its schedule in advance, and the target "
                                   f"`{plan.target}` generates no code for such a schedule"))
    rendered, regions, included = _rendered(subject, marks)
    copied = _copied(subject)
    regions |= _regions_of_copies(subject, copied, marks)
    own = {}
    for name, document in (("plan.json", plan.as_json()), ("project.json", without_decoration(project.document)),
                           (source_map.FILE, source_map.as_json(regions))):
        text = jsontext.write(document).encode()
        own[name] = Source(text, "", sha256(text))
    sources = {**copied, **rendered, **own}
    _check_places(copied, {**rendered, **own, MANIFEST: Source(b"", "", "")})
    files = {path: sources[path].data for path in sorted(sources)}
    files[MANIFEST] = jsontext.write(_manifest(subject, sources, included)).encode()
    return files


def _check_places(copied: Mapping[str, Source], others: Mapping[str, Source]) -> None:
    """Raise WeirError if two files have the same path, or one file is the folder of another."""
    places = {**copied, **others}
    for name in places:
        pairs = [(copied.get(name), others.get(name)),
                 *((places.get(str(parent)), places[name]) for parent in PurePosixPath(name).parents)]
        for one, other in pairs:
            if one and other:
                raise WeirError(diagnostic("E_DESCRIPTOR_DUPLICATE", "", f"{one.origin} and "
                                           f"{other.origin or 'a file of Weir'} conflict at {name}",
                                           "change `output` or `to` in target.json"))


def _manifest(subject: GenerationInput, sources: Mapping[str, Source], included: Mapping[str, str]) -> dict[str, Any]:
    plan, (compiler, *flags) = subject.plan, subject.words or ("",)
    return {
        "format": 1,
        "weir_version": __version__,
        "target": plan.target,
        "program": subject.target.program_of(plan.project),
        "project": plan.project,
        "deployment": plan.deployment.name,
        "project_hash": plan.project_hash,
        "machine_hash": plan.machine_hash,
        **({"profile_hash": plan.profile.hash} if plan.profile else {}),
        "plan_hash": plan.hash,
        "compiler": compiler,
        "flags": flags,
        "templates": {**{s.origin: s.origin_hash for _, s in sorted(sources.items()) if s.origin.endswith(".j2")},
                      **included},
        "files": {path: sha256(source.data) for path, source in sorted(sources.items())},
    }


def _rendered(subject: GenerationInput,
              marks: Marks) -> tuple[dict[str, Source], dict[str, list[Region]], dict[str, str]]:
    """Return the rendered files, their regions, and the hashes of included shared templates."""
    import jinja2

    target = subject.target
    view = code_of(target, "view", "context")
    environment = jinja2.Environment(  # shared templates are beside this file
        loader=jinja2.FileSystemLoader([target.folder, HERE]), undefined=jinja2.StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True, autoescape=False)
    environment.filters.update(getattr(view, "FILTERS", {}), markdown=markdown)
    environment.globals.update(begin=marks.begin, end=marks.end)
    rendered: dict = {}
    regions: dict = {}
    included: dict = {}
    with guarded(target):
        context = view.context(subject)
        for entry in target.descriptor["files"]:
            if "if" in entry and not context[entry["if"]]:
                continue
            try:
                template = environment.get_template(entry["template"])
            except UnicodeDecodeError as error:
                file = target.folder / entry["template"]
                raise WeirError(diagnostic("E_TARGET_CODE", "", f"{file}: {error}")) from None
            marked = template.render(context)
            text, regions[entry["output"]] = marks.taken_out(entry["output"], marked)
            data = _read(target.folder / entry["template"])
            rendered[entry["output"]] = Source(text.encode(), f"{target.id}/{entry['template']}", sha256(data))
            included |= _shared_by(data, target.folder, environment)
    return rendered, regions, included


def _shared_by(template: bytes, own: Path, environment: jinja2.Environment) -> dict[str, str]:
    """Return the shared templates that a template includes, directly or not, with hashes. `own` is the target's folder.
    """
    import jinja2.meta

    found: dict[str, str] = {}
    for name in jinja2.meta.find_referenced_templates(environment.parse(template.decode())):
        if name is not None and (HERE / name).is_file() and not (own / name).exists():
            shared = _read(HERE / name)
            found |= {name: sha256(shared), **_shared_by(shared, own, environment)}
    return found


def _regions_of_copies(subject: GenerationInput, copied: Mapping[str, Source], marks: Marks) -> dict[str, list[Region]]:
    """Return one region per copied file of a block or the scheduler, as long as the file."""
    regions = {}
    for path, source in copied.items():
        folder, lines = Path(source.origin).parent, (1, max(source.data.count(b"\n"), 1))
        if folder == subject.scheduler.code_folder:
            regions[path] = [marks.region(path, lines, "scheduler", subject.scheduler.id, ())]
        for block in subject.blocks:
            if folder == block.folder:
                regions[path] = [marks.region(path, lines, "header", block.id, subject.instances_of(block.id))]
    return regions


def _copied(subject: GenerationInput) -> dict[str, Source]:
    """Return the target's `copies` by path. `{id}` in a path is the id of the block or the scheduler."""
    copied: dict[str, Source] = {}
    for entry in subject.target.descriptor.get("copies", []):
        for owner, folder in _folders(subject, entry["from"]):
            for path in sorted(p for pattern in entry["files"] for p in folder.glob(pattern) if p.is_file()):
                data = _read(path)
                name = str(PurePosixPath(entry["to"].replace("{id}", owner), path.name))
                if name in copied and copied[name].data != data:
                    raise WeirError(diagnostic("E_DESCRIPTOR_DUPLICATE", "",
                                               f"{path} and {copied[name].origin} would both become {name}"))
                copied[name] = Source(data, str(path), sha256(data))
    return copied


def _folders(subject: GenerationInput, where: str) -> list[tuple[str, Path]]:
    """Return (id, folder) of everything that `from` of a copy names."""
    match where:
        case "blocks":
            return [(block.id, block.folder) for block in subject.blocks]
        case "scheduler":
            return [(subject.scheduler.code_of, subject.scheduler.code_folder)]
        case "target":
            return [(subject.target.id, subject.target.folder)]
        case _:
            return [("", ROOT / where)]


def _read(path: Path) -> bytes:
    with trying(f"read {path}"):
        return path.read_bytes()


def write_tree(files: Mapping[str, bytes], directory: Path) -> None:
    """Write a generated project to `directory`. If that fails, raises WeirError and changes nothing.

    In a project that Weir generated there before, Weir replaces only its own files; `build` and other files stay.
    """
    with trying(f"write {directory}"):
        put_tree(files, directory)
