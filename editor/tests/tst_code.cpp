#include "core/problems/problem_model.h"
#include "features/code/code_generator.h"
#include "features/code/code_text.h"
#include "features/code/source_map.h"
#include "features/code/syntax.h"
#include "features/run/log_model.h"
#include "features/run/run_text.h"
#include "test_files.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace weir::editor;

namespace {

QStringList words(std::initializer_list<const char*> texts) {
    QStringList list;
    for (const char* text : texts) list.append(QString::fromUtf8(text));
    return list;
}

QStringList coloured(const QString& line, Language language, LineState& state) {
    static const QHash<TokenKind, QString> names{
        {TokenKind::Comment, QStringLiteral("comment")}, {TokenKind::Keyword, QStringLiteral("keyword")},
        {TokenKind::Type, QStringLiteral("type")},       {TokenKind::String, QStringLiteral("string")},
        {TokenKind::Number, QStringLiteral("number")},   {TokenKind::Preprocessor, QStringLiteral("preprocessor")},
        {TokenKind::Key, QStringLiteral("key")}};
    QStringList parts;
    for (const Token& token : tokenize(line, language, state))
        parts.append(names.value(token.kind) + u':' + line.mid(token.start, token.length));
    return parts;
}

QStringList coloured(const char* line, Language language = Language::Cpp) {
    LineState state;
    return coloured(QString::fromUtf8(line), language, state);
}

const char* const kMap = R"({"format": 1, "regions": [
  {"file": "f.hpp", "first_line": 3, "last_line": 3, "kind": "include", "name": "saxpy", "blocks": ["a", "b"],
    "instances": ["a", "b"]},
  {"file": "f.hpp", "first_line": 10, "last_line": 14, "kind": "block", "name": "a", "blocks": ["a"],
    "instances": ["a"]},
  {"file": "f.hpp", "first_line": 12, "last_line": 12, "kind": "parameter", "name": "b.x", "blocks": ["b"],
    "instances": ["b"]},
  {"file": "f.hpp", "first_line": 20, "last_line": 21, "kind": "worker", "name": "w0", "blocks": ["a", "b"],
    "instances": ["a", "b"]},
  {"file": "f.hpp", "first_line": 9, "last_line": 2, "kind": "block", "name": "odd", "blocks": ["a"],
    "instances": []}]})";

} // namespace

/// Tests of generated code without a window: colours, lines, the source map, the generator and the messages of a run.
class TestCode : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

  private slots:
    void cppIsColoured() {
        QCOMPARE(coloured("#include <vector> // x"),
                 (words({"preprocessor:#include ", "string:<vector>", "comment:// x"})));
        QCOMPARE(coloured("    weir::Stream<float> s{.n = 1'024, .t = -2.5e-3F};"),
                 (words({"type:Stream", "type:float", "number:1'024", "number:2.5e-3F"})));
        QCOMPARE(coloured("return \"a \\\" b\" + 'c';"),
                 (words({"keyword:return", "string:\"a \\\" b\"", "string:'c'"})));
        QCOMPARE(coloured("int x = 0x1F + y1; /* a */ auto z"),
                 (words({"type:int", "number:0x1F", "comment:/* a */", "keyword:auto"})));
        QCOMPARE(coloured(""), QStringList());
        QCOMPARE(coloured("\"never closed"), words({"string:\"never closed"}));
    }

    void commentsAndRawStringsGoOverLines() {
        LineState state;
        QCOMPARE(coloured(QStringLiteral("a /* b"), Language::Cpp, state), words({"comment:/* b"}));
        QVERIFY(state.comment);
        QCOMPARE(coloured(QStringLiteral("all of it"), Language::Cpp, state), words({"comment:all of it"}));
        QCOMPARE(coloured(QStringLiteral("c */ int"), Language::Cpp, state), (words({"comment:c */", "type:int"})));
        QVERIFY(!state.comment);
        QCOMPARE(coloured(QStringLiteral("x = R%1q(one").arg(QLatin1Char('"')), Language::Cpp, state),
                 QStringList{QStringLiteral("string:R%1q(one").arg(QLatin1Char('"'))});
        QCOMPARE(coloured(QStringLiteral("/* )\" no"), Language::Cpp, state), words({"string:/* )\" no"}));
        QCOMPARE(coloured(QStringLiteral("end)q\" true"), Language::Cpp, state),
                 (words({"string:end)q\"", "keyword:true"})));
        QCOMPARE(state, LineState());
    }

    void cmakeAndJsonAreColoured() {
        QCOMPARE(coloured("set(X \"a\" ${Y}) # c", Language::Cmake),
                 (words({"keyword:set", "string:\"a\"", "type:${Y}", "comment:# c"})));
        QCOMPARE(coloured("add_library(x STATIC)", Language::Cmake),
                 (words({"keyword:add_library", "preprocessor:STATIC"})));
        QCOMPARE(coloured("{\"a\": [-1.5, true, \"b\"]}", Language::Json),
                 (words({"key:\"a\"", "number:-1.5", "keyword:true", "string:\"b\""})));
        QCOMPARE(languageOf(QStringLiteral("src/main.cpp")), Language::Cpp);
        QCOMPARE(languageOf(QStringLiteral("CMakeLists.txt")), Language::Cmake);
        QCOMPARE(languageOf(QStringLiteral("README.md")), Language::Plain);
    }

    /// Tokens are sorted, disjoint and inside their line, whatever the line contains.
    void tokensStayWithinTheirLine() {
        for (const QString& path :
             {QStringLiteral(WEIR_ROOT "/runtime/include/weir/node.hpp"),
              QStringLiteral(WEIR_ROOT "/runtime/src/run.cpp"), QStringLiteral(WEIR_ROOT "/editor/CMakeLists.txt"),
              QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json")}) {
            const CodeText text(QString::fromUtf8(readAll(path)), languageOf(path));
            QVERIFY(text.lineCount() > 10);
            for (int line = 0; line < text.lineCount(); ++line) {
                qsizetype end = 0;
                for (const Token& token : text.tokens(line)) {
                    QVERIFY(token.start >= end && token.length > 0);
                    end = token.start + token.length;
                }
                QVERIFY(end <= text.line(line).size());
            }
        }
    }

    void textIsSelectedAndFound() {
        const CodeText text(QStringLiteral("ab\tcd\r\nÄ foo Foo\nlast foo\n"), Language::Plain);
        QCOMPARE(text.lineCount(), 3);
        QCOMPARE(text.line(0), QStringLiteral("ab      cd"));
        QCOMPARE(text.columns(), 10);
        QCOMPARE(text.between({1, 2}, {0, 8}), QStringLiteral("cd\nÄ "));
        QCOMPARE(text.between({-3, 0}, {99, 99}), QStringLiteral("ab      cd\nÄ foo Foo\nlast foo"));
        QCOMPARE(text.find(QStringLiteral("foo")), (std::vector<TextMatch>{{1, 2, 3}, {1, 6, 3}, {2, 5, 3}}));
        QCOMPARE(text.find(QStringLiteral("Foo")), (std::vector<TextMatch>{{1, 6, 3}}));
        QVERIFY(text.find(QString()).empty());
        QCOMPARE(text.wordAt({2, 6}), std::pair(TextPlace{2, 5}, TextPlace{2, 8}));
        QCOMPARE(CodeText(QString(), Language::Cpp).lineCount(), 1);
        QCOMPARE(CodeText().lineCount(), 0);
        QVERIFY(CodeText().tokens(0).empty());
    }

    void theMapLeadsBothWays() {
        const SourceMap map(jsonOf(kMap));
        QCOMPARE(map.regions(QStringLiteral("f.hpp")).size(), std::size_t{4});
        QCOMPARE(map.regionAt(QStringLiteral("f.hpp"), 11)->name, QStringLiteral("a"));
        QCOMPARE(map.regionAt(QStringLiteral("f.hpp"), 12)->name, QStringLiteral("b.x"));
        QVERIFY(!map.regionAt(QStringLiteral("f.hpp"), 15));
        QVERIFY(!map.regionAt(QStringLiteral("g.hpp"), 11));
        QCOMPARE(map.linesOf(QStringLiteral("f.hpp"), {QStringLiteral("b")}), (std::vector<int>{3, 12}));
        QCOMPARE(map.linesOf(QStringLiteral("f.hpp"), {QStringLiteral("a")}),
                 (std::vector<int>{3, 10, 11, 12, 13, 14}));
        QCOMPARE(map.declarationOf(QStringLiteral("f.hpp"), QStringLiteral("a")), 10);
        QCOMPARE(map.declarationOf(QStringLiteral("f.hpp"), QStringLiteral("b")), 0);
        QVERIFY(SourceMap(jsonOf("[1, {\"regions\": 3}]")).isEmpty());
    }

    void theRealCommandGeneratesWhatIsInTheDocument() {
        Document document;
        QVERIFY(document.open(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json")).isEmpty());
        QString deployment = QStringLiteral("flow");
        CodeGenerator generator(CliCommand::parse(QStringLiteral(WEIR_CLI_COMMAND)), document,
                                [&] { return deployment; });
        QSignalSpy generated(&generator, &CodeGenerator::generated);
        document.edit(QStringLiteral("title"), [](Transaction& t) { t.set(Pointer("/title"), "Not looked at"); });
        QVERIFY(!generator.isBusy());
        generator.setActive(true);
        QVERIFY(generated.wait(30000));
        QVERIFY2(generator.failure().isEmpty(), qPrintable(generator.failure()));
        QVERIFY(generator.isUpToDate());
        QCOMPARE(generator.files().value(0), QStringLiteral("src/flowgraph.hpp"));
        QVERIFY(generator.files().indexOf(QStringLiteral("weir/blocks/head.hpp")) <
                generator.files().indexOf(QStringLiteral("weir/src/run.cpp")));
        const QString before = generator.text(QStringLiteral("src/flowgraph.hpp"));
        QVERIFY(before.contains(QStringLiteral("// Not looked at")));
        const int line = generator.map().declarationOf(QStringLiteral("src/flowgraph.hpp"), QStringLiteral("gain"));
        QVERIFY(before.split(u'\n').value(line - 1).startsWith(QStringLiteral("    // gain: multiply_const")));

        deployment = QStringLiteral("single_thread");
        generator.refresh();
        QVERIFY(!generator.isUpToDate());
        QVERIFY(generated.wait(30000));
        QVERIFY(generator.text(QStringLiteral("src/main.cpp")).contains(QStringLiteral("deployment single_thread.")));

        document.edit(QStringLiteral("break"),
                      [](Transaction& t) { t.set(Pointer("/graph/blocks/0/type"), "no_such_block"); });
        QTRY_VERIFY_WITH_TIMEOUT(!generator.failure().isEmpty(), 30000);
        QVERIFY2(generator.failure().contains(QStringLiteral("no_such_block")), qPrintable(generator.failure()));
        QVERIFY(!generator.files().isEmpty());
        QString why;
        QVERIFY(generator.text(QStringLiteral("not/there"), &why).isEmpty());
        QVERIFY(why.contains(QStringLiteral("not/there")));
    }

    void diagnosticsOfABuildLeadToBlockAndLine() {
        const Json project = jsonOf(R"({"graph": {"blocks": [{"id": "x"}, {"id": "y"}], "connections": []}})");
        const auto problems =
            problemsFrom(jsonOf(R"({"ok": false, "diagnostics": [{"code": "E_BLOCK_BUILD", "severity": "error",
            "pointer": "/graph/blocks/1", "message": "the code of `y` does not build: /b/q.hpp:14: no such thing",
            "hint": "h",
            "place": {"file": "weir/blocks/q.hpp", "line": 14, "column": 9, "source": "/b/q.hpp", "blocks": ["y",
            "x"]}}]})"),
                         project);
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems[0].block, QStringLiteral("y"));
        QCOMPARE(problems[0].others, QStringList{QStringLiteral("x")});
        QCOMPARE(problems[0].said, QStringLiteral("no such thing"));
        QCOMPARE(problems[0].line, 14);

        ProblemModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setBuildProblems(problems, project);
        model.setProblems({{QStringLiteral("W_X"), QStringLiteral("warning"), {}, QStringLiteral("m"), {}, {}}},
                          project);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0, 0).data(ProblemModel::role("file")).toString(), QStringLiteral("weir/blocks/q.hpp"));
        model.setProblems({}, project);
        QCOMPARE(model.rowCount(), 1);
        model.follow(jsonOf(R"({"graph": {"blocks": [{"id": "x"}, {"id": "renamed"}], "connections": []}})"));
        QCOMPARE(model.problems()[0].block, QStringLiteral("renamed"));
        model.setBuildProblems({}, project);
        QCOMPARE(model.rowCount(), 0);
    }

    void theLogKeepsTheNewestLines() {
        LogModel log;
        const QAbstractItemModelTester tester(&log, QAbstractItemModelTester::FailureReportingMode::QtTest);
        LogFilter filter(log);
        QStringList lines;
        for (int i = 0; i < LogModel::kMostLines + 500; ++i) lines.append(QStringLiteral("line %1").arg(i));
        log.append(lines.mid(0, 15000));
        log.append(lines.mid(15000));
        QCOMPARE(log.rowCount(), LogModel::kMostLines);
        QCOMPARE(log.index(0, 0).data().toString(), QStringLiteral("line 500"));
        log.append(lines + lines);
        QCOMPARE(log.rowCount(), LogModel::kMostLines);
        log.clear();
        log.append({QStringLiteral("p.json: error E_X: no"), QStringLiteral("    hint: do"),
                    QStringLiteral("p: warning W_Y: hm"), QStringLiteral("fine")});
        filter.setWanted(QStringLiteral("ERROR"));
        QCOMPARE(filter.rowCount(), 1);
        QCOMPARE(filter.text(), QStringLiteral("p.json: error E_X: no\n"));
        filter.setWanted(QString());
        QStringList levels;
        for (int row = 0; row < filter.rowCount(); ++row)
            levels.append(filter.index(row, 0).data(LogModel::LevelRole).toString());
        QCOMPARE(levels, (words({"error", "hint", "warning", "info"})));
        log.append({QStringLiteral("done in 0:01 · 1 run with a warning, see Results")});
        QCOMPARE(log.warnings(), 1);
    }

    void reasonsOfARunNameTheirBlock() {
        const Json project = jsonOf(R"({"graph": {"blocks": [{"id": "stage"}, {"id": "sink"}]}})");
        const auto problems = problemsOfRuns(jsonOf(R"([
            {"status": "failed", "reasons": [{"code": "E_BLOCK", "message": "stage[2]@p1: cannot open x"},
              {"code": "N_NOTE", "message": "n"}, {"code": "W_DISTURBED", "message": "others took 31 %"}]},
            {"status": "failed", "reasons": [{"code": "E_BLOCK", "message": "stage[2]@p1: cannot open x"},
                                             {"code": "E_CRASHED", "message": "it was ended by SIGSEGV"}]},
            {"status": "failed", "reasons": [{"code": "E_CRASHED", "message": "sink@p1: ended by SIGFPE"}]}])"),
                                             project);
        QCOMPARE(problems.size(), std::size_t{3});
        QCOMPARE(problems[2].block, QStringLiteral("sink"));
        QCOMPARE(problems[0].block, QStringLiteral("stage"));
        QVERIFY(problems[1].block.isEmpty() && problems[1].hint.contains(QStringLiteral("crashed")));
        QVERIFY(problemsOfRuns(Json(), project).empty());
    }

    void timesAndFoldersAreSaidInWords() {
        QCOMPARE(clockText(-3), QStringLiteral("0:00"));
        QCOMPARE(clockText(65.6), QStringLiteral("1:06"));
        QCOMPARE(clockText(3723), QStringLiteral("1:02:03"));
        QCOMPARE(phaseText(QStringLiteral("run")), QStringLiteral("running"));
        QCOMPARE(phaseText(QStringLiteral("something new")), QStringLiteral("something new"));
        QCOMPARE(runsFolder(m_folder.filePath(QStringLiteral("p.weir.json"))),
                 m_folder.filePath(QStringLiteral("runs")));
        QVERIFY(runsFolder(QString()).endsWith(QStringLiteral("/weir/runs")));
    }
};

QTEST_GUILESS_MAIN(TestCode)
#include "tst_code.moc"
