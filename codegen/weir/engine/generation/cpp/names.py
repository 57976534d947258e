"""C++ names of instances and streams: readable, unique, and not reserved by the language or a header."""

from __future__ import annotations

import re
from collections.abc import Iterable

_KEYWORDS = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl
    concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete
    do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast
    requires return short signed sizeof static static_assert static_cast struct switch template this thread_local throw
    true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq final override
    import module
""".split()
# Lower-case macros of the standard headers, GNU dialects included.
_MACROS = """
    assert complex errno i386 linux major makedev math_errhandling minor noreturn offsetof sa_handler sa_sigaction
    sched_priority setjmp st_atime st_ctime st_mtime stderr stdin stdout unix va_arg va_copy va_end va_start
    volk_log2to10factor
""".split()
_MEMBERS = """
    at connect feed i list n out parameters placed places plan row std streams table tasks top weir worker_schedules
""".split()
RESERVED = frozenset(_KEYWORDS) | frozenset(_MACROS) | frozenset(_MEMBERS)


def identifier(text: str) -> str:
    """Return the nearest C++ identifier: stage[2]@p3 -> stage_2_p3. Avoids reserved words and double underscores."""
    word = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_") or "block"
    if word[0].isdigit():
        word = "n" + word
    return word + "_block" if word in RESERVED else word


def unique_identifiers(texts: Iterable[str]) -> dict[str, str]:
    """Return an identifier for each text; later duplicates get a number."""
    taken: set[str] = set()
    return {text: untaken(identifier(text), taken) for text in texts}


def untaken(base: str, taken: set[str]) -> str:
    """Return `base`, with a number appended if it is taken, and add it to `taken`."""
    name, number = base, 2
    while name in taken:
        name, number = f"{base}_{number}", number + 1
    taken.add(name)
    return name


def upper_camel(identifier: str) -> str:
    """Return the class name of a folder: fir_filter -> FirFilter."""
    return "".join(part[:1].upper() + part[1:] for part in identifier.split("_"))
