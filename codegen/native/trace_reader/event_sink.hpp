// The end of the Babeltrace graph: turns messages into records, and counts the events that the tracer discarded.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <babeltrace2/babeltrace.h>

#include "record.hpp"

namespace weir::reader {

class EventSink {
  public:
    struct StreamCounts {
        std::uint64_t id = 0;
        std::int16_t cpu = -1;
        std::uint64_t events = 0, discarded_events = 0, discarded_packets = 0;
        std::uint64_t discarded_counter = 0;  ///< of the latest packet
    };

    /// Writes records of the events in `wanted`, one bit for each position in kEvents, to `file`.
    EventSink(int file, std::uint32_t wanted);

    /// Takes one message. Returns false on an error, which `error` describes.
    bool take(const bt_message* message);
    /// Writes buffered records.
    bool flush();

    const std::string& error() const noexcept { return error_; }
    const std::vector<StreamCounts>& streams() const noexcept { return streams_; }

  private:
    static constexpr std::size_t kBuffered = 8192;
    static constexpr std::uint64_t kNone = UINT64_MAX;

    /// Positions of the fields in an event class's payload, looked up once per class.
    struct EventClass {
        Event event{};
        bool wanted = false;
        std::uint64_t id = kNone, value = kNone, since_ns = kNone;  ///< positions in the payload
        std::uint64_t thread = kNone;                               ///< position in the common context
    };

    bool take_event(const bt_message* message);
    bool take_discarded_events(const bt_message* message);
    bool take_discarded_packets(const bt_message* message);
    void note_cpu(const bt_packet* packet);
    StreamCounts& counts_of(const bt_stream* stream);
    const EventClass* class_of(const bt_event* event);
    bool find_fields(const bt_event* event, EventClass& found);
    bool find_field(const bt_event* event, const char* name, std::uint64_t& position);
    bool fail(std::string why);

    int file_;
    std::uint32_t wanted_;
    std::vector<Record> records_;
    std::vector<StreamCounts> streams_;
    std::unordered_map<const bt_stream*, std::size_t> stream_index_;
    std::unordered_map<const bt_event_class*, EventClass> classes_;
    std::string error_;
};

}  // namespace weir::reader
