// Interface of the probes for ctypes. A call answers with JSON text that is valid until the next call, or with a number.
// The runner calls it from one thread.
//
// The library needs the runtime's sources trace.cpp, trace_lttng.cpp, trace_memory.cpp and json_writer.cpp; see
// ../CMakeLists.txt. By hand, from the root of the repository:
//
//   g++ -std=c++20 -O2 -fPIC -shared -DWEIR_HAVE_LTTNG -Iruntime/include -Iruntime/src templates/companion/probes/*.cpp
//       runtime/src/{trace,trace_lttng,trace_memory,json_writer}.cpp -o libweir_companion.so
//       $(pkg-config --cflags --libs gnuradio-runtime lttng-ust)
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gnuradio/prefs.h>

#include "crashes.hpp"
#include "deadline.hpp"
#include "flattened.hpp"
#include "identity.hpp"
#include "session.hpp"
#include "weir/json_writer.hpp"

namespace weir::companion {

namespace {

std::string answer;

/// Answer with what `write` writes into an object, or with its exception as `error`.
template <class Write> const char* answered(Write write) {
    try {
        JsonWriter json;
        json.begin_object();
        write(json);
        json.end_object();
        answer = json.take();
    } catch (const std::exception& error) {
        JsonWriter json;
        json.begin_object();
        json.field("error", error.what());
        json.end_object();
        answer = json.take();
    }
    return answer.c_str();
}

Row& row_at(std::uint32_t number) { return *session().rows.at(number); }

/// Return the entry of a source, which is made if the block has none.
Arrival& arrival(Row& row, std::uint32_t source) {
    for (const auto& known : row.arrivals) {
        if (known->source == source) return *known;
    }
    row.arrivals.push_back(std::make_unique<Arrival>());
    row.arrivals.back()->source = source;
    row.arrivals.back()->key = key_of(source);
    return *row.arrivals.back();
}

TraceBackend backend(std::string_view name) {
    if (name == "lttng") return TraceBackend::lttng;
    return name == "memory" ? TraceBackend::memory : TraceBackend::off;
}

}  // namespace

}  // namespace weir::companion

using namespace weir::companion;  // NOLINT(google-build-using-namespace): of the functions below only

extern "C" {

/// Flatten a top block and make a row for each of its blocks. Answers with the flowgraph.
const char* weir_flatten(const char* top_symbol) {
    return answered([&](weir::JsonWriter& json) {
        const gr::flowgraph_sptr graph = flattened(top_symbol);
        make_rows(session(), *graph);
        describe(session(), *graph, json);
    });
}

/// Answer with the numbers of the rows within a hierarchical block. One of a single block answers with none, because
/// GNU Radio keeps no edge within it.
const char* weir_members(const char* symbol) {
    return answered([&](weir::JsonWriter& json) {
        std::vector<std::uint32_t> members;
        for (const gr::basic_block_sptr& block : flattened(symbol)->calc_used_blocks()) {
            for (const auto& row : session().rows) {
                if (row->block == block) members.push_back(row->number);
            }
        }
        json.field("members", members);
    });
}

/// Answer with the blocks that the top block has now and no row: they joined while the flowgraph ran.
const char* weir_joined(const char* top_symbol) {
    return answered([&](weir::JsonWriter& json) {
        std::vector<std::string> joined;
        for (const gr::basic_block_sptr& block : flattened(top_symbol)->calc_used_blocks()) {
            const auto has_row = [&](const auto& row) { return row->block == block; };
            if (gr::cast_to_block_sptr(block) && std::ranges::none_of(session().rows, has_row))
                joined.push_back(block->symbol_name());
        }
        json.field("joined", joined);
    });
}

/// Set the name by which a crash names the block.
void weir_name(std::uint32_t block, const char* name) { row_at(block).name = name; }

void weir_set_affinity(std::uint32_t block, const int* cpus, std::size_t count) {
    row_at(block).block->set_processor_affinity({cpus, cpus + count});
}
void weir_set_priority(std::uint32_t block, int priority) { row_at(block).priority = priority; }
/// Set the smallest and the largest size of each output buffer, in items; 0: as the program has it.
///
/// GNU Radio ignores the smallest size where a largest one is set, and makes no buffer larger than usual for the largest
/// one. A smallest size above the usual one is therefore set alone: the buffer then has it. Each port is set by its
/// number, because GNU Radio's functions for all ports skip blocks that may have any number of outputs.
void weir_set_output_buffer(std::uint32_t block, long least, long most) {
    constexpr long gnuradio_default = 32768;  // bytes
    static const long half = gr::prefs::singleton()->get_long("DEFAULT", "buffer_size", gnuradio_default);
    const Row& row = row_at(block);
    for (std::size_t port = 0; port < row.out.size(); ++port) {
        const auto which = static_cast<int>(port);
        const auto item = static_cast<long>(row.block->output_signature()->sizeof_stream_item(which));
        if (least > 0) row.block->set_min_output_buffer(which, least);
        if (most > 0) row.block->set_max_output_buffer(which, least > 2 * half / item ? -1 : most);
    }
}
void weir_set_max_noutput_items(std::uint32_t block, int items) { row_at(block).block->set_max_noutput_items(items); }

/// Send `tx` each `sends` items of the first output and `rx` each `receives` items of the first input; 0: none.
void weir_stamp(std::uint32_t block, std::uint64_t sends, std::uint64_t receives) {
    Row& row = row_at(block);
    row.sends.set(row.out.empty() ? 0 : sends);
    row.receives.set(row.in.empty() ? 0 : receives);
}
/// Add tags at the boundaries of the first output.
void weir_mark(std::uint32_t block) { row_at(block).mark_key = key_of(block); }
/// Look for identities of `source` among the items and PDUs that come.
void weir_look(std::uint32_t block, std::uint32_t source) { arrival(row_at(block), source); }
/// Send `tx` of number `event` for each PDU that comes without an identity, and give it one.
void weir_mark_messages(std::uint32_t block, std::uint32_t event) {
    Row& row = row_at(block);
    row.marks_messages_as = event;
    row.message_key = key_of(event);
}
/// Send `rx` of number `event` for the identities of `source`.
void weir_receive(std::uint32_t block, std::uint32_t source, std::uint32_t event) {
    Row& row = row_at(block);
    Arrival& of = arrival(row, source);
    of.event = event;
    of.received = row.receives_identities = true;
}
/// End the block after so many items of its first output, or of its first input if it has no output.
void weir_limit(std::uint32_t block, std::uint64_t items) { row_at(block).limit = items; }
/// Let a source emit no faster than so many items/s, in steps of `quantum_s` of them. Its `tx` have the times at which
/// their items were due.
void weir_pace(std::uint32_t block, double items_per_s, double quantum_s) {
    Row& row = row_at(block);
    row.pace = row.in.empty() && !row.out.empty() ? items_per_s : 0;
    row.pace_ns = static_cast<std::int64_t>(quantum_s * 1e9);
}

/// Hook all classes. Answers with the back-end of the trace. `capacity`: events that a thread may keep in memory.
const char* weir_hook(const char* trace, int profiled, std::uint64_t capacity) {
    return answered([&](weir::JsonWriter& json) {
        Session& of = session();
        of.capacity = capacity;
        of.tracer = weir::trace::make_tracer(backend(trace), {}, of.trace_note);
        for (const auto& row : of.rows) row->profiled = profiled != 0;
        of.hook();
        name_crashes();
        const weir::TraceBackend granted = of.tracer->backend();
        json.field("backend", granted == weir::TraceBackend::lttng    ? "lttng"
                              : granted == weir::TraceBackend::memory ? "memory"
                                                                      : "off");
        json.field("note", of.trace_note);
    });
}

/// End the block at its next call.
void weir_end(std::uint32_t block) { row_at(block).end.store(true, std::memory_order_relaxed); }
/// Return the items of the first output, or of the first input of a sink.
std::uint64_t weir_progress(std::uint32_t block) { return row_at(block).progress(); }
/// Return the items of all blocks, and their messages if asked for. The sum stands still where nothing happens.
std::uint64_t weir_activity(int with_messages) {
    std::uint64_t sum = 0;
    for (const auto& row : session().rows) sum += row->progress() + (with_messages != 0 ? row->messages.get() : 0);
    return sum;
}
/// Return the number of a block that threw, or -1.
std::int64_t weir_failed() {
    for (const auto& row : session().rows) {
        if (row->failed.load(std::memory_order_acquire)) return row->number;
    }
    return -1;
}

/// Print `text` and exit with `code` after `seconds`.
void weir_deadline(double seconds, const char* text, int code) { set_deadline(seconds, text, code); }
void weir_no_deadline() { set_deadline(0, "", 0); }

/// Answer with all counts.
const char* weir_counts() {
    return answered([](weir::JsonWriter& json) {
        const Session& of = session();
        json.field("events", of.tracer ? of.tracer->events() : 0);
        json.field("discarded", of.tracer ? of.tracer->discarded() : 0);
        write_counts(of, json);
    });
}

/// Write the events in memory to a file of records. Returns 0 or errno.
int weir_write_events(const char* path) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    for (const std::span<const weir::trace::Record> records : session().tracer->records())
        file.write(reinterpret_cast<const char*>(records.data()), static_cast<std::streamsize>(records.size_bytes()));
    file.close();
    return file ? 0 : errno;
}

}  // extern "C"
