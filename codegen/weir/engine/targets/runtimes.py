"""What a target's toolchain is told of the runtime that its programs are built on."""

from __future__ import annotations

from weir.diagnostics import WeirError, diagnostic
from weir.engine.targets.interface import Subject
from weir.model.installed import Found, look
from weir.sure import sure


def found(subject: Subject) -> Found:
    """Of the target's runtime. WeirError (E_RUNTIME_MISSING)."""
    runtime = subject.target.runtime
    it = look(runtime)
    if it.lacks:
        raise WeirError(diagnostic("E_RUNTIME_MISSING", subject.plan.deployment.pointer,
                                   f"{subject.scheduler.title} cannot run here: {it.lacks}", sure(runtime).install))
    return it
