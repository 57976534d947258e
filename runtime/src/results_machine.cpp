#include "results_parts.hpp"

namespace weir {

namespace {

void write_planned(JsonWriter& json, const Results& r) {
    const Plan& plan = *r.plan;
    json.key("planned");
    json.begin_object();
    json.key("affinity");
    json.begin_object();
    for (const WorkerSpec& worker : plan.workers) json.field(worker.name, worker.cpus);
    json.end_object();
    json.key("buffers");
    json.begin_object();
    for (const BufferResult& buffer : r.buffers) json.field(buffer.id, buffer.planned);
    json.end_object();
    json.key("priority");
    json.begin_object(JsonWriter::Layout::line);
    json.field("policy", name_of(plan.policy));
    json.field("priority", plan.priority);
    json.end_object();
    json.key("memory");
    json.begin_object(JsonWriter::Layout::line);
    json.field("lock", plan.memory.lock);
    json.field("hugepages", plan.memory.hugepages);
    json.field("numa", plan.memory.numa);
    json.end_object();
    json.end_object();
}

void write_granted(JsonWriter& json, const Results& r) {
    json.key("granted");
    json.begin_object();
    json.key("affinity");
    json.begin_object();
    for (const ThreadResult& thread : r.threads) json.field(thread.name, thread.cpus_granted);
    json.end_object();
    json.key("buffers");
    json.begin_object();
    for (const BufferResult& buffer : r.buffers) json.field(buffer.id, buffer.granted);
    json.end_object();
    json.key("priority");
    json.begin_object();
    for (const ThreadResult& thread : r.threads) {
        json.key(thread.name);
        json.begin_object(JsonWriter::Layout::line);
        json.field("policy", name_of(thread.policy));
        json.field("priority", thread.priority);
        json.end_object();
    }
    json.end_object();
    json.key("memory");
    json.begin_object();
    json.field("locked_bytes", r.memory.locked);
    json.field("huge_page_bytes", r.memory.huge_pages);
    json.key("numa");
    json.begin_object();
    for (const ThreadResult& thread : r.threads) {
        json.field(thread.name, thread.numa.empty() ? std::nullopt : std::optional(thread.numa));
    }
    json.end_object();
    json.end_object();
    json.end_object();
}

void write_environment(JsonWriter& json, const Results& r) {
    const Environment& e = r.environment;
    json.key("environment");
    json.begin_object();
    json.field("kernel", e.kernel);
    json.field("cpu", e.cpu);
    json.field("cpus", e.cpus);
    json.field("governor", e.governor);
    json.field("turbo", e.turbo);
    json.field("smt", e.smt);
    json.field("isolated_cpus", e.isolated_cpus);
    json.key("mitigations");
    json.begin_object();
    for (const auto& [name, state] : e.mitigations) json.field(name, state);
    json.end_object();
    json.field("clock_source", e.clock_source);
    json.field("compiler", e.compiler);
    json.field("flags", r.plan->build_flags);
    json.field("flush_to_zero", e.flush_to_zero);
    json.null_field("volk_machine");  // belongs to the blocks; the runner asks VOLK
    json.null_field("git_revision");  // belongs to the source tree; the runner asks git
    json.key("load");
    if (r.load_before) {
        json.begin_array(JsonWriter::Layout::line);
        for (const double load : *r.load_before) json.value(load);
        json.end_array();
    } else {
        json.null();
    }
    json.field("runnable", r.runnable_before);
    json.field("steal", r.steal);
    json.field("foreign", r.foreign);
    json.end_object();
}

void write_witness(JsonWriter& json, const std::optional<WitnessResult>& witness) {
    if (!witness) {
        json.null_field("witness");
        return;
    }
    json.key("witness");
    json.begin_object(JsonWriter::Layout::line);
    json.field("cpu", witness->cpu >= 0 ? std::optional(witness->cpu) : std::nullopt);
    json.field("seconds", witness->seconds);
    json.field("before_items_per_s", witness->before_items_per_s);
    json.field("after_items_per_s", witness->after_items_per_s);
    json.end_object();
}

void write_clocks(JsonWriter& json, const std::optional<ClockSpan>& clocks) {
    if (!clocks) {
        json.null_field("clocks");
        return;
    }
    const auto seconds = [](std::int64_t ns) { return static_cast<double>(ns) * 1e-9; };
    json.key("clocks");
    json.begin_object(JsonWriter::Layout::line);
    json.field("monotonic_s", seconds(clocks->monotonic_ns()));
    json.field("raw_s", seconds(clocks->raw_ns()));
    json.field("boot_s", seconds(clocks->boot_ns()));
    json.field("wall_s", seconds(clocks->wall_ns()));
    json.end_object();
}

}  // namespace

void write_machine(JsonWriter& json, const Results& results) {
    write_planned(json, results);
    write_granted(json, results);
    write_environment(json, results);
    write_witness(json, results.witness);
    write_clocks(json, results.clocks);
}

}  // namespace weir
