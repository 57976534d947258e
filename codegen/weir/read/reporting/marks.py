"""What a reader can point at in a figure: a value of it and its words, as a title that any browser shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from weir.read.reporting.render import escaped

#: Of what the pointer has to hit, in points.
RADIUS = 7


@dataclass(frozen=True)
class Mark:
    """`x`, `y`: where, as the axes of that number count; `words`: what is there."""

    x: float
    y: float
    words: str
    axes: int = 0


def marked(svg: bytes, figure: Figure, marks: Sequence[Mark]) -> bytes:
    """The figure, which was just drawn, with its marks on top: they are not seen, and are hit."""
    if not marks:
        return svg
    width, height = figure.get_size_inches() * 72
    circles = []
    for mark in marks:
        at = figure.axes[mark.axes].transData.transform((mark.x, mark.y))
        right, up = figure.transFigure.inverted().transform(at)
        circles.append(f'<circle cx="{right * width:.1f}" cy="{(1 - up) * height:.1f}" r="{RADIUS}" fill-opacity="0">'
                       f"<title>{escaped(mark.words)}</title></circle>")
    layer = '<g class="marks">\n' + "\n".join(circles) + "\n</g>\n"
    head, end, tail = svg.decode().rpartition("</svg>")
    return (head + layer + end + tail).encode()
