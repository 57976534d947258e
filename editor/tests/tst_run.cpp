#include "run_fixture.h"
#include "window_fixture.h"

#include <QSignalSpy>
#include <QTemporaryDir>

using namespace weir::editor;

namespace {

constexpr int kBuildMs = 300000; ///< the first build of a runtime, on a busy machine
constexpr int kAnswerMs = 30000;

const char* const kBrokenHeader =
    "#pragma once\n#include \"weir/block.hpp\"\n"
    R"(namespace weir::blocks {
template <class T> struct Broken {
    struct Params {};
    Params params;
    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        return frobnicate(in, out);
    }
};
}
)";
const char* const kBrokenBlock =
    R"({"format": 1, "id": "broken", "title": "Broken", "documentation": "Does not compile.", "item_types": ["f32"],
"inputs": [{"id": "in", "type": "T", "rate": 1}], "outputs": [{"id": "out", "type": "T", "rate": 1}], "parameters": [],
"behaviour": {"state": "stateless", "element_wise": true, "in_place": false, "random_access": false, "waits": false,
"blocking_io": false},
"vectors": []})";
const char* const kProject = R"({"schema_version": 1, "name": "p",
"graph": {"blocks": [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}}, {"id": "limit",
"type": "head"},
{"id": "bad", "type": "broken"}, {"id": "sink", "type": "digest_sink"}],
"connections": [["source", "out", "limit", "in"], ["limit", "out", "bad", "in"], ["bad", "out", "sink", "in"]]},
"deployments": [{"name": "one", "scheduler": "single_thread"}],
"run": {"items": 1000000}}
)";

} // namespace

/// Tests of the Run button, including compilation and measurement.
class TestRun : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString project(const QByteArray& items, const QByteArray& granularity = "4096") {
        const QString path = m_folder.filePath(QStringLiteral("p%1.weir.json").arg(QString::fromLatin1(items)));
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write(readAll(QStringLiteral(WEIR_TEST_DATA "/run.weir.json"))
                           .replace("1000000", items)
                           .replace("4096", granularity));
        return path;
    }

  private slots:
    void initTestCase() { setUpApplication(); }
    void init() { WindowFixture::failOnQmlWarnings(); }

    void runsAndShowsWhatWasMeasured() {
        WindowFixture w(project("1000000"));
        QVERIFY(w.isReady());
        RunController& runner = *w.editor->runner();
        w.click(QStringLiteral("run"));
        QVERIFY(runner.isRunning());
        // Choosing another deployment during the run keeps this choice.
        w.editor->edit(QStringLiteral("other"), [](Transaction& t) {
            t.append(Pointer("/deployments"), {{"name", "other"}, {"scheduler", "flow"}});
        });
        QSignalSpy said(&runner, &RunController::stateChanged);
        w.editor->setDeploymentIndex(1);
        QCOMPARE(runner.otherDeployment(), QStringLiteral("single_thread"));
        // The pill changes at once: the next report may be late during compilation.
        QVERIFY(!said.isEmpty() &&
                w.item(QStringLiteral("runPill"))->property("text").toString().startsWith(u"single_thread: "));
        const bool ended = ends(runner, kBuildMs);
        QVERIFY2(ended && runner.failure().isEmpty(), qPrintable(toldBy(runner)));
        Results& results = *w.editor->results();
        QTRY_VERIFY_WITH_TIMEOUT(results.run()->isShown(), kAnswerMs);
        QCOMPARE(results.run()->status(), QStringLiteral("ok"));
        QCOMPARE(w.editor->deployment(), QStringLiteral("other"));
        w.editor->undo();
        QVERIFY(results.run()->throughputUnit().endsWith(QStringLiteral("items/s")));
        QCOMPARE(results.run()->latency()->rowCount(), 1);
        w.key(Qt::Key_R, Qt::ControlModifier);
        QTRY_VERIFY(w.item(QStringLiteral("runs")));
        QCOMPARE(results.library()->runs()->rowCount(), 1);
        QCOMPARE(results.shown()->path(), results.run()->path());

        QTRY_COMPARE_WITH_TIMEOUT(results.library()->list().rowCount(), 1, kAnswerMs);
        QVERIFY(results.run()->differs().isEmpty());
        w.editor->edit(QStringLiteral("set"), [](Transaction& t) { t.set(Pointer("/description"), "changes no run"); });
        QTRY_VERIFY_WITH_TIMEOUT(w.editor->isChecked(), kAnswerMs);
        QVERIFY(results.run()->differs().isEmpty() && !results.shown()->isStale());
        w.editor->edit(QStringLiteral("set"), [](Transaction& t) { t.set(Pointer("/run/items"), 2000000); });
        QTRY_VERIFY_WITH_TIMEOUT(!results.run()->differs().isEmpty() && results.shown()->isStale(), kAnswerMs);
        w.editor->undo();
        QTRY_VERIFY_WITH_TIMEOUT(results.run()->differs().isEmpty() && !results.shown()->isStale(), kAnswerMs);

        // A deployment with runs is kept: choosing another scheduler adds a deployment, even in a project that had
        // none.
        Deployments& deployments = *w.editor->deploymentSettings();
        w.editor->edit(QStringLiteral("none"), [](Transaction& t) { t.remove(Pointer("/deployments")); });
        deployments.chooseScheduler(QStringLiteral("flow"));
        QCOMPARE(w.editor->deployments(), (QStringList{QStringLiteral("single_thread"), QStringLiteral("flow")}));
        QCOMPARE(w.editor->deployment(), QStringLiteral("flow"));
        deployments.chooseScheduler(QStringLiteral("single_thread"));
        QCOMPARE(w.editor->deployments().last(),
                 QStringLiteral("single_thread_2"));  // flow never ran, so it was replaced
        w.editor->undo();
        w.editor->undo();
        deployments.chooseScheduler(QStringLiteral("single_thread"));
        QCOMPARE(w.editor->deployments(), QStringList{QStringLiteral("single_thread")});
        deployments.chooseScheduler(QStringLiteral("flow"));
        QCOMPARE(w.editor->deployments(), (QStringList{QStringLiteral("single_thread"), QStringLiteral("flow")}));
        QVERIFY2(w.editor->notice().contains(QStringLiteral("stays")), qPrintable(w.editor->notice()));
    }

    // With a requested folder, all unnamed projects write runs there under the same name.
    void runsOfAProjectWithoutAFileAreItsOwn() {
        WindowFixture w(project("1000000"));
        QVERIFY(w.isReady());
        RunController& runner = *w.editor->runner();
        RunLibrary& library = *w.editor->results()->library();
        Json begun = w.editor->document().json();
        begun["name"] = "untitled";  // the name of every unnamed project
        const QString given = m_folder.filePath(QStringLiteral("given"));
        library.setFolder(given);
        const auto run = [&] {
            w.editor->document().startWith(begun);
            QTRY_VERIFY_WITH_TIMEOUT(w.editor->isChecked(), kAnswerMs);
            runner.run();
            const bool ended = ends(runner, kBuildMs);
            QVERIFY2(ended && runner.failure().isEmpty(), qPrintable(toldBy(runner)));
            QTRY_COMPARE_WITH_TIMEOUT(library.total(), 1, kAnswerMs);
        };
        run();
        w.editor->newDocument();
        QTRY_VERIFY_WITH_TIMEOUT(!library.isReading(), kAnswerMs);
        QCOMPARE(library.total(), 0);
        run();
        w.editor->files()->saveAs(QUrl::fromLocalFile(m_folder.filePath(QStringLiteral("mine.weir.json"))));
        QTRY_VERIFY_WITH_TIMEOUT(!library.isReading() && library.total() == 1, kAnswerMs);
        QVERIFY(library.list().runAt(0)->path.startsWith(given + u'/'));
    }

    void unsavedChangesRunToo() {
        WindowFixture w(project("1000000"));
        QVERIFY(w.isReady());
        w.editor->edit(QStringLiteral("set"), [](Transaction& t) { t.set(Pointer("/run/items"), 1500000); });
        Deployments& deployments = *w.editor->deploymentSettings();
        deployments.add();
        deployments.chooseScheduler(QStringLiteral("flow"));
        QCOMPARE(w.editor->deployments().last(), QStringLiteral("flow"));
        RunController& runner = *w.editor->runner();
        // A deployment counts as run even before the list of runs contains the new run.
        QObject::connect(&runner, &RunController::finished, &deployments,
                         [&] { deployments.chooseScheduler(QStringLiteral("thread_pool")); });
        runner.run();
        const bool ended = ends(runner, kBuildMs);
        QVERIFY2(ended && runner.failure().isEmpty(), qPrintable(toldBy(runner)));
        QCOMPARE(w.editor->deployments().mid(1), (QStringList{QStringLiteral("flow"), QStringLiteral("thread_pool")}));
        const RunView& run = *w.editor->results()->run();
        const auto items = [&run] {
            return run.isShown() ? run.record().results.at("sinks").at(0).at("items").get<int>() : 0;
        };
        QTRY_COMPARE_WITH_TIMEOUT(items(), 1500000, kAnswerMs);
        QVERIFY(w.editor->isModified());
        QVERIFY(QDir(m_folder.path()).entryList({QStringLiteral(".unsaved*")}, QDir::Files | QDir::Hidden).isEmpty());
    }

    void stopKeepsAPartialResult() {
        // One trace event every 4096 items would need gigabytes of memory.
        WindowFixture w(project("100000000000", "1048576"));
        QVERIFY(w.isReady());
        RunController& runner = *w.editor->runner();
        runner.run();
        const bool flows = comesInTheRun(
            runner, [&runner] { return runner.progress() > 0 && runner.status().contains(QStringLiteral("items/s")); },
            kBuildMs);
        QVERIFY2(flows, qPrintable(toldBy(runner)));
        w.key(Qt::Key_F7);
        const bool ended = ends(runner, 20000);
        QVERIFY2(ended && runner.state() == QStringLiteral("partial"), qPrintable(toldBy(runner)));
        QTRY_COMPARE_WITH_TIMEOUT(w.editor->results()->run()->status(), QStringLiteral("partial"), kAnswerMs);
    }

    void aCompilerErrorLeadsToItsBlockAndLine() {
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("blocks/broken")));
        for (const auto& [name, text] : {std::pair("blocks/broken/broken.hpp", kBrokenHeader),
                                         {"blocks/broken/block.json", kBrokenBlock},
                                         {"broken.weir.json", kProject}}) {
            QFile file(m_folder.filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) > 0);
        }
        CliCommand command = WindowFixture::realCommand();
        command.addExtensions({m_folder.filePath(QStringLiteral("blocks"))});
        WindowFixture w(m_folder.filePath(QStringLiteral("broken.weir.json")), command);
        QVERIFY(w.isReady());
        RunController& runner = *w.editor->runner();
        w.key(Qt::Key_F6);
        QVERIFY(runner.isRunning());
        const bool ended = ends(runner, 120000);
        QVERIFY2(ended && runner.state() == QStringLiteral("failed"), qPrintable(toldBy(runner)));
        const auto& problems = w.editor->problemModel().buildProblems();
        QVERIFY(!problems.empty());
        QCOMPARE(problems.front().block, QStringLiteral("bad"));
        QCOMPARE(problems.front().line, 8);
        QVERIFY(problems.front().said.contains(QStringLiteral("frobnicate")));

        w.click(QStringLiteral("problemCode:0"));
        CodeController& code = *w.editor->code();
        QTRY_COMPARE_WITH_TIMEOUT(code.file(), QStringLiteral("weir/blocks/broken.hpp"), 30000);
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("bad"));
        QVERIFY(code.mark(7).problem.contains(QStringLiteral("frobnicate")));
        QCOMPARE(code.cursorLine(), 7);
    }
};

QTEST_MAIN(TestRun)
#include "tst_run.moc"
