// Makes a program of a flowgraph, a scheduler and a plan. The generated main.cpp is
//
//     int main(int argc, char** argv) { return weir::app_main<Flowgraph, weir::schedulers::Flow>(argc, argv, plan()); }
#pragma once

#include <concepts>
#include <memory>
#include <vector>

#include "weir/param.hpp"
#include "weir/plan.hpp"
#include "weir/run.hpp"

namespace weir {

/// What the generator writes: streams and nodes as members, wired by the default constructor.
template <class F>
concept FlowgraphType = std::default_initializable<F> && requires(F graph, ParamTable& table) {
    { graph.tasks() } -> std::convertible_to<std::vector<Task*>>;           // topological order
    { graph.streams() } -> std::convertible_to<std::vector<StreamBase*>>;
    graph.parameters(table);
};

/// A flowgraph whose type is forgotten.
struct BuiltFlowgraph {
    std::shared_ptr<void> owner;
    std::vector<Task*> tasks;
    std::vector<StreamBase*> streams;
    ParamTable parameters;
};

struct Application {
    const Plan& plan;
    BuiltFlowgraph (*build)();
    void (*schedule)(Run&);
};

/// The whole program: options, run, results. Exit code: 0 ok, 2 usage, 4 the run failed, is partial or its result is invalid.
int run_application(int argc, char** argv, const Application& application);

/// Thin, so that a generated program compiles little more than its blocks.
template <FlowgraphType Flowgraph, Scheduler S> int app_main(int argc, char** argv, const Plan& plan) {
    const auto build = [] {
        auto graph = std::make_shared<Flowgraph>();
        BuiltFlowgraph built{graph, graph->tasks(), graph->streams(), {}};
        graph->parameters(built.parameters);
        return built;
    };
    const auto schedule = [](Run& run) {
        S scheduler;
        scheduler.run(run);
    };
    return run_application(argc, argv, {plan, build, schedule});
}

}  // namespace weir
