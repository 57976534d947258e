// weir-trace-reader TRACE [EVENT]...: writes the events of the provider `weir` below the folder TRACE as records of
// record.hpp. Without names (tx, rx, …) it writes all events. Memory does not grow with the trace. Exit code 0: read to
// the end; otherwise 1.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

#include "event_sink.hpp"

namespace weir::reader {

namespace {

template <auto put> struct Put {
    template <class T> void operator()(const T* object) const noexcept { put(object); }
};
using Graph = std::unique_ptr<const bt_graph, Put<bt_graph_put_ref>>;
using Plugin = std::unique_ptr<const bt_plugin, Put<bt_plugin_put_ref>>;
using Value = std::unique_ptr<const bt_value, Put<bt_value_put_ref>>;

/// Return the innermost cause of Babeltrace's last error, on one line; `otherwise` if it reports none.
std::string first_cause(const std::string& otherwise) {
    const bt_error* error = bt_current_thread_take_error();
    if (error == nullptr) return otherwise;
    std::string said = otherwise;
    if (bt_error_get_cause_count(error) > 0) {
        said = bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0));
    }
    bt_error_release(error);
    return said;
}

void require(bool succeeded, const char* what) {
    if (!succeeded) throw std::runtime_error(first_cause(what));
}

Plugin find_plugin(const char* name) {
    const bt_plugin* found = nullptr;
    (void)bt_plugin_find(name, BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, &found);
    require(found != nullptr, "Babeltrace's plugins are not installed");
    return Plugin(found);
}

/// Return the traces below `folder`: folders with a file `metadata`.
std::vector<std::string> traces_below(const std::filesystem::path& folder) {
    std::vector<std::string> traces;
    if (std::filesystem::is_regular_file(folder / "metadata")) traces.push_back(folder.string());
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_directory() && std::filesystem::is_regular_file(entry.path() / "metadata")) {
            traces.push_back(entry.path().string());
        }
    }
    std::sort(traces.begin(), traces.end());
    return traces;
}

Value inputs_of(const std::string& trace) {
    bt_value* parameters = bt_value_map_create();
    require(parameters != nullptr, "out of memory");
    Value owned(parameters);
    bt_value* inputs = nullptr;
    require(bt_value_map_insert_empty_array_entry(parameters, "inputs", &inputs) == 0 &&
                bt_value_array_append_string_element(inputs, trace.c_str()) == 0,
            "out of memory");
    return owned;
}

/// Consumes a batch of messages. Babeltrace calls this from C, so no exception may leave it.
bt_graph_simple_sink_component_consume_func_status consume(bt_message_iterator* iterator, void* data) noexcept {
    auto& sink = *static_cast<EventSink*>(data);
    bt_message_array_const messages = nullptr;
    std::uint64_t count = 0;
    const auto status = bt_message_iterator_next(iterator, &messages, &count);
    if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK) {
        return static_cast<bt_graph_simple_sink_component_consume_func_status>(status);
    }
    bool good = true;
    for (std::uint64_t i = 0; i < count; ++i) {
        try {
            good = good && sink.take(messages[i]);
        } catch (const std::exception&) {
            good = false;
        }
        bt_message_put_ref(messages[i]);
    }
    return good ? BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK
                : BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR;
}

void connect_all(bt_graph* graph, const bt_component_source* source, const bt_component_filter* muxer,
                 std::uint64_t& taken) {
    for (std::uint64_t i = 0; i < bt_component_source_get_output_port_count(source); ++i) {
        const bt_port_output* out = bt_component_source_borrow_output_port_by_index_const(source, i);
        // The muxer adds a free port whenever its last one is used.
        const bt_port_input* in = bt_component_filter_borrow_input_port_by_index_const(muxer, taken++);
        require(bt_graph_connect_ports(graph, out, in, nullptr) == 0, "the trace cannot be opened");
    }
}

void read(const std::filesystem::path& folder, EventSink& sink) {
    const std::vector<std::string> traces = traces_below(folder);
    if (traces.empty()) throw std::runtime_error("no trace was written");
    const Plugin ctf = find_plugin("ctf"), utils = find_plugin("utils");
    const auto* source_class = bt_plugin_borrow_source_component_class_by_name_const(ctf.get(), "fs");
    const auto* muxer_class = bt_plugin_borrow_filter_component_class_by_name_const(utils.get(), "muxer");
    require(source_class != nullptr && muxer_class != nullptr, "Babeltrace's plugins are not as they should be");

    bt_graph* graph = bt_graph_create(0);
    require(graph != nullptr, "out of memory");
    const Graph owned(graph);
    const bt_component_filter* muxer = nullptr;
    require(bt_graph_add_filter_component(graph, muxer_class, "muxer", nullptr, BT_LOGGING_LEVEL_NONE, &muxer) == 0,
            "the graph cannot be made");
    std::uint64_t ports = 0;
    for (const std::string& trace : traces) {
        const bt_component_source* source = nullptr;
        require(bt_graph_add_source_component(graph, source_class, trace.c_str(), inputs_of(trace).get(),
                                              BT_LOGGING_LEVEL_NONE, &source) == 0,
                "the trace cannot be opened");
        connect_all(graph, source, muxer, ports);
    }
    if (ports == 0) return;  // a program was traced, but no event of it
    const bt_component_sink* end = nullptr;
    require(bt_graph_add_simple_sink_component(graph, "events", nullptr, consume, nullptr, &sink, &end) == 0 &&
                bt_graph_connect_ports(graph, bt_component_filter_borrow_output_port_by_index_const(muxer, 0),
                                       bt_component_sink_borrow_input_port_by_index_const(end, 0), nullptr) == 0,
            "the graph cannot be made");
    const bool complete = bt_graph_run(graph) == BT_GRAPH_RUN_STATUS_OK;
    // Events before the damage are valid.
    const bool written = sink.flush();
    if (!sink.error().empty()) throw std::runtime_error(sink.error());
    require(complete && written, "the trace is damaged");
}

std::string quoted(const std::string& text) {
    std::string json = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') json += '\\';
        if (byte < 0x20 || byte == 0x7f) {
            json += ' ';
        } else {
            json += c;
        }
    }
    return json + '"';
}

void report(const EventSink& sink, const std::string& error) {
    std::string streams;
    for (const EventSink::StreamCounts& s : sink.streams()) {
        streams += (streams.empty() ? "{" : ", {") + std::string("\"id\": ") + std::to_string(s.id) +
                   ", \"cpu\": " + std::to_string(s.cpu) + ", \"events\": " + std::to_string(s.events) +
                   ", \"discarded_events\": " + std::to_string(s.discarded_events) +
                   ", \"discarded_packets\": " + std::to_string(s.discarded_packets) + "}";
    }
    std::fprintf(stderr, "{\"error\": %s, \"streams\": [%s]}\n", error.empty() ? "null" : quoted(error).c_str(),
                 streams.c_str());
}

/// Return a bit for each named event; all bits without names.
std::uint32_t wanted_events(int count, char** names) {
    if (count == 0) return ~0U;
    std::uint32_t wanted = 0;
    for (int i = 0; i < count; ++i) {
        const auto found = std::find_if(std::begin(kEvents), std::end(kEvents), [&](const EventLayout& layout) {
            return std::strcmp(std::strchr(layout.name, ':') + 1, names[i]) == 0;
        });
        if (found == std::end(kEvents)) throw std::runtime_error(std::string("no event `") + names[i] + "`");
        wanted |= 1U << (found - std::begin(kEvents));
    }
    return wanted;
}

}  // namespace

}  // namespace weir::reader

int main(int argc, char** argv) {
    using namespace weir::reader;
    if (argc < 2) {
        std::fputs("usage: weir-trace-reader TRACE [EVENT]...\n", stderr);
        return 2;
    }
    std::string error;
    EventSink sink(STDOUT_FILENO, 0);
    try {
        sink = EventSink(STDOUT_FILENO, wanted_events(argc - 2, argv + 2));
        read(argv[1], sink);
    } catch (const std::exception& exception) {
        error = exception.what();
    }
    report(sink, error);
    return error.empty() ? 0 : 1;
}
