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

#include "weir/bare.hpp"
#include "weir/clock_check.hpp"
#include "weir/param.hpp"
#include "weir/plan.hpp"
#include "weir/run.hpp"

namespace weir {

/// The tasks of a flowgraph, told in any order.
class TaskList {
  public:
    void add(std::initializer_list<Task*> tasks) { tasks_.insert(tasks_.end(), tasks); }
    /// By their index. Throws std::logic_error where they do not count from 0, each once.
    std::vector<Task*> in_order() const;

  private:
    std::vector<Task*> tasks_;
};

/// What the tasks write to, in their order.
std::vector<StreamBase*> streams_of(std::span<Task* const> tasks);

/// What the generator writes: streams and nodes as members, wired by the default constructor.
template <class F>
concept FlowgraphType = std::default_initializable<F> && requires(F graph, TaskList& tasks, ParamTable& table) {
    graph.tasks(tasks);
    graph.parameters(table);
};

/// A flowgraph and its scheduler, whose types are forgotten.
struct BuiltFlowgraph {
    std::shared_ptr<void> owner;
    std::vector<Task*> tasks;
    std::vector<StreamBase*> streams;
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
template <FlowgraphType Flowgraph, Scheduler S> Application make_application(const Plan& plan) {
    const auto build = [] {
        struct Program {
            Flowgraph graph;
            S scheduler;
        };
        auto program = std::make_shared<Program>();
        TaskList list;
        program->graph.tasks(list);
        BuiltFlowgraph built{program, list.in_order(), {}, {}, {}};
        built.streams = streams_of(built.tasks);
        program->graph.parameters(built.parameters);
        if constexpr (requires { program->scheduler.parameters(built.parameters); }) {
            program->scheduler.parameters(built.parameters);
        }
        built.schedule = [scheduler = &program->scheduler](Run& run) { scheduler->run(run); };
        return built;
    };
    const auto bare_items_per_s = [](double seconds) { return bare::saxpy_items_per_s(seconds); };
    return {plan, build, bare_items_per_s};
}

template <FlowgraphType Flowgraph, Scheduler S> int app_main(int argc, char** argv, const Plan& plan) {
    return run_application(argc, argv, make_application<Flowgraph, S>(plan));
}

}  // namespace weir
