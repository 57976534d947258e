// An event as the reader writes it. Made by codegen/make_results.py of
// codegen/weir/engine/measuring/ctf_reader.py: not to be edited.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weir::reader {

enum class Event : std::uint8_t { tx, rx, work_entry, work_exit, park, unpark, steal };

/// One event, in the byte order of the machine.
struct Record {
    /// CLOCK_MONOTONIC
    std::int64_t time_ns;
    /// boundary k (tx, rx), items (work_exit), index of a job's first block (steal), else 0
    std::uint64_t value;
    /// tx of a paced source: due time of the boundary item; rx: start of the call of `work` that consumed it; else 0
    std::int64_t since_ns;
    /// index of the block (tx, rx, work_*) or of the worker (park, unpark, steal)
    std::uint32_t id;
    /// thread id in the kernel; -1 if unknown
    std::int32_t thread;
    /// -1 if unknown
    std::int16_t cpu;
    Event event;
    /// 0
    std::uint8_t reserved[5];
};
static_assert(sizeof(Record) == 40 && offsetof(Record, event) == 34);

/// A tracepoint of the provider `weir`, and which of its fields go where in a record; "": none does.
/// A trace may lack the one of since_ns.
struct EventLayout {
    const char* name;
    const char* id;
    const char* value;
    const char* since_ns;
};

/// By Event.
inline constexpr EventLayout kEvents[] = {
    {"weir:tx", "block", "k", "scheduled_ns"},
    {"weir:rx", "block", "k", "entry_ns"},
    {"weir:work_entry", "block", "", ""},
    {"weir:work_exit", "block", "items", ""},
    {"weir:park", "worker", "", ""},
    {"weir:unpark", "worker", "", ""},
    {"weir:steal", "worker", "block", ""},
};

}  // namespace weir::reader
