// What the reader writes: records of 40 bytes on standard output, in the order of time, then one JSON object on
// standard error. codegen/weir/engine/measuring/event_stream.py reads both; its dtype is this struct.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weir::reader {

/// One event, in the byte order of the machine.
struct Record {
    std::int64_t time_ns;        ///< CLOCK_MONOTONIC, as recorded
    std::uint64_t value;         ///< k (tx, rx), items (work_exit), block (steal), else 0
    std::int64_t since_ns;  ///< tx of a paced source: when it was due; rx: when the call that took it began; else 0
    std::uint32_t id;  ///< block index; worker index of park, unpark and steal
    std::int32_t thread;  ///< its id in the kernel; -1 where the trace does not say
    std::int16_t cpu;  ///< -1 where the trace does not say
    std::uint8_t event;  ///< position in kEvents
    std::uint8_t reserved[5];  ///< 0
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

inline constexpr EventLayout kEvents[] = {
    {"weir:tx", "block", "k", "scheduled_ns"}, {"weir:rx", "block", "k", "entry_ns"},
    {"weir:work_entry", "block", "", ""},      {"weir:work_exit", "block", "items", ""},
    {"weir:park", "worker", "", ""},           {"weir:unpark", "worker", "", ""},
    {"weir:steal", "worker", "block", ""},
};

}  // namespace weir::reader
