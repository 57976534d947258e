"""The generated CMake project becomes a program: by the deployment's compiler, with its flags alone.

`-ffp-contract=off` among target.json's `words`: the same product of a and x in C++ and in numpy.
"""

from __future__ import annotations

import os

from weir.generation import cmake
from weir.generation.cpp.compiler import find_compiler
from weir.generation.cpp.errors import faults
from weir.targets.interface import Subject, Tools, Workshop

MADE_ANEW = cmake.MADE_ANEW
REFUSED = (cmake.PRELOADED,)


def find(subject: Subject) -> Tools:
    name, *flags = subject.words
    compiler = find_compiler(name, flags)
    return Tools(compiler.version, (name, *flags), compiler.identity, {"compiler": compiler.path})


def build(shop: Workshop) -> None:
    program, environment = cmake.find_cmake(), cmake.build_environment(shop.directory)
    shop.say("configuring")
    shop.step([program, "-S", str(shop.directory), "-B", str(shop.folder),
               *cmake.configure_arguments(shop.tools.paths["compiler"])], faults=faults, environment=environment)
    shop.say("compiling")
    # From the start: what an earlier build has left may be damaged, and sources that stay keep their times.
    shop.step([program, "--build", str(shop.folder), "--clean-first", "--parallel",
               str(len(os.sched_getaffinity(0)))], faults=faults, environment=environment)
