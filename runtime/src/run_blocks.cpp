#include <algorithm>
#include <exception>

#include "run_parts.hpp"
#include "weir/clock.hpp"
#include "weir/digest.hpp"
#include "weir/expected.hpp"
#include "weir/stream.hpp"

namespace weir {

void Run::Impl::start_tasks() {
    BlockContext context;
    context.run_items = setup.spec.items;
    context.start_ns = monotonic_ns();
    context.project_dir = setup.project_dir;
    context.output_dir = setup.output_dir;
    context.untimed = setup.verify;
    for (Instance* task : instances) {
        context.instance = task->spec().name;
        context.seed = instance_seed(setup.spec.seed, context.instance.data(), context.instance.size());
        task->set_run_items(setup.spec.items);
        if (setup.verify) task->verify();
        started.push_back(task);
        try {
            task->start(context);
        } catch (const std::exception& error) {
            record_failure(context.instance, error.what());
            return;
        }
    }
    expected = expected_items(instances, setup.spec.items);
    const std::vector<OfferedRate> offered = offered_rates(instances);
    for (std::size_t i = 0; i < instances.size(); ++i) {
        if (instances[i]->is_sink() && offered[i].items_per_s && !setup.verify) instances[i]->keep_arrivals();
    }
    if (tasks.size() != instances.size()) {
        const std::vector<Instance::Quota> quotas = quotas_of(instances, setup.spec.items, setup.verify);
        for (std::size_t i = 0; i < instances.size(); ++i) instances[i]->set_quota(quotas[i]);
    }
    tasks_running = instances.size();
    sinks_warming = sinks;
    sinks_running = sinks / plan.replicas;
    replicas_running = std::make_unique<std::atomic<std::size_t>[]>(blocks());
    for (std::size_t i = 0; i < blocks(); ++i) replicas_running[i] = plan.replicas;
    if (setup.spec.metrics == Metrics::profile) {
        for (StreamBase* stream : streams) stream->keep_fill_over_time();
    }
    // Without rings, each stream that runs empty begins again at an aligned item, whatever its index.
    const auto is_ring = [](const StreamBase* stream) { return stream->kind() == StreamKind::ring; };
    if (plan.alignment && std::ranges::any_of(streams, is_ring)) {
        for (StreamBase* stream : streams) stream->keep_offsets();
    }
    for (Instance* task : instances) {
        task->set_metrics(setup.spec.metrics);
        task->keep_alignment(plan.alignment);
        if (task->is_sink() && !task->is_source() && setup.spec.warmup_items != 0) {
            task->set_milestone(setup.spec.warmup_items, this);
        }
    }
}

void Run::Impl::stop_tasks() {
    for (Instance* task : started) {
        try {
            task->stop();
        } catch (const std::exception& error) {
            record_failure(task->spec().name, error.what());
        }
    }
}

}  // namespace weir
