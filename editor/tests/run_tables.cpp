#include "run_tables.h"

#include "core/runs/run_loads.h"
#include "features/runs/result_tables.h"
#include "features/runs/run_finding.h"
#include "results_fixture.h"
#include "shell/tables/table_model.h"
#include "test_files.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QTest>

namespace weir::editor {

void RunTables::tablesAreSortedAndWhatWasNotMeasuredComesLast() {
    TableModel table;
    QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const Json results = parse(readAll(runOf("*-pipes-flow-*") + QStringLiteral("/results.json")));
    fillBlockTable(table, results);
    QCOMPARE(table.rowCount(), 18);
    const QPersistentModelIndex first = table.index(0);
    const QString name = first.data().toString();
    table.sortBy(1);
    QVERIFY(table.isDescending());
    for (int row = 1; row < table.rowCount(); ++row)
        QVERIFY(table.index(row - 1).data(TableModel::ShareRole).toDouble() >=
                table.index(row).data(TableModel::ShareRole).toDouble());
    QCOMPARE(first.data().toString(), name);
    table.sortBy(1);
    QVERIFY(!table.isDescending());
    table.sortBy(0);
    QCOMPARE(table.index(0).data().toString(), QStringLiteral("gain@p0"));
    QVERIFY(table.asText().startsWith(QStringLiteral("Block\tOf work time (%)")));

    table.setTable({{QStringLiteral("n"), {}, true, 80, {}}}, {{{{QStringLiteral("—")}}, {}, -1, 0, {}},
                                                               {{{QStringLiteral("1"), 1}}, {}, -1, 0, {}},
                                                               {{{QStringLiteral("2"), 2}}, {}, -1, 0, {}}});
    for (int turn = 0; turn < 2; ++turn) {
        table.sortBy(0);
        QCOMPARE(table.index(2).data().toString(), QStringLiteral("—"));
    }
}

void RunTables::everyTableHasTheNumbersOfTheRun() {
    const Json results = parse(readAll(runOf("*-pipes-flow-*") + QStringLiteral("/results.json")));
    TableModel table;
    QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    fillLatencyTable(table, results);
    QCOMPARE(table.rowCount(), 5);
    fillThreadTable(table, results);
    QCOMPARE(table.rowCount(), static_cast<int>(results.at("threads").size()));
    fillEdgeTable(table, results);
    QCOMPARE(table.rowCount(), static_cast<int>(results.at("edges").size()));
    // Each pipe runs on one worker, which drains a buffer before it refills it.
    QCOMPARE(table.index(0).data(TableModel::CellsRole).toStringList().last(), QStringLiteral("—"));
    QCOMPARE(table.index(0).data(TableModel::HintsRole).toStringList().last(), withinWorkerText());
    QVERIFY(table.index(0).data(TableModel::ShareRole).toDouble() < 0);
    fillEdgeTable(table, parse(readAll(runOf("*-pipes-thread_per_block-*") + QStringLiteral("/results.json"))));
    QVERIFY(table.index(0).data(TableModel::ShareRole).toDouble() >= 0);
    fillHopTable(table, results);
    QCOMPARE(table.rowCount(), static_cast<int>(results.at("hops").size()));
    fillEnvironmentTable(table, results);
    QVERIFY(table.asText().contains(QStringLiteral("g++")));
    // The table gives the reason in words, since machines that sped up and slowed down share one code.
    QCOMPARE(table.index(0).data(TableModel::CellsRole).toStringList().first(), QStringLiteral("Warning"));
    QCOMPARE(table.index(0).data(TableModel::HintsRole).toStringList().first(), QStringLiteral("W_MACHINE_SLOWED"));

    Json plain = results;
    plain["metrics"] = "none";
    for (Json& block : plain["blocks"])
        for (const char* key : {"busy_ns", "calls", "items_per_call"}) block[key] = nullptr;
    fillBlockTable(table, plain);
    QVERIFY(table.remark().contains(QStringLiteral("not measured")));
    QCOMPARE(table.index(0).data(TableModel::CellsRole).toStringList().value(1), QStringLiteral("—"));
}

void RunTables::blocksOfTwoSidesAreComparedByTheirMedians() {
    const auto run = [](double share, double perItem) {
        RunLoads loads;
        loads.blocks[QStringLiteral("fir")] = BlockLoad{1, share, -1, {}, 0, -1, -1, perItem, {}, -1, 0};
        loads.blocks[QStringLiteral("sink")] = BlockLoad{1, 1 - share, -1, {}, 0, -1, -1, 300, {}, -1, 0};
        return loads;
    };
    TableModel table;
    fillBlockDifferenceTable(table, {run(0.2, 100), run(0.5, 200), run(0.3, 900)}, {run(0.7, 400)});
    QCOMPARE(table.rowCount(), 2);
    const auto cells = [&table](int row) { return table.index(row).data(TableModel::CellsRole).toStringList(); };
    const int fir = cells(0)[0] == QLatin1String("fir") ? 0 : 1;
    QCOMPARE(cells(fir), QStringList({QStringLiteral("fir"), QStringLiteral("30.0"), QStringLiteral("70.0"),
                                      QStringLiteral("+40.0"), QStringLiteral("200"), QStringLiteral("400"),
                                      QStringLiteral("+100.0 %")}));
    QCOMPARE(cells(1 - fir)[3], QStringLiteral("−40.0"));
    fillBlockDifferenceTable(table, {RunLoads{}}, {});
    QVERIFY(table.rowCount() == 0 && table.remark().contains(QStringLiteral("not measured")));
}

} // namespace weir::editor

#include "moc_run_tables.cpp"
