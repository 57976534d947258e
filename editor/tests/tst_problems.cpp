#include "core/ask/cli_command.h"
#include "core/edits/project_edits.h"
#include "core/problems/apply_fix.h"
#include "core/problems/problem_model.h"
#include "core/problems/validator.h"
#include "core/text/prose.h"
#include "inspector_fixture.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace weir::editor;

namespace {

const QString kDiamond = QStringLiteral(WEIR_ROOT "/examples/diamond.weir.json");

} // namespace

/// Tests of the problems of a project and of their fixes.
class TestProblems : public InspectorFixture {
    Q_OBJECT

  private slots:
    void initTestCase() { m_catalog = testCatalog(); }

    void sentencesOfTheTerminalAreWrittenForAWindow() {
        QCOMPARE(prose(QStringLiteral("`a b` needs `c`, one ` stays")), QStringLiteral("“a b” needs “c”, one ` stays"));
        const Json answer{{"diagnostics",
                           {{{"code", "E_X"},
                             {"severity", "error"},
                             {"pointer", ""},
                             {"message", "no `x`"},
                             {"hint", "did you mean `y`?"},
                             {"fixes", {{{"title", "rename to `y`"}, {"pointer", "/name"}}}}}}}};
        const Problem problem = problemsFrom(answer, Json::object()).front();
        QCOMPARE(problem.message, QStringLiteral("no “x”"));
        QCOMPARE(problem.hint, QStringLiteral("did you mean “y”?"));
        QCOMPARE(problem.fixTitles(), QStringList(QStringLiteral("rename to “y”")));
        const CliAnswer refused{.exitCode = 1, .errors = "p.json: error E_X: no `x`\n"};
        QCOMPARE(refused.explanation(), QStringLiteral("no “x”"));
    }

    void problemsLeadToBlocks() {
        Document document;
        QCOMPARE(document.open(kDiamond), QString());
        const Json answer = jsonOf(R"({"diagnostics": [
            {"code": "A", "severity": "error", "pointer": "/graph/blocks/1/parameters/n", "message": "m", "hint": "h"},
            {"code": "B", "severity": "error", "pointer": "/graph/connections/0/2", "message": "m", "hint": ""},
            {"code": "C", "severity": "warning", "pointer": "", "message": "m", "hint": ""},
            {"code": "D", "severity": "error", "pointer": "/graph/blocks/99/id", "message": "m", "hint": ""},
            {"code": "E", "severity": "error", "pointer": "not a pointer", "message": "m", "hint": ""}]})");
        ProblemModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setProblems(problemsFrom(answer, document.json()), document.json());
        QCOMPARE(model.rowCount(), 5);
        const std::string second = text(&document.json()["graph"]["blocks"][1]["id"]);
        QCOMPARE(model.problems()[0].block.toStdString(), second);
        QCOMPARE(model.problems()[1].block.toStdString(), text(&document.json()["graph"]["connections"][0][2]));
        QVERIFY(model.problems()[2].block.isEmpty() && model.problems()[3].block.isEmpty() &&
                model.problems()[4].block.isEmpty());
        document.edit(QStringLiteral("rename"), [&](Transaction& t) { renameBlock(t, second, "renamed"); });
        model.follow(document.json());
        QCOMPARE(model.problems()[0].block, QStringLiteral("renamed"));
        // The blocks behind the removed one move up, and each problem follows its block.
        document.edit(QStringLiteral("remove"), [](Transaction& t) { removeParts(t, {"source"}, {}); });
        model.follow(document.json());
        QCOMPARE(model.problems()[0].pointer, QStringLiteral("/graph/blocks/0/parameters/n"));
        QCOMPARE(model.problems()[0].block, QStringLiteral("renamed"));
        document.edit(QStringLiteral("remove"), [](Transaction& t) { removeParts(t, {"renamed"}, {}); });
        model.follow(document.json());
        QVERIFY(model.problems()[0].code != QStringLiteral("A"));
        document.undoStack().undo();
        document.undoStack().undo();
        // A diagnostic of a build of an earlier state refers to the present place of its block.
        const Json before = document.json();
        document.edit(QStringLiteral("remove"), [](Transaction& t) { removeParts(t, {"source"}, {}); });
        model.setBuildProblems(problemsFrom(answer, before), before);
        model.follow(document.json());
        QCOMPARE(model.problems()[0].pointer, QStringLiteral("/graph/blocks/0/parameters/n"));
        QCOMPARE(model.problems()[0].block, QStringLiteral("renamed"));
    }

    void problemsAreToldOnceAndTheWorstFirst() {
        const Json project = jsonOf(R"({"graph": {"blocks": [{"id": "a"}, {"id": "b"}]}})");
        const auto merged = [&](const char* diagnostics) {
            return withoutDuplicates(problemsFrom(jsonOf(diagnostics), project));
        };
        auto problems = merged(R"({"diagnostics": [
            {"code": "W", "severity": "warning", "pointer": "/graph/blocks/0", "message": "w", "hint": ""},
            {"code": "E", "severity": "error", "pointer": "/graph/blocks/1", "message": "one", "hint": ""},
            {"code": "E", "severity": "error", "pointer": "/graph/blocks/1", "message": "two", "hint": "",
             "fixes": [{"title": "t", "pointer": "/graph/blocks/1/type", "set": "x"}]},
            {"code": "E", "severity": "error", "pointer": "/graph/blocks/1", "message": "one", "hint": ""},
            {"code": "F", "severity": "error", "pointer": "/graph/blocks/1", "message": "three", "hint": ""}]})");
        QCOMPARE(problems.size(), std::size_t(3));
        QCOMPARE(problems[0].message, QStringLiteral("one; two"));
        QCOMPARE(problems[0].fixTitles(), QStringList(QStringLiteral("t")));
        QCOMPARE(problems[1].message, QStringLiteral("three"));
        QCOMPARE(problems[2].severity, QStringLiteral("warning"));
        // Diagnostics at different lines of code stay separate.
        problems = merged(R"({"diagnostics": [
            {"code": "E", "severity": "error", "pointer": "/graph/blocks/1", "message": "f:1: x", "hint": "",
             "place": {"file": "f", "line": 1, "column": 0, "source": "", "blocks": []}},
            {"code": "E", "severity": "error", "pointer": "/graph/blocks/1", "message": "f:2: y", "hint": "",
             "place": {"file": "f", "line": 2, "column": 0, "source": "", "blocks": []}}]})");
        QCOMPARE(problems.size(), std::size_t(2));
    }

    void whatWasNeverCompleteIsUnfinished() {
        const Json project = jsonOf(R"({"graph": {"blocks": [{"id": "a"}, {"id": "b"}]}})");
        const auto gapsOf = [&](const char* block) {
            return problemsFrom(jsonOf(QStringLiteral(R"({"diagnostics": [
                {"code": "E_PORT_OPEN", "severity": "error", "pointer": "%1", "message": "in is open", "hint": ""},
                {"code": "E_PARAMETER_MISSING", "severity": "error", "pointer": "%1", "message": "needs n", "hint": ""}]})")
                                           .arg(QLatin1String(block))
                                           .toUtf8()
                                           .constData()),
                                project);
        };
        Completeness completeness;
        auto problems = gapsOf("/graph/blocks/1");
        completeness.judge(problems, project, 1);
        problems = withoutDuplicates(problems);
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(problems[0].severity, kUnfinished);
        QCOMPARE(problems[0].message, QStringLiteral("in is open; needs n"));
        // The other block was complete all the time.
        problems = gapsOf("/graph/blocks/0");
        completeness.judge(problems, project, 1);
        QCOMPARE(problems[0].severity, QStringLiteral("error"));
        problems = gapsOf("/graph/blocks/1");
        completeness.judge(problems, project, 1);
        QCOMPARE(problems[0].severity, QStringLiteral("error")); // complete in the second answer
        // Undoing the edit that completed the block makes it unfinished again.
        problems = gapsOf("/graph/blocks/1");
        completeness.judge(problems, project, 0);
        QCOMPARE(problems[0].severity, kUnfinished);
    }

    void whatARunSaidEndsWithWhatItIsAbout() {
        Document document;
        QCOMPARE(document.open(kDiamond), QString());
        document.edit(QStringLiteral("set"), [](Transaction& t) {
            t.set(Pointer("/run/warmup_items"), {{"expr", "few"}});
            t.set(Pointer("/parameters/few"), {{"value", 9}});
        });
        const Json answer = jsonOf(R"({"diagnostics": [
            {"code": "E_VALUE_RANGE", "severity": "error", "pointer": "/run/warmup_items", "message": "too many", "hint": ""},
            {"code": "E_CPU_MISSING", "severity": "error", "pointer": "/deployments/0", "message": "no CPU 99", "hint": ""},
            {"code": "E_DISK_FULL", "severity": "error", "pointer": "", "message": "full", "hint": ""}]})");
        ProblemModel model;
        const auto codes = [&] {
            QStringList result;
            for (const Problem& problem : model.problems()) result.append(problem.code);
            return result;
        };
        const auto edit = [&](const Document::Change& change) {
            model.setBuildProblems(problemsFrom(answer, document.json()), document.json());
            QCOMPARE(codes().size(), 3);
            QCOMPARE(document.edit(QStringLiteral("e"), change), QString());
            model.follow(document.json());
        };
        const QStringList others{QStringLiteral("E_CPU_MISSING"), QStringLiteral("E_DISK_FULL")};
        edit([](Transaction& t) { t.set(Pointer("/run/warmup_items"), 5); });
        QCOMPARE(codes(), others);
        document.undoStack().undo();
        model.follow(document.json());
        QCOMPARE(codes(), others); // returns only if a new check finds it
        edit([](Transaction& t) { t.set(Pointer("/run/items"), 1000); });
        QCOMPARE(codes(), others);
        edit([](Transaction& t) { t.set(Pointer("/parameters/few/value"), 5); });
        QCOMPARE(codes(), others);
        edit([](Transaction& t) { t.set(Pointer("/deployments/0/name"), "renamed"); });
        QCOMPARE(codes().size(), 3);
        edit([](Transaction& t) {
            t.set(Pointer("/deployments/0/affinity"), Json::object({{"w0", Json::array({0})}}));
        });
        QVERIFY(!codes().contains(QStringLiteral("E_CPU_MISSING")));
        // If the checker also finds the build's problem, only the checker can remove it.
        model.setBuildProblems(problemsFrom(answer, document.json()), document.json());
        model.setProblems(problemsFrom(answer, document.json()), document.json());
        QCOMPARE(codes().size(), 3);
        model.setProblems({}, document.json());
        QVERIFY(codes().isEmpty());
    }

    void correctionsAreApplied() {
        Document document;
        fill(document);
        document.edit(QStringLiteral("break"), [](Transaction& t) {
            t.set(Pointer("/graph/blocks/0/parameters"), jsonOf(R"({"decimatoin": 2, "taps": [1]})"));
        });
        const std::string broken = document.canonicalText();
        const auto apply = [&](const char* pointer, const char* what) {
            const ProblemFix fix{QStringLiteral("Mend"), QString::fromLatin1(pointer), jsonOf(what)};
            return document.edit(fix.title, [&](Transaction& t) { applyFix(t, fix); });
        };
        QCOMPARE(apply("/graph/blocks/0/parameters/decimatoin", R"({"rename": "decimation"})"), QString());
        QVERIFY(document.json().at(Pointer("/graph/blocks/0/parameters")) ==
                jsonOf(R"({"decimation": 2, "taps": [1]})"));
        document.undoStack().undo();
        QCOMPARE(document.canonicalText(), broken);
        QCOMPARE(apply("/parameters/half/value", R"({"set": {"expr": "stages / 3"}})"), QString());
        QVERIFY(document.json().at(Pointer("/parameters/half/value")) == jsonOf(R"({"expr": "stages / 3"})"));
        // A fix also creates missing objects, but never a block that no longer exists.
        QCOMPARE(apply("/parameters/gian", R"({"set": {"value": 1}})"), QString());
        QVERIFY(document.json().at(Pointer("/parameters/gian/value")) == Json(1));
        QVERIFY(apply("/graph/blocks/9/parameters/item_type", R"({"set": "f32"})")
                    .contains(QStringLiteral("no longer exists")));
        QVERIFY(!apply("/graph/blocks/0/parameters/taps", R"({"rename": "decimatoin"})").isEmpty());
        QCOMPARE(apply("/deployments/0/chunk_items", R"({"remove": true})"), QString());
        QVERIFY(!document.json().at(Pointer("/deployments/0")).contains("chunk_items"));
    }

    void aBlockIsPutBetween() {
        Document document;
        fill(document);
        document.edit(QStringLiteral("connect"), [](Transaction& t) {
            addConnection(t, {"filter", "out", "first", "in"});
            placeBlocks(t, {{"filter", {0, 0}}, {"first", {240, 100}}, {"second", {480, 0}}});
        });
        const ProblemFix fix{
            QStringLiteral("Put float_to_integer between"), QStringLiteral("/graph/connections/0"),
            jsonOf(
                R"({"insert": {"type": "float_to_integer", "parameters": {"item_type": "i16"}, "input": "in", "output": "out"}})")};
        QCOMPARE(document.edit(fix.title, [&](Transaction& t) { applyFix(t, fix); }), QString());
        QVERIFY(document.json().at(Pointer("/graph/connections")) ==
                jsonOf(R"([["filter", "out", "float_to_integer", "in"], ["float_to_integer", "out", "first", "in"]])"));
        QVERIFY(
            document.json().at(Pointer("/graph/blocks/3")) ==
            jsonOf(R"({"id": "float_to_integer", "type": "float_to_integer", "parameters": {"item_type": "i16"}})"));
        // The blocks behind the new one move aside.
        QVERIFY(
            document.json().at(Pointer("/ui/positions")) ==
            jsonOf(R"({"filter": [0, 0], "first": [480, 100], "second": [720, 0], "float_to_integer": [240, 50]})"));
        QVERIFY(!document
                     .edit(fix.title,
                           [&](Transaction& t) { applyFix(t, {{}, QStringLiteral("/graph/connections/7"), fix.what}); })
                     .isEmpty());
    }
};

QTEST_MAIN(TestProblems)
#include "tst_problems.moc"
