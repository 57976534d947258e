// Builds a program from a flowgraph, a scheduler and a plan. The generated main.cpp is
//
//     int main(int argc, char** argv) { return weir::app_main<Flowgraph, weir::schedulers::Flow>(argc, argv, plan()); }
#pragma once

#include <concepts>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "weir/bare.hpp"
#include "weir/clock_check.hpp"
#include "weir/param.hpp"
#include "weir/plan.hpp"
#include "weir/run.hpp"
#include "weir/worker_schedule.hpp"

namespace weir {

class PlaceBase;
class StreamBase;

/// List of the tasks of a flowgraph, or of the blocks that a worker schedule fires, in any order.
class TaskList {
  public:
    void add(std::initializer_list<Instance*> tasks);
    /// End a replica: it has the tasks added since the last call. The indices of the next replica begin at 0 again.
    void end_replica();
    /// Return the tasks, replica by replica, by index. Throws std::logic_error if the indices do not count from 0.
    std::vector<Instance*> in_order() const;

  private:
    std::vector<Instance*> tasks_;
    std::vector<std::size_t> ends_;  ///< end of each replica; empty: one replica
};

/// List of the places that replace the streams within workers under a fixed schedule.
class PlaceList {
  public:
    void add(std::initializer_list<const PlaceBase*> places);
    const std::vector<const PlaceBase*>& all() const noexcept { return places_; }

  private:
    std::vector<const PlaceBase*> places_;
};

/// Generated flowgraph: streams and nodes are members, wired by the default constructor.
template <class F>
concept FlowgraphType = std::default_initializable<F> && requires(F graph, TaskList& tasks, ParamTable& table) {
    graph.tasks(tasks);
    graph.parameters(table);
};

/// Generated flowgraph with a fixed schedule: nothing is stepped, and items within a worker need no stream.
template <class F>
concept ScheduledFlowgraph = FlowgraphType<F> && requires(F graph, PlaceList& places) {
    graph.places(places);
    { graph.worker_schedules() } -> std::convertible_to<WorkerSchedules>;
};

/// Type-erased flowgraph with its scheduler.
class Program {
  public:
    virtual ~Program();
    virtual void tasks(TaskList& list) = 0;
    virtual void parameters(ParamTable& table) = 0;
    virtual void places(PlaceList& list) = 0;
    virtual void run(Run& run) = 0;

  protected:
    Program() = default;
};

struct Application {
    const Plan& plan;
    std::unique_ptr<Program> (*make)();
    double (*bare_items_per_s)(double seconds);  ///< speed check, compiled with the flags of the blocks
    ClockReader read_clocks = weir::read_clocks;
    std::filesystem::path sysfs = "/sys";  ///< sysfs, from which the energy counters are read
};

/// Run the whole program: options, run, results. Returns the exit code: 0 ok, 2 usage error, 3 results not written, 4
/// the run failed, is partial or its result is invalid.
int run_application(int argc, char** argv, const Application& application);

/// Scheduler of a peer runtime, which has its own graph.
template <class S, class F>
concept GraphRunner = requires(S s, Run& run, F& graph) { s.run(run, graph); };

/// Build the application. Thin, so that a generated program compiles little more than its blocks.
template <FlowgraphType Flowgraph, class S>
    requires(ScheduledFlowgraph<Flowgraph> ? WorkerScheduleRunner<S> : Scheduler<S> || GraphRunner<S, Flowgraph>)
Application make_application(const Plan& plan) {
    struct GeneratedProgram final : Program {
        Flowgraph graph;
        S scheduler;

        void tasks(TaskList& list) override { graph.tasks(list); }
        void parameters(ParamTable& table) override {
            graph.parameters(table);
            if constexpr (requires { scheduler.parameters(table); }) scheduler.parameters(table);
        }
        void places([[maybe_unused]] PlaceList& list) override {
            if constexpr (requires { graph.places(list); }) graph.places(list);
        }
        void run(Run& run) override {
            if constexpr (ScheduledFlowgraph<Flowgraph>) scheduler.run(run, graph.worker_schedules());
            else if constexpr (GraphRunner<S, Flowgraph>) scheduler.run(run, graph);
            else scheduler.run(run);
        }
    };
    const auto make = []() -> std::unique_ptr<Program> { return std::make_unique<GeneratedProgram>(); };
    const auto bare_items_per_s = [](double seconds) { return bare::saxpy_items_per_s(seconds); };
    return {plan, make, bare_items_per_s};
}

template <FlowgraphType Flowgraph, class S> int app_main(int argc, char** argv, const Plan& plan) {
    return run_application(argc, argv, make_application<Flowgraph, S>(plan));
}

}  // namespace weir
