#include "files_fixture.h"

#include <QSignalSpy>

using namespace Qt::StringLiterals;
using namespace weir::editor;

/// Tests of import from and export to GNU Radio Companion, and of exported pictures.
class TestExchange : public QObject {
    Q_OBJECT

    /// Return a GNU Radio Companion flowgraph: the given block, connected to a sink of unknown type.
    static QByteArray tone(const QByteArray& name, const QByteArray& id, const QByteArray& parameters) {
        return "options:\n  parameters:\n    id: tone\n  states: {coordinate: [8, 8], state: enabled}\n\n"
               "blocks:\n- name: " +
               name + "\n  id: " + id + "\n  parameters: {" + parameters +
               "}\n"
               "  states: {coordinate: [100, 100], state: enabled}\n"
               "- name: sink\n  id: nowhere_sink\n  parameters: {}\n  states: {coordinate: [400, 100], state: "
               "enabled}\n\n"
               "connections:\n- [" +
               name + ", '0', sink, '0']\n\nmetadata:\n  file_format: 1\n";
    }

  private slots:
    void initTestCase() { setUpApplication(); }
    void init() { WindowFixture::failOnQmlWarnings(); }

    // Blocks are larger than in GNU Radio Companion, so imported positions would let them overlap.
    void anImportWithoutRoomIsLaidOutInItsOrder() {
        FilesFixture files;
        const QString path = files.path(u"tight.grc"_s);
        QByteArray blocks, connections;
        for (const int i : {0, 1, 2, 3}) {
            blocks += QByteArray(
                          "- name: source%1\n  id: analog_sig_source_x\n  parameters: {type: float, freq: '1%1', "
                          "samp_rate: '1000'}\n"
                          "  states: {coordinate: [100, %2], state: enabled}\n")
                          .replace("%1", QByteArray::number(i))
                          .replace("%2", QByteArray::number(400 - 40 * i));
            blocks +=
                QByteArray(
                    "- name: sink%1\n  id: blocks_null_sink\n  parameters: {type: float, vlen: '1', num_inputs: '1'}\n"
                    "  states: {coordinate: [140, %2], state: enabled}\n")
                    .replace("%1", QByteArray::number(i))
                    .replace("%2", QByteArray::number(400 - 40 * i));
            connections += QByteArray("- [source%1, '0', sink%1, '0']\n").replace("%1", QByteArray::number(i));
        }
        FilesFixture::write(
            path,
            "options:\n  parameters:\n    id: tight\n  states: {coordinate: [8, 8], state: enabled}\n\nblocks:\n" +
                blocks + "\nconnections:\n" + connections + "\nmetadata:\n  file_format: 1\n");
        WindowFixture w(files.project());
        QVERIFY(w.isReady());
        w.editor->setView(u"lanes"_s);
        w.editor->files()->open(path);
        QTRY_VERIFY_WITH_TIMEOUT(!w.editor->hasFile(), 20000);
        QTRY_COMPARE_WITH_TIMEOUT(w.editor->undoText(), u"Lay out the graph"_s, 20000);
        QCOMPARE(w.editor->view(), u"canvas"_s);
        const auto& drawn = w.editor->scene().blocks();
        QVERIFY(drawn.size() >= 8);
        for (const BlockView& one : drawn)
            for (const BlockView& other : drawn)
                QVERIFY2(one.id == other.id || !one.rect.intersects(other.rect),
                         qPrintable(one.id + u" over "_s + other.id));
        for (const int i : {1, 2, 3}) // in the file, the last one is the topmost
            for (const QString& kind : {u"source"_s, u"sink"_s}) {
                const BlockView* lower = w.editor->scene().block(kind + QString::number(i - 1));
                const BlockView* upper = w.editor->scene().block(kind + QString::number(i));
                QVERIFY(lower && upper && upper->rect.top() < lower->rect.top());
            }
        w.editor->undo();
        QVERIFY(w.editor->undoText().isEmpty());
        QVERIFY(w.editor->scene().block(u"source0"_s)->rect.intersects(w.editor->scene().block(u"source1"_s)->rect));
    }

    void flowgraphsAreImportedAsNewProjects() {
        FilesFixture files;
        const QString path = files.path(QStringLiteral("tone.grc"));
        FilesFixture::write(path, tone("source", "blocks_null_source", "type: float, num_outputs: '1', vlen: '1'"));
        WindowFixture w(files.project());
        QVERIFY(w.isReady());
        w.editor->files()->open(path);
        QTRY_VERIFY_WITH_TIMEOUT(!w.editor->hasFile(), 20000);
        QVERIFY2(w.editor->notice().isEmpty(), qPrintable(w.editor->notice()));
        QVERIFY(w.editor->isModified());
        QVERIFY(w.editor->scene().blocks().size() >= 2);
        QVERIFY(w.editor->exchange()->report()->rows().size() >= 2);
        QVERIFY(w.editor->isHosted());
        QVERIFY(w.editor->exchange()->report()->counts().contains(QStringLiteral("2 kept · 0 replaced · 0 stubbed")));

        // Export, then import a file that is no flowgraph.
        const QString back = files.path(QStringLiteral("back.grc"));
        w.editor->exchange()->exportFlowgraph(QUrl::fromLocalFile(back));
        QTRY_VERIFY2_WITH_TIMEOUT(QFile::exists(back), qPrintable(w.editor->notice()), 20000);
        FilesFixture::write(path, "nothing: [of the kind\n");
        w.editor->exchange()->importFlowgraph(path);
        QTRY_VERIFY_WITH_TIMEOUT(w.editor->notice().contains(QStringLiteral("was not imported")), 20000);

        // If another project was opened in the meantime, it stays.
        w.editor->exchange()->importFlowgraph(back);
        const QString other = files.project(QStringLiteral("other.weir.json"));
        QVERIFY(w.editor->openPath(other));
        QTRY_VERIFY_WITH_TIMEOUT(w.editor->notice().contains(QStringLiteral("opened in the meantime")), 20000);
        QCOMPARE(w.editor->document().path(), other);
    }

    // Regression: the editor asked before and after it read the flowgraph, as if it had ignored the first answer.
    void anImportAsksOnceAboutChanges() {
        FilesFixture files;
        const QString path = files.path(u"tone.grc"_s);
        FilesFixture::write(path, tone("source", "blocks_null_source", "type: float, num_outputs: '1', vlen: '1'"));
        WindowFixture w(files.project());
        QVERIFY(w.isReady());
        FilesFixture::setItems(w.editor->document(), 3);
        QSignalSpy asked(w.editor->files(), &DocumentFiles::saveDecisionNeeded);
        w.editor->files()->open(path);
        QTRY_VERIFY_WITH_TIMEOUT(w.item(u"closeDiscard"_s), 20000);
        QVERIFY(w.editor->hasFile() && !w.item(u"closeNoFile"_s));
        w.settle();
        w.click(u"closeDiscard"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!w.editor->hasFile() && !w.item(u"closeDiscard"_s), 20000);
        QVERIFY(w.editor->scene().block(u"source"_s));
        QCOMPARE(asked.count(), 1);
    }

    // Regression: the answer to one question was used for another one, which was not shown yet.
    void whatEndsWhileAQuestionIsOpenHasItsOwn() {
        FilesFixture files;
        WindowFixture w(files.project());
        QVERIFY(w.isReady());
        FilesFixture::setItems(w.editor->document(), 3);
        int imported = 0;
        w.editor->files()->newProject();
        QTRY_VERIFY(w.item(u"closeDiscard"_s));
        w.settle();
        w.editor->files()->guard([&imported] { ++imported; });
        QSignalSpy asked(w.editor->files(), &DocumentFiles::saveDecisionNeeded);
        w.key(Qt::Key_Escape);
        QTRY_COMPARE(asked.count(), 1);
        QVERIFY(w.editor->hasFile());
        QCOMPARE(imported, 0);
        QTRY_VERIFY(w.item(u"closeDiscard"_s));
        w.settle();
        w.click(u"closeDiscard"_s);
        QTRY_COMPARE(imported, 1);
        QVERIFY(w.editor->hasFile());  // Esc cancelled the new project
    }

    void theReportLeavesTheGraphInSight() {
        FilesFixture files;
        const QString path = files.path(u"tone.grc"_s);
        FilesFixture::write(
            path, tone("analog_sig_source_x_0", "analog_sig_source_x", "type: float, freq: '10', samp_rate: '1000'"));
        WindowFixture w(files.project());
        QVERIFY(w.isReady());
        w.editor->files()->open(path);
        QTRY_VERIFY_WITH_TIMEOUT(w.item(u"report:sink"_s), 20000);
        w.settle();
        const auto inWindow = [](const QQuickItem* item) {
            return item->mapRectToScene({0, 0, item->width(), item->height()});
        };
        const QRectF report = inWindow(w.item(u"report"_s));
        QVERIFY(report.height() > 100 && report.bottom() <= w.window->height());
        for (const BlockView& block : w.editor->scene().blocks()) {
            const QRectF seen(w.canvas()->mapToScene(w.canvas()->toView(block.rect.topLeft())),
                              w.canvas()->mapToScene(w.canvas()->toView(block.rect.bottomRight())));
            QVERIFY2(inWindow(w.canvas()).contains(seen) && !report.intersects(seen), qPrintable(block.id));
        }
        for (const QString& name : {u"report:sink"_s, u"report:analog_sig_source_x_0"_s}) {
            QVERIFY(w.item(name));
            const auto words = w.item(name)->childItems();
            for (const QQuickItem* text : words)
                QVERIFY2(!text->inherits("QQuickText") ||
                             (text->property("lineCount").toInt() == 1 && !text->property("truncated").toBool()),
                         qPrintable(text->property("text").toString()));
        }
        // A row of the report selects its block, by mouse and by key.
        w.click(u"report:sink"_s);
        QCOMPARE(w.editor->selection().onlyBlock(), u"sink"_s);
        w.canvas()->forceActiveFocus();
        w.key(Qt::Key_F6, Qt::ControlModifier);
        w.key(Qt::Key_F6, Qt::ControlModifier);
        QVERIFY(w.item(u"report"_s)->hasActiveFocus());  // not the tabs above it
        w.key(Qt::Key_Down);
        w.key(Qt::Key_Return);
        QCOMPARE(w.editor->selection().onlyBlock(), w.editor->exchange()->report()->rows()[1].block);
        // The question says what Save does with the import.
        w.editor->files()->newProject();
        QTRY_VERIFY(w.item(u"closeNoFile"_s) &&
                    w.item(u"closeNoFile"_s)->property("text").toString().contains(u"stays unchanged"));
        w.settle();
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!w.item(u"closeDiscard"_s));
        // A run does not close the report.
        emit w.editor->runner()->started();
        emit w.editor->runner()->finished();
        w.settle();
        QVERIFY(w.item(u"report"_s));
        w.click(u"reportClose"_s);
        QTRY_VERIFY(!w.item(u"report"_s) && !w.item(u"tab:Report"_s));
        QVERIFY(!w.window->findChild<QObject*>(u"bottomPanel"_s)->property("open").toBool());
    }

    void anImportThatTakesLongSaysSoAndIsCancelled() {
        FilesFixture files;
        const CliCommand real = WindowFixture::realCommand();
        const QString script = files.path(u"slow"_s);
        FilesFixture::write(script, "case \"$*\" in *' import '*) sleep 60;; esac\nexec \"$@\"\n");
        const QString project = files.project();
        WindowFixture w(project, {u"/bin/sh"_s, QStringList{script, real.program} + real.arguments});
        QVERIFY(w.isReady());
        const std::string before = w.editor->document().canonicalText();
        QVERIFY(!w.item(u"exchangeBar"_s));
        for (const bool byKeys : {false, true}) {
            w.editor->exchange()->importFlowgraph(files.path(u"tone.grc"_s));
            QTRY_VERIFY(w.item(u"exchangeBar"_s));
            QCOMPARE(w.editor->exchange()->doing(), u"Importing tone.grc…"_s);
            w.settle();
            if (byKeys) {
                w.key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
                QTRY_VERIFY(w.item(u"commandField"_s));
                w.type(u"cancel"_s);
                w.key(Qt::Key_Return);
            } else {
                w.click(u"cancelImport"_s);
            }
            QTRY_VERIFY(!w.item(u"exchangeBar"_s));
            QCOMPARE(w.editor->notice(), u"Importing tone.grc was cancelled"_s);
        }
        QCOMPARE(w.editor->document().path(), project);
        QVERIFY(w.editor->document().canonicalText() == before);
        QVERIFY(!w.editor->actions().trigger(u"file.cancel_import"_s));
    }

    void picturesAreWrittenOrRefusedWithTheReason() {
        FilesFixture files;
        WindowFixture w(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json"));
        QVERIFY(w.isReady());
        const QString picture = files.path(QStringLiteral("graph.svg"));
        w.editor->exchange()->exportPicture(QUrl::fromLocalFile(picture));
        QTRY_VERIFY_WITH_TIMEOUT(w.editor->notice().contains(picture), 20000);
        QVERIFY(w.editor->isNoticeGood());
        QVERIFY(readAll(picture).contains("<svg"));
        QVERIFY(w.editor->openPath(QStringLiteral(WEIR_ROOT "/codegen/tests/bad/E_CYCLE.weir.json")));
        w.editor->exchange()->exportPicture(QUrl::fromLocalFile(files.path(QStringLiteral("none.svg"))));
        QTRY_VERIFY_WITH_TIMEOUT(w.editor->notice().contains(QStringLiteral("cycle")), 20000);
    }
};

QTEST_MAIN(TestExchange)
#include "tst_exchange.moc"
