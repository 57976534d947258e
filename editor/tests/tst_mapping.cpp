#include "core/ask/cli_command.h"
#include "core/deployment/instance_patterns.h"
#include "core/deployment/mapping_edits.h"
#include "core/deployment/planner.h"
#include "core/edits/project_edits.h"
#include "features/mapping/lane_layout.h"
#include "features/mapping/lane_wires.h"
#include "features/mapping/mapped_values.h"
#include "test_files.h"

#include <QSignalSpy>
#include <QTest>

using namespace weir::editor;

/// Tests of machines, plans and edits of mappings against the plans of the real command line.
class TestMapping : public QObject {
    Q_OBJECT

    using Kind = DropTarget::Kind;

    static QString machineFile(const char* name) {
        return QStringLiteral(WEIR_ROOT "/codegen/tests/machines/%1.json").arg(QLatin1String(name));
    }

    static Machine machineOf(const char* name) {
        const Json json = jsonOf(readAll(machineFile(name)));
        return *machineFrom(&json);
    }

    /// Copy of the example whose chosen deployment the command line plans.
    struct Project {
        explicit Project(const QString& path, const QString& deployment, const char* machine)
            : planner(CliCommand::parse(QStringLiteral(WEIR_CLI_COMMAND)), document), name(deployment) {
            failure = document.open(path);
            planner.setMachineFile(machineFile(machine));
            planner.setDeployment(deployment);
            planner.setActive(true);
        }

        bool isPlanned() {
            return QTest::qWaitFor([this] { return planner.isUpToDate(); }, 60000) && planner.answer().plan.has_value();
        }

        const PlanView& plan() const { return *planner.answer().plan; }
        const SchedulerType& scheduler() const { return *catalog.scheduler(plan().scheduler.toStdString()); }

        QString move(const QSet<QString>& instances, const DropTarget& target) {
            const MappingChange change = movedTo(plan(), scheduler(), instances, target);
            if (!change.problem.isEmpty()) return change.problem;
            expected = withMapping(plan(), scheduler(), change.mapping);
            const PlanView before = plan();
            return document.edit(QStringLiteral("move"), [&](Transaction& t) {
                writeMapping(t, *deploymentPointer(document.json(), name.toStdString()), before, scheduler(),
                             change.mapping);
            });
        }

        /// Return how the plan differs from the preview before the answer, or an empty text.
        QString difference() const {
            for (const PlannedInstance& instance : expected.instances)
                if (plan().instance(instance.name)->worker != instance.worker)
                    return instance.name + QStringLiteral(" is on ") + plan().instance(instance.name)->worker;
            for (const PlannedWorker& worker : expected.workers)
                if (!worker.cpus.empty() &&
                    (!plan().worker(worker.name) || plan().worker(worker.name)->cpus != worker.cpus))
                    return worker.name + QStringLiteral(" is elsewhere");
            return {};
        }

        Document document;
        Planner planner;
        Catalog catalog = testCatalog();
        PlanView expected;
        QString name;
        QString failure;
    };

    static PlanView planOf(const std::vector<std::pair<const char*, const char*>>& workerOf) {
        Json plan{{"workers", Json::array({{{"name", "w0"}}})}, {"blocks", Json::array()}};
        for (const auto& [instance, worker] : workerOf)
            plan["blocks"].push_back(
                {{"instance", instance},
                 {"block", std::string(instance).substr(0, std::string(instance).find_first_of("[@"))},
                 {"worker", worker}});
        return *planFrom(&plan);
    }

  private slots:
    void machinesHaveTheirCpusInTheOrderOfLanes() {
        const Machine smt = machineOf("quad_smt");
        QStringList order;
        for (const MachineCpu& cpu : smt.cpus) order.append(QString::number(cpu.cpu));
        QCOMPARE(order.join(u' '), QStringLiteral("0 4 1 5 2 6 3 7"));
        QVERIFY(smt.cpu(3)->isolated && !smt.cpu(3)->allowed);
        QCOMPARE(smt.cpu(5)->thread, 1);
        QCOMPARE(smt.headingOf(*smt.cpu(0)), QStringLiteral("Package 0 · NUMA node 0 · L3 16 MiB"));

        const Machine large = machineOf("two_packages");
        QCOMPARE(large.cpus.size(), std::size_t{128});
        int headings = 1;
        for (std::size_t i = 1; i < large.cpus.size(); ++i) headings += !large.cpus[i].isBeside(large.cpus[i - 1]);
        QCOMPARE(headings, 8);
        QCOMPARE(machineOf("one_cpu").summary, QStringLiteral("1 core · 1 CPU · L1d 32 KiB · L2 512 KiB"));
        QVERIFY(!machineFrom(nullptr));
        const Json nonsense{{"cores", 3}};
        QVERIFY(!machineFrom(&nonsense));
    }

    void patternsAreShortAndExact_data() {
        QTest::addColumn<QStringList>("workerOf");
        QTest::addColumn<QString>("patterns");
        const auto row = [](const char* name, const QString& workerOf, const QString& patterns) {
            QTest::newRow(name) << workerOf.split(u' ') << patterns;
        };
        row("all", QStringLiteral("a:w0 b[0]:w0 b[1]:w0"), QStringLiteral("*=w0"));
        row("blocks", QStringLiteral("a:w0 b[0]:w1 b[1]:w1"), QStringLiteral("a=w0 b=w1"));
        row("copies", QStringLiteral("a:w0 b[0]:w0 b[1]:w1 b[2]:w1"), QStringLiteral("a=w0 b[0]=w0 b[1..2]=w1"));
        row("pipes", QStringLiteral("a@p0:w0 b@p0:w0 a@p1:w1 b@p1:w1 a@p2:w1 b@p2:w1"),
            QStringLiteral("*@p0=w0 *@p1..2=w1"));
        row("a pipe of one block", QStringLiteral("a@p0:w0 b@p0:w0 a@p1:w1 b@p1:w0"),
            QStringLiteral("a@p0=w0 a@p1=w1 b=w0"));
        row("copies in every pipe", QStringLiteral("b[0]@p0:w0 b[1]@p0:w1 b[0]@p1:w0 b[1]@p1:w1"),
            QStringLiteral("b[0]=w0 b[1]=w1"));
        row("one copy of one pipe", QStringLiteral("b[0]@p0:w0 b[1]@p0:w1 b[0]@p1:w0 b[1]@p1:w0"),
            QStringLiteral("b[0]@p0=w0 b[1]@p0=w1 b@p1=w0"));
        row("without a value", QStringLiteral("a: b:w1"), QStringLiteral("b=w1"));
    }

    void patternsAreShortAndExact() {
        QFETCH(QStringList, workerOf);
        QFETCH(QString, patterns);
        std::vector<std::pair<std::string, std::string>> texts;
        for (const QString& entry : workerOf)
            texts.emplace_back(entry.section(u':', 0, 0).toStdString(), entry.section(u':', 1).toStdString());
        std::vector<std::pair<const char*, const char*>> pairs;
        for (const auto& [instance, worker] : texts) pairs.emplace_back(instance.c_str(), worker.c_str());
        const PlanView plan = planOf(pairs);
        QStringList found;
        for (const auto& [pattern, worker] : patternsFor(plan.instances, mappingOf(plan).workerOf))
            found.append(pattern + u'=' + worker);
        QCOMPARE(found.join(u' '), patterns);
    }

    void aBlockMovedToAWorkerIsThereInThePlan() {
        Project p(QStringLiteral(WEIR_ROOT "/examples/fm_receiver.weir.json"), QStringLiteral("flow"), "two_core");
        QVERIFY2(p.isPlanned(), qPrintable(p.planner.answer().whyNoPlan()));
        const std::string original = p.document.canonicalText();
        QCOMPARE(p.plan().instance(QStringLiteral("channel"))->worker, QStringLiteral("w0"));
        QCOMPARE(
            p.move({QStringLiteral("channel"), QStringLiteral("demodulate")}, {Kind::Worker, QStringLiteral("w1"), -1}),
            QString());
        QVERIFY(p.isPlanned());
        QCOMPARE(p.difference(), QString());
        QCOMPARE(p.plan().instance(QStringLiteral("channel"))->worker, QStringLiteral("w1"));
        QCOMPARE(p.plan().strategy, QStringLiteral("explicit"));
        QVERIFY(!p.plan().worker(QStringLiteral("w1"))->requested);
        QCOMPARE(p.document.undoStack().count(), 1);
        p.document.undoStack().undo();
        QCOMPARE(p.document.canonicalText(), original);
    }

    void aCoreTakesAWorkerOfItsOwnAndTheOthersStay() {
        Project p(QStringLiteral(WEIR_ROOT "/examples/null_rand_latency.weir.json"), QStringLiteral("flow"),
                  "quad_smt");
        QVERIFY2(p.isPlanned(), qPrintable(p.planner.answer().whyNoPlan()));
        // CPUs 0, 1 and 2 have a worker each. CPU 3 is isolated, so only an explicit request uses it.
        QCOMPARE(p.move({QStringLiteral("stage[5]@p0"), QStringLiteral("sink@p0")}, {Kind::Cpu, {}, 3}), QString());
        QVERIFY(p.isPlanned());
        QCOMPARE(p.difference(), QString());
        const QString worker = p.plan().instance(QStringLiteral("sink@p0"))->worker;
        QCOMPARE(p.plan().worker(worker)->cpus, std::vector<int>{3});
        QCOMPARE(p.plan().worker(worker)->instances.size(), 2);
        // Moving all blocks of a worker to another core moves the worker.
        QCOMPARE(p.move({QStringLiteral("stage[5]@p0"), QStringLiteral("sink@p0")}, {Kind::Cpu, {}, 7}), QString());
        QVERIFY(p.isPlanned());
        QCOMPARE(p.difference(), QString());
        QCOMPARE(p.plan().worker(worker)->cpus, std::vector<int>{7});
        // Moving them back to the first worker removes the empty one, and the others keep their CPUs.
        QCOMPARE(p.move({QStringLiteral("stage[5]@p0"), QStringLiteral("sink@p0")},
                        {Kind::Worker, QStringLiteral("w0"), -1}),
                 QString());
        QVERIFY(p.isPlanned());
        QCOMPARE(p.difference(), QString());
        QVERIFY(!p.plan().worker(worker));
    }

    void schedulersTakeWhatTheirDescriptorsAllow() {
        Project p(QStringLiteral(WEIR_ROOT "/examples/null_rand_latency.weir.json"), QStringLiteral("thread_per_block"),
                  "two_core");
        QVERIFY(p.isPlanned());
        QCOMPARE(p.move({QStringLiteral("sink@p0"), QStringLiteral("sink@p1")}, {Kind::Cpu, {}, 1}), QString());
        QVERIFY2(p.isPlanned(), qPrintable(p.planner.answer().whyNoPlan()));
        QCOMPARE(p.plan().worker(QStringLiteral("sink@p1"))->cpus, std::vector<int>{1});
        QVERIFY(p.plan().worker(QStringLiteral("sink@p2"))->cpus.empty());
        const Json* affinity =
            find(p.document.json(), *deploymentPointer(p.document.json(), "thread_per_block") / "affinity");
        QVERIFY(affinity);
        QCOMPARE(affinity->dump(), std::string("{\"sink@p0..1\":[1]}"));
        QCOMPARE(p.move({QStringLiteral("sink@p0"), QStringLiteral("sink@p1")}, {Kind::AnyCpu, {}, -1}), QString());
        QVERIFY(!find(p.document.json(), *deploymentPointer(p.document.json(), "thread_per_block") / "affinity"));
        QVERIFY(!p.move({QStringLiteral("sink@p0")}, {Kind::NewWorker, {}, -1}).isEmpty());

        p.planner.setDeployment(p.name = QStringLiteral("work_stealing"));
        QVERIFY(p.isPlanned());
        QVERIFY(p.plan().isDynamic());
        QVERIFY(p.move({QStringLiteral("sink@p0")}, {Kind::Worker, QStringLiteral("w0"), -1})
                    .contains(QStringLiteral("Work stealing")));
        QCOMPARE(
            workerMovedTo(p.plan(), QStringLiteral("w0"), {Kind::Cpu, {}, 1}).mapping.affinity.at(QStringLiteral("w0")),
            std::vector<int>{1});

        p.planner.setDeployment(p.name = QStringLiteral("single_thread"));
        QVERIFY(p.isPlanned());
        QVERIFY(!p.move({QStringLiteral("sink@p0")}, {Kind::NewWorker, {}, -1}).isEmpty());
        QCOMPARE(p.move({QStringLiteral("sink@p0")}, {Kind::Cpu, {}, 1}), QString());
        QVERIFY(p.isPlanned());
        QCOMPARE(p.plan().workers.front().cpus, std::vector<int>{1});
    }

    void strategiesArePreviewedWithoutAChange() {
        Project p(QStringLiteral(WEIR_ROOT "/examples/fm_receiver.weir.json"), QStringLiteral("flow"), "quad_smt");
        QVERIFY(p.isPlanned());
        const std::size_t before = p.plan().workers.size();
        QVERIFY(before > 1);
        p.planner.setPreview(QStringLiteral("single"));
        QVERIFY(p.isPlanned());
        QCOMPARE(p.plan().workers.size(), std::size_t{1});
        QVERIFY(!p.document.isModified());
        p.planner.setPreview({});
        QVERIFY(p.isPlanned());
        QCOMPARE(p.plan().workers.size(), before);
    }

    void aNewQuestionDropsTheAnswerOfTheOneBefore() {
        Project p(QStringLiteral(WEIR_ROOT "/examples/fm_receiver.weir.json"), QStringLiteral("flow"), "quad_smt");
        QSignalSpy answered(&p.planner, &Planner::answered);
        for (const char* strategy : {"single", "round_robin", "contiguous", "single"})
            p.planner.setPreview(QLatin1String(strategy));
        QVERIFY(p.isPlanned());
        QCOMPARE(answered.size(), 1);
        QCOMPARE(p.plan().workers.size(), std::size_t{1});
    }

    void whatCannotBePlannedSaysWhyAndKeepsTheMachine() {
        Project p(QStringLiteral(WEIR_ROOT "/codegen/tests/bad/E_CYCLE.weir.json"), {}, "quad_smt");
        QVERIFY(!p.isPlanned());
        QVERIFY(p.planner.answer().machine);
        QVERIFY2(p.planner.answer().whyNoPlan().contains(QStringLiteral("cycle")),
                 qPrintable(p.planner.answer().whyNoPlan()));
        p.planner.setMachineFile(QStringLiteral("/nowhere/machine.json"));
        QVERIFY(!p.isPlanned());
        QVERIFY(!p.planner.answer().machine);
        QVERIFY(p.planner.answer().whyNoPlan().contains(QStringLiteral("machine.json")));
    }

    void lanesShowWorkersWarningsAndLoads_data() {
        QTest::addColumn<QString>("machine");
        QTest::addColumn<int>("cpuLanes");
        QTest::newRow("one CPU") << "one_cpu" << 1;
        QTest::newRow("two cores") << "two_core" << 2;
        QTest::newRow("hyper-threads") << "quad_smt" << 8;
        QTest::newRow("two packages") << "two_packages" << 128;
    }

    void lanesShowWorkersWarningsAndLoads() {
        QFETCH(QString, machine);
        QFETCH(int, cpuLanes);
        Project p(QStringLiteral(WEIR_ROOT "/examples/null_rand_latency.weir.json"), QStringLiteral("flow"),
                  machine.toLatin1().constData());
        QVERIFY(p.isPlanned());
        const std::vector<int>& cpusOfFirst = p.plan().worker(QStringLiteral("w0"))->cpus;
        const Json result{{"deployment", "flow"},
                          {"elapsed_s", 2.0},
                          {"threads", Json::array({{{"name", "w0"}, {"cpu_time_s", 1.5}}})},
                          {"blocks", Json::array({{{"id", "source@p0"}, {"busy_ns", 1000000000}}})},
                          {"granted", {{"affinity", {{"w0", cpusOfFirst}, {"w1", Json::array({99})}}}}}};
        const MeasuredLoad measured = measuredLoad(&result, QStringLiteral("flow"));
        QVERIFY(measuredLoad(&result, QStringLiteral("other")).loadOf.isEmpty());
        LaneOptions options{.width = 900, .unfolded = true};
        const LaneInput input{*p.planner.answer().machine, p.plan(), nullptr, p.scheduler(), measured,
                              p.planner.answer().problems, options};
        const std::vector<Lane> lanes = layOutLanes(input);
        int cpus = 0;
        std::size_t bars = 0;
        double bottom = 0;
        for (const Lane& lane : lanes) {
            cpus += lane.kind == Lane::Kind::Cpu;
            QVERIFY(lane.rect.top() >= bottom);
            bottom = lane.rect.bottom();
            for (const LaneRow& row : lane.rows) {
                if (cpusOfFirst.size() == 1)
                    QCOMPARE(row.note == QStringLiteral("granted"), row.worker == QStringLiteral("w0"));
                for (const LaneBar& bar : row.bars) {
                    ++bars;
                    QVERIFY2(row.rect.contains(bar.rect), qPrintable(bar.title));
                    QVERIFY(bar.rect.width() >= lanes::kLeastBar);
                    if (bar.title == QLatin1String("source@p0")) QCOMPARE(bar.share, 0.5);
                }
            }
        }
        QCOMPARE(cpus, cpuLanes);
        QCOMPARE(bars, p.plan().instances.size());
        QCOMPARE(lanes.back().kind, Lane::Kind::NewWorker);
        QCOMPARE(lanes.front().load, 0.75);
    }

    void aCpuThatIsNotThereHasALaneThatSaysSo() {
        Project p(QStringLiteral(WEIR_ROOT "/examples/fm_receiver.weir.json"), QStringLiteral("flow"), "two_core");
        QVERIFY(p.isPlanned());
        const Pointer deployment = *deploymentPointer(p.document.json(), "flow");
        p.document.edit(QStringLiteral("pin"),
                        [&](Transaction& t) { t.set(deployment / "affinity", {{"w1", Json::array({9})}}); });
        QVERIFY(p.isPlanned());
        const MeasuredLoad nothing;
        const std::vector<Lane> lanes = layOutLanes(
            {*p.planner.answer().machine, p.plan(), nullptr, p.scheduler(), nothing, p.planner.answer().problems, {}});
        const auto missing = std::find_if(lanes.begin(), lanes.end(),
                                          [](const Lane& lane) { return lane.kind == Lane::Kind::MissingCpu; });
        QVERIFY(missing != lanes.end());
        QCOMPARE(missing->cpu, 9);
        QVERIFY(!missing->warnings.empty());
        QCOMPARE(missing->warnings.front().code, QStringLiteral("W_CPU_MISSING"));
        QCOMPARE(missing->rows.front().worker, QStringLiteral("w1"));
    }

    void wiresBetweenWorkersAndNodesAreTold() {
        Project p(QStringLiteral(WEIR_ROOT "/examples/fm_receiver.weir.json"), QStringLiteral("flow"), "two_packages");
        QVERIFY(p.isPlanned());
        QCOMPARE(p.move({QStringLiteral("speaker")}, {Kind::Cpu, {}, 40}), QString());
        QVERIFY(p.isPlanned());
        bool warned = false;
        for (const Problem& problem : p.planner.answer().problems)
            warned = warned || problem.code == QLatin1String("W_NUMA_CROSSED");
        QVERIFY(warned);
        const MeasuredLoad nothing;
        std::vector<LaneBar> bars;
        for (const Lane& lane :
             layOutLanes({*p.planner.answer().machine, p.plan(), nullptr, p.scheduler(), nothing, {}, {}}))
            for (const LaneRow& row : lane.rows)
                for (const LaneBar& bar : row.bars) {
                    bars.push_back(bar);
                    bars.back().worker = row.worker;
                }
        int crossing = 0;
        QString text;
        for (const LaneWire& wire : laneWires(bars, p.plan(), *p.planner.answer().machine))
            if (wire.crossesNode) {
                ++crossing;
                text = wire.text;
            }
        QCOMPARE(crossing, 1);
        QVERIFY2(text.contains(QStringLiteral("audio.out → speaker.in")) &&
                     text.contains(QStringLiteral("node 0 to node 1")),
                 qPrintable(text));
    }

    void whatIsSaidOfAWorkerGoesWithIt() {
        Json project = jsonOf(R"({"graph": {"blocks": [{"id": "a", "type": "x"}, {"id": "b", "type": "x"}]},
            "deployments": [{"name": "d", "scheduler": "flow", "placement": {"strategy": "explicit", "map": {"a": "near", "b": "w1"}},
            "threads": {"near": {"policy": "fifo", "priority": 9}, "w1": {"priority": 3}, "b": {"policy": "rr", "priority": 2},
                        "a[0]@p1": {"policy": "rr", "priority": 1}}}]})");
        const Pointer deployment("/deployments/0");
        const auto left = [&] {
            QStringList names;
            for (const auto& item : object(find(project, deployment / "threads")).items())
                names.append(QString::fromStdString(item.key()));
            return names.join(u' ');
        };
        const auto changed = [&](auto change) {
            const Json before = project;
            Transaction transaction(project);
            change(transaction);
            const QString names = left();
            project = before;
            return names;
        };
        // Both blocks move to w1, which removes the other worker.
        PlanView plan;
        plan.deployment = QStringLiteral("d");
        plan.workers = {{QStringLiteral("near"), {}, {0}, {QStringLiteral("a")}},
                        {QStringLiteral("w1"), {}, {1}, {QStringLiteral("b")}}};
        plan.instances = {{QStringLiteral("a"), QStringLiteral("a"), {}, QStringLiteral("near")},
                          {QStringLiteral("b"), QStringLiteral("b"), {}, QStringLiteral("w1")}};
        SchedulerType flow;
        flow.placement = true;
        flow.maxWorkers = 9;
        const MappingChange moved =
            movedTo(plan, flow, {QStringLiteral("a")}, {DropTarget::Kind::Worker, QStringLiteral("w1"), -1});
        QCOMPARE(changed([&](Transaction& t) { writeMapping(t, deployment, plan, flow, moved.mapping); }),
                 QStringLiteral("w1 b a[0]@p1"));
        QCOMPARE(changed([&](Transaction& t) { writeStrategy(t, deployment, "contiguous"); }),
                 QStringLiteral("w1 b a[0]@p1"));
        QCOMPARE(changed([&](Transaction& t) { writeStrategy(t, deployment, "single"); }), QStringLiteral("b a[0]@p1"));
        QCOMPARE(changed([](Transaction& t) { renameBlock(t, "a", "c"); }), QStringLiteral("near w1 b c[0]@p1"));
        QCOMPARE(changed([](Transaction& t) { removeParts(t, {"a"}, {}); }), QStringLiteral("near w1 b"));
        project["deployments"][0]["threads"] = jsonOf(R"({"b": {"policy": "rr", "priority": 2}})");
        QCOMPARE(changed([](Transaction& t) { removeParts(t, {"b"}, {}); }), QString());
        QVERIFY(project["deployments"][0].contains("threads"));
    }

    void valuesSayWhatWasNotGranted() {
        PlanView plan;
        plan.deployment = QStringLiteral("flow");
        plan.scheduling = QStringLiteral("fifo 10");
        plan.lockMemory = true;
        plan.workers = {{QStringLiteral("w0"), std::vector<int>{0}, {0}},
                        {QStringLiteral("w1"), {}, {1}, {}, QStringLiteral("other, slack 50.0 µs")}};
        plan.streams = {{QStringLiteral("a.out"), {QStringLiteral("b.in")}, QStringLiteral("ring"), 1000, 1024, 4096}};
        const Json result{{"deployment", "flow"},
                          {"granted",
                           {{"affinity", {{"w0", {0}}, {"w1", {0, 1}}}},
                            {"priority",
                             {{"w0", {{"policy", "other"}, {"priority", 0}}},
                              {"w1", {{"policy", "other"}, {"priority", 0}, {"timer_slack_ns", 50000}}}}},
                            {"memory", {{"locked_bytes", 0}, {"huge_page_bytes", nullptr}}},
                            {"buffers", {{"a.out", 1024}}}}}};
        QHash<QString, QString> verdicts;
        for (const MappedValue& value : mappedValues(plan, &result))
            verdicts.insert(value.subject + u' ' + value.what, value.verdict);
        QCOMPARE(verdicts.value(QStringLiteral("w0 CPU")), QString());
        QCOMPARE(verdicts.value(QStringLiteral("w1 CPU")), QStringLiteral("not granted"));
        QCOMPARE(verdicts.value(QStringLiteral("w0 policy")), QStringLiteral("not granted"));
        QVERIFY(verdicts.contains(QStringLiteral("w1 policy")));
        QCOMPARE(verdicts.value(QStringLiteral("w1 policy")), QString());
        QCOMPARE(verdicts.value(QStringLiteral("memory locked")), QStringLiteral("not granted"));
        QCOMPARE(verdicts.value(QStringLiteral("a.out buffer, items")), QStringLiteral("rounded"));
        const auto differences = [](const std::vector<MappedValue>& values) {
            return std::count_if(values.begin(), values.end(),
                                 [](const auto& value) { return !value.verdict.isEmpty(); });
        };
        QCOMPARE(differences(mappedValues(plan, &result)), 4);
        QCOMPARE(differences(mappedValues(plan, nullptr)), 1);
        // The operating system did not refuse a value that was requested after the run.
        const std::vector<MappedValue> earlier = mappedValues(plan, &result, true);
        QCOMPARE(differences(earlier), 1);
        QCOMPARE(earlier[1].wrong, false);
    }
};

QTEST_GUILESS_MAIN(TestMapping)
#include "tst_mapping.moc"
