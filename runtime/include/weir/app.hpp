// Makes a program of a flowgraph, a scheduler and a plan. The generated main.cpp is
//
//     int main(int argc, char** argv) { return weir::app_main<Flowgraph, weir::schedulers::Flow>(argc, argv, plan()); }
#pragma once

#include <concepts>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "weir/arena.hpp"
#include "weir/bare.hpp"
#include "weir/clock_check.hpp"
#include "weir/param.hpp"
#include "weir/plan.hpp"
#include "weir/run.hpp"
#include "weir/section.hpp"

namespace weir {

/// The tasks of a flowgraph, or what a schedule of it fires, told in any order.
class TaskList {
  public:
    void add(std::initializer_list<Instance*> tasks) { tasks_.insert(tasks_.end(), tasks); }
    /// By their index. Throws std::logic_error where they do not count from 0, each once.
    std::vector<Instance*> in_order() const;

  private:
    std::vector<Instance*> tasks_;
};

/// What they write to, in their order.
std::vector<StreamBase*> streams_of(std::span<Instance* const> tasks);

/// What the generator writes: streams and nodes as members, wired by the default constructor.
template <class F>
concept FlowgraphType = std::default_initializable<F> && requires(F graph, TaskList& tasks, ParamTable& table) {
    graph.tasks(tasks);
    graph.parameters(table);
};

/// Likewise with a schedule that was made beforehand: nothing is stepped, and what stays within a worker is no stream.
template <class F>
concept ScheduledFlowgraph = FlowgraphType<F> && requires(F graph) {
    { graph.places() } -> std::convertible_to<std::vector<const PlaceBase*>>;
    { graph.sections() } -> std::convertible_to<Sections>;
};

/// A flowgraph and its scheduler, whose types are forgotten.
struct BuiltFlowgraph {
    std::shared_ptr<void> owner;
    std::vector<Instance*> instances;
    std::vector<StreamBase*> streams;
    std::vector<const PlaceBase*> places;
    ParamTable parameters;
    std::function<void(Run&)> schedule;
};

struct Application {
    const Plan& plan;
    BuiltFlowgraph (*build)();
    double (*bare_items_per_s)(double seconds);  ///< the speed witness, compiled as the blocks are
    ClockReader read_clocks = weir::read_clocks;
};

/// The whole program: options, run, results. Exit code: 0 ok, 2 usage, 4 the run failed, is partial or its result is
/// invalid.
int run_application(int argc, char** argv, const Application& application);

/// Thin, so that a generated program compiles little more than its blocks.
template <FlowgraphType Flowgraph, class S>
    requires(ScheduledFlowgraph<Flowgraph> ? SectionRunner<S> : Scheduler<S>)
Application make_application(const Plan& plan) {
    const auto build = [] {
        struct Program {
            Flowgraph graph;
            S scheduler;
        };
        auto program = std::make_shared<Program>();
        TaskList list;
        program->graph.tasks(list);
        BuiltFlowgraph built{program, list.in_order(), {}, {}, {}, {}};
        built.streams = streams_of(built.instances);
        program->graph.parameters(built.parameters);
        if constexpr (requires { program->scheduler.parameters(built.parameters); }) {
            program->scheduler.parameters(built.parameters);
        }
        if constexpr (ScheduledFlowgraph<Flowgraph>) {
            built.places = program->graph.places();
            built.schedule = [it = program.get()](Run& run) { it->scheduler.run(run, it->graph.sections()); };
        } else {
            built.schedule = [scheduler = &program->scheduler](Run& run) { scheduler->run(run); };
        }
        return built;
    };
    const auto bare_items_per_s = [](double seconds) { return bare::saxpy_items_per_s(seconds); };
    return {plan, build, bare_items_per_s};
}

template <FlowgraphType Flowgraph, class S> int app_main(int argc, char** argv, const Plan& plan) {
    return run_application(argc, argv, make_application<Flowgraph, S>(plan));
}

}  // namespace weir
