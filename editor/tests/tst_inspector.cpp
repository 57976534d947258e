#include "apply_fix.h"
#include "block_facts.h"
#include "checked_values.h"
#include "deployment_edits.h"
#include "expression_text.h"
#include "field_commit.h"
#include "inspector_rows.h"
#include "problem_place.h"
#include "project_parameter_model.h"
#include "rename_parameter.h"
#include "test_files.h"
#include "value_text.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace weir::editor;

namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::QtTest;

const ParameterRow &rowOf(const std::vector<ParameterRow> &rows, const char *name)
{
    const auto it = std::find_if(rows.begin(), rows.end(), [name](const auto &row) { return row.name == QLatin1String(name); });
    if (it == rows.end())
        qFatal("there is no row %s", name);
    return *it;
}

} // namespace

class TestInspector : public QObject
{
    Q_OBJECT

    Catalog m_catalog;

    /// A document with a filter, two amplifiers, and parameters that are used everywhere.
    void fill(Document &document)
    {
        document.startNew();
        document.edit(QStringLiteral("fill"), [](Transaction &t) {
            t.set(Pointer("/parameters"), jsonOf(R"({"stages": {"value": 6, "minimum": 1, "maximum": 64},
                "half": {"value": {"expr": "stages / 2"}}, "gain": {"value": 0.5, "minimum": 0, "maximum": {"expr": "stages / 6"}}})"));
            t.set(Pointer("/graph/blocks"), jsonOf(R"([
                {"id": "filter", "type": "fir_filter", "parameters": {"decimation": 4, "taps": [1]}},
                {"id": "first", "type": "multiply_const", "parameters": {"item_type": "f32", "constant": 2}},
                {"id": "second", "type": "multiply_const", "parameters": {"constant": {"expr": "stages"}}, "probe": true}])"));
            t.set(Pointer("/deployments"), jsonOf(R"([{"name": "pool", "scheduler": "thread_pool", "parameters": {"passes": 9},
                "chunk_items": {"expr": "stages * 10 k"}}])"));
            t.set(Pointer("/sweeps"), jsonOf(R"([{"name": "s", "vary": {"stages": [1, 2], "deployment": ["pool"]},
                "plot": {"x": "stages", "by": "deployment"}}])"));
        });
    }

    std::vector<ParameterRow> rowsOf(const Document &document, const QStringList &blocks)
    {
        return blockParameterRows(document.json(), m_catalog, blocks);
    }

private slots:
    void initTestCase() { m_catalog = testCatalog(); }

    void numbersAreRead_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<double>("number");
        QTest::newRow("plain") << "12" << 12.0;
        QTest::newRow("suffix") << "2.4M" << 2.4e6;
        QTest::newRow("a blank") << "10 k" << 1e4;
        QTest::newRow("micro") << "3u" << 3e-6;
        QTest::newRow("greek") << QString::fromUtf8("3 µ") << 3e-6;
        QTest::newRow("exact") << "0.3k" << 300.0;
        QTest::newRow("exponent") << "-1.5e3k" << -1.5e6;
        QTest::newRow("no zero") << ".5" << 0.5;
        QTest::newRow("words") << "2 x" << qQNaN();
        QTest::newRow("two suffixes") << "2kk" << qQNaN();
        QTest::newRow("expression") << "= 2" << qQNaN();
    }

    void numbersAreRead()
    {
        QFETCH(QString, typed);
        QFETCH(double, number);
        const auto read = literalNumber(typed);
        QCOMPARE(read.has_value(), !std::isnan(number));
        if (read)
            QCOMPARE(*read, number);
    }

    void textIsKeptAsTyped()
    {
        QCOMPARE(withoutUnit(QStringLiteral("100 kHz"), QStringLiteral("Hz")), QStringLiteral("100 k"));
        QCOMPARE(withoutUnit(QStringLiteral("2 ms"), QStringLiteral("s")), QStringLiteral("2 m"));
        QCOMPARE(withoutUnit(QStringLiteral("stages"), QStringLiteral("s")), QStringLiteral("stages"));
        QVERIFY(fieldValue(QStringLiteral("2.4M"), "f64") == jsonOf(R"({"expr": "2.4M"})"));
        QVERIFY(fieldValue(QStringLiteral("1, 2.5 3k"), "f32_list") == jsonOf(R"([1, 2.5, {"expr": "3k"}])"));
        QVERIFY(fieldValue(QStringLiteral("7"), "f32_list") == jsonOf("[7]"));
        QVERIFY(fieldValue(QStringLiteral("[1, 2]"), "f32_list") == jsonOf("[1, 2]"));
    }

    void nonsenseIsRefusedAtOnce_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<bool>("taken");
        QTest::newRow("whole") << "8" << true;
        QTest::newRow("whole after all") << "0.002k" << true;
        QTest::newRow("fraction") << "2.5" << false;
        QTest::newRow("fraction by suffix") << "3m" << false;
        QTest::newRow("too small") << "0" << false;
        QTest::newRow("too large") << "2M" << false;
        QTest::newRow("expression") << "= 7 / 2" << true; // the command line says what is wrong with it
    }

    void nonsenseIsRefusedAtOnce()
    {
        QFETCH(QString, typed);
        QFETCH(bool, taken);
        Document document;
        fill(document);
        const auto rows = rowsOf(document, {QStringLiteral("filter")});
        const ParameterRow &decimation = rowOf(rows, "decimation");
        QCOMPARE(decimation.range, QStringLiteral("1 to 1000000"));
        QCOMPARE(fieldRefusal(decimation, typed).isEmpty(), taken);
    }

    void refusedTextStaysInItsField()
    {
        Document document;
        fill(document);
        ParameterModel model;
        QAbstractItemModelTester tester(&model, kFatal);
        model.setRows(rowsOf(document, {QStringLiteral("filter")}));
        const int row = model.indexOf(QStringLiteral("decimation"));
        model.setRefusal(row, QStringLiteral("2.5"), QStringLiteral("no"));
        model.setRows(rowsOf(document, {QStringLiteral("filter")}));
        QCOMPARE(model.data(model.index(row), ParameterModel::ValueRole).toString(), QStringLiteral("2.5"));
        QCOMPARE(model.data(model.index(row), ParameterModel::ProblemRole).toString(), QStringLiteral("no"));
        commitField(document, model.rows()[static_cast<std::size_t>(row)], QStringLiteral("8"));
        model.setRows(rowsOf(document, {QStringLiteral("filter")}));
        QCOMPARE(model.data(model.index(row), ParameterModel::ValueRole).toString(), QStringLiteral("8"));
        QVERIFY(model.data(model.index(row), ParameterModel::ProblemRole).toString().isEmpty());
    }

    void severalBlocksShareFields()
    {
        Document document;
        fill(document);
        const QStringList both{QStringLiteral("first"), QStringLiteral("second")};
        const auto rows = rowsOf(document, both);
        const ParameterRow &constant = rowOf(rows, "constant");
        QVERIFY(constant.mixed && constant.set && constant.value.isEmpty());
        const std::string before = document.canonicalText();
        QCOMPARE(commitField(document, constant, QStringLiteral("3")), QString());
        QCOMPARE(document.undoStack().undoText(), QStringLiteral("Set constant of 2 blocks"));
        const auto after = rowsOf(document, both);
        QVERIFY(!rowOf(after, "constant").mixed);
        QCOMPARE(rowOf(after, "constant").value, QStringLiteral("3"));
        document.undoStack().undo();
        QCOMPARE(document.canonicalText(), before);

        const auto properties = blockPropertyRows(document.json(), both);
        QVERIFY(rowOf(properties, "probe").mixed);
        QVERIFY(!rowOf(properties, "state").mixed);
        const auto foreign = rowsOf(document, {QStringLiteral("filter"), QStringLiteral("first")});
        QVERIFY(std::none_of(foreign.begin(), foreign.end(), [](const auto &r) { return r.name == QLatin1String("taps"); }));
        QVERIFY(rowsOf(document, {QStringLiteral("nobody")}).empty());
    }

    void valuesStandBesideExpressions()
    {
        Document document;
        fill(document);
        const CheckedValues values = CheckedValues::from(jsonOf(R"({"values": {"/graph/blocks/2/parameters/constant": 6}, "blocks":
            {"filter": {"item_type": "f32", "inputs": {"in": {"item_type": "f32", "rate": 4}}, "outputs": {}}}})"));
        auto rows = rowsOf(document, {QStringLiteral("second")});
        markValues(rows, nullptr);
        QCOMPARE(rowOf(rows, "constant").evaluated, QString::fromUtf8("→ …"));
        markValues(rows, &values);
        QCOMPARE(rowOf(rows, "constant").evaluated, QString::fromUtf8("→ 6"));
        QVERIFY(values.block("filter")->inputs.at("in").rate == 4);
        QVERIFY(!values.block("other"));
    }

    void problemsAreShownAtTheirFields()
    {
        Document document;
        fill(document);
        document.edit(QStringLiteral("break"), [](Transaction &t) {
            t.remove(Pointer("/graph/blocks/0/parameters/taps"));
            t.set(Pointer("/graph/blocks/0/parameters/decimatoin"), 2);
        });
        ProblemModel problems;
        problems.setProblems(problemsFrom(jsonOf(R"({"diagnostics": [
            {"code": "E_PARAMETER_MISSING", "severity": "error", "pointer": "/graph/blocks/0", "message": "needs `taps`", "hint": ""},
            {"code": "E_PARAMETER_UNKNOWN", "severity": "error", "pointer": "/graph/blocks/0/parameters/decimatoin", "message": "m",
             "hint": "did you mean `decimation`?", "fix": {"key": "decimation"}},
            {"code": "W", "severity": "warning", "pointer": "/deployments/0/wait", "message": "w", "hint": ""}]})"),
                                          document.json()),
                             document.json());
        auto rows = rowsOf(document, {QStringLiteral("filter")});
        markProblems(rows, problems);
        const auto missing = m_catalog.block("fir_filter")->parameter("taps")->isRequired();
        QCOMPARE(rowOf(rows, "taps").problem.isEmpty(), !missing);
        QCOMPARE(rowOf(rows, "decimatoin").problem, QStringLiteral("m"));
        QCOMPARE(rowOf(rows, "decimatoin").fix, QStringLiteral("decimation"));
        QCOMPARE(rowOf(rows, "decimatoin").fixProblem, 1);
        QVERIFY(rowOf(rows, "decimation").problem.isEmpty());
        QCOMPARE(problems.problems()[2].place, QStringLiteral("pool"));
        auto scheduling = schedulingRows(document.json(), m_catalog, QStringLiteral("pool"));
        markProblems(scheduling, problems);
        QCOMPARE(rowOf(scheduling, "wait").severity, QStringLiteral("warning"));
    }

    void correctionsAreApplied()
    {
        Document document;
        fill(document);
        document.edit(QStringLiteral("break"), [](Transaction &t) {
            t.set(Pointer("/graph/blocks/0/parameters"), jsonOf(R"({"decimatoin": 2, "taps": [1]})"));
        });
        const std::string broken = document.canonicalText();
        const auto apply = [&](const char *pointer, const char *fix) {
            return document.edit(QStringLiteral("fix"), [&](Transaction &t) { applyFix(t, pointer, jsonOf(fix)); });
        };
        QCOMPARE(apply("/graph/blocks/0/parameters/decimatoin", R"({"key": "decimation"})"), QString());
        QVERIFY(document.json().at(Pointer("/graph/blocks/0/parameters")) == jsonOf(R"({"decimation": 2, "taps": [1]})"));
        document.undoStack().undo();
        QCOMPARE(document.canonicalText(), broken);
        QCOMPARE(apply("/parameters/half/value", R"({"value": {"expr": "stages / 3"}})"), QString());
        QVERIFY(document.json().at(Pointer("/parameters/half/value")) == jsonOf(R"({"expr": "stages / 3"})"));
        QVERIFY(!apply("/parameters/none/value", R"({"value": 1})").isEmpty());
        QVERIFY(!apply("/graph/blocks/0/parameters/taps", R"({"key": "decimatoin"})").isEmpty());
    }

    void problemsLeadToTheirPlaces_data()
    {
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
        QTest::newRow("flag") << "/deployments/0/build/extra_flags/1" << int(Kind::Deployment) << "pool" << "extra_flags";
        QTest::newRow("scheduler") << "/deployments/0/scheduler" << int(Kind::Deployment) << "pool" << "scheduler";
        QTest::newRow("run") << "/run/items" << int(Kind::Run) << "" << "items";
        QTest::newRow("trace") << "/run/trace/backend" << int(Kind::Run) << "" << "backend";
        QTest::newRow("pipes") << "/graph/pipes" << int(Kind::Project) << "" << "pipes";
        QTest::newRow("whole") << "" << int(Kind::Project) << "" << "";
        QTest::newRow("gone") << "/graph/blocks/99/id" << int(Kind::Project) << "" << "";
        QTest::newRow("nonsense") << "not a pointer" << int(Kind::Project) << "" << "";
    }

    void problemsLeadToTheirPlaces()
    {
        QFETCH(QString, pointer);
        QFETCH(int, kind);
        QFETCH(QString, name);
        QFETCH(QString, field);
        Document document;
        fill(document);
        const ProblemPlace place = problemPlace(pointer, document.json());
        QCOMPARE(int(place.kind), kind);
        QCOMPARE(place.name, name);
        QCOMPARE(place.field, field);
    }

    void namesInExpressions()
    {
        const auto renamed = [](const char *text) {
            return withNameReplaced(QString::fromUtf8(text), QStringLiteral("k"), QStringLiteral("count"));
        };
        QCOMPARE(renamed("k + 10 k + 2*k"), QStringLiteral("count + 10 k + 2*count"));
        QCOMPARE(renamed("k(1) + kk + 3k"), QStringLiteral("k(1) + kk + 3k"));
        QCOMPARE(renamed("10 k_2"), QStringLiteral("10 k_2"));
        QCOMPARE(renamed("-k"), QStringLiteral("-count"));
        QVERIFY(!usesName(QStringLiteral("10 M"), QStringLiteral("M")));
    }

    void namesAreCompleted()
    {
        const QStringList names{QStringLiteral("stages"), QStringLiteral("station")};
        const auto found = [&](const char *field, int cursor) { return completions(QString::fromLatin1(field), cursor, names); };
        QCOMPARE(found("= 2 * sta", 9), names);
        QCOMPARE(found("= s", 3), (QStringList{QStringLiteral("stages"), QStringLiteral("station"), QStringLiteral("sqrt(")}));
        QVERIFY(found("sta", 3).isEmpty());   // no expression
        QVERIFY(found("= sta", 4).isEmpty()); // in the middle of a word
        QVERIFY(found("= 2", 3).isEmpty());
        const Completed completed = complete(QStringLiteral("= 2 * sta + 1"), 9, QStringLiteral("stages"));
        QCOMPARE(completed.text, QStringLiteral("= 2 * stages + 1"));
        QCOMPARE(completed.cursor, 12);
    }

    void aRenamedParameterIsFollowed()
    {
        Document document;
        fill(document);
        const std::string before = document.canonicalText();
        QCOMPARE(usesOfParameter(document.json(), "stages").size(), std::size_t(4));
        QCOMPARE(document.edit(QStringLiteral("rename"), [](Transaction &t) { renameParameter(t, "stages", "n"); }), QString());
        const Json &json = document.json();
        QVERIFY(usesOfParameter(json, "stages").empty());
        QCOMPARE(text(find(json, Pointer("/parameters/half/value/expr"))), std::string("n / 2"));
        QCOMPARE(text(find(json, Pointer("/graph/blocks/2/parameters/constant/expr"))), std::string("n"));
        QCOMPARE(text(find(json, Pointer("/deployments/0/chunk_items/expr"))), std::string("n * 10 k"));
        QVERIFY(find(json, Pointer("/sweeps/0/vary/n")));
        QCOMPARE(text(find(json, Pointer("/sweeps/0/plot/x"))), std::string("n"));
        QCOMPARE(json.at("parameters").begin().key(), std::string("n"));
        document.undoStack().undo();
        QCOMPARE(document.canonicalText(), before);
    }

    void parametersHaveSliders()
    {
        Document document;
        fill(document);
        const ProblemModel problems;
        const CheckedValues values = CheckedValues::from(jsonOf(R"({"values": {"/parameters/gain/maximum": 1}, "blocks": {}})"));
        ProjectParameterModel model;
        QAbstractItemModelTester tester(&model, kFatal);
        model.setRows(projectParameterRows(document.json(), problems, &values));
        const auto &rows = model.rows();
        QVERIFY(rows[0].slider && rows[0].whole);
        QCOMPARE(rows[0].uses, 4);
        QVERIFY(!rows[1].slider); // an expression would be lost
        QVERIFY(rows[2].slider && !rows[2].whole);
        QVERIFY(sliderValue(rows[0], 12.4) == Json(12));
        QVERIFY(sliderValue(rows[0], 1e9) == Json(64));
        QVERIFY(sliderValue(rows[2], 0.12345678) == Json(0.123));
        model.setRows(projectParameterRows(document.json(), problems, nullptr));
        QVERIFY(!model.rows()[2].slider); // its maximum is not known yet

        for (int step = 10; step < 20; ++step)
            document.edit(QStringLiteral("slide"), [step](Transaction &t) { t.set(Pointer("/parameters/stages/value"), step); },
                          QStringLiteral("slide stages"));
        document.undoStack().undo();
        QVERIFY(document.json().at(Pointer("/parameters/stages/value")) == Json(6));
    }

    void deploymentsAreEdited()
    {
        Document document;
        fill(document);
        const std::string before = document.canonicalText();
        const auto edit = [&](auto change) { QCOMPARE(document.edit(QStringLiteral("e"), change), QString()); };
        edit([](Transaction &t) { duplicateDeployment(t, "pool", freeDeploymentName(t.json(), "pool")); });
        QCOMPARE(text(find(document.json(), Pointer("/deployments/1/name"))), std::string("pool_2"));
        QVERIFY(find(document.json(), Pointer("/deployments/1/parameters/passes")));
        edit([](Transaction &t) { renameDeployment(t, "pool", "quick"); });
        QCOMPARE(text(find(document.json(), Pointer("/sweeps/0/vary/deployment/0"))), std::string("quick"));
        edit([](Transaction &t) { chooseScheduler(t, "quick", "work_stealing", {"steps"}); });
        QVERIFY(!find(document.json(), Pointer("/deployments/0/parameters")));
        edit([](Transaction &t) { removeDeployment(t, "pool_2"); });
        QCOMPARE(document.json().at("deployments").size(), std::size_t(1));
        QVERIFY(!document.edit(QStringLiteral("e"), [](Transaction &t) { removeDeployment(t, "nobody"); }).isEmpty());
        for (int step = 0; step < 4; ++step)
            document.undoStack().undo();
        QCOMPARE(document.canonicalText(), before);
        QVERIFY(isValidLabel("a-1") && !isValidLabel("A") && !isValidLabel("") && !isValidLabel(std::string(65, 'a')));
    }

    void everySettingIsWrittenAndTakenBack()
    {
        Document document;
        fill(document);
        const std::string before = document.canonicalText();
        const QString pool = QStringLiteral("pool");
        const auto commit = [&](const std::vector<ParameterRow> &rows, const char *name, const char *typed) {
            QCOMPARE(commitField(document, rowOf(rows, name), QString::fromLatin1(typed)), QString());
        };
        const auto privileges = [&] { return privilegeRows(document.json(), m_catalog, pool); };
        const auto build = [&] { return buildRows(document.json(), m_catalog, pool); };
        QCOMPARE(rowOf(build(), "compiler").placeholder, QStringLiteral("g++"));
        QCOMPARE(rowOf(runRows(document.json(), m_catalog), "items").placeholder, QStringLiteral("10000000"));
        commit(privileges(), "lock", "true");
        commit(privileges(), "numa", "1");
        commit(privileges(), "require:affinity", "true");
        commit(privileges(), "require:memory_lock", "true");
        commit(build(), "extra_flags", " -g2  -funroll-loops ");
        commit(traceRows(document.json(), m_catalog), "events:work", "true");
        QVERIFY(document.json().at(Pointer("/deployments/0/memory")) == jsonOf(R"({"lock": true, "numa": 1})"));
        QVERIFY(document.json().at(Pointer("/deployments/0/require")) == jsonOf(R"(["affinity", "memory_lock"])"));
        QVERIFY(document.json().at(Pointer("/deployments/0/build/extra_flags")) == jsonOf(R"(["-g2", "-funroll-loops"])"));
        QCOMPARE(rowOf(build(), "extra_flags").value, QStringLiteral("-g2 -funroll-loops"));
        QVERIFY(document.json().at(Pointer("/run/trace/events")) == jsonOf(R"(["work"])"));
        commit(privileges(), "lock", "");
        commit(privileges(), "numa", "");
        commit(privileges(), "require:affinity", "false");
        commit(privileges(), "require:memory_lock", "");
        commit(build(), "extra_flags", "");
        commit(traceRows(document.json(), m_catalog), "events:work", "false");
        QCOMPARE(document.canonicalText(), before);
    }

    void targetsAreThoseThatCanRunTheScheduler()
    {
        const Catalog catalog(jsonOf(R"({"blocks": [], "defaults": {"deployment": {"target": "cpp"}},
            "schedulers": [{"id": "thread_pool", "targets": ["cpp", "rtl"]}, {"id": "in_order", "targets": ["numpy"]},
                           {"id": "lost", "targets": []}],
            "targets": [{"id": "cpp", "title": "C++ program", "documentation": "All of it."},
                        {"id": "numpy", "title": "numpy program"}, {"id": "rtl", "title": "Netlist"}]})"));
        Document document;
        fill(document);
        const auto row = [&] { return rowOf(buildRows(document.json(), catalog, QStringLiteral("pool")), "target"); };
        QCOMPARE(row().options, QStringList({QStringLiteral("cpp"), QStringLiteral("rtl")}));
        QCOMPARE(row().placeholder, QStringLiteral("cpp"));
        QVERIFY(row().documentation.endsWith(QStringLiteral("C++ program: All of it.")));
        QCOMPARE(commitField(document, row(), QStringLiteral("rtl")), QString());
        QVERIFY(document.json().at(Pointer("/deployments/0/target")) == Json("rtl"));
        const auto choose = [&](const char *id) {
            document.edit(QStringLiteral("choose"),
                          [&](Transaction &t) { chooseScheduler(t, "pool", id, {}, catalog.scheduler(id)->targets); });
        };
        choose("thread_pool");
        QCOMPARE(row().value, QStringLiteral("rtl"));
        choose("in_order");
        QVERIFY(!document.json().at(Pointer("/deployments/0")).contains("target"));
        QCOMPARE(row().placeholder, QStringLiteral("numpy"));
        choose("lost");
        QCOMPARE(row().options.size(), 3);
    }

    void blocksTellWhatTheyAre()
    {
        const BlockType *fir = m_catalog.block("fir_filter");
        QVERIFY(fir && QFile::exists(QString::fromStdString(fir->source)));
        QCOMPARE(fir->inputs.front().rate, std::string("decimation"));
        const auto facts = blockFacts(*fir);
        QVERIFY(std::any_of(facts.begin(), facts.end(), [](const Fact &f) { return f.label == QLatin1String("Accuracy"); }));
        const auto runtime = runtimeFacts(jsonOf(R"({"blocks": [
            {"id": "stage[0]@p1", "worker": "w0", "calls": 10, "items_in": 4096, "items_out": 4096, "busy_ns": 1500000,
             "items_per_call": {"p5": 1, "p50": 400, "p95": 512}},
            {"id": "stage[1]@p1", "worker": null, "calls": null, "items_in": null, "items_out": null, "busy_ns": null,
             "items_per_call": null}, {"id": "stage_2", "worker": "w1"}]})"),
                                          QStringLiteral("stage"));
        QCOMPARE(runtime.size(), std::size_t(2));
        QCOMPARE(runtime[0].facts[1].text, QStringLiteral("10"));
        QCOMPARE(runtime[0].facts[2].text, QStringLiteral("4,096"));
        QCOMPARE(runtime[0].facts[4].text, QStringLiteral("1.50 ms"));
        QCOMPARE(runtime[1].facts[1].text, QStringLiteral("not measured"));
    }
};

QTEST_MAIN(TestInspector)
#include "tst_inspector.moc"
