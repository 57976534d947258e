"""Replacements of GNU Radio's blocks that need hardware, a network, a file or a window, or that only hold a rate.

A deployment requests them (`replace`, `windows`). The flowgraph of the project stays unchanged; only the program has
the replacements.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from weir.model.document.deployment import Deployment
from weir.model.document.digits import grouped
from weir.model.document.expressions import ExpressionError, Number, evaluate
from weir.model.flowgraph.graph import Graph, Instance

HARDWARE, THROTTLE, FILES = "hardware", "throttle", "files"
#: Values of `windows` of a deployment.
OFFSCREEN, SHOWN, REPLACED = "offscreen", "shown", "replaced"
#: Blocks that stand in for others. A source of noise or zeros has the item type of the block, a wire has its stream.
NOISE, ZEROS, NULL_SINK, WIRE, NOTHING = "noise", "zeros", "null sink", "wire", "nothing"

#: Types of blocks of devices and networks, without the word for source or sink. Most are of modules outside of GNU
#: Radio, whose block files need not be installed.
_DEVICES = re.compile(
    r"(?:uhd|osmosdr|rtlsdr|gr_?osmosdr|soapy|iio|plutosdr|limesdr|limesuiteng|bladerf|hackrf|airspy(?:hf)?|sdrplay3?"
    r"|fcd|fcdproplus|funcube|xtrx|rfspace|redpitaya|freesrp|perseus|audio|network|zeromq|zmqblocks|mqtt"
    r"|blks2_(?:tcp|udp)|blocks_(?:tcp|udp)|grnet)_\w+"
    r"|(?:blocks|pdu)_(?:socket|tuntap)_pdu|(?:udp|tcp)_(?:source|sink)|fcd\w*")
#: RFNoC: the blocks on the device, and those at which a stream leaves or enters the device.
_RECEIVER = "uhd_rfnoc_rx_streamer"
_ON_DEVICE = re.compile(r"uhd_(?:rfnoc|fpga)_\w+")
_STREAMERS = {_RECEIVER: "outputs", "uhd_rfnoc_tx_streamer": "inputs"}
#: Sources and sinks of recordings.
_RECORDINGS = re.compile(r"(?:blocks|gr|satnogs)_(?:file|wavfile|file_meta|tagged_file|ogg)_(?:source|sink)"
                         r"|sigmf_\w*(?:source|sink)\w*")
_WINDOWS = re.compile(r"(?:qtgui|wxgui|fosphor)_\w*|video_sdl_\w+")
#: GNU Radio 3.10 has no such windows.
_GONE = re.compile(r"wxgui_\w+")
_THROTTLES = frozenset(("blocks_throttle", "blocks_throttle2"))
_RATES = ("samp_rate", "sample_rate", "samplerate", "sampling_rate", "rate")
#: Item types for which GNU Radio has a source of noise.
_NOISY = ("c64", "f32", "i32", "i16", "u8")


@dataclass(frozen=True)
class Replacement:
    """A block and its replacement.

    `ports`: number of each connected port of a source or sink -> its item type. `rate`: expression of the rate at which
    a throttle holds the source, "" without a throttle. `unwired`: whether message connections are left out.
    """

    instance: str
    type: str
    by: str
    ports: Mapping[str, str]
    rate: str = ""
    unwired: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the entry of plan.json."""
        return {**asdict(self), "ports": dict(self.ports)}


def needs_hardware(instance: Instance) -> bool:
    """Return whether a block is GNU Radio's and needs a device or a network."""
    kind = instance.type
    return kind.of_gnuradio and bool(_ON_DEVICE.fullmatch(kind.id) or _DEVICES.fullmatch(kind.id)
                                     and not (kind.inputs and kind.outputs))


def is_gone(block_type: str) -> bool:
    """Return whether GNU Radio no longer has windows of this type, so that a null sink always replaces them."""
    return _GONE.fullmatch(block_type) is not None


def feeds_device(block_type: str) -> bool:
    """Return whether the outputs of blocks of this type are on a device, where no items pass here."""
    return block_type != _RECEIVER and _ON_DEVICE.fullmatch(block_type) is not None


def is_throttle(block_type: str) -> bool:
    """Return whether blocks of this type only hold a rate."""
    return block_type in _THROTTLES


def replacements(graph: Graph, deployment: Deployment) -> tuple[Replacement, ...]:
    """Return the replacements in a deployment, in the flowgraph's order."""
    free = THROTTLE in deployment.replace or any(is_throttle(it.type.id) for it in graph.instances)
    ends = {end for edge in graph.messages for end in (edge.src, edge.dst)}

    def found() -> Iterator[Replacement]:
        for it in graph.instances:
            if is_throttle(it.type.id):
                by = WIRE if THROTTLE in deployment.replace else None
            elif needs_hardware(it):
                by = _stand_in(graph, it) if HARDWARE in deployment.replace else None
            elif it.type.of_gnuradio and not (it.type.inputs and it.type.outputs) and _RECORDINGS.fullmatch(it.type.id):
                by = _stand_in(graph, it) if FILES in deployment.replace else None
            else:
                by = _window(it, deployment.windows)
            if by is not None:
                ports = _ports(graph, it) if by in (NOISE, ZEROS, NULL_SINK) else {}
                yield Replacement(it.name, it.type.id, by if ports or by == WIRE else NOTHING, ports,
                                  _rate(it) if by in (NOISE, ZEROS) and ports and not free else "", it.name in ends)

    return tuple(found())


def _stand_in(graph: Graph, instance: Instance) -> str:
    kind = instance.type
    if _ON_DEVICE.fullmatch(kind.id) and kind.id not in _STREAMERS:
        return NOTHING
    if kind.inputs and kind.id != _RECEIVER:
        return NULL_SINK
    return NOISE if set(_ports(graph, instance).values()) <= set(_NOISY) else ZEROS


def _window(instance: Instance, windows: str) -> str | None:
    kind = instance.type
    if not kind.of_gnuradio or kind.outputs or not (kind.inputs or "sink" in kind.id):
        return None  # not a display of data, but for example a button
    if not _WINDOWS.fullmatch(kind.id):
        return None
    return NULL_SINK if windows == REPLACED or is_gone(kind.id) else None


def _ports(graph: Graph, instance: Instance) -> dict[str, str]:
    """Return number -> item type of the connected ports of a source, or of a sink."""
    side = _STREAMERS.get(instance.type.id) or ("inputs" if instance.type.inputs else "outputs")
    edges = graph.into[instance.name] if side == "inputs" else graph.out_of[instance.name]
    numbers = {port.id: str(number) for number, port in enumerate(getattr(instance.type, side))}
    found: dict[str, str] = {}
    for edge in edges:
        both = (graph.by_name[edge.src].type.output(edge.src_port), graph.by_name[edge.dst].type.input(edge.dst_port))
        known = [port.type for port in both if port and not port.type.startswith("any")]
        number = numbers[edge.dst_port if side == "inputs" else edge.src_port]
        # Item types of blocks without a block file are unknown. Most such devices have complex samples.
        if known or number not in found:
            found[number] = known[0] if known else "c64"
    return dict(sorted(found.items(), key=lambda it: int(it[0])))


def _rate(instance: Instance) -> str:
    return next((text for name in _RATES if (text := str(instance.parameters.get(name) or "").strip())), "")


def said(replaced: Iterable[Mapping[str, Any]], parameters: Mapping[str, Number]) -> list[str]:
    """Return a sentence for each replacement in a plan.json. `parameters`: of the project, for values of rates."""
    return [_said(it, parameters) for it in replaced]


def _said(one: Mapping[str, Any], parameters: Mapping[str, Number]) -> str:
    name = f"`{one['instance']}` ({one['type']}) is "
    if one["by"] == NOTHING:
        return f"{name}left out" + (", and so are its messages" if one["unwired"] else "")
    types = " and ".join(dict.fromkeys(one["ports"].values()))
    by = {NOISE: f"noise of {types}", ZEROS: f"zeros of {types}", NULL_SINK: "a null sink", WIRE: "a wire"}[one["by"]]
    rate = f" at {_shown(one['rate'], parameters)} items/s" if one["rate"] else ""
    return (f"{name}replaced by {by}{rate}"
            + (", and its messages are left out" if one["unwired"] else ""))


def _shown(rate: str, parameters: Mapping[str, Number]) -> str:
    """Return the value of a rate, or its expression if only GNU Radio can evaluate this."""
    try:
        value = evaluate(rate, parameters)
    except ExpressionError:
        return rate
    return grouped(int(value) if value == int(value) else value)


def throttled(plan: Mapping[str, Any]) -> list[str]:
    """Return the throttles that hold the rate of a run, from its plan.json."""
    replaced = {it["instance"]: it for it in plan.get("replaced", ())}
    left = [f"`{name}`" for name in (it["instance"] for it in plan["blocks"] if is_throttle(it["type"]))
            if name not in replaced]
    return [*left, *(f"the throttle behind `{it['instance']}`" for it in replaced.values() if it["rate"])]
