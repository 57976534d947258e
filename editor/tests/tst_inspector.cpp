#include "inspector_fixture.h"

#include "core/edits/project_edits.h"
#include "core/edits/rename_parameter.h"
#include "core/problems/checked_values.h"
#include "features/inspector/block_facts.h"
#include "features/inspector/project_parameter_model.h"
#include "features/problems/problem_guide.h"
#include "shell/fields/field_commit.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace weir::editor;

namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::QtTest;

} // namespace

class TestInspector : public InspectorFixture {
    Q_OBJECT

  private slots:
    void initTestCase() { m_catalog = testCatalog(); }

    void nonsenseIsRefusedAtOnce_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<bool>("taken");
        QTest::newRow("whole") << "8" << true;
        QTest::newRow("whole after all") << "0.002k" << true;
        QTest::newRow("fraction") << "2.5" << false;
        QTest::newRow("fraction by suffix") << "3m" << false;
        QTest::newRow("too small") << "0" << false;
        QTest::newRow("too large") << "2M" << false;
        QTest::newRow("expression") << "= 7 / 2" << true; // only the command line can check expressions
    }

    void nonsenseIsRefusedAtOnce() {
        QFETCH(QString, typed);
        QFETCH(bool, taken);
        FilledDocument document;
        const auto rows = rowsOf(document, {QStringLiteral("filter")});
        const ParameterRow& decimation = rowOf(rows, "decimation");
        QCOMPARE(decimation.range, QStringLiteral("1 to 1 M"));
        QCOMPARE(fieldRefusal(decimation, typed).isEmpty(), taken);
    }

    void refusedTextStaysInItsField() {
        FilledDocument document;
        ParameterModel model;
        QAbstractItemModelTester tester(&model, kFatal);
        model.setRows(rowsOf(document, {QStringLiteral("filter")}));
        const int row = model.indexOf(QStringLiteral("decimation"));
        model.setRefusal(row, QStringLiteral("2.5"), QStringLiteral("no"));
        model.setRows(rowsOf(document, {QStringLiteral("filter")}));
        QCOMPARE(model.data(model.index(row), ParameterModel::role("value")).toString(), QStringLiteral("2.5"));
        QCOMPARE(model.data(model.index(row), ParameterModel::role("problem")).toString(), QStringLiteral("no"));
        commitField(document, model.rows()[static_cast<std::size_t>(row)], QStringLiteral("8"));
        model.setRows(rowsOf(document, {QStringLiteral("filter")}));
        QCOMPARE(model.data(model.index(row), ParameterModel::role("value")).toString(), QStringLiteral("8"));
        QVERIFY(model.data(model.index(row), ParameterModel::role("problem")).toString().isEmpty());
    }

    void severalBlocksShareFields() {
        FilledDocument document;
        const QStringList both{QStringLiteral("first"), QStringLiteral("second")};
        const auto rows = rowsOf(document, both);
        const ParameterRow& constant = rowOf(rows, "constant");
        QVERIFY(constant.mixed && constant.set && constant.value.isEmpty());
        QCOMPARE(commitField(document, constant, QStringLiteral("3")), QString());
        QCOMPARE(document.undoStack().undoText(), QStringLiteral("Set constant of 2 blocks"));
        const auto after = rowsOf(document, both);
        QVERIFY(!rowOf(after, "constant").mixed);
        QCOMPARE(rowOf(after, "constant").value, QStringLiteral("3"));
        document.undoStack().undo();
        QCOMPARE(document.canonicalText(), document.before);

        const auto properties = blockPropertyRows(document.json(), both);
        QVERIFY(rowOf(properties, "probe").mixed);
        QVERIFY(!rowOf(properties, "state").mixed);
        const auto different = rowsOf(document, {QStringLiteral("filter"), QStringLiteral("first")});
        QVERIFY(std::none_of(different.begin(), different.end(),
                             [](const auto& r) { return r.name == QLatin1String("taps"); }));
        QVERIFY(rowsOf(document, {QStringLiteral("nobody")}).empty());
    }

    void valuesStandBesideExpressions() {
        FilledDocument document;
        const CheckedValues values =
            CheckedValues::from(jsonOf(R"({"values": {"/graph/blocks/2/parameters/constant": 6}, "blocks":
            {"filter": {"item_type": "f32", "inputs": {"in": {"item_type": "f32", "rate": 4}}, "outputs": {}}}})"));
        auto rows = rowsOf(document, {QStringLiteral("second")});
        markValues(rows, nullptr);
        QCOMPARE(rowOf(rows, "constant").evaluated, QString::fromUtf8("→ …"));
        markValues(rows, &values);
        QCOMPARE(rowOf(rows, "constant").evaluated, QString::fromUtf8("→ 6"));
        QVERIFY(values.block("filter")->inputs.at("in").rate == 4);
        QVERIFY(!values.block("other"));
    }

    void problemsAreShownAtTheirFields() {
        FilledDocument document;
        document.edit(QStringLiteral("break"), [](Transaction& t) {
            t.remove(Pointer("/graph/blocks/0/parameters/taps"));
            t.set(Pointer("/graph/blocks/0/parameters/decimatoin"), 2);
        });
        ProblemModel problems;
        problems.setProblems(problemsFrom(jsonOf(R"({"diagnostics": [
            {"code": "E_PARAMETER_MISSING", "severity": "error", "pointer": "/graph/blocks/0", "message": "needs a value for its parameter `taps`", "hint": ""},
            {"code": "E_PARAMETER_UNKNOWN", "severity": "error", "pointer": "/graph/blocks/0/parameters/decimatoin", "message": "m",
             "hint": "did you mean `decimation`?",
             "fixes": [{"title": "Use decimation", "pointer": "/graph/blocks/0/parameters/decimatoin", "rename": "decimation"}]},
            {"code": "W", "severity": "warning", "pointer": "/deployments/0/wait", "message": "w", "hint": ""}]})"),
                                          document.json()),
                             document.json());
        auto rows = rowsOf(document, {QStringLiteral("filter")});
        markProblems(rows, problems);
        const auto missing = m_catalog.block("fir_filter")->parameter("taps")->isRequired();
        QCOMPARE(rowOf(rows, "taps").problem.isEmpty(), !missing);
        QCOMPARE(rowOf(rows, "decimatoin").problem, QStringLiteral("m"));
        QCOMPARE(rowOf(rows, "decimatoin").fixes, QStringList(QStringLiteral("Use decimation")));
        QCOMPARE(rowOf(rows, "decimatoin").problemIndex, 1);
        QVERIFY(rowOf(rows, "decimation").problem.isEmpty());
        QCOMPARE(problems.problems()[2].place, QStringLiteral("pool"));
        auto scheduling = schedulingRows(document.json(), m_catalog, QStringLiteral("pool"));
        markProblems(scheduling, problems);
        QCOMPARE(rowOf(scheduling, "wait").severity, QStringLiteral("warning"));
    }

    void itemTypesThatTheConnectionsRuleOutAreGreyed() {
        FilledDocument document;
        document.edit(QStringLiteral("connect"), [](Transaction& t) {
            t.append(Pointer("/graph/blocks"), jsonOf(R"({"id": "power", "type": "complex_to_mag_squared"})"));
            addConnection(t, {"first", "out", "second", "in"});
            addConnection(t, {"second", "out", "power", "in"});
        });
        const auto rows = rowsOf(document, {QStringLiteral("first")});
        const ParameterRow& row = rowOf(rows, "item_type");
        QCOMPARE(row.placeholder, QStringLiteral("inferred"));
        QCOMPARE(row.refused.size(), row.options.size());
        for (qsizetype option = 0; option < row.options.size(); ++option)
            QCOMPARE(row.refused[option],
                     row.options[option] == QLatin1String("c64") ? QString() : QStringLiteral("not with power"));
        // A type that another block merely states refuses no option, since the user can change it there.
        const auto free = rowsOf(document, {QStringLiteral("filter")});
        QCOMPARE(rowOf(free, "item_type").refused.join(QString()), QString());
        QCOMPARE(rowOf(free, "item_type").placeholder, QStringLiteral("inferred"));
        // If the connections determine the type and the user chose none, the placeholder shows it.
        document.edit(QStringLiteral("unsay"),
                      [](Transaction& t) { t.remove(Pointer("/graph/blocks/1/parameters/item_type")); });
        QCOMPARE(rowOf(rowsOf(document, {QStringLiteral("first")}), "item_type").placeholder,
                 QStringLiteral("inferred: c64"));
    }

    void problemsLeadToTheirPlaces_data() {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("field");
        using Kind = ProblemPlace::Kind;
        QTest::newRow("field") << "/graph/blocks/0/parameters/taps/3" << int(Kind::Block) << "filter" << "taps";
        QTest::newRow("property") << "/graph/blocks/2/repeat" << int(Kind::Block) << "second" << "repeat";
        QTest::newRow("block") << "/graph/blocks/1" << int(Kind::Block) << "first" << "";
        QTest::newRow("parameter") << "/parameters/gain/maximum" << int(Kind::Parameter) << "gain" << "maximum";
        QTest::newRow("build") << "/deployments/0/build/march" << int(Kind::Deployment) << "pool" << "march";
        QTest::newRow("flag") << "/deployments/0/build/extra_flags/1" << int(Kind::Deployment) << "pool"
                              << "extra_flags";
        QTest::newRow("scheduler") << "/deployments/0/scheduler" << int(Kind::Deployment) << "pool" << "scheduler";
        QTest::newRow("isolation") << "/deployments/0/environment/isolate/cpus" << int(Kind::Deployment) << "pool"
                                   << "environment";
        QTest::newRow("interference") << "/deployments/0/interference/loops" << int(Kind::Deployment) << "pool"
                                      << "loops";
        QTest::newRow("VOLK") << "/deployments/0/volk/implementation" << int(Kind::Deployment) << "pool"
                              << "implementation";
        QTest::newRow("kernel of VOLK") << "/deployments/0/volk/kernels/volk_32f_x2_add_32f" << int(Kind::Deployment)
                                        << "pool"
                                        << "volk_32f_x2_add_32f";
        QTest::newRow("thread") << "/deployments/0/threads/first/priority" << int(Kind::Deployment) << "pool"
                                << "priority";
        QTest::newRow("run") << "/run/items" << int(Kind::Run) << "" << "items";
        QTest::newRow("trace") << "/run/trace/backend" << int(Kind::Run) << "" << "backend";
        QTest::newRow("pipes") << "/graph/pipes" << int(Kind::Project) << "" << "pipes";
        QTest::newRow("whole") << "" << int(Kind::Project) << "" << "";
        QTest::newRow("gone") << "/graph/blocks/99/id" << int(Kind::Project) << "" << "";
        QTest::newRow("nonsense") << "not a pointer" << int(Kind::Project) << "" << "";
    }

    void problemsLeadToTheirPlaces() {
        QFETCH(QString, pointer);
        QFETCH(int, kind);
        QFETCH(QString, name);
        QFETCH(QString, field);
        FilledDocument document;
        const ProblemPlace place = problemPlace(pointer, document.json());
        QCOMPARE(int(place.kind), kind);
        QCOMPARE(place.name, name);
        QCOMPARE(place.field, field);
        QCOMPARE(place.thread, pointer.contains(QStringLiteral("/threads/")) ? QStringLiteral("first") : QString());
    }

    void aRenamedParameterIsFollowed() {
        FilledDocument document;
        QCOMPARE(usesOfParameter(document.json(), "stages").size(), std::size_t(4));
        QCOMPARE(document.edit(QStringLiteral("rename"), [](Transaction& t) { renameParameter(t, "stages", "n"); }),
                 QString());
        const Json& json = document.json();
        QVERIFY(usesOfParameter(json, "stages").empty());
        QCOMPARE(text(find(json, Pointer("/parameters/half/value/expr"))), std::string("n / 2"));
        QCOMPARE(text(find(json, Pointer("/graph/blocks/2/parameters/constant/expr"))), std::string("n"));
        QCOMPARE(text(find(json, Pointer("/deployments/0/chunk_items/expr"))), std::string("n * 10 k"));
        QVERIFY(find(json, Pointer("/sweeps/0/vary/n")));
        QCOMPARE(text(find(json, Pointer("/sweeps/0/plot/x"))), std::string("n"));
        QCOMPARE(json.at("parameters").begin().key(), std::string("n"));
        document.undoStack().undo();
        QCOMPARE(document.canonicalText(), document.before);
    }

    void parametersHaveSliders() {
        FilledDocument document;
        const ProblemModel problems;
        const CheckedValues values =
            CheckedValues::from(jsonOf(R"({"values": {"/parameters/gain/maximum": 1}, "blocks": {}})"));
        ProjectParameterModel model;
        QAbstractItemModelTester tester(&model, kFatal);
        model.setRows(projectParameterRows(document.json(), problems, &values));
        const auto& rows = model.rows();
        QVERIFY(rows[0].slider && rows[0].whole);
        QCOMPARE(rows[0].uses, 4);
        QVERIFY(!rows[1].slider); // a slider would overwrite the expression
        QVERIFY(rows[2].slider && !rows[2].whole);
        QVERIFY(sliderValue(rows[0], 12.4) == Json(12));
        QVERIFY(sliderValue(rows[0], 1e9) == Json(64));
        QVERIFY(sliderValue(rows[2], 0.12345678) == Json(0.123));
        model.setRows(projectParameterRows(document.json(), problems, nullptr));
        QVERIFY(!model.rows()[2].slider); // its maximum is not known yet

        for (int step = 10; step < 20; ++step)
            document.edit(
                QStringLiteral("slide"), [step](Transaction& t) { t.set(Pointer("/parameters/stages/value"), step); },
                QStringLiteral("slide stages"));
        document.undoStack().undo();
        QVERIFY(document.json().at(Pointer("/parameters/stages/value")) == Json(6));
    }

    void blocksTellWhatTheyAre() {
        const BlockType* fir = m_catalog.block("fir_filter");
        QVERIFY(fir && QFile::exists(QString::fromStdString(fir->source)));
        QCOMPARE(fir->inputs.front().rate, std::string("decimation"));
        const auto facts = blockFacts(*fir);
        QVERIFY(std::any_of(facts.begin(), facts.end(),
                            [](const Fact& f) { return f.label == QLatin1String("Accuracy"); }));
        const auto runtime = runtimeFacts(jsonOf(R"({"blocks": [
            {"id": "stage[0]@p1", "worker": "w0", "calls": 10, "items_in": 4096, "items_out": 4096, "busy_ns": 1500000,
             "items_per_call": {"p5": 1, "p50": 400, "p95": 512}},
            {"id": "stage[1]@p1", "worker": null, "calls": null, "items_in": null, "items_out": null, "busy_ns": null,
             "items_per_call": null}, {"id": "stage_2", "worker": "w1"}]})"),
                                          QStringLiteral("stage"));
        QCOMPARE(runtime.size(), std::size_t(6 + 5)); // the second copy has no measured items per call
        QCOMPARE(runtime[0].heading, QStringLiteral("stage[0]@p1"));
        QCOMPARE(runtime[1].text, QStringLiteral("10"));
        QVERIFY(runtime[1].heading.isEmpty());
        QCOMPARE(runtime[2].text, QStringLiteral("4 096"));
        QCOMPARE(runtime[4].text, QStringLiteral("1.50 ms"));
        QCOMPARE(runtime[6].heading, QStringLiteral("stage[1]@p1"));
        QCOMPARE(runtime[7].text, QStringLiteral("not measured"));
    }
};

QTEST_MAIN(TestInspector)
#include "tst_inspector.moc"
