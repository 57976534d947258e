// Program made by app_main for fixture_program.py. WEIR_FIXTURE chooses its flowgraph.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "flow/flow.hpp"
#include "weir/app.hpp"
#include "weir/arena.hpp"
#include "weir/fired.hpp"
#include "weir/lists.hpp"
#include "weir/node.hpp"
#include "weir/worker_schedule.hpp"

namespace {

using weir::BlockContext;
using weir::In;
using weir::Out;
using weir::Plan;
using weir::WorkResult;
using weir::WorkStatus;

struct Ramp {
    struct Params {
        std::string label = "ramp";
    };
    Params params;
    std::uint64_t next = 0;
    WorkResult work(Out<float>& out) noexcept {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(next++ % 1000);
        out.produce(out.size());
        return WorkStatus::ok;
    }
};

struct Scale {
    struct Params {
        float a = 0.75F;
        std::int64_t delay_us = 0;  ///< sleep in each call, to make a run long
        std::int64_t start_us = 0;  ///< sleep before items flow
    };
    Params params;
    void start(const BlockContext&) const { std::this_thread::sleep_for(std::chrono::microseconds(params.start_us)); }
    WorkResult work(In<float>& in, Out<float>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        for (std::size_t i = 0; i < n; ++i) out[i] = params.a * in[i];
        if (params.delay_us > 0) std::this_thread::sleep_for(std::chrono::microseconds(params.delay_us));
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }
};

struct Collect {
    struct Params {};
    Params params;
    std::uint64_t sum = 0, count = 0;
    WorkResult work(In<float>& in) noexcept {
        sum += weir::digest_of(in.data(), in.size(), count);
        count += in.size();
        in.consume(in.size());
        return WorkStatus::ok;
    }
    std::uint64_t digest() const { return sum; }
};

/// Emits one item per period, due at a known time.
struct Metronome {
    struct Params {
        double rate = 100e3;
    };
    Params params;
    std::int64_t start_ns = 0;
    std::uint64_t sent = 0;
    void begin(std::int64_t barrier_ns) noexcept { start_ns = barrier_ns; }
    std::int64_t scheduled_ns(std::uint64_t index) const noexcept {
        return start_ns + static_cast<std::int64_t>(static_cast<double>(index) * 1e9 / params.rate);
    }
    WorkResult work(Out<float>& out) noexcept {
        const auto due =
            static_cast<std::uint64_t>(static_cast<double>(weir::monotonic_ns() - start_ns) * params.rate * 1e-9);
        const std::size_t n = std::min<std::size_t>(due - sent, out.size());
        if (n == 0) return WorkResult::wait_until(scheduled_ns(sent + 100));
        for (std::size_t i = 0; i < n; ++i) out[i] = 1.0F;
        out.produce(n);
        sent += n;
        return WorkStatus::ok;
    }
};

struct Fails {
    struct Params {};
    Params params;
    std::uint64_t seen = 0;
    WorkResult work(In<float>& in, Out<float>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        in.consume(n);
        out.produce(n);
        seen += n;
        return seen > 50'000 ? WorkStatus::error : WorkStatus::ok;
    }
    std::string_view error() const noexcept { return "the disk \"sda\" is on fire"; }
};

struct FailsToStart : Scale {
    void start(const BlockContext&) { throw std::runtime_error("no such file: gone.dat"); }
};

/// Requires more items before its first output than its stream can hold.
struct Hoard {
    struct Params {};
    Params params;
    WorkResult work(In<float>& in, Out<float>&) noexcept {
        return in.size() < 1'000'000 ? WorkStatus::need_input : WorkStatus::error;
    }
};

struct Join {
    struct Params {};
    Params params;
    WorkResult work(In<float>& a, In<float>& b, Out<float>& out) noexcept {
        const std::size_t n = std::min({a.size(), b.size(), out.size()});
        for (std::size_t i = 0; i < n; ++i) out[i] = a[i] + b[i];
        a.consume(n);
        b.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }
};

/// Loses an item now and then, in contradiction to its rates.
struct Drops {
    struct Params {};
    Params params;
    WorkResult work(In<float>& in, Out<float>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return WorkStatus::need_input;
        for (std::size_t i = 0; i + 1 < n; ++i) out[i] = in[i];
        in.consume(n);
        out.produce(n - 1);
        return WorkStatus::ok;
    }
};

/// Aborts in the middle of the run. Not a call: the compiler then assumes that no memory of the program is read here,
/// as at a division by zero.
inline void crash() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    asm volatile("ud2");
#elif defined(__aarch64__)
    asm volatile("udf #0");
#else
    std::raise(SIGILL);
#endif
}

struct Crashes {
    struct Params {};
    Params params;
    std::uint64_t seen = 0;
    WorkResult work(In<float>& in, Out<float>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        in.consume(n);
        out.produce(n);
        seen += n;
        if (seen > 50'000) crash();
        return WorkStatus::ok;
    }
};

/// Never returns from `work`.
struct Hangs {
    struct Params {};
    Params params;
    WorkResult work(In<float>&, Out<float>&) noexcept {
        while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
    }
};

/// Gives other results in the second flowgraph of a process, which is the reference.
struct Unsteady {
    struct Params {};
    Params params;
    inline static int made = 0;
    float offset = static_cast<float>(made++);
    WorkResult work(In<float>& in, Out<float>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        for (std::size_t i = 0; i < n; ++i) out[i] = in[i] + offset;
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }
};

constexpr std::uint64_t kGranularity = 1000;
constexpr std::size_t kBufferItems = 8192;
constexpr std::size_t kLakeItems = 1 << 19;  // takes in a whole run

template <class Source, class Stage, std::size_t kItems = kBufferItems> struct Chain {
    weir::Stream<float> source_out{{.name = "source.out", .items = kItems}};
    weir::Stream<float> stage_out{{.name = "stage.out", .items = kBufferItems}};
    weir::Node<Source> source{
        {.name = "source", .index = 0, .probe_granularity = kGranularity, .ends_at_run_items = true},
        {},
        weir::ins(),
        weir::outs(source_out)};
    weir::Node<Stage> stage{
        {.name = "stage", .index = 1, .in_ports = weir::ports<"in">}, {}, weir::ins(source_out), weir::outs(stage_out)};
    weir::Node<Collect> sink{
        {.name = "sink", .index = 2, .probe_granularity = kGranularity, .in_ports = weir::ports<"in">},
        {},
        weir::ins(stage_out),
        weir::outs()};

    void tasks(weir::TaskList& list) { list.add({&source, &stage, &sink}); }
    void parameters(weir::ParamTable& table) {
        if constexpr (requires { source.block().params.label; }) table.add("source.label", source.block().params.label);
        if constexpr (requires { source.block().params.rate; }) table.add("source.rate", source.block().params.rate);
        if constexpr (requires { stage.block().params.a; }) {
            table.add("stage.a", stage.block().params.a, {-10.0, 10.0});
            table.add("stage.delay_us", stage.block().params.delay_us);
            table.add("stage.start_us", stage.block().params.start_us);
        }
    }
};

/// The join waits for the hoard, the hoard for the source, and the source for the join.
struct Deadlock {
    weir::Stream<float> source_out{{.name = "source.out", .items = kBufferItems, .readers = 2}};
    weir::Stream<float> hoard_out{{.name = "hoard.out", .items = kBufferItems}};
    weir::Stream<float> join_out{{.name = "join.out", .items = kBufferItems}};
    weir::Node<Ramp> source{
        {.name = "source", .index = 0, .ends_at_run_items = true}, {}, weir::ins(), weir::outs(source_out)};
    weir::Node<Hoard> hoard{{.name = "hoard", .index = 1}, {}, weir::ins(source_out), weir::outs(hoard_out)};
    weir::Node<Join> join{{.name = "join", .index = 2, .in_ports = weir::ports<"a", "b">},
                          {},
                          weir::ins(source_out, hoard_out),
                          weir::outs(join_out)};
    weir::Node<Collect> sink{{.name = "sink", .index = 3}, {}, weir::ins(join_out), weir::outs()};

    void tasks(weir::TaskList& list) { list.add({&source, &hoard, &join, &sink}); }
    void parameters(weir::ParamTable&) {}
};

/// Two radios: one feeds a stage, the other one its own sink.
struct TwoRadios : Chain<Metronome, Scale> {
    weir::Stream<float> other_out{{.name = "other.out", .items = kBufferItems}};
    weir::Node<Metronome> other{
        {.name = "other", .index = 3, .ends_at_run_items = true}, {}, weir::ins(), weir::outs(other_out)};
    weir::Node<Collect> beside{{.name = "beside", .index = 4}, {}, weir::ins(other_out), weir::outs()};

    void tasks(weir::TaskList& list) {
        Chain::tasks(list);
        list.add({&other, &beside});
    }
};

/// Produces more boundaries than the log has room for: its capacity follows from a limit that the source exceeds.
struct Understated : Ramp {
    std::optional<std::uint64_t> total_items() const { return 2'000; }
};

Plan plan_of(std::vector<weir::WorkerSpec> workers) {
    Plan plan;
    plan.weir_version = "0.1.0";
    plan.project = "fixture";
    plan.deployment = "two \"workers\"";
    plan.scheduler = "flow";
    plan.project_hash = "0123";
    plan.plan_hash = "4567";
    plan.build_flags = "-O2";
    plan.workers = std::move(workers);
    plan.metered = {0};
    plan.run.items = 1'000'500;
    plan.run.warmup_items = 10'000;
    return plan;
}

template <class Graph> int run(int argc, char** argv, const Plan& plan) {
    return weir::app_main<Graph, weir::schedulers::Flow>(argc, argv, plan);
}

/// Runs the first worker in its own thread, and never runs the second.
struct OneIsAbsent {
    void run(weir::Run& run) const {
        run.host(run.plan().workers, [&run] {
            run.absent(1);
            run.enter(0);
            weir::Worker here = *weir::Run::hosted_here();
            weir::run_bound_worker(here);
            run.leave(0);
        });
    }
};

/// The chain on a machine with invented speed check and clocks.
int run_elsewhere(int argc, char** argv, const Plan& plan, double (*bare_items_per_s)(double),
                  weir::ClockReader read_clocks) {
    weir::Application application = weir::make_application<Chain<Ramp, Scale>, weir::schedulers::Flow>(plan);
    application.bare_items_per_s = bare_items_per_s;
    application.read_clocks = read_clocks;
    return weir::run_application(argc, argv, application);
}

/// Graph with a fixed worker schedule: a ramp in an arena, a stage, a sink.
template <class Stage> struct Fires {
    using Local = weir::Place<float, 1>;
    weir::Arena arena{2 * 1024 * sizeof(float)};
    Local source_out{arena, {.name = "source.out", .offset = 0, .items = 1024, .readers = weir::ports<"stage.in">}};
    weir::Fired<Ramp, weir::Inputs<>, weir::Outputs<weir::PlaceOut<Local>>> source{
        {.name = "source", .index = 0, .chunk_items = 1024, .ends_at_run_items = true}, {}, {}, {source_out}};
    Local stage_out{arena, {.name = "stage.out", .offset = 4096, .items = 1024, .readers = weir::ports<"sink.in">}};
    weir::Fired<Stage, weir::Inputs<weir::PlaceIn<Local>>, weir::Outputs<weir::PlaceOut<Local>>> stage{
        {.name = "stage", .index = 1, .chunk_items = 1024}, {}, {source_out}, {stage_out}};
    weir::Fired<Collect, weir::Inputs<weir::PlaceIn<Local>>, weir::Outputs<>> sink{
        {.name = "sink", .index = 2, .chunk_items = 1024}, {}, {stage_out}, {}};

    void tasks(weir::TaskList& list) { list.add({&source, &stage, &sink}); }
    void parameters(weir::ParamTable& table) {
        if constexpr (requires { stage.block().params.a; }) table.add("stage.a", stage.block().params.a);
    }
    void places(weir::PlaceList& list) { list.add({&source_out, &stage_out}); }
    weir::WorkerSchedules worker_schedules() {
        return {[this](weir::ScheduledWorker& at) {
            while (at.again()) {
                if (!source.fire(at, 1024) || !stage.fire(at, 1024) || !sink.fire(at, 1024)) return;
            }
        }};
    }
};

struct Beforehand {
    void run(weir::Run& run, const weir::WorkerSchedules& schedules) { weir::run_worker_schedules(run, schedules); }
};

template <class Stage> int run_scheduled(int argc, char** argv, Plan plan) {
    plan.scheduler = "beforehand";
    plan.workers = {{"w0", {}, weir::tasks<0, 1, 2>}};
    return weir::app_main<Fires<Stage>, Beforehand>(argc, argv, plan);
}

double steady(double) { return 5e9; }

/// Two thirds of the speed at the second call.
double tiring(double) {
    static double items_per_s = 6e9;
    return std::exchange(items_per_s, 4e9);
}

/// One and a half times the speed at the second call.
double waking(double) {
    static double items_per_s = 4e9;
    return std::exchange(items_per_s, 6e9);
}

/// At the second call, all clocks but the hardware's are an hour ahead.
weir::ClockReading jumping() {
    static std::int64_t ahead_ns = 0;
    weir::ClockReading now = weir::read_clocks();
    for (std::int64_t* clock : {&now.monotonic_ns, &now.boot_ns, &now.wall_ns}) *clock += ahead_ns;
    ahead_ns += 3600'000'000'000;
    return now;
}

}  // namespace

int main(int argc, char** argv) {
    const char* chosen = std::getenv("WEIR_FIXTURE");
    const std::string_view name = chosen != nullptr ? chosen : "chain";
    Plan plan = plan_of({{"w0", weir::cpus<0>, weir::tasks<0, 1>}, {"w1", {}, weir::tasks<2>}});
    if (name == "chain") return run<Chain<Ramp, Scale>>(argc, argv, plan);
    if (name == "required") {
        plan.workers[0].cpus = weir::cpus<4095>;
        plan.require = {"affinity"};
        return run<Chain<Ramp, Scale>>(argc, argv, plan);
    }
    if (name == "alone") {
        plan.scheduler = "single_thread";
        plan.workers = {{"w0", {}, weir::tasks<0, 1, 2>}};
        return run<Chain<Ramp, Scale>>(argc, argv, plan);
    }
    if (name == "urgent") {
        plan.timer_slack_ns = 70'000;
        plan.workers[0].cpus = {};
        plan.workers[0].scheduling = weir::Scheduling{.policy = weir::SchedulingPolicy::fifo, .priority = 5};
        return run<Chain<Ramp, Scale>>(argc, argv, plan);
    }
    if (name == "due") {
        plan.policy = weir::SchedulingPolicy::deadline;
        plan.runtime_us = 500;
        plan.deadline_us = plan.period_us = 10'000;
        plan.require = {"priority"};
        plan.workers[0].cpus = {};
        return run<Chain<Metronome, Scale>>(argc, argv, plan);
    }
    if (name == "spins") {
        plan.policy = weir::SchedulingPolicy::fifo;
        plan.priority = 1;
        plan.wait = weir::WaitPolicy::spin;
        plan.workers = {{"w0", weir::cpus<0>, weir::tasks<0, 1, 2>}};
        return run<Chain<Metronome, Scale>>(argc, argv, plan);
    }
    if (name == "scheduled") return run_scheduled<Scale>(argc, argv, plan);
    if (name == "paced") return run<Chain<Metronome, Scale>>(argc, argv, plan);
    if (name == "two_paced") {
        plan.workers = {{"w0", {}, weir::tasks<0, 1, 2>}, {"w1", {}, weir::tasks<3, 4>}};
        plan.metered = {0, 3};
        return run<TwoRadios>(argc, argv, plan);
    }
    if (name == "paced_into_a_lake") {
        plan.workers = {{"w0", {}, weir::tasks<0>}, {"w1", {}, weir::tasks<1, 2>}};
        return run<Chain<Metronome, Scale, kLakeItems>>(argc, argv, plan);
    }
    if (name == "fails") return run<Chain<Ramp, Fails>>(argc, argv, plan);
    if (name == "fails_to_start") return run<Chain<Ramp, FailsToStart>>(argc, argv, plan);
    if (name == "drops") return run<Chain<Ramp, Drops>>(argc, argv, plan);
    if (name == "crashes") return run<Chain<Ramp, Crashes>>(argc, argv, plan);
    if (name == "crashes_scheduled") return run_scheduled<Crashes>(argc, argv, plan);
    if (name == "understated") return run<Chain<Understated, Scale>>(argc, argv, plan);
    if (name == "slowed") return run_elsewhere(argc, argv, plan, tiring, weir::read_clocks);
    if (name == "sped_up") return run_elsewhere(argc, argv, plan, waking, weir::read_clocks);
    if (name == "clock_jumps") return run_elsewhere(argc, argv, plan, steady, jumping);
    if (name == "absent") {
        plan.workers = {{"w0", {}, weir::tasks<0, 1, 2>}, {"w1", {}, {}}};
        return weir::app_main<Chain<Ramp, Scale>, OneIsAbsent>(argc, argv, plan);
    }
    if (name == "powered") {
        weir::Application application = weir::make_application<Chain<Ramp, Scale>, weir::schedulers::Flow>(plan);
        application.sysfs = std::getenv("WEIR_FIXTURE_SYSFS");
        return weir::run_application(argc, argv, application);
    }
    if (name == "hangs") return run<Chain<Ramp, Hangs>>(argc, argv, plan);
    if (name == "unsteady") return run<Chain<Ramp, Unsteady>>(argc, argv, plan);
    if (name == "deadlock") {
        plan = plan_of({{"w0", {}, weir::tasks<0, 1>}, {"w1", {}, weir::tasks<2, 3>}});
        return run<Deadlock>(argc, argv, plan);
    }
    std::fprintf(stderr, "no fixture `%s`\n", chosen);
    return 99;
}
