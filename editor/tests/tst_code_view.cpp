#include "window_fixture.h"

#include "features/code/code_text_view.h"

#include <QClipboard>

using namespace weir::editor;

/// Tests of the view of the generated code: lines and blocks select each other.
class TestCodeView : public QObject {
    Q_OBJECT

    static bool opened(WindowFixture& w) {
        return w.isReady() && (w.key(Qt::Key_F5), true) &&
               QTest::qWaitFor([&w] { return w.editor->code()->lineCount() > 50 && !w.editor->code()->isBusy(); },
                               30000);
    }

    static CodeTextView* view(const WindowFixture& w) {
        return qobject_cast<CodeTextView*>(w.item(QStringLiteral("codeText")));
    }

    static int lineWith(const WindowFixture& w, const QString& text) {
        const auto found = w.editor->code()->text().find(text);
        return found.empty() ? -1 : found.front().line;
    }

    static QPoint pointOf(const WindowFixture& w, int line, int column) {
        return view(w)->mapToScene(view(w)->pointOf(line, column)).toPoint();
    }

  private slots:
    void initTestCase() { setUpApplication(); }
    void init() { WindowFixture::failOnQmlWarnings(); }

    void blocksAndLinesSelectEachOther() {
        WindowFixture w(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json"));
        QVERIFY(opened(w));
        QCOMPARE(w.editor->view(), QStringLiteral("code"));
        CodeController& code = *w.editor->code();
        QCOMPARE(code.file(), QStringLiteral("src/flowgraph.hpp"));

        w.editor->selection().set({QStringLiteral("sink")});
        const int sink = lineWith(w, QStringLiteral("// sink: digest_sink"));
        QVERIFY(sink > 0 && code.mark(sink).selected && code.mark(sink + 1).selected);
        QVERIFY(!code.mark(0).selected);
        QCOMPARE(code.mark(sink).category, QStringLiteral("sink"));
        const QPointF shown = view(w)->pointOf(sink, 0);
        QVERIFY2(shown.y() > 0 && shown.y() < view(w)->height(), "the selected block's lines are in sight");

        const int gain = lineWith(w, QStringLiteral("// gain: multiply_const"));
        code.showLine(code.file(), gain + 1);
        w.click(pointOf(w, gain + 1, 10));
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("gain"));
        QVERIFY(code.mark(gain).selected && !code.mark(sink).selected);
        QCOMPARE(code.region(), QStringLiteral("gain"));
        w.key(Qt::Key_PageUp);
        w.key(Qt::Key_PageUp);
        QVERIFY(code.cursorLine() < gain);
    }

    void aBlockOfAScheduleHasItsCallsInTheLoops() {
        WindowFixture w(QStringLiteral(WEIR_TEST_DATA "/scheduled.weir.json"));
        QVERIFY(opened(w));
        CodeController& code = *w.editor->code();
        w.editor->selection().set({QStringLiteral("gain")});
        const int call = lineWith(w, QStringLiteral("gain.fire(at, 16)"));
        QVERIFY(call > 0);
        QVERIFY(code.mark(call).selected && !code.mark(call - 1).selected && !code.mark(call + 1).selected);
        QCOMPARE(code.mark(call).category, QStringLiteral("math"));
        // A block is declared with its stream, set by a parameter, and called. One key steps through these places and
        // wraps.
        QVERIFY(code.places() >= 3);
        QTRY_VERIFY(w.item(QStringLiteral("codeNextPlace")));
        QSet<int> seen;
        for (int place = 0; place < code.places(); ++place) {
            w.key(Qt::Key_F4);
            QVERIFY(code.mark(code.cursorLine()).selected);
            seen.insert(code.cursorLine());
        }
        QCOMPARE(seen.size(), code.places());
        QVERIFY(seen.contains(call));
        while (code.cursorLine() != call) w.click(QStringLiteral("codeNextPlace"));
        const QPointF shown = view(w)->pointOf(call, 0);
        QVERIFY2(shown.y() > 0 && shown.y() < view(w)->height(), "the call is in sight");
        QCOMPARE(code.region(), QStringLiteral("gain"));

        // In reverse, a click on a call selects its block, and a click on a loop selects all blocks in the loop.
        w.click(pointOf(w, call - 1, 24));
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("source"));
        w.click(pointOf(w, call - 2, 24));
        QCOMPARE(w.editor->selection().blocks(), (QSet<QString>{QStringLiteral("source"), QStringLiteral("gain")}));
        QCOMPARE(code.region(), QStringLiteral("source, gain · 4 times"));
        QVERIFY(!code.mark(call - 2).selected && code.mark(call - 2).category.isEmpty());
        QVERIFY(code.mark(call).selected && code.mark(call - 1).selected);
    }

    void textIsFoundAndCopied() {
        WindowFixture w(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json"));
        QVERIFY(opened(w));
        w.key(Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(w.item(QStringLiteral("codeFindField")));
        w.type(QStringLiteral("stage"));
        CodeController& code = *w.editor->code();
        QTRY_VERIFY(code.matchCount() > 3);
        QCOMPARE(code.match(), 0);
        w.key(Qt::Key_Return);
        QCOMPARE(code.match(), 1);
        w.key(Qt::Key_Return, Qt::ShiftModifier);
        w.key(Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(code.match(), code.matchCount() - 1);
        w.key(Qt::Key_Escape);
        QVERIFY(!w.item(QStringLiteral("codeFindField")));
        QCOMPARE(code.matchCount(), 0);

        const int line = lineWith(w, QStringLiteral("#pragma once"));
        code.showLine(code.file(), line + 1);
        w.drag(pointOf(w, line, 0), pointOf(w, line, 7));
        QCOMPARE(view(w)->selectedText(), QStringLiteral("#pragma"));
        w.key(Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("#pragma"));
    }

    void filesAreChosenAndTheCodeFollowsTheDocument() {
        WindowFixture w(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json"));
        QVERIFY(opened(w));
        CodeController& code = *w.editor->code();
        w.click(QStringLiteral("codeFile:src/main.cpp"));
        QCOMPARE(code.file(), QStringLiteral("src/main.cpp"));
        QVERIFY(lineWith(w, QStringLiteral("int main(")) > 0);
        w.editor->edit(QStringLiteral("name"), [](Transaction& t) { t.set(Pointer("/name"), "another_name"); });
        QTRY_VERIFY_WITH_TIMEOUT(lineWith(w, QStringLiteral("// another_name")) == 0, 30000);
        QCOMPARE(code.file(), QStringLiteral("src/main.cpp"));
        w.editor->selection().set({QStringLiteral("gain")});
        QCOMPARE(code.file(), QStringLiteral("src/flowgraph.hpp"));

        w.editor->edit(QStringLiteral("break"),
                       [](Transaction& t) { t.set(Pointer("/graph/blocks/0/type"), "none_such"); });
        QTRY_VERIFY_WITH_TIMEOUT(!code.failure().isEmpty(), 30000);
        QVERIFY(code.lineCount() > 50);
        w.editor->undo();
        QTRY_VERIFY_WITH_TIMEOUT(code.failure().isEmpty() && code.isUpToDate(), 30000);
    }

    void filesThatComeChooseNone() {
        WindowFixture w(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json"));
        QVERIFY(w.isReady());
        CodeController& code = *w.editor->code();
        const QString wanted = QStringLiteral("weir/blocks/digest_sink.hpp");
        code.showLine(wanted, 3);
        w.editor->setView(QStringLiteral("code"));
        QTRY_VERIFY(w.item(QStringLiteral("codeFiles")));
        w.item(QStringLiteral("codeFiles"))->forceActiveFocus();
        QTRY_COMPARE_WITH_TIMEOUT(code.cursorLine(), 2, 30000);
        QVERIFY(WindowFixture::isDrawn(w.window));
        QCOMPARE(code.file(), wanted);
        w.key(Qt::Key_Down);
        QVERIFY(code.file() != wanted);
    }

    void theCodeOfTwoDeploymentsIsCompared() {
        WindowFixture w(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json"));
        QVERIFY(opened(w));
        CodeController& code = *w.editor->code();
        const int lines = code.lineCount();
        const int worker = lineWith(w, QStringLiteral("on w1"));
        QVERIFY(worker > 0);
        QCOMPARE(code.others(), QStringList({QStringLiteral("single_thread"), QStringLiteral("thread_per_block")}));
        code.setComparedWith(QStringLiteral("single_thread"));
        QTRY_VERIFY_WITH_TIMEOUT(code.added() > 0 && code.removed() > 0, 30000);
        QCOMPARE(code.lineCount(), lines + code.removed());
        QTRY_VERIFY(w.item(QStringLiteral("codeDifference")));

        // Each line keeps its number and still leads to its block, even in a comparison.
        const int shown = lineWith(w, QStringLiteral("on w1"));
        QCOMPARE(code.mark(shown).number, worker + 1);
        QCOMPARE(code.mark(shown).sign, QChar(u'+'));
        int gone = 0;
        while (code.mark(gone).number > 0) ++gone;
        QCOMPARE(code.mark(gone).sign, QChar(u'\u2212'));
        w.editor->selection().clear();
        code.pointAt(gone);
        QVERIFY(w.editor->selection().isEmpty());
        const int sink = lineWith(w, QStringLiteral("// sink: digest_sink"));
        code.pointAt(sink + 1);
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("sink"));
        code.showLine(code.file(), worker + 1);
        QCOMPARE(code.cursorLine(), shown);

        code.showLine(code.file(), 1);
        code.nextDifference();
        const int first = code.cursorLine();
        QVERIFY(!code.mark(first).sign.isNull() && (first == 0 || code.mark(first - 1).sign.isNull()));
        const QColor added(0xE3, 0xF5, 0xE8);
        code.showLine(code.file(), worker + 1);
        w.editor->selection().clear();
        QTest::qWait(60);
        const QPoint place =
            view(w)->mapToScene(QPointF(view(w)->width() - 40, view(w)->pointOf(shown, 0).y())).toPoint();
        QCOMPARE(w.window->grabWindow().pixelColor(place), added);

        // Compared with itself, the code has no differences.
        w.editor->setDeploymentIndex(1);
        QCOMPARE(code.comparedWith(), QString());
        QTRY_VERIFY_WITH_TIMEOUT(code.isUpToDate() && !code.isBusy(), 30000);
        QCOMPARE(code.added() + code.removed(), 0);
    }
};

QTEST_MAIN(TestCodeView)
#include "tst_code_view.moc"
