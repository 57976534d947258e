#include "weir/app.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <exception>
#include <random>
#include <stdexcept>

#include "app_parts.hpp"
#include "weir/crash.hpp"
#include "weir/text.hpp"

namespace weir::app {

namespace {

/// Return `<utc>-<project>-<deployment>-<6 hex>`, the pattern that the runner uses for run directories.
std::string make_run_id(const Plan& plan) {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    ::gmtime_r(&now, &utc);
    char stamp[32];
    std::strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &utc);
    char tail[8];
    std::snprintf(tail, sizeof tail, "%06x", std::random_device{}() & 0xFFFFFFU);
    return concat({stamp, "-", plan.project, "-", plan.deployment, "-", tail});
}

std::string help_text(const char* program, const Application& application) {
    std::string text = usage(program, application.plan.run);
    const BuiltFlowgraph graph = built(application);
    if (graph.parameters.entries().empty()) return text;
    text += "\nParameters (--param NAME=VALUE) and their values:\n";
    for (const ParamTable::Entry& entry : graph.parameters.entries()) {
        text += concat({"  ", entry.name, " = ", ParamTable::text(entry), "\n"});
    }
    return text;
}

/// Create the folder and delete the results of an earlier run, which must not pass for this run's if this run cannot
/// write its own.
void prepare_folder(const std::filesystem::path& out) {
    std::filesystem::create_directories(out);
    std::filesystem::remove(out / "results.json");
    std::filesystem::remove(out / kEventsFile);
}

int run_once(const Application& application, const Options& options) {
    prepare_folder(options.out);
    name_crashes();
    const Results results = options.verify ? verify(application, options) : measure(application, options);
    const std::string problem = write_results(results);
    if (!problem.empty()) {
        std::fprintf(stderr, "error: %s\n", problem.c_str());
        return kExitUnwritten;
    }
    std::string text;
    if (options.json) text = concat({"[", results_json(results), "]\n"});
    else text = summary_text(results, (options.out / "results.json").string());
    std::fputs(text.c_str(), stdout);
    return results.status() == RunStatus::ok ? kExitOk : kExitRun;
}

int main_program(int argc, char** argv, const Application& application) {
    auto [options, problem] = parse_options(argc, argv, application.plan.run);
    if (options.help && problem.empty()) {
        std::fputs(help_text(argv[0], application).c_str(), stdout);
        return kExitOk;
    }
    if (!problem.empty()) throw std::invalid_argument(problem);
    if (options.run_id.empty()) options.run_id = make_run_id(application.plan);
    if (options.repeat == 1) return run_once(application, options);
    build_with_parameters(application, options);  // report a usage error once, not in every repetition
    return repeat(argc, argv, options);
}

}  // namespace

BuiltFlowgraph built(const Application& application) {
    BuiltFlowgraph graph{application.make(), {}, {}, {}, {}, {}, 1};
    TaskList tasks;
    graph.program->tasks(tasks);
    graph.instances = tasks.in_order();
    for (const Instance* it : graph.instances) {
        graph.streams.insert(graph.streams.end(), it->outputs().begin(), it->outputs().end());
    }
    PlaceList places;
    graph.program->places(places);
    graph.places = places.all();
    graph.program->parameters(graph.parameters);
    graph.schedule = [program = graph.program.get()](Run& run) { program->run(run); };
    graph.replicas = application.plan.replicas;
    return graph;
}

std::vector<Instance*> BuiltFlowgraph::of(std::size_t position) const {
    std::vector<Instance*> found;
    for (std::size_t i = position; i < instances.size(); i += blocks()) found.push_back(instances[i]);
    return found;
}

BuiltFlowgraph build_with_parameters(const Application& application, const Options& options) {
    BuiltFlowgraph graph = built(application);
    for (const std::string& assignment : options.params) {
        const std::string problem = graph.parameters.set(assignment);
        if (!problem.empty()) throw std::invalid_argument(problem);
    }
    return graph;
}

}  // namespace weir::app

namespace weir {

void TaskList::add(std::initializer_list<Instance*> tasks) { tasks_.insert(tasks_.end(), tasks); }

void PlaceList::add(std::initializer_list<const PlaceBase*> places) { places_.insert(places_.end(), places); }

void TaskList::end_replica() {
    for (std::size_t i = ends_.empty() ? 0 : ends_.back(); i < tasks_.size(); ++i)
        tasks_[i]->set_replica(static_cast<std::uint32_t>(ends_.size()));
    ends_.push_back(tasks_.size());
}

std::vector<Instance*> TaskList::in_order() const {
    const std::size_t each = tasks_.size() / std::max<std::size_t>(ends_.size(), 1);
    std::vector<Instance*> tasks(tasks_.size());
    for (Instance* task : tasks_) {
        const std::size_t index = task->spec().index, place = task->replica() * each + index;
        if (index >= each || tasks[place] != nullptr) {
            throw std::logic_error(std::string(task->spec().name) + ": each task needs its own index, counted from 0");
        }
        tasks[place] = task;
    }
    return tasks;
}

Program::~Program() = default;

int run_application(int argc, char** argv, const Application& application) {
    try {
        return app::main_program(argc, argv, application);
    } catch (const std::invalid_argument& usage_error) {
        std::fprintf(stderr, "error: %s\n", usage_error.what());
        return app::kExitUsage;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return app::kExitRun;
    }
}

}  // namespace weir
