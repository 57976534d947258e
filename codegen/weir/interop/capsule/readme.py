"""README.md of a capsule, for readers who do not know Weir."""

from __future__ import annotations

from collections.abc import Mapping

from weir.interop.capsule.about import revision_words, title_of
from weir.interop.capsule.facts import words
from weir.interop.capsule.layout import CITATION, CODE, CRATE, INPUTS, MACHINE, REPORT, SOURCES, SUMS, SWEEP


def readme(about: Mapping, machine: Mapping, has_code: bool, has_inputs: bool) -> str:
    """Return the text of the capsule's README.md."""
    commit = str(about["weir_revision"] or "").partition("-")[0]
    code = (f"- `{CODE}/`: blocks, schedulers and targets that are not Weir's own, which the programs were compiled "
            "with\n" if has_code else "")
    inputs = f"- `{INPUTS}/`: the machine file or the costs of blocks that the programs were planned with\n" \
        if has_inputs else ""
    remarks = "".join(f"- {remark}\n" for remark in about["remarks"])
    return f"""# {title_of(about)}

{about["summary"]}

Weir is a program that measures signal-processing flowgraphs under several schedulers and runtimes. This is what it
measured, with what it takes to measure it again: from {about["measured"]["from"]} to {about["measured"]["to"]}, on
{words(machine)}, packed by Weir {about["weir_version"]}{revision_words(about)}.
{f'''
## To know first

{remarks}''' if remarks else ""}
## Look at it

- `{REPORT}/report.html`: tables and figures; open it in a browser
- `{SWEEP}/table.csv`: a row for each run
- `{about["project_file"]}`: the flowgraph and its deployments, beside the files that it reads
- `{SWEEP}/`: what was asked for, and of each run its results, its plan, and how it was made
{code}{inputs}- `{SOURCES}/`: Weir's own blocks, schedulers, targets and runtime that were used, to read and to compare
- `{MACHINE}`: the machine, and the versions of its programs
- `{CITATION}`, `{CRATE}`: how to cite it; what is in it, for repositories of data

`sha256sum -c {SUMS}` says whether all files are as they were.

## Measure it again

On Debian 12 or 13, in a copy of Weir{f" (commit {commit} has the same code)" if commit else ""}:

    ./weir reproduce CAPSULE.zip

It checks the hashes, {"asks before it compiles the code in this capsule, " if has_code else ""}builds the programs,
repeats the sweep, and says for each pair of contenders whether their order and their ratio are what they were. It does
not compare absolute numbers: another machine is faster or slower. The sweep was made, where it was made, by

    {about["commands"]["sweep"]}
"""
