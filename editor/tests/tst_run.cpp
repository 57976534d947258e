#include "window_fixture.h"

#include "results_model.h"

#include <QTemporaryDir>

using namespace weir::editor;

namespace {

constexpr int kBuildMs = 300000; ///< the first build of a runtime, on a busy machine

} // namespace

/// The Run button, down to a compiled and measured program.
class TestRun : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString project(const QByteArray &items)
    {
        const QString path = m_folder.filePath(QStringLiteral("p%1.weir.json").arg(QString::fromLatin1(items)));
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write(readAll(QStringLiteral(WEIR_TEST_DATA "/run.weir.json")).replace("1000000", items));
        return path;
    }

private slots:
    void initTestCase() { setUpApplication(); }
    void init() { WindowFixture::failOnQmlWarnings(); }

    void runsAndShowsWhatWasMeasured()
    {
        WindowFixture w(project("1000000"));
        QVERIFY(w.isReady());
        RunController &runner = *w.editor->runner();
        w.click(QStringLiteral("run"));
        QVERIFY(runner.isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!runner.isRunning(), kBuildMs);
        QVERIFY2(runner.failure().isEmpty(), qPrintable(runner.failure()));
        QAbstractItemModel &results = *runner.results();
        QCOMPARE(results.rowCount(), 1);
        const QModelIndex run = results.index(0, 0);
        QCOMPARE(run.data(ResultsModel::StatusRole).toString(), QStringLiteral("ok"));
        QVERIFY(run.data(ResultsModel::ThroughputRole).toString().endsWith(QStringLiteral("items/s")));
        QVERIFY(run.data(ResultsModel::P50Role).toString().endsWith(QStringLiteral("s")));
        QCOMPARE(runner.latency()->rowCount(), 1);
        QTRY_VERIFY(w.item(QStringLiteral("runs")));

        QVERIFY(!run.data(ResultsModel::StaleRole).toBool());
        w.editor->edit(QStringLiteral("set"), [](Transaction &t) { t.set(Pointer("/run/items"), 2000000); });
        QVERIFY(run.data(ResultsModel::StaleRole).toBool());
        w.editor->undo();
        QVERIFY(!run.data(ResultsModel::StaleRole).toBool());
    }

    void unsavedChangesRunToo()
    {
        WindowFixture w(project("1000000"));
        QVERIFY(w.isReady());
        w.editor->edit(QStringLiteral("set"), [](Transaction &t) { t.set(Pointer("/run/items"), 1500000); });
        w.key(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(!w.editor->runner()->isRunning(), kBuildMs);
        const auto *results = qobject_cast<ResultsModel *>(w.editor->runner()->results());
        QVERIFY2(results->result(0), qPrintable(w.editor->runner()->failure()));
        QCOMPARE(results->result(0)->at("sinks").at(0).at("items").get<int>(), 1500000);
        QVERIFY(w.editor->isModified());
        QVERIFY(QDir(m_folder.path()).entryList({QStringLiteral(".unsaved*")}, QDir::Files | QDir::Hidden).isEmpty());
    }

    void stopKeepsAPartialResult()
    {
        WindowFixture w(project("100000000000"));
        QVERIFY(w.isReady());
        RunController &runner = *w.editor->runner();
        runner.run();
        QTRY_VERIFY_WITH_TIMEOUT(runner.progress() > 0 && runner.status().contains(QStringLiteral("items/s")), kBuildMs);
        w.key(Qt::Key_F7);
        QTRY_VERIFY_WITH_TIMEOUT(!runner.isRunning(), 20000);
        QCOMPARE(runner.results()->rowCount(), 1);
        QCOMPARE(runner.results()->index(0, 0).data(ResultsModel::StatusRole).toString(), QStringLiteral("partial"));
    }
};

QTEST_MAIN(TestRun)
#include "tst_run.moc"
