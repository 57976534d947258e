#include "files_fixture.h"

using namespace Qt::StringLiterals;
using namespace weir::editor;

/// What goes to other programs and comes from them: flowgraphs of GNU Radio Companion, and pictures.
class TestExchange : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { setUpApplication(); }
    void init() { WindowFixture::failOnQmlWarnings(); }

    void flowgraphsAreImportedAsNewProjects()
    {
        FilesFixture files;
        const QString path = files.path(QStringLiteral("tone.grc"));
        FilesFixture::write(path, "options:\n  parameters:\n    id: tone\n  states: {coordinate: [8, 8], state: enabled}\n\n"
                                  "blocks:\n- name: source\n  id: blocks_null_source\n  parameters: {type: float, num_outputs: '1', vlen: '1'}\n"
                                  "  states: {coordinate: [100, 100], state: enabled}\n"
                                  "- name: sink\n  id: nowhere_sink\n  parameters: {}\n  states: {coordinate: [400, 100], state: enabled}\n\n"
                                  "connections:\n- [source, '0', sink, '0']\n\nmetadata:\n  file_format: 1\n");
        WindowFixture w(files.project());
        QVERIFY(w.isReady());
        w.editor->files()->open(path);
        QTRY_VERIFY_WITH_TIMEOUT(!w.editor->hasFile(), 20000);
        QVERIFY2(w.editor->notice().isEmpty(), qPrintable(w.editor->notice()));
        QVERIFY(w.editor->isModified());
        QVERIFY(w.editor->scene().blocks().size() >= 2);
        QVERIFY(w.editor->exchange()->report()->rowCount() >= 2);
        QVERIFY(w.editor->exchange()->report()->counts().contains(QStringLiteral("1 stubbed")));

        // The way back, and a file that is no flowgraph.
        const QString back = files.path(QStringLiteral("back.grc"));
        w.editor->exchange()->exportFlowgraph(QUrl::fromLocalFile(back));
        QTRY_VERIFY2_WITH_TIMEOUT(QFile::exists(back), qPrintable(w.editor->notice()), 20000);
        FilesFixture::write(path, "nothing: [of the kind\n");
        w.editor->exchange()->importFlowgraph(path);
        QTRY_VERIFY_WITH_TIMEOUT(w.editor->notice().contains(QStringLiteral("was not imported")), 20000);

        // Another project that was opened meanwhile stays.
        w.editor->exchange()->importFlowgraph(back);
        const QString other = files.project(QStringLiteral("other.weir.json"));
        QVERIFY(w.editor->openPath(other));
        QTRY_VERIFY_WITH_TIMEOUT(w.editor->notice().contains(QStringLiteral("opened meanwhile")), 20000);
        QCOMPARE(w.editor->document().path(), other);
    }

    void picturesAreWrittenOrRefusedWithTheReason()
    {
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
