#include "results_parts.hpp"

namespace weir {

namespace {

using CpusByName = fields::ByName<std::vector<std::uint64_t>>;

template <class Name> void add_cpus(CpusByName& found, const Name& name, std::span<const int> cpus) {
    found.emplace_back(std::string(name), std::vector<std::uint64_t>(cpus.begin(), cpus.end()));
}

fields::ByName<std::uint64_t> buffer_items(const std::vector<BufferResult>& buffers,
                                           std::uint64_t BufferResult::* items) {
    fields::ByName<std::uint64_t> found;
    for (const BufferResult& buffer : buffers) found.emplace_back(buffer.id, buffer.*items);
    return found;
}

}  // namespace

std::optional<std::uint64_t> cpu_number(int cpu) {
    return cpu >= 0 ? std::optional(static_cast<std::uint64_t>(cpu)) : std::nullopt;
}

fields::Priority scheduling_fields(const Scheduling& it) {
    return {.policy = name_of(it.policy),
            .priority = it.priority,
            .runtime_us = it.runtime_us,
            .deadline_us = it.deadline_us,
            .period_us = it.period_us,
            .timer_slack_ns = it.timer_slack_ns};
}

fields::Planned planned_fields(const Results& r) {
    const Plan& plan = *r.plan;
    CpusByName affinity;
    fields::ByName<fields::Priority> threads;
    for (const WorkerSpec& worker : plan.workers) {
        add_cpus(affinity, worker.name, worker.cpus);
        if (worker.scheduling) threads.emplace_back(std::string(worker.name), scheduling_fields(*worker.scheduling));
    }
    return {.affinity = affinity,
            .buffers = buffer_items(r.buffers, &BufferResult::planned),
            .priority = scheduling_fields(plan.scheduling()),
            .threads = threads,
            .memory = fields::PlannedMemory{
                .lock = plan.memory.lock, .hugepages = plan.memory.hugepages, .numa = plan.memory.numa}};
}

fields::Granted granted_fields(const Results& r) {
    CpusByName affinity;
    fields::ByName<fields::Priority> priority;
    fields::ByName<std::optional<std::string>> numa;
    for (const ThreadResult& thread : r.threads) {
        add_cpus(affinity, thread.name, thread.cpus_granted);
        priority.emplace_back(thread.name, scheduling_fields(thread.scheduling));
        numa.emplace_back(thread.name, thread.numa.empty() ? std::nullopt : std::optional(thread.numa));
    }
    return {.affinity = affinity,
            .buffers = buffer_items(r.buffers, &BufferResult::granted),
            .priority = priority,
            .memory = fields::GrantedMemory{
                .locked_bytes = r.memory.locked, .huge_page_bytes = r.memory.huge_pages, .numa = numa}};
}

fields::Environment environment_fields(const Results& r) {
    const Environment& e = r.environment;
    return {.kernel = e.kernel,
            .cpu = e.cpu,
            .cpus = e.cpus,
            .governor = e.governor,
            .turbo = e.turbo,
            .smt = e.smt,
            .isolated_cpus = e.isolated_cpus,
            .mitigations = e.mitigations,
            .clock_source = e.clock_source,
            .compiler = e.compiler,
            .flags = r.plan->build_flags,
            .flush_to_zero = e.flush_to_zero,
            .load = r.load_before,
            .runnable = r.runnable_before,
            .steal = r.steal,
            .other_programs = r.other_programs};
}

std::optional<fields::SpeedCheck> speed_check_fields(const std::optional<SpeedCheckResult>& speed_check) {
    if (!speed_check) return std::nullopt;
    return fields::SpeedCheck{.cpu = cpu_number(speed_check->cpu),
                              .seconds = speed_check->seconds,
                              .before_items_per_s = speed_check->before_items_per_s,
                              .after_items_per_s = speed_check->after_items_per_s};
}

std::optional<fields::Clocks> clock_fields(const std::optional<ClockSpan>& clocks) {
    if (!clocks) return std::nullopt;
    const auto seconds = [](std::int64_t ns) { return static_cast<double>(ns) * 1e-9; };
    return fields::Clocks{.monotonic_s = seconds(clocks->monotonic_ns()),
                          .raw_s = seconds(clocks->raw_ns()),
                          .boot_s = seconds(clocks->boot_ns()),
                          .wall_s = seconds(clocks->wall_ns())};
}

std::optional<fields::CpuCounters> cpu_counter_fields(const std::optional<CpuCounts>& counts) {
    if (!counts) return std::nullopt;
    const auto& of = counts->counts;
    return fields::CpuCounters{.cycles = of[0],
                               .instructions = of[1],
                               .cache_references = of[2],
                               .cache_misses = of[3],
                               .l1d_load_misses = of[4],
                               .branch_misses = of[5],
                               .page_faults = of[6],
                               .counted = counts->counted,
                               .user_only = counts->user_only};
}

std::optional<fields::Energy> energy_fields(const Results& r) {
    if (!r.energy) return std::nullopt;
    std::vector<fields::EnergyZone> zones;
    for (const ZoneEnergy& zone : r.energy->zones) zones.push_back({.name = zone.name, .joules = zone.joules});
    return fields::Energy{.interval_s = r.energy->interval_s,
                          .joules = r.energy->joules,
                          .items_per_joule = r.items_per_joule,
                          .zones = zones,
                          .why_not = r.energy->why_not.empty() ? std::nullopt : std::optional(r.energy->why_not)};
}

std::optional<fields::Volk> volk_fields(const std::optional<KernelsChosen>& chosen) {
    if (!chosen) return std::nullopt;
    std::vector<fields::VolkKernel> kernels;
    for (const KernelPreference& it : chosen->kernels) {
        kernels.push_back({.kernel = it.kernel, .aligned = it.aligned, .unaligned = it.unaligned});
    }
    return fields::Volk{.machine = chosen->machine, .implementation = chosen->implementation, .kernels = kernels};
}

}  // namespace weir
