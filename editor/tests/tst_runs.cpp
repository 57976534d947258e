#include "core/document/project_file.h"
#include "core/json/canonical_json.h"
#include "core/runs/run_folders.h"
#include "core/runs/run_list.h"
#include "core/runs/run_loads.h"
#include "core/runs/run_record.h"
#include "core/text/value_text.h"
#include "features/heat/load_text.h"
#include "features/mapping/lane_layout.h"
#include "features/runs/result_tables.h"
#include "features/runs/run_finding.h"
#include "features/runs/run_groups.h"
#include "results_fixture.h"
#include "run_tables.h"
#include "test_files.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace weir::editor;

namespace {

Json row(const char* id, const char* status, double throughput, const char* deployment = "flow",
         const char* set = "s1") {
    return {{"path", std::string("/runs/") + id},
            {"run_id", id},
            {"project", "p"},
            {"deployment", deployment},
            {"scheduler", deployment},
            {"repetition", 0},
            {"set", set},
            {"essence", "h1"},
            {"status", status},
            {"reason", ""},
            {"started", "2026-11-20T19:02:27.490Z"},
            {"throughput_items_per_s", throughput},
            {"p50_ns", 2000},
            {"p95_ns", 2500},
            {"p99_ns", 3000},
            {"note", nullptr},
            {"size_bytes", 4096},
            {"trace_bytes", 0}};
}

} // namespace

/// Tests of reading and listing runs, without a window.
class TestRuns : public RunTables {
    Q_OBJECT

  private slots:
    void runsThatFollowTheirProjectAreCalledAsItIs() {
        QTemporaryDir folder;
        const QString from = folder.filePath(QStringLiteral("before/20261120T193817Z-untitled-flow-d8d131"));
        QVERIFY(QDir().mkpath(from));
        Json results = parse(readAll(runOf("*-pipes-flow-*") + QStringLiteral("/results.json")));
        results["project"] = "untitled";
        results["coordinates"] = {{"project", "untitled"}, {"deployment", "untitled"}};
        const QByteArray before = QByteArray::fromStdString(canonicalText(results));
        QCOMPARE(writeWhole(from + QStringLiteral("/results.json"), before), QString());
        const QString to = folder.filePath(QStringLiteral("after"));
        QVERIFY(moveRuns({from}, to, QStringLiteral("mine")));
        const QByteArray after = readAll(to + u'/' + QFileInfo(from).fileName() + QStringLiteral("/results.json"));
        QCOMPARE(after, QByteArray(before).replace("\"project\": \"untitled\"", "\"project\": \"mine\""));
        QVERIFY(!QFileInfo::exists(from));
        // A folder that is not a run stays in place.
        QVERIFY(QDir().mkpath(from));
        QVERIFY(!moveRuns({from}, to, QStringLiteral("mine")) && QFileInfo::exists(from));
    }

    void initTestCase() { QVERIFY2(!runOf("*pipes*").isEmpty(), "the measured runs are missing"); }

    void runsThatCannotBeReadSayWhy() {
        QTemporaryDir folder;
        QVERIFY(readRun(folder.filePath(QStringLiteral("gone"))).fault.contains(QStringLiteral("no longer exists")));
        QVERIFY(readRun(folder.path()).fault.contains(QStringLiteral("results.json")));
        const auto write = [&](const QByteArray& text) {
            QFile file(folder.filePath(QStringLiteral("results.json")));
            return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
        };
        QVERIFY(write("{\"schema_version\": 1, \"run"));
        QVERIFY(readRun(folder.path()).fault.contains(QStringLiteral("damaged")));
        QVERIFY(write("{\"schema_version\": 99}"));
        QVERIFY(readRun(folder.path()).fault.contains(QStringLiteral("99")));
        QVERIFY(write("[]"));
        QVERIFY(!readRun(folder.path()).isReadable());
        QVERIFY(write("{\"schema_version\": 1, \"status\": \"ok\"}"));
        const RunRecord bare = readRun(folder.path());
        QVERIFY(bare.isReadable() && !bare.curveFault.isEmpty() && bare.curves.empty());
    }

    void instancesCountForTheirBlock() {
        for (const auto& [instance, block] : {std::pair("stage[2]@p3", "stage"), {"tap@p0", "tap"}, {"sink", "sink"}})
            QCOMPARE(blockOf(QLatin1String(instance)), QLatin1String(block));
        const Json results = parse(readAll(runOf("*-pipes-thread_per_block-*") + QStringLiteral("/results.json")));
        const RunLoads loads = loadsOf(results);
        QCOMPARE(loads.blocks.size(), 6);
        QCOMPARE(loads.blocks[QStringLiteral("stage")].instances, 8);
        double sum = 0, busy = 0;
        for (const BlockLoad& load : loads.blocks) sum += load.share;
        QVERIFY(std::abs(sum - 1) < 1e-9);
        for (const Json& block : list(member(results, "blocks")))
            if (text(member(block, "id")).starts_with("stage")) busy += numberOf(block, "busy_ns");
        QCOMPARE(loads.blocks[QStringLiteral("stage")].busyNs, busy);
        for (const BlockLoad& load : loads.blocks)
            QCOMPARE(load.heat, std::clamp(static_cast<int>(std::ceil(load.share * 5 - 1e-9)) - 1, 0, 4));
        QVERIFY(loads.blocks.contains(loads.busiest));
        const auto wire = loads.wires.find({"gain", "out", "stage", "in"});
        QVERIFY(wire != loads.wires.end());
        QCOMPARE(wire->second.streams, 2); // one per pipe
        QVERIFY(wire->second.fill > 0 && wire->second.fill <= wire->second.fullest && wire->second.fullest <= 1);
    }

    void theBottleneckIsTheMostOfTheBusiestWorker() {
        // Four copies on their own threads use the most CPU time together, but the one block on a single thread is the
        // bottleneck.
        const Json results = parse(R"({"elapsed_s": 1, "blocks": [
            {"id": "src", "worker": "src", "busy_ns": 600000000, "items_in": 0, "items_out": 100},
            {"id": "stage[0]", "worker": "stage[0]", "busy_ns": 300000000, "items_in": 100, "items_out": 100},
            {"id": "stage[1]", "worker": "stage[1]", "busy_ns": 300000000, "items_in": 100, "items_out": 100},
            {"id": "stage[2]", "worker": "stage[2]", "busy_ns": 300000000, "items_in": 100, "items_out": 100}]})");
        const RunLoads loads = loadsOf(results);
        QCOMPARE(loads.bottleneck(), QStringLiteral("src"));
        QCOMPARE(loads.blocks[QStringLiteral("stage")].heat, 2);  // the colour shows the share: 60 %
        QCOMPARE(loads.blocks[QStringLiteral("stage")].itemsPerSecond,
                 100.0);  // copies in series process the same items
        QCOMPARE(togetherText(loadsOf(parse(R"({"elapsed_s": 1, "throughput_items_per_s": 30, "window_s": 1, "blocks": [
            {"id": "x", "items_in": 0, "items_out": 10}, {"id": "y", "items_in": 0, "items_out": 20},
            {"id": "sum", "items_in": 20, "items_out": 0}], "edges": [{"from": "x.out", "to": "sum.a"},
            {"from": "y.out", "to": "sum.b"}]})"))),
                 QStringLiteral("2 sources together"));
        QVERIFY(findingOf(loads).startsWith(QStringLiteral("The slowest block is src: 40 % of all work time.")));
        // If every worker mostly waits, none is the bottleneck, and the cause of the waiting is unknown.
        const RunLoads waiting = loadsOf(parse(R"({"elapsed_s": 1, "blocks": [
            {"id": "src", "worker": "w0", "busy_ns": 50000000, "items_in": 0, "items_out": 100},
            {"id": "sink", "worker": "w1", "busy_ns": 40000000, "items_in": 100, "items_out": 0}]})"));
        QVERIFY(waiting.hasWork() && waiting.bottleneck().isEmpty());
        QCOMPARE(findingOf(waiting),
                 QStringLiteral("On the busiest worker, src worked longest: 56 % of all work, 5 % of the run. Workers "
                                "mostly waited, or had no CPU."));
        // The busiest worker's busiest block can have the smaller share of all work.
        const RunLoads several = loadsOf(parse(R"({"elapsed_s": 1, "blocks": [
            {"id": "a", "worker": "w0", "busy_ns": 30000000}, {"id": "b", "worker": "w0", "busy_ns": 30000001},
            {"id": "c", "worker": "c", "busy_ns": 40000000}]})"));
        QVERIFY2(findingOf(several).startsWith(QStringLiteral("On the busiest worker, b worked longest: 30 %")),
                 qPrintable(findingOf(several)));
        const RunLoads own = loadsOf(parse(R"({"elapsed_s": 1, "blocks": [
            {"id": "a", "worker": "a", "busy_ns": 26000000}, {"id": "b", "worker": "b", "busy_ns": 25000000}]})"));
        QVERIFY(findingOf(own).startsWith(QStringLiteral("a worked longest: 51 % of all work, 3 % of the run.")));
        QVERIFY(!loadsOf(parse(R"({"blocks": [{"id": "a", "worker": "a", "busy_ns": null}]})")).hasWork());
    }

    // Regression: items in buffers count for the throttle, but not for the throughput under GNU Radio.
    void ratesUnderGnuRadioAreMeansOverTheRun() {
        Json results = parse(R"({"elapsed_s": 10, "window_s": 8, "throughput_items_per_s": 2000,
            "granted": {"buffer_limits": {}}, "blocks": [
            {"id": "src", "worker": "src", "items_in": null, "items_out": 90000},
            {"id": "throttle", "worker": "throttle", "items_in": 320000, "items_out": 320000}],
            "edges": [{"from": "src.out0", "to": "throttle.in0"}]})");
        const RunLoads hosted = loadsOf(results);
        QCOMPARE(hosted.blocks[QStringLiteral("throttle")].itemsPerSecond, 32000.0);
        QCOMPARE(hosted.blocks[QStringLiteral("src")].itemsPerSecond, 9000.0);
        QVERIFY(hosted.isWholeRun && hosted.windowSeconds == 10);
        TableModel table;
        fillBlockTable(table, results);
        QCOMPARE(table.index(1).data(TableModel::CellsRole).toStringList().at(5), QStringLiteral("32.0"));
        // Weir's programs count both in the same way: rates are those of the window.
        results["granted"]["buffer_limits"] = nullptr;
        const RunLoads own = loadsOf(results);
        QCOMPARE(own.blocks[QStringLiteral("src")].itemsPerSecond, 2000.0);
        QVERIFY(!own.isWholeRun && own.windowSeconds == 8);
    }

    void theThreadsWithinAHierarchicalBlockCountTogether() {
        const Json results = parse(R"({"deployment": "d", "elapsed_s": 10, "blocks": [
            {"id": "model", "worker": "model", "items_in": 1, "items_out": 1},
            {"id": "a/b", "worker": "a/b", "items_in": 1, "items_out": 1}], "threads": [
            {"name": "model/model/add0", "cpu_time_s": 8}, {"name": "model/model/mul0", "cpu_time_s": 7},
            {"name": "a/b", "cpu_time_s": 10.5}]})");
        const RunLoads loads = loadsOf(results);
        QCOMPARE(loads.blocks[QStringLiteral("model")].workerLoad, 1.5);
        QCOMPARE(loads.blocks[QStringLiteral("model")].workerThreads, 2);
        QCOMPARE(loads.blocks[QStringLiteral("a/b")].workerLoad, 1.0);
        const auto shown = [&loads](const QString& block) {
            return shownLoad(loads, block, loads.blocks[block], haveOneWorker(loads));
        };
        QCOMPARE(shown(QStringLiteral("model")).pill, QStringLiteral("own 150 %"));
        QVERIFY(shown(QStringLiteral("model"))
                    .hint.endsWith(QStringLiteral("its 2 threads together were on CPUs for 150 % of the run")));
        QCOMPARE(measuredLoad(&results, QStringLiteral("d")).loadOf.value(QStringLiteral("model")), 1.5);
    }

    void runsAreGroupedByPointAndCalledByWhatDiffers() {
        const auto at = [](Json run, const char* point, const char* label) {
            run["point"] = point;
            run["label"] = label;
            // The run id's date at noon, which is the same day in every time zone.
            const std::string day = run["run_id"].get<std::string>().substr(0, 8);
            run["started"] = day.substr(0, 4) + "-" + day.substr(4, 2) + "-" + day.substr(6) + "T12:00:00Z";
            return run;
        };
        RunListModel list;
        list.setRuns({at(row("20260102T000000Z-p-flow-000002", "ok", 100), "a", "p · stages=3"),
                      at(row("20260103T000000Z-p-flow-000003", "ok", 300), "b", "p · stages=5"),
                      at(row("20260104T000000Z-p-flow-000004", "ok", 110), "a", "p · stages=3"),
                      at(row("20260101T000000Z-p-flow-000001", "ok", 110, "flow", "s2"), "c", "p · metrics=profile"),
                      row("20260105T000000Z-p-flow-000005", "ok", 1)},
                     QStringLiteral("p"));
        const auto data = [&](int at, int role) { return list.index(at).data(role).toString(); };
        QCOMPARE(data(0, RunListModel::DeploymentRole), QStringLiteral("flow"));
        QCOMPARE(data(1, RunListModel::DeploymentRole), QStringLiteral("flow · stages=3"));
        QCOMPARE(data(1, RunListModel::DeltaRole), QStringLiteral("+10 %"));
        QCOMPARE(data(2, RunListModel::DeltaRole), QStringLiteral("first"));  // an empty cell would give no reason
        QVERIFY(data(2, RunListModel::BesideRole).contains(QStringLiteral("no earlier run has the same settings")));
        const QString path = QStringLiteral("/runs/20260104T000000Z-p-flow-000004");
        QCOMPARE(list.repetitions(path).size(), 2);
        QCOMPARE(list.validLike(path, 1).value(0).path, path);
        const auto groups = list.groups();
        QCOMPARE(groups.size(), std::size_t(4));
        QCOMPARE(data(4, RunListModel::DeploymentRole), QStringLiteral("flow"));
        QVERIFY(groups[1].label.startsWith(QStringLiteral("flow · stages=3 · ")) && groups[1].runs.size() == 2);
        // The group's row shows the newest run.
        QVERIFY2(groups[1].label.contains(list.run(path)->when()), qPrintable(groups[1].label));
        QVERIFY(list.run(path)->when() != groups[1].runs.first().when());
        list.setFilter(QStringLiteral("stages=5"));
        QCOMPARE(list.rowCount(), 1);
    }

    // Regression: the row said +33 %, compared with the last repetition, whose rate no row shows.
    void aRunIsHeldAgainstTheMedianOfRepetitionsBeforeIt() {
        RunListModel list;
        list.setRuns({row("20260101T000000Z-p-flow-000001", "ok", 100),
                      row("20260101T000001Z-p-flow-000002", "ok", 120), row("20260101T000002Z-p-flow-000003", "ok", 80),
                      row("20260102T000000Z-p-flow-000004", "ok", 110, "flow", "s2")},
                     QStringLiteral("p"));
        const auto data = [&](int at, int role) { return list.index(at).data(role).toString(); };
        QCOMPARE(data(0, RunListModel::DeltaRole), QStringLiteral("+10 %"));
        QVERIFY(data(0, RunListModel::BesideRole).contains(QStringLiteral("the median of the previous repetitions")));
        QCOMPARE(data(1, RunListModel::DeltaRole), QStringLiteral("−33 %"));  // one repetition against the one before
        list.setBaseline(QStringLiteral("/runs/20260101T000002Z-p-flow-000003"));
        QCOMPARE(data(0, RunListModel::DeltaRole), QStringLiteral("▲ 38 %"));  // compared with the chosen run
    }

    void repetitionsAreOneRowUntilItIsOpened() {
        RunListModel list;
        RunGroups rows(list);
        QAbstractItemModelTester tester(&rows, QAbstractItemModelTester::FailureReportingMode::QtTest);
        Json alone = row("20260101T000000Z-p-flow-000001", "ok", 100, "flow");
        alone["set"] = nullptr;
        list.setRuns(
            {alone, row("20260102T000000Z-p-flow-000002", "ok", 100),
             row("20260103T000000Z-p-flow-000003", "invalid", 9), row("20260104T000000Z-p-flow-000004", "ok", 110),
             row("20260105T000000Z-p-flow-000005", "ok", 300)},
            {});
        const auto data = [&](int at, int role) { return rows.index(at, 0).data(role); };
        QCOMPARE(rows.rowCount(), 2);
        QCOMPARE(data(0, RunGroups::MembersRole).toInt(), 4);
        QVERIFY(data(0, RunGroups::HeadRole).toBool() && !data(1, RunGroups::HeadRole).toBool());
        QCOMPARE(data(0, RunListModel::ThroughputRole).toString(),
                 throughputText(110));  // median of the runs that count
        const QString group = data(0, RunGroups::GroupRole).toString();
        QVERIFY(rows.rowOf(2) == 0 && rows.rowOf(4) == 1 && rows.rowOf(-1) == -1);  // run 2 is inside the group
        // A closed group shows the change of its median, or says that no earlier run exists.
        QCOMPARE(data(0, RunListModel::DeltaRole).toString(), QStringLiteral("+10 %"));
        QCOMPARE(data(1, RunListModel::DeltaRole).toString(), QStringLiteral("first"));
        list.setBaseline(QStringLiteral("/runs/20260102T000000Z-p-flow-000002"));
        QCOMPARE(data(0, RunListModel::DeltaRole).toString(), QStringLiteral("▲ 10 %"));
        QCOMPARE(data(0, RunListModel::ToneRole).toInt(), 1);
        QVERIFY(data(0, RunListModel::BesideRole).toString().startsWith(QStringLiteral("median")));
        list.setBaseline({});
        rows.toggle(group);
        QCOMPARE(rows.rowOf(2), 2);
        QVERIFY(rows.rowCount() == 5 && data(0, RunListModel::ThroughputRole).toString() == throughputText(300));
        rows.toggle(group);
        list.remove(QStringLiteral("/runs/20260105T000000Z-p-flow-000005"));
        QCOMPARE(rows.rowCount(), 2);
        QCOMPARE(data(0, RunListModel::PathRole).toString(), QStringLiteral("/runs/20260104T000000Z-p-flow-000004"));
        // The row says that some of the runs do not count. Removing a run updates the row.
        QCOMPARE(data(0, RunListModel::WarningsRole).toStringList(), QStringList{QStringLiteral("2 of 3 runs count")});
        QSignalSpy changed(&rows, &QAbstractItemModel::dataChanged);
        list.remove(QStringLiteral("/runs/20260103T000000Z-p-flow-000003"));
        QVERIFY(!changed.isEmpty());
        QCOMPARE(data(0, RunGroups::MembersRole).toInt(), 2);
        QVERIFY(data(0, RunListModel::WarningsRole).toStringList().isEmpty());
        list.remove(QStringLiteral("/runs/20260104T000000Z-p-flow-000004"));
        QCOMPARE(data(0, RunGroups::MembersRole).toInt(), 1);
        QVERIFY(!data(0, RunGroups::HeadRole).toBool());
    }

    void theListOfRunsFiltersAndKeepsItsPlace() {
        RunListModel list;
        QAbstractItemModelTester tester(&list, QAbstractItemModelTester::FailureReportingMode::QtTest);
        Json other = row("20260101T000000Z-q-flow-000000", "ok", 1);
        other["project"] = "q";
        Json damaged = row("20260105T000000Z-p-flow-000005", "damaged", 0);
        for (const char* key : {"project", "deployment", "throughput_items_per_s", "started", "set"})
            damaged[key] = nullptr;
        damaged["reason"] = "results.json is damaged";
        list.setRuns(
            {other, row("20260102T000000Z-p-flow-000002", "ok", 100),
             row("20260103T000000Z-p-flow-000003", "invalid", 300), row("20260104T000000Z-p-flow-000004", "ok", 110),
             row("20260104T000001Z-p-single-000006", "ok", 50, "single"), damaged},
            QStringLiteral("p"));
        QCOMPARE(list.rowCount(), 5);
        const auto data = [&](int at, int role) { return list.index(at).data(role); };
        QCOMPARE(data(0, RunListModel::StatusRole).toString(), QStringLiteral("damaged"));
        QCOMPARE(data(0, RunListModel::ThroughputRole).toString(), QStringLiteral("—"));
        // An invalid run has no change, and is no baseline for other runs.
        QCOMPARE(data(2, RunListModel::DeltaRole).toString(), QStringLiteral("+10 %"));
        QCOMPARE(data(2, RunListModel::ToneRole).toInt(), 0);  // one run against another, and neither was chosen
        QVERIFY(data(2, RunListModel::BesideRole).toString().contains(QStringLiteral("the previous run")));
        QCOMPARE(data(3, RunListModel::DeltaRole).toString(), QString());
        list.setBaseline(QStringLiteral("/runs/20260104T000000Z-p-flow-000004"));
        QCOMPARE(data(1, RunListModel::DeltaRole).toString(), QStringLiteral("▼ 55 %"));
        QCOMPARE(data(1, RunListModel::ToneRole).toInt(), -1);
        QVERIFY(data(1, RunListModel::BesideRole).toString().contains(QStringLiteral("with the baseline")));
        list.setEssence(QStringLiteral("h2"));
        QVERIFY(data(1, RunListModel::StaleRole).toBool() && !data(0, RunListModel::StaleRole).toBool());

        // The row says what differs, as far as the command line reports it.
        QVERIFY(data(1, RunListModel::DiffersRole).toString().contains(QStringLiteral("version")));
        Json parts = row("20260101-flow", "ok", 1);
        parts["essence"] = "graph:1 parameters:2 deployments:3 run:4 rest:5";
        RunListModel aged;
        aged.setRuns(Json::array({parts}), QStringLiteral("p"));
        const auto differs = [&](const char* essence) {
            aged.setEssence(QLatin1String(essence));
            return aged.differs(QStringLiteral("/runs/20260101-flow"));
        };
        QCOMPARE(differs("graph:1 parameters:2 deployments:3 run:4 rest:5"), QString());
        QCOMPARE(differs("graph:0 parameters:2 deployments:3 run:4 rest:5"), QStringLiteral("graph changed since"));
        QCOMPARE(differs("graph:1 parameters:0 deployments:3 run:0 rest:5"),
                 QStringLiteral("parameters, run settings changed since"));

        // Of all deployments, only changes of the one that ran count.
        parts["essence"] = "graph:1 deployment/flow:3 deployment/gone:4";
        aged.setRuns(Json::array({parts}), QStringLiteral("p"));
        QCOMPARE(differs("graph:1 deployment/flow:3 deployment/new:6"), QString());
        QCOMPARE(differs("graph:1 deployment/flow:5 deployment/new:6"), QStringLiteral("deployment flow was changed"));
        QCOMPARE(aged.index(0).data(RunListModel::DiffersInShortRole).toString(),
                 QStringLiteral("deployment was changed"));
        QCOMPARE(differs("graph:2 deployment/new:6"),
                 QStringLiteral("graph changed since, deployment flow no longer exists"));
        QCOMPARE(aged.index(0).data(RunListModel::DiffersInShortRole).toString(),
                 QStringLiteral("graph changed since"));
        parts["essence"] = "graph:1";  // the project had no deployment when it ran
        aged.setRuns(Json::array({parts}), QStringLiteral("p"));
        QCOMPARE(differs("graph:1 deployment/flow:3"), QString());

        list.setFilter(QStringLiteral("flow inval"));
        QCOMPARE(list.rowCount(), 1);
        list.setFilter({});
        list.setNote(QStringLiteral("/runs/20260102T000000Z-p-flow-000002"), QStringLiteral("cold start"));
        list.setFilter(QStringLiteral("COLD"));
        QCOMPARE(list.rowCount(), 1);
        list.setFilter({});
        QCOMPARE(list.groups().size(), 2U);
        QCOMPARE(list.groups()[1].runs.size(), 3);
        list.remove(QStringLiteral("/runs/20260104T000000Z-p-flow-000004"));
        QCOMPARE(list.rowCount(), 4);
        QCOMPARE(list.repetitions(QStringLiteral("/runs/20260102T000000Z-p-flow-000002")).size(), 2);
        list.remove(QStringLiteral("/runs/nothing"));
        list.setRuns(Json::object(), {});
        QCOMPARE(list.rowCount(), 0);
    }

    void thousandsOfRunsAreQuick() {
        Json rows = Json::array();
        for (int number = 0; number < 5000; ++number)
            rows.push_back(
                row(QStringLiteral("2026%1Z-p-flow-%1").arg(number, 6, 10, QLatin1Char('0')).toUtf8().constData(), "ok",
                    number + 1));
        RunListModel list;
        QElapsedTimer timer;
        timer.start();
        list.setRuns(rows, QStringLiteral("p"));
        list.setFilter(QStringLiteral("004999"));
        QCOMPARE(list.rowCount(), 1);
        list.setFilter(QStringLiteral("ok"));
        QCOMPARE(list.rowCount(), 5000);
        QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
    }

    void theNewestRunOfADeploymentIsFoundWhateverIsFiltered() {
        RunListModel list;
        Json failed = row("20260103-flow", "failed", 0);
        failed["throughput_items_per_s"] = nullptr;
        list.setRuns(Json::array({row("20260101-flow", "ok", 1e6), row("20260102-flow", "invalid", 2e6), failed,
                                  row("20260104-pool", "ok", 3e6, "pool")}),
                     QStringLiteral("p"));
        list.setFilter(QStringLiteral("pool"));
        QVERIFY(list.newestOf(QStringLiteral("flow")));
        QCOMPARE(list.newestOf(QStringLiteral("flow"))->id, QStringLiteral("20260102-flow"));
        QVERIFY(!list.newestOf(QStringLiteral("other")));
        QCOMPARE(list.validLike(QStringLiteral("/runs/20260101-flow"), 60).size(), 1);
    }

    void whatSpeaksAgainstAGoodRunIsKeptApart() {
        const Json results = parse(R"({"status": "ok", "reasons": [
            {"code": "N_TRACE_IN_MEMORY", "message": "traced in memory"},
            {"code": "W_DISTURBED", "message": "others took 31 % of the CPUs"},
            {"code": "E_DIGEST", "message": "another digest"}]})");
        QCOMPARE(warningsOf(results), QStringList{QStringLiteral("others took 31 % of the CPUs")});
        QVERIFY(warningsOf(parse("{}")).isEmpty());
        QCOMPARE(notesOf(results), QStringList{QStringLiteral("traced in memory")});
    }

    void whatAProgramWasHeldAgainstIsToldAsItIs() {
        QVERIFY(verificationOf(parse("{}")).isEmpty());
        QVERIFY(verificationOf(parse(R"({"verification": null})")).isEmpty());
        QCOMPARE(verificationOf(parse(R"({"verification": {"ok": true, "message": "7 items equal"}})")),
                 QStringLiteral("7 items equal"));
        QVERIFY(verificationOf(parse(R"({"verification": {"ok": false, "message": "sink differs"}})"))
                    .startsWith(QStringLiteral("failed")));
    }

    void whatWasNotVerifiedIsKnownFromTheReasonsAndFromTheList() {
        QVERIFY(!isUnverified(parse("{}")));
        QVERIFY(!isUnverified(parse(R"({"reasons": [{"code": "N_SHORT_WINDOW", "message": "short"}]})")));
        for (const char* code : {"N_NOT_VERIFIED", "N_ADOPTED"})
            QVERIFY(isUnverified(Json{{"reasons", {{{"code", code}, {"message", "why"}}}}}));
        RunListModel list;
        list.setRuns(parse(R"([{"path": "/a", "run_id": "a", "status": "ok", "deployment": "board", "unverified": true},
                               {"path": "/b", "run_id": "b", "status": "ok", "deployment": "flow", "unverified": false}])"),
                     {});
        QCOMPARE(list.rowCount(), 2);
        for (int row = 0; row < 2; ++row)
            QCOMPARE(list.index(row).data(RunListModel::UnverifiedRole).toBool(),
                     list.index(row).data(RunListModel::DeploymentRole).toString() == QLatin1String("board"));
    }
};

QTEST_MAIN(TestRuns)
#include "tst_runs.moc"
