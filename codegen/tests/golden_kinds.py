"""One project and deployment for each kind of worker schedule and source, whose generated flowgraph is kept."""

from __future__ import annotations

from pathlib import Path

from planning import EXAMPLES, project

#: A repeated group with a repeated block, and a fork: the group's sink and a second one.
REPEATED = project(
    [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}}, {"id": "limit", "type": "head"},
     {"id": "gain", "type": "multiply_const", "parameters": {"constant": 2}},
     {"id": "more", "type": "add_const", "repeat": 4}, {"id": "sum", "type": "add"},
     {"id": "sink", "type": "digest_sink"}, {"id": "other", "type": "digest_sink"}],
    ["source.out > limit.in", "limit.out > gain.in", "gain.out > more.in", "more.out > sum.in0",
     "gain.out > sum.in1", "sum.out > sink.in", "sum.out > other.in"],
    groups=[{"id": "radio", "blocks": ["gain", "more", "sum"], "repeat": 3}], pipes=2,
    deployments=[{"name": "pool", "scheduler": "thread_pool", "workers": 2}],
    run={"items": 1000000, "trace": {"backend": "memory"}})

#: Decreasing rates: a loop within a loop before the crossing; after it a fork, and streams that share bytes.
SCHEDULED = project(
    [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
     {"id": "gain", "type": "multiply_const", "parameters": {"constant": 2}},
     {"id": "thin", "type": "keep_one_in_n", "parameters": {"n": 8}},
     {"id": "thinner", "type": "keep_one_in_n", "parameters": {"n": 8}},
     {"id": "rare", "type": "keep_one_in_n", "parameters": {"n": 64}},
     {"id": "more", "type": "add_const", "repeat": 3},
     {"id": "sink", "type": "digest_sink"}, {"id": "other", "type": "digest_sink"}],
    ["source.out > gain.in", "gain.out > thin.in", "thin.out > thinner.in", "thinner.out > rare.in",
     "rare.out > more.in", "more.out > sink.in", "rare.out > other.in"],
    deployments=[{"name": "static", "scheduler": "static", "workers": 2, "chunk_items": 16,
                  "placement": {"strategy": "explicit", "map": {
                      "source": "w0", "gain": "w0", "thin": "w0", "thinner": "w0",
                      "rare": "w1", "more": "w1", "sink": "w1", "other": "w1"}}}],
    run={"items": 1000000, "trace": {"backend": "memory"}})

#: Two workers with a worker schedule, and one whose blocks work when they can: in place, and over two rings.
STEPPED = project(
    [{"id": "source", "type": "counter_source", "parameters": {"item_type": "c64"}},
     {"id": "gain", "type": "saxpy", "repeat": 2}, {"id": "rand", "type": "copy_rand"},
     {"id": "scale", "type": "multiply_const", "parameters": {"constant": 2}},
     {"id": "parts", "type": "complex_to_real_imag"},
     {"id": "thin", "type": "keep_one_in_n", "parameters": {"n": 8}}, {"id": "sink", "type": "digest_sink"},
     {"id": "other", "type": "digest_sink"}],
    ["source.out > gain.in", "gain.out > rand.in", "rand.out > scale.in", "scale.out > parts.in",
     "parts.real > thin.in", "thin.out > sink.in", "parts.imag > other.in"],
    deployments=[{"name": "fused", "scheduler": "fused", "placement": {"strategy": "explicit", "map": {
        "source": "w0", "gain": "w0", "rand": "w1", "scale": "w1", "parts": "w1", "thin": "w2", "sink": "w2",
        "other": "w2"}}}],
    run={"items": 1000000, "trace": {"backend": "memory"}})

#: Chains that one thread runs one after the other.
DRAINED = project(
    [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}}, {"id": "limit", "type": "head"},
     {"id": "stage", "type": "copy_rand"}, {"id": "sink", "type": "digest_sink"}],
    ["source.out > limit.in", "limit.out > stage.in", "stage.out > sink.in"], pipes=3,
    deployments=[{"name": "drained", "scheduler": "drained", "workers": 2}],
    run={"items": 1000000, "trace": {"backend": "memory"}})

KINDS: dict[str, tuple[Path | dict, str]] = {
    "bound": (EXAMPLES / "quickstart.weir.json", "flow"),
    "threads": (EXAMPLES / "fork.weir.json", "thread_per_block"),
    "rates": (EXAMPLES / "fm_receiver.weir.json", "flow"),
    "repeated": (REPEATED, "pool"),
    "scheduled": (SCHEDULED, "static"),
    "stepped": (STEPPED, "fused"),
    "by_hand": (EXAMPLES / "saxpy_multi_core.weir.json", "by_hand"),
    "drained": (DRAINED, "drained"),
}

#: Kinds whose whole generated project is kept, except copied files; apart from their flowgraphs, others differ only in
#: names. The editor's tst_schedule.cpp reads the plan of `scheduled`.
WHOLE = ("bound", "scheduled", "by_hand")
