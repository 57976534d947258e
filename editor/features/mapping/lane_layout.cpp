#include "features/mapping/lane_layout.h"

#include "core/runs/run_loads.h"
#include "core/text/texts.h"
#include "features/mapping/bar_layout.h"
#include "features/mapping/mapped_values.h"

#include <QRegularExpression>

#include <algorithm>
#include <set>

namespace weir::editor {
namespace {

using namespace lanes;

constexpr std::size_t kManyLanes = 8;

class LaneBuilder {
  public:
    explicit LaneBuilder(const LaneInput& input) : m_input(input) {
        for (const PlannedInstance& instance : input.plan.instances) m_known.insert(instance.name, &instance);
    }

    std::vector<Lane> build() {
        addCpuLanes();
        addMissingLanes();
        addAnyLane();
        addPoolLane();
        addNewWorkerLane();
        addWarnings();
        place();
        return std::move(m_lanes);
    }

  private:
    const PlanView& plan() const { return m_input.plan; }

    void addCpuLanes() {
        const MachineCpu* previous = nullptr;
        for (const MachineCpu& cpu : m_input.machine.cpus) {
            Lane lane{Lane::Kind::Cpu, cpu.cpu, MappingText::tr("CPU %1").arg(cpu.cpu)};
            QStringList details{MappingText::tr("core %1").arg(cpu.core)};
            if (cpu.thread > 0) details.append(MappingText::tr("thread %1").arg(cpu.thread + 1));
            if (cpu.isolated) details.append(MappingText::tr("isolated"));
            else if (!cpu.allowed) details.append(MappingText::tr("not allowed"));
            lane.detail = details.join(QStringLiteral(" · "));
            lane.usable = cpu.allowed || cpu.isolated;
            lane.rows = rowsOn(cpu.cpu);
            if (m_input.options.onlyUsed && lane.rows.empty()) continue;
            if (!previous || !previous->isBeside(cpu)) lane.heading = m_input.machine.headingOf(cpu);
            previous = &cpu;
            m_lanes.push_back(std::move(lane));
        }
    }

    void addMissingLanes() {
        std::set<int> missing;
        for (const PlannedWorker& worker : plan().workers)
            for (const int cpu : worker.cpus)
                if (!m_input.machine.cpu(cpu)) missing.insert(cpu);
        QString heading = MappingText::tr("Requested, but not on this machine");
        for (const int cpu : missing) {
            Lane lane{Lane::Kind::MissingCpu, cpu, MappingText::tr("CPU %1").arg(cpu), MappingText::tr("missing"),
                      std::exchange(heading, {})};
            lane.usable = false;
            lane.rows = rowsOn(cpu);
            m_lanes.push_back(std::move(lane));
        }
    }

    void addAnyLane() {
        Lane lane{Lane::Kind::AnyCpu, -1, MappingText::tr("Any CPU"), MappingText::tr("not pinned"),
                  MappingText::tr("Linux chooses the CPU")};
        for (const PlannedWorker& worker : plan().workers)
            if (worker.cpus.empty()) lane.rows.push_back(rowOf(worker, false));
        if (!lane.rows.empty()) m_lanes.push_back(std::move(lane));
    }

    /// Add a lane for jobs, which have no fixed worker.
    void addPoolLane() {
        if (!plan().isDynamic()) return;
        Lane lane{Lane::Kind::Pool, -1, MappingText::tr("Pool"), MappingText::tr("any worker"),
                  MappingText::tr("Blocks move between the workers %1").arg(workerNames())};
        const bool listed = std::any_of(plan().jobs.begin(), plan().jobs.end(),
                                        [](const PlannedJob& job) { return job.instances.size() > 1; });
        if (listed) {
            for (const PlannedJob& job : plan().jobs)
                lane.rows.push_back(
                    {.label = job.name,
                     .note = MappingText::tr("list of %n block(s)", nullptr, static_cast<int>(job.instances.size())),
                     .bars = barsOf(job.instances, m_known, m_input)});
        } else {
            QStringList all;
            for (const PlannedJob& job : plan().jobs) all.append(job.instances);
            lane.rows.push_back({.label = MappingText::tr("tasks"),
                                 .note = MappingText::tr("%n task(s)", nullptr, static_cast<int>(all.size())),
                                 .bars = barsOf(all, m_known, m_input)});
        }
        m_lanes.push_back(std::move(lane));
    }

    void addNewWorkerLane() {
        if (m_input.scheduler.placement)
            m_lanes.push_back(
                {Lane::Kind::NewWorker, -1, MappingText::tr("+ worker"), MappingText::tr("drop here"), {}});
    }

    QString workerNames() const {
        QStringList names;
        for (const PlannedWorker& worker : plan().workers) names.append(worker.name);
        return names.size() > 6 ? names.first() + QStringLiteral(" … ") + names.last()
                                : names.join(QStringLiteral(", "));
    }

    std::vector<LaneRow> rowsOn(int cpu) const {
        std::vector<LaneRow> rows;
        for (const PlannedWorker& worker : plan().workers)
            if (std::find(worker.cpus.begin(), worker.cpus.end(), cpu) != worker.cpus.end())
                rows.push_back(rowOf(worker, worker.cpus.front() != cpu));
        if (m_input.before) addGhosts(rows, cpu);
        return rows;
    }

    /// Add outlines of the bars that were here in the planner's last plan and have been moved since.
    void addGhosts(std::vector<LaneRow>& rows, int cpu) const {
        for (const PlannedWorker& worker : m_input.before->workers) {
            if (worker.cpus.empty() || worker.cpus.front() != cpu) continue;
            const PlannedWorker* now = plan().worker(worker.name);
            const bool moved = !now || now->cpus.empty() || now->cpus.front() != cpu;
            QStringList gone;
            for (const QString& instance : worker.instances)
                if (moved || !now->instances.contains(instance)) gone.append(instance);
            if (gone.isEmpty()) continue;
            auto row =
                std::find_if(rows.begin(), rows.end(), [&](const LaneRow& r) { return r.worker == worker.name; });
            if (row == rows.end())
                row = rows.insert(row, {.worker = worker.name,
                                        .label = worker.name,
                                        .note = MappingText::tr("was here"),
                                        .colour = colourOf(*m_input.before, worker.name),
                                        .echo = true});
            for (LaneBar& bar : barsOf(gone, m_known, m_input)) {
                bar.ghost = true;
                row->bars.push_back(std::move(bar));
            }
        }
    }

    LaneRow rowOf(const PlannedWorker& worker, bool echo) const {
        LaneRow row{.worker = worker.name,
                    .label = worker.name,
                    .note = noteOf(worker, echo),
                    .colour = colourOf(plan(), worker.name),
                    .echo = echo,
                    .kept = m_input.kept.contains(worker.name)};
        if (echo) return row;
        row.threads = m_input.threads.value(worker.name);
        if (const PlannedWorkerSchedule* schedule = plan().workerSchedule(worker.name))
            fillFrom(*schedule, worker, row, m_known, m_input);
        else row.bars = barsOf(worker.instances, m_known, m_input);
        return row;
    }

    QString noteOf(const PlannedWorker& worker, bool echo) const {
        if (echo) return MappingText::tr("may run here too");
        if (m_input.kept.contains(worker.name)) return MappingText::tr("idle");
        if (worker.cpus.empty()) return MappingText::tr("not pinned");
        if (worker.cpus.size() > 1) return MappingText::tr("on CPUs %1").arg(cpuList(worker.cpus));
        if (m_input.measured.cpusOf.value(worker.name) == cpuList(worker.cpus)) return MappingText::tr("granted");
        return worker.requested ? MappingText::tr("requested") : MappingText::tr("planned");
    }

    void addWarnings() {
        for (const Problem& problem : m_input.problems) {
            if (problem.severity != QLatin1String("warning") ||
                !problem.pointer.startsWith(QLatin1String("/deployments/")))
                continue;
            static const QSet<QString> ofLanes{QStringLiteral("W_CPU_MISSING"), QStringLiteral("W_OVERSUBSCRIBED"),
                                               QStringLiteral("W_SPIN_SHARED"), QStringLiteral("W_CORE_SHARED"),
                                               QStringLiteral("W_NUMA_CROSSED")};
            if (ofLanes.contains(problem.code))
                for (Lane& lane : m_lanes)
                    if (concerns(problem, lane)) lane.warnings.push_back({problem.code, problem.message});
        }
    }

    /// Return whether a warning is about a worker of the lane. A warning without workers is about all of them.
    static bool concerns(const Problem& problem, const Lane& lane) {
        static const QRegularExpression word(QStringLiteral("[a-z][a-z0-9_]*(\\[\\d+\\])?(@p\\d+)?"));
        QSet<QString> words;
        for (auto it = word.globalMatch(problem.message); it.hasNext();) words.insert(it.next().captured());
        if (problem.code == QLatin1String("W_OVERSUBSCRIBED")) return lane.rows.size() > 1;
        return std::any_of(lane.rows.begin(), lane.rows.end(),
                           [&](const LaneRow& row) { return words.contains(row.worker); });
    }

    void place() {
        const bool many = m_lanes.size() > kManyLanes;
        double y = 0;
        for (Lane& lane : m_lanes) {
            if (!lane.heading.isEmpty()) y += kHeading;
            double height = 0;
            lane.load = -1;
            for (LaneRow& row : lane.rows) {
                double rowHeight = placeBars(row, y + height, m_input.options.width);
                rowHeight += placeBuffers(row, y + height + rowHeight, m_input.options.width);
                row.rect = {kHeader, y + height, m_input.options.width - kHeader, rowHeight};
                height += rowHeight;
                const double load = row.echo ? -1 : m_input.measured.loadOf.value(row.worker, -1);
                if (load >= 0) lane.load = std::max(lane.load, 0.0) + load;
            }
            if (lane.rows.empty())
                height = many && lane.kind == Lane::Kind::Cpu ? kEmptyLane
                         : lane.kind == Lane::Kind::NewWorker ? 44
                                                              : kLane;
            lane.rect = {0, y, m_input.options.width, height};
            y += height;
        }
    }

    const LaneInput& m_input;
    InstanceIndex m_known; ///< instances of the plan
    std::vector<Lane> m_lanes;
};

double numberOf(const Json& object, std::string_view key) {
    const Json* value = member(object, key);
    return value && value->is_number() ? value->get<double>() : -1;
}

} // namespace

QString Lane::kindName() const {
    switch (kind) {
        case Kind::Cpu: return QStringLiteral("cpu");
        case Kind::MissingCpu: return QStringLiteral("missing");
        case Kind::AnyCpu: return QStringLiteral("any");
        case Kind::Pool: return QStringLiteral("pool");
        case Kind::NewWorker: break;
    }
    return QStringLiteral("new");
}

MeasuredLoad measuredLoad(const Json* result, const QString& deployment) {
    MeasuredLoad found;
    if (!result || string(*result, "deployment") != deployment) return found;
    const double elapsed = numberOf(*result, "elapsed_s");
    if (elapsed <= 0) return found;
    for (const Json& block : list(member(*result, "blocks")))
        if (const double busy = numberOf(block, "busy_ns"); busy >= 0)
            found.shareOf.insert(string(block, "id"), busy / 1e9 / elapsed);
    for (const auto& [worker, time] : workerTimes(*result).asKeyValueRange()) found.loadOf.insert(worker, time.onCpu);
    for (const auto& [worker, cpus] : object(member(object(member(*result, "granted")), "affinity")).items())
        found.cpusOf.insert(QString::fromStdString(worker), grantedCpus(result, QString::fromStdString(worker)));
    return found;
}

std::vector<Lane> layOutLanes(const LaneInput& input) { return LaneBuilder(input).build(); }

int colourOf(const PlanView& plan, const QString& worker) {
    const auto it =
        std::find_if(plan.workers.begin(), plan.workers.end(), [&](const auto& w) { return w.name == worker; });
    return it == plan.workers.end() ? -1 : static_cast<int>(it - plan.workers.begin());
}

} // namespace weir::editor
