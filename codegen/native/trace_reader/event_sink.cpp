#include "event_sink.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <optional>

#include <unistd.h>

namespace weir::reader {

namespace {

/// Return the value of an integer field of either sign; nothing for another field.
std::optional<std::uint64_t> integer(const bt_field* field) noexcept {
    const bt_field_class_type type = bt_field_get_class_type(field);
    if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)) {
        return bt_field_integer_unsigned_get_value(field);
    }
    if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)) {
        return static_cast<std::uint64_t>(bt_field_integer_signed_get_value(field));
    }
    return std::nullopt;
}

/// Return the position of an integer member of that name.
std::optional<std::uint64_t> integer_member(const bt_field* structure, const char* name) noexcept {
    if (structure == nullptr) return std::nullopt;
    const bt_field_class* type = bt_field_borrow_class_const(structure);
    for (std::uint64_t i = 0; i < bt_field_class_structure_get_member_count(type); ++i) {
        const auto* member = bt_field_class_structure_borrow_member_by_index_const(type, i);
        if (std::strcmp(bt_field_class_structure_member_get_name(member), name) != 0) continue;
        if (!integer(bt_field_structure_borrow_member_field_by_index_const(structure, i))) return std::nullopt;
        return i;
    }
    return std::nullopt;
}

std::uint64_t member(const bt_field* structure, std::uint64_t position) noexcept {
    return *integer(bt_field_structure_borrow_member_field_by_index_const(structure, position));
}

}  // namespace

EventSink::EventSink(int file, std::uint32_t wanted) : file_(file), wanted_(wanted) { records_.reserve(kBuffered); }

bool EventSink::take(const bt_message* message) {
    switch (bt_message_get_type(message)) {
        case BT_MESSAGE_TYPE_EVENT: return take_event(message);
        case BT_MESSAGE_TYPE_PACKET_BEGINNING:
            note_cpu(bt_message_packet_beginning_borrow_packet_const(message));
            return true;
        case BT_MESSAGE_TYPE_DISCARDED_EVENTS: return take_discarded_events(message);
        case BT_MESSAGE_TYPE_DISCARDED_PACKETS: return take_discarded_packets(message);
        default: return true;
    }
}

bool EventSink::take_event(const bt_message* message) {
    const bt_event* event = bt_message_event_borrow_event_const(message);
    StreamCounts& counts = counts_of(bt_event_borrow_stream_const(event));
    ++counts.events;
    const EventClass* type = class_of(event);
    if (type == nullptr) return false;
    if (!type->wanted) return true;

    const bt_field* payload = bt_event_borrow_payload_field_const(event);
    Record& record = records_.emplace_back();
    // The raw clock, CLOCK_MONOTONIC, which a paced source's scheduled time also uses.
    record.time_ns = static_cast<std::int64_t>(
        bt_clock_snapshot_get_value(bt_message_event_borrow_default_clock_snapshot_const(message)));
    record.event = type->event;
    record.id = static_cast<std::uint32_t>(member(payload, type->id));
    if (type->value != kNone) record.value = member(payload, type->value);
    if (type->since_ns != kNone) record.since_ns = static_cast<std::int64_t>(member(payload, type->since_ns));
    record.thread = -1;
    if (type->thread != kNone) {
        const bt_field* context = bt_event_borrow_common_context_field_const(event);
        record.thread = static_cast<std::int32_t>(member(context, type->thread));
    }
    record.cpu = counts.cpu;
    return records_.size() < kBuffered || flush();
}

bool EventSink::take_discarded_events(const bt_message* message) {
    std::uint64_t count = 1;  // at least one; the tracer does not report the number
    (void)bt_message_discarded_events_get_count(message, &count);
    StreamCounts& counts = counts_of(bt_message_discarded_events_borrow_stream_const(message));
    // A packet may have an older counter than the packet before. Then `count` is a negative number modulo 2^64.
    counts.discarded_counter += count;
    counts.discarded_events = std::max(counts.discarded_events, counts.discarded_counter);
    return true;
}

bool EventSink::take_discarded_packets(const bt_message* message) {
    std::uint64_t count = 1;
    (void)bt_message_discarded_packets_get_count(message, &count);
    counts_of(bt_message_discarded_packets_borrow_stream_const(message)).discarded_packets += count;
    return true;
}

void EventSink::note_cpu(const bt_packet* packet) {
    StreamCounts& counts = counts_of(bt_packet_borrow_stream_const(packet));
    const bt_field* context = bt_packet_borrow_context_field_const(packet);
    if (const auto position = integer_member(context, "cpu_id")) {
        counts.cpu = static_cast<std::int16_t>(member(context, *position));
    }
}

EventSink::StreamCounts& EventSink::counts_of(const bt_stream* stream) {
    const auto [found, is_new] = stream_index_.try_emplace(stream, streams_.size());
    if (is_new) streams_.push_back({.id = bt_stream_get_id(stream)});
    return streams_[found->second];
}

const EventSink::EventClass* EventSink::class_of(const bt_event* event) {
    const auto [found, is_new] = classes_.try_emplace(bt_event_borrow_class_const(event));
    if (is_new && !find_fields(event, found->second)) return nullptr;
    return &found->second;
}

bool EventSink::find_fields(const bt_event* event, EventClass& found) {
    const char* name = bt_event_class_get_name(bt_event_borrow_class_const(event));
    if (name == nullptr) return true;
    for (std::size_t i = 0; i < std::size(kEvents); ++i) {
        const EventLayout& layout = kEvents[i];
        if (std::strcmp(name, layout.name) != 0) continue;
        found.event = static_cast<Event>(i);
        found.wanted = ((wanted_ >> i) & 1U) != 0;
        if (!found.wanted) return true;
        if (bt_stream_class_borrow_default_clock_class_const(
                bt_stream_borrow_class_const(bt_event_borrow_stream_const(event))) == nullptr) {
            return fail("its events have no time");
        }
        const auto thread = integer_member(bt_event_borrow_common_context_field_const(event), "vtid");
        found.thread = thread.value_or(kNone);
        found.since_ns = integer_member(bt_event_borrow_payload_field_const(event), layout.since_ns).value_or(kNone);
        return find_field(event, layout.id, found.id) && find_field(event, layout.value, found.value);
    }
    return true;
}

bool EventSink::find_field(const bt_event* event, const char* name, std::uint64_t& position) {
    if (*name == '\0') return true;
    const auto found = integer_member(bt_event_borrow_payload_field_const(event), name);
    if (!found) {
        const char* of = bt_event_class_get_name(bt_event_borrow_class_const(event));
        return fail(std::string(of) + " has no integer field `" + name + "`");
    }
    position = *found;
    return true;
}

bool EventSink::flush() {
    const char* next = reinterpret_cast<const char*>(records_.data());
    std::size_t left = records_.size() * sizeof(Record);
    while (left > 0) {
        const ssize_t written = ::write(file_, next, left);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return fail(std::string("cannot write: ") + std::strerror(errno));
        next += written;
        left -= static_cast<std::size_t>(written);
    }
    records_.clear();
    return true;
}

bool EventSink::fail(std::string why) {
    error_ = std::move(why);
    return false;
}

}  // namespace weir::reader
