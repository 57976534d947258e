#include "flattened.hpp"

#include <cxxabi.h>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>
#include <typeinfo>

#include <gnuradio/block_detail.h>
#include <gnuradio/block_registry.h>
#include <gnuradio/hier_block2.h>

#include "session.hpp"
#include "weir/json_writer.hpp"

namespace weir::companion {

namespace {

using Layout = JsonWriter::Layout;

std::string class_of(const gr::block& block) {
    const std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(typeid(block).name(), nullptr, nullptr, nullptr), std::free);
    return name ? name.get() : typeid(block).name();
}

/// Ports of a block that the flowgraph connects.
struct Ports {
    int inputs = 0;
    int outputs = 0;
};

void describe(const Row& row, JsonWriter& json) {
    gr::block& block = *row.block;
    json.begin_object();
    json.field("number", row.number);
    json.field("symbol", block.symbol_name());
    json.field("id", block.unique_id());
    json.field("class", class_of(block));
    json.field("inputs", row.in.size());
    json.field("outputs", row.out.size());
    json.field("fixed_rate", block.fixed_rate());
    json.field("interpolation", block.relative_rate_i());
    json.field("decimation", block.relative_rate_d());
    json.end_object();
}

void write_port(const Port& port, bool profiled, std::uint64_t calls, JsonWriter& json) {
    json.begin_object(Layout::line);
    json.field("items", port.items.get());
    json.field("buffer_items", port.capacity);
    if (profiled && calls > 0 && port.capacity > 0) {
        const auto capacity = static_cast<double>(port.capacity);
        json.field("fill_mean", static_cast<double>(port.fill_sum.get()) / static_cast<double>(calls) / capacity);
        json.field("fill_max", static_cast<double>(port.fill_max.get()) / capacity);
    } else {
        json.null_field("fill_mean");
        json.null_field("fill_max");
    }
    json.end_object();
}

void write_granted(const Row& row, JsonWriter& json) {
    json.key("granted");
    if (!row.adopted.load(std::memory_order_acquire)) {
        json.null();
        return;
    }
    const Granted& granted = row.granted;
    json.begin_object(Layout::line);
    std::vector<int> cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &granted.cpus)) cpus.push_back(cpu);
    }
    json.field("affinity", cpus);
    json.field("policy", granted.policy == SCHED_FIFO ? "fifo" : granted.policy == SCHED_RR ? "rr" : "other");
    json.field("priority", granted.priority);
    json.field("priority_error", granted.priority_error);
    json.end_object();
}

void write_gnuradio(gr::block& block, JsonWriter& json) {
    const gr::block_detail_sptr detail = block.detail();
    json.key("gnuradio");
    if (!detail) {
        json.null();
        return;
    }
    json.begin_object();
    std::vector<std::uint64_t> read;
    std::vector<std::uint64_t> written;
    std::vector<std::uint64_t> buffers;
    for (int port = 0; port < detail->ninputs(); ++port)
        read.push_back(detail->nitems_read(static_cast<unsigned>(port)));
    std::vector<long> smallest;
    std::vector<long> largest;
    for (int port = 0; port < detail->noutputs(); ++port) {
        written.push_back(detail->nitems_written(static_cast<unsigned>(port)));
        buffers.push_back(detail->output(static_cast<unsigned>(port))->bufsize());
        smallest.push_back(block.min_output_buffer(static_cast<std::size_t>(port)));
        largest.push_back(block.max_output_buffer(static_cast<std::size_t>(port)));
    }
    json.field("read", read);
    json.field("written", written);
    json.field("output_buffers", buffers);
    json.field("min_output_buffer", smallest);
    json.field("max_output_buffer", largest);
    json.key("max_noutput_items");
    if (block.is_set_max_noutput_items()) json.value(block.max_noutput_items());
    else json.null();
    json.end_object();
}

void write_counts(const Row& row, JsonWriter& json) {
    json.begin_object();
    json.field("number", row.number);
    json.field("hooked", row.work != nullptr && row.not_hooked.empty());
    json.field("not_hooked", row.not_hooked);
    json.field("calls", row.calls.get());
    json.field("empty_calls", row.empty.get());
    json.field("inside", row.begun.get() != row.ended.get());
    json.field("thread", row.thread_id.load(std::memory_order_relaxed));
    json.field("starting", row.starting.load(std::memory_order_relaxed));
    json.field("messages", row.messages.get());
    json.key("cpu_s");
    if (const std::uint64_t cpu_ns = row.cpu_ns.get(); cpu_ns > 0) json.value(static_cast<double>(cpu_ns) / 1e9);
    else json.null();
    json.key("work_s");
    if (row.profiled) json.value(static_cast<double>(row.work_ns.get()) / 1e9);
    else json.null();
    json.field("first_ns", row.first_ns.get());
    json.field("last_ns", row.last_ns.get());
    json.field("marked", row.marked.get());
    json.field("marked_messages", row.marked_messages.get());
    for (const auto* ports : {&row.in, &row.out}) {
        json.key(ports == &row.in ? "in" : "out");
        json.begin_array();
        for (const Port& port : *ports) write_port(port, row.profiled, row.calls.get(), json);
        json.end_array();
    }
    json.key("arrivals");
    json.begin_array();
    for (const auto& arrival : row.arrivals) {
        json.begin_object(Layout::line);
        json.field("source", arrival->source);
        json.field("seen", arrival->seen.get());
        json.field("position", arrival->position.get());
        json.end_object();
    }
    json.end_array();
    json.key("failure");
    if (row.failed.load(std::memory_order_acquire)) json.value(row.failure);
    else json.null();
    write_granted(row, json);
    write_gnuradio(*row.block, json);
    json.end_object();
}

}  // namespace

gr::flowgraph_sptr flattened(const std::string& symbol) {
    const auto hierarchical = gr::cast_to_hier_block2_sptr(global_block_registry.block_lookup(pmt::intern(symbol)));
    if (!hierarchical) throw std::runtime_error(symbol + " is no hierarchical block");
    // GNU Radio installs no header of flat_flowgraph, which derives from flowgraph alone.
    const gr::flat_flowgraph_sptr flat = hierarchical->flatten();
    return {flat, reinterpret_cast<gr::flowgraph*>(flat.get())};
}

void make_rows(Session& session, gr::flowgraph& graph) {
    std::map<gr::basic_block*, Ports> ports;
    for (const gr::edge& edge : graph.edges()) {
        Ports& from = ports[edge.src().block().get()];
        from.outputs = std::max(from.outputs, edge.src().port() + 1);
        Ports& to = ports[edge.dst().block().get()];
        to.inputs = std::max(to.inputs, edge.dst().port() + 1);
    }
    gr::basic_block_vector_t blocks = graph.calc_used_blocks();
    std::sort(blocks.begin(), blocks.end(),
              [](const auto& a, const auto& b) { return a->unique_id() < b->unique_id(); });
    for (const gr::basic_block_sptr& basic : blocks) {
        const gr::block_sptr block = gr::cast_to_block_sptr(basic);
        if (!block) continue;  // a hierarchical block of which only messages remain
        const Ports& of = ports[basic.get()];
        session.rows.push_back(std::make_unique<Row>(block, static_cast<std::uint32_t>(session.rows.size()),
                                                     static_cast<std::size_t>(of.inputs),
                                                     static_cast<std::size_t>(of.outputs)));
    }
}

void describe(const Session& session, const gr::flowgraph& graph, JsonWriter& json) {
    std::map<gr::basic_block*, std::uint32_t> numbers;
    json.key("blocks");
    json.begin_array();
    for (const auto& row : session.rows) {
        numbers[row->block.get()] = row->number;
        describe(*row, json);
    }
    json.end_array();
    json.key("edges");
    json.begin_array();
    for (const gr::edge& edge : graph.edges()) {
        const auto from = numbers.find(edge.src().block().get());
        const auto to = numbers.find(edge.dst().block().get());
        if (from == numbers.end() || to == numbers.end()) continue;
        json.value(std::vector<int>{static_cast<int>(from->second), edge.src().port(), static_cast<int>(to->second),
                                    edge.dst().port()});
    }
    json.end_array();
    json.key("message_edges");
    json.begin_array();
    for (const gr::msg_edge& edge : graph.msg_edges()) {
        const auto from = numbers.find(edge.src().block().get());
        const auto to = numbers.find(edge.dst().block().get());
        if (from == numbers.end() || to == numbers.end()) continue;
        json.begin_array(Layout::line);
        json.value(from->second);
        json.value(pmt::write_string(edge.src().port()));
        json.value(to->second);
        json.value(pmt::write_string(edge.dst().port()));
        json.end_array();
    }
    json.end_array();
}

void write_counts(const Session& session, JsonWriter& json) {
    json.key("blocks");
    json.begin_array();
    for (const auto& row : session.rows) write_counts(*row, json);
    json.end_array();
}

}  // namespace weir::companion
