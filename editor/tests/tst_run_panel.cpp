#include "features/run/run_text.h"
#include "run_fixture.h"
#include "window_fixture.h"

#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <csignal>

using namespace weir::editor;

namespace {

/// Window that is ready for a run.
struct PanelWindow : WindowFixture {
    explicit PanelWindow(const QString& project, const CliCommand& command = realCommand())
        : WindowFixture(project, command), runner(*editor->runner()) {
        if (!isReady()) qFatal("the window is not ready");
    }

    bool compiles() const {
        return comesInTheRun(runner, [this] { return runner.phase() == QStringLiteral("compiling"); }, 10000);
    }
    QString words(const char* name) const { return item(QLatin1String(name))->property("text").toString(); }

    RunController& runner;
};

} // namespace

/// Tests of the messages of a run, of stopping it, and of its failures.
class TestRunPanel : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    void write(const QString& name, const QByteArray& text) {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    /// Return the real command line with `body` in place of `run` and `build`.
    CliCommand running(const QByteArray& body) {
        write(QStringLiteral("cli.py"),
              "import json, os, signal, sys, time\nsys.path.insert(0, '" WEIR_ROOT
              "/codegen')\n"
              "def say(**k):\n"
              "    print(json.dumps({'phase': 'run', 'done': 0, 'total': None, 'eta_s': None, 'run_id': None,\n"
              "                      'items_per_s': None} | k), file=sys.stderr, flush=True)\n"
              "if sys.argv[1] != 'run' and '--build' not in sys.argv:\n"
              "    from weir.cli import main\n    sys.exit(main(sys.argv[1:]))\n" +
                  body);
        return {QStringLiteral("/usr/bin/python3"), {m_folder.filePath(QStringLiteral("cli.py"))}};
    }

    static QString project() { return QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json"); }

  private slots:
    void initTestCase() { setUpApplication(); }
    void init() { WindowFixture::failOnQmlWarnings(); }

    void itSaysThatItWaitsAndHowFarItIs() {
        PanelWindow w(project(), running(R"(
say(phase='compiling')
say(done=50, total=100, eta_s=90.0)
while not os.path.exists(os.path.dirname(sys.argv[0]) + '/several'): time.sleep(0.02)
say(phase='runs', done=0, total=4)
time.sleep(3)
say(phase='runs', done=1, total=4)
say(phase='waiting')
while not os.path.exists(os.path.dirname(sys.argv[0]) + '/go'): time.sleep(0.02)
say(done=50, total=100, eta_s=90.0, items_per_s=2.5e6)
open(os.path.dirname(sys.argv[0]) + '/arguments', 'w').write(' '.join(sys.argv[1:]))
while not os.path.exists(os.path.dirname(sys.argv[0]) + '/end'): time.sleep(0.02)
print('not json')
)"));
        RunController& runner = w.runner;
        runner.options()->setItems(QStringLiteral("5M"));
        runner.options()->setTrace(QStringLiteral("off"));
        w.key(Qt::Key_F6, Qt::ShiftModifier);
        const bool isOne =
            comesInTheRun(runner, [&runner] { return runner.remaining() == QStringLiteral("1:30"); }, 10000);
        QVERIFY2(isOne, qPrintable(toldBy(runner)));
        write(QStringLiteral("several"), {});
        const bool waits =
            comesInTheRun(runner, [&runner] { return runner.state() == QStringLiteral("waiting"); }, 10000);
        QVERIFY2(waits, qPrintable(toldBy(runner)));
        QVERIFY(runner.status().contains(QStringLiteral("another run")));
        // One of four runs took 3 s, so the remaining time is that of three runs, whatever remains of the current one.
        QVERIFY2(runner.remaining().startsWith(QStringLiteral("0:0")), qPrintable(runner.remaining()));
        write(QStringLiteral("go"), {});
        const bool isSoFar = comesInTheRun(runner, [&runner] { return runner.progress() == 1.5 / 4; }, 10000);
        QVERIFY2(isSoFar, qPrintable(toldBy(runner)));
        QCOMPARE(runner.rate(), QStringLiteral("2.50 Mitems/s"));
        QVERIFY2(runner.remaining() != QStringLiteral("1:30"), qPrintable(runner.remaining()));
        QVERIFY(runner.status().contains(QStringLiteral("2 of 4")));
        w.click(QStringLiteral("tab:Runs"));
        QTRY_VERIFY(w.item(QStringLiteral("runCount")) &&
                    w.words("runCount").contains(QStringLiteral("4 in progress")));
        write(QStringLiteral("end"), {});
        QTRY_VERIFY_WITH_TIMEOUT(!runner.isRunning(), 10000);
        QVERIFY2(runner.failure().contains(QStringLiteral("did not print results")), qPrintable(runner.failure()));
        const QString arguments = QString::fromUtf8(readAll(m_folder.filePath(QStringLiteral("arguments"))));
        for (const QString& deployment : w.editor->deployments())
            QVERIFY(arguments.contains(QStringLiteral("--deployment ") + deployment));
        QVERIFY2(arguments.contains(QStringLiteral("--items 5M --trace off --repeat 8")), qPrintable(arguments));
        QVERIFY(arguments.contains(QStringLiteral("--out ") + runner.folder()));
        // Options of a run belong to one project.
        QVERIFY(runner.options()->any());
        w.key(Qt::Key_N, Qt::ControlModifier);
        QTRY_VERIFY(w.editor->document().path().isEmpty());
        QVERIFY(!runner.options()->any());
    }

    // Regression: blocks were marked as running during compilation.
    void blocksRunWhenTheProgramDoes() {
        PanelWindow w(project(), running(R"(
for phase in ('compiling', 'run', 'analysing'):
    say(phase=phase)
    while not os.path.exists(os.path.dirname(sys.argv[0]) + '/after_' + phase): time.sleep(0.02)
print('[]')
)"));
        RunController& runner = w.runner;
        w.key(Qt::Key_F6);
        for (const char* phase : {"compiling", "run", "analysing"}) {
            const QString words = phaseText(QLatin1String(phase));
            const bool comes = comesInTheRun(runner, [&] { return runner.phase() == words; }, 10000);
            QVERIFY2(comes, qPrintable(toldBy(runner)));
            QCOMPARE(bool(w.item(QStringLiteral("live:sink"))), QLatin1String(phase) == QLatin1String("run"));
            QVERIFY(w.item(QStringLiteral("runPill")) && w.item(QStringLiteral("runStrip")));
            write(QStringLiteral("after_") + QLatin1String(phase), {});
        }
        QTRY_VERIFY_WITH_TIMEOUT(!runner.isRunning(), 10000);
    }

    // Regression: the key did nothing without saying why.
    void oneDeploymentRunsEightTimesToo() {
        PanelWindow w(QStringLiteral(WEIR_TEST_DATA "/run.weir.json"), running(R"(
open(os.path.dirname(sys.argv[0]) + '/arguments', 'w').write(' '.join(sys.argv[1:]))
print('[]')
)"));
        RunController& runner = w.runner;
        QVERIFY(w.editor->deployments().size() < 2);
        w.key(Qt::Key_F6, Qt::ShiftModifier);
        // The program ends at once, so it may have ended by now.
        QTRY_VERIFY(w.item(QStringLiteral("notice")));
        QVERIFY2(w.editor->notice().contains(QStringLiteral("only one deployment")), qPrintable(w.editor->notice()));
        QVERIFY(ends(runner, 10000));
        const QString arguments = QString::fromUtf8(readAll(m_folder.filePath(QStringLiteral("arguments"))));
        QVERIFY2(arguments.contains(QStringLiteral("--repeat 8")), qPrintable(arguments));
    }

    void whatDoesNotListenIsEndedAtTheThirdTime() {
        PanelWindow w(
            project(),
            running("signal.signal(signal.SIGINT, signal.SIG_IGN)\nsay(phase='compiling')\ntime.sleep(100)\n"));
        RunController& runner = w.runner;
        w.editor->setView(QStringLiteral("results"));
        QTRY_COMPARE(w.item(QStringLiteral("bottomPanel"))->height(), 33.0);
        w.click(QStringLiteral("run"));
        QVERIFY2(w.compiles(), qPrintable(toldBy(runner)));
        // Without problems the panel stays closed, since its header says enough.
        QCOMPARE(w.item(QStringLiteral("bottomPanel"))->height(), 33.0);
        QCOMPARE(w.words("runStatus"), runner.status());
        QVERIFY(w.item(QStringLiteral("runStrip")) || w.editor->view() != QStringLiteral("canvas"));
        w.key(Qt::Key_F7);
        QVERIFY(runner.isStopping());
        w.key(Qt::Key_F7);
        QTest::qWait(100);
        QVERIFY(runner.isRunning());
        w.click(QStringLiteral("run"));
        QTRY_VERIFY_WITH_TIMEOUT(!runner.isRunning(), 5000);
        QCOMPARE(runner.state(), QStringLiteral("stopped"));
    }

    // Regression: the interrupted compiler was reported as an error of the project.
    void aWindowThatIgnoresAnInterruptDoesNotMakeTheRunDoSo() {
        const auto before = std::signal(SIGINT, SIG_IGN);
        const auto again = qScopeGuard([before] { std::signal(SIGINT, before); });
        PanelWindow w(project(), running("say(phase='compiling')\ntime.sleep(100)\n"));
        RunController& runner = w.runner;
        w.click(QStringLiteral("run"));
        QVERIFY2(w.compiles(), qPrintable(toldBy(runner)));
        w.key(Qt::Key_F7);
        QVERIFY2(ends(runner, 10000), qPrintable(toldBy(runner)));
        QCOMPARE(runner.state(), QStringLiteral("stopped"));
        QCOMPARE(w.words("runPill"), QStringLiteral("stopped"));
    }

    void quittingAsksWhatBecomesOfTheRun() {
        PanelWindow w(project(), running("say(phase='compiling')\ntime.sleep(100)\n"));
        RunController& runner = w.runner;
        QVERIFY(runner.mayQuit());
        w.key(Qt::Key_F6);
        QVERIFY2(w.compiles(), qPrintable(toldBy(runner)));
        w.window->close();
        QTRY_VERIFY(w.item(QStringLiteral("quitBar")));
        QVERIFY(w.window->isVisible());
        w.click(QStringLiteral("quitKeep"));
        QVERIFY(runner.isRunning() && !w.item(QStringLiteral("quitBar")));
        QSignalSpy quit(&runner, &RunController::quitRequested);
        // Closing the window would end the test program, so keep it open with an unsaved change.
        w.editor->edit(QStringLiteral("unsaved"), [](Transaction& t) { t.set(Pointer("/title"), "unsaved"); });
        QVERIFY(!runner.mayQuit());
        w.click(QStringLiteral("quitStop"));
        QTRY_COMPARE_WITH_TIMEOUT(quit.count(), 1, 10000);  // the signal may arrive during the click
        QVERIFY(!runner.isRunning());
    }

    // Regression: quitting waited up to 30 s for a run that ignored the interrupt, and asked twice about unsaved
    // changes.
    void quittingEndsARunThatDoesNotListen_data() {
        QTest::addColumn<bool>("modified");
        QTest::newRow("saved") << false;
        QTest::newRow("unsaved") << true;
    }

    void quittingEndsARunThatDoesNotListen() {
        QFETCH(const bool, modified);
        PanelWindow w(project(), running("signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
                                         "open(os.path.dirname(sys.argv[0]) + '/pid', 'w').write(str(os.getpid()))\n"
                                         "while True: say(phase='compiling'); time.sleep(0.2)\n"));
        if (modified)
            w.editor->edit(QStringLiteral("unsaved"), [](Transaction& t) { t.set(Pointer("/title"), "unsaved"); });
        RunController& runner = w.runner;
        w.key(Qt::Key_F6);
        QVERIFY2(w.compiles(), qPrintable(toldBy(runner)));
        QSignalSpy asked(w.editor->files(), &DocumentFiles::saveDecisionNeeded);
        QSignalSpy exits(&w.engine, &QQmlEngine::exit);
        w.window->close();
        const QString answer = modified ? QStringLiteral("closeDiscard") : QStringLiteral("quitStop");
        QTRY_VERIFY(w.item(answer));
        QCOMPARE(!w.item(QStringLiteral("quitBar")), modified);
        if (modified) QVERIFY(w.item(QStringLiteral("closeRun")));  // the dialog says that the run is being stopped
        w.settle();
        QElapsedTimer time;
        time.start();
        w.click(answer);
        QTRY_VERIFY_WITH_TIMEOUT(exits.count() > 0, 10000);
        QVERIFY2(time.elapsed() < 2500, qPrintable(QString::number(time.elapsed())));
        QCOMPARE(asked.count(), modified ? 1 : 0);
        QVERIFY(!runner.isRunning());
        const QString pid = QString::fromUtf8(readAll(m_folder.filePath(QStringLiteral("pid"))));
        QVERIFY(!QFileInfo::exists(QStringLiteral("/proc/") + pid));
    }

    // Regression: both buttons of the question did nothing once the run was stopping.
    void whoQuitsMayHurryTheRunOrStay_data() {
        QTest::addColumn<bool>("stays");
        QTest::newRow("hurries") << false;
        QTest::newRow("stays") << true;
    }

    void whoQuitsMayHurryTheRunOrStay() {
        QFETCH(const bool, stays);
        // The run saves its data when interrupted, and takes longer than a user wants to wait.
        PanelWindow w(project(), running("def put_away(*_):\n"
                                         "    time.sleep(2)\n"
                                         "    open(os.path.dirname(sys.argv[0]) + '/put_away', 'w').close()\n"
                                         "    sys.exit(130)\n"
                                         "signal.signal(signal.SIGINT, put_away)\n"
                                         "say(phase='compiling')\ntime.sleep(100)\n"));
        QFile::remove(m_folder.filePath(QStringLiteral("put_away")));
        RunController& runner = w.runner;
        w.key(Qt::Key_F6);
        QVERIFY2(w.compiles(), qPrintable(toldBy(runner)));
        QSignalSpy exits(&w.engine, &QQmlEngine::exit);
        w.window->close();
        QTRY_VERIFY(w.item(QStringLiteral("quitBar")));
        w.settle();
        QCOMPARE(w.words("quitKeep"), QStringLiteral("Keep running"));
        QElapsedTimer time;
        time.start();
        w.click(QStringLiteral("quitStop"));
        QVERIFY(runner.isQuitting() && runner.isStopping());
        QCOMPARE(w.words("quitKeep"), QStringLiteral("Do not quit"));
        QCOMPARE(w.words("quitStop"), QStringLiteral("Quit at once"));
        w.settle();
        w.click(stays ? QStringLiteral("quitKeep") : QStringLiteral("quitStop"));
        QVERIFY(ends(runner, 10000));
        QVERIFY2(stays || time.elapsed() < 1400, qPrintable(QString::number(time.elapsed())));
        QCOMPARE(QFile::exists(m_folder.filePath(QStringLiteral("put_away"))), stays);
        QCOMPARE(exits.count(), stays ? 0 : 1);
        QCOMPARE(runner.state(), QStringLiteral("stopped"));
        QVERIFY(!w.item(QStringLiteral("quitBar")));
    }

    // Regression: the message stayed red after every edit, and said that code that compiled had failed.
    void aRefusedRunIsExplainedOnce() {
        PanelWindow w(project());
        w.editor->edit(QStringLiteral("lone"),
                       [](Transaction& t) { t.append(Pointer("/graph/blocks"), {{"id", "lone"}, {"type", "abs"}}); });
        QTRY_VERIFY_WITH_TIMEOUT(w.editor->isChecked(), 10000);
        RunController& runner = w.runner;
        w.key(Qt::Key_F6);
        QVERIFY2(ends(runner, 30000) && runner.state() == QLatin1String("refused"), qPrintable(toldBy(runner)));
        QCOMPARE(w.words("runPill"), QStringLiteral("not run"));
        QCOMPARE(w.words("runStatus"), QStringLiteral("not run, see Problems"));
        QSet<QString> said;
        for (const Problem& problem : w.editor->problemModel().problems()) {
            QVERIFY2(!said.contains(problem.message), qPrintable(problem.message));
            said.insert(problem.message);
        }
        QVERIFY(!said.isEmpty());
    }

    void aFailureIsSaidUntilSomethingIsEditedOrGoesWell() {
        PanelWindow w(project(), running("if '--build' in sys.argv:\n"
                                         "    print(json.dumps({'binary': '/b'}, indent=1))\n    sys.exit()\n"
                                         "sys.exit('no such luck')\n"));
        RunController& runner = w.runner;
        const auto statusText = [&w] { return w.words("runStatus"); };
        const auto fails = [&] {
            w.key(Qt::Key_F6);
            return ends(runner, 10000) && runner.state() == QLatin1String("failed") &&
                   statusText().contains(QLatin1String("the log says why"));
        };
        QVERIFY2(fails(), qPrintable(toldBy(runner)));
        // Moving a block does not affect the run, so the message stays.
        w.editor->edit(QStringLiteral("move"),
                       [](Transaction& t) { t.set(Pointer("/ui/positions"), {{"sink", {10, 10}}}); });
        QVERIFY(!statusText().isEmpty() && w.item(QStringLiteral("runPill")));
        w.editor->edit(QStringLiteral("title"), [](Transaction& t) { t.set(Pointer("/title"), "other"); });
        QVERIFY(statusText().isEmpty() && runner.failure().isEmpty() && !w.item(QStringLiteral("runPill")));
        QVERIFY2(fails(), qPrintable(toldBy(runner)));
        w.key(Qt::Key_F5, Qt::ShiftModifier);
        QVERIFY(ends(runner, 10000));
        QVERIFY2(runner.state() == QLatin1String("ok") && statusText().startsWith(QLatin1String("done in")),
                 qPrintable(toldBy(runner)));
    }

    // Regression: the editor wrote unsaved projects beside the project or to a temporary folder, where relative paths
    // differ.
    void whatIsUnsavedRunsInTheFolderOfItsProject() {
        PanelWindow w(project(), running("record = [os.getcwd(), sys.stdin.read(), sys.argv[2]]\n"
                                         "json.dump(record, open(os.path.dirname(sys.argv[0]) + '/ran', 'w'))\n"));
        const auto ran = [&] {
            w.key(Qt::Key_F6);
            const bool ended = ends(*w.editor->runner(), 10000);
            return ended ? jsonOf(readAll(m_folder.filePath(QStringLiteral("ran")))) : Json();
        };
        QCOMPARE(ran().at(2).get<std::string>(), w.editor->document().path().toStdString());
        const QDir folder(w.editor->document().folder());
        const QStringList before = folder.entryList(QDir::Files | QDir::Hidden);
        w.editor->edit(QStringLiteral("unsaved"), [](Transaction& t) { t.set(Pointer("/title"), "unsaved"); });
        const Json unsaved{folder.canonicalPath().toStdString(), w.editor->document().canonicalText(), "-"};
        QCOMPARE(ran().dump(), unsaved.dump());
        QCOMPARE(folder.entryList(QDir::Files | QDir::Hidden), before);
        // A copy of an example also runs in the folder of the example, where its files are.
        QCOMPARE(w.editor->document().openCopy(QStringLiteral(WEIR_ROOT "/examples/diamond.weir.json")), QString());
        const Json copy{folder.canonicalPath().toStdString(), w.editor->document().canonicalText(), "-"};
        QCOMPARE(ran().dump(), copy.dump());
    }

    void theProblemsOfARunStayWithItsProject() {
        const QByteArray body = R"(
while not os.path.exists(os.path.dirname(sys.argv[0]) + '/measured'): time.sleep(0.02)
print(json.dumps([{'run_id': 'r', 'deployment': 'single', 'status': 'invalid',
                   'reasons': [{'code': 'E_BLOCK', 'message': 'stage: of the first project'}]}]))
)";
        Editor editor(running(body));
        QVERIFY(editor.openPath(project()));
        RunController& runner = *editor.runner();
        write(QStringLiteral("measured"), {});
        runner.run();
        QTRY_VERIFY_WITH_TIMEOUT(!runner.isRunning(), 10000);
        QVERIFY(!editor.problemModel().buildProblems().empty());
        editor.newDocument();
        QVERIFY(editor.problemModel().buildProblems().empty());

        // The same if the run ends after its project was closed.
        QVERIFY(QFile::remove(m_folder.filePath(QStringLiteral("measured"))));
        QVERIFY(editor.openPath(project()));
        runner.run();
        editor.newDocument();
        write(QStringLiteral("measured"), {});
        QTRY_VERIFY_WITH_TIMEOUT(!runner.isRunning(), 10000);
        QVERIFY(editor.problemModel().buildProblems().empty());
    }

    void whatDisturbedARunIsNoProblemOfTheProject() {
        PanelWindow w(
            project(),
            running("print('{}' if '--build' in sys.argv else json.dumps([{'run_id': 'r', 'deployment': 'single',\n"
                    "    'status': 'ok', 'reasons': [{'code': 'W_DISTURBED', 'message': 'others took 31 %'}]}]))\n"));
        RunController& runner = w.runner;
        w.key(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(!runner.isRunning() && runner.state() == QStringLiteral("ok"), 10000);
        QVERIFY(w.editor->problemModel().buildProblems().empty());
        QTRY_COMPARE(w.words("runPill"), QStringLiteral("done, with a warning"));
        QVERIFY2(runner.status().endsWith(QStringLiteral("1 run with a warning, see Results")),
                 qPrintable(runner.status()));
        w.click(QStringLiteral("runPill"));  // leads to the details
        QTRY_COMPARE(w.editor->view(), QStringLiteral("results"));
        // A build alone has no results.
        runner.build();
        QTRY_VERIFY_WITH_TIMEOUT(!runner.isRunning() && runner.state() == QStringLiteral("ok"), 10000);
        QCOMPARE(runner.detailsPart(), QStringLiteral("log"));
    }

    void whatThePlanWarnsOfIsSaidOfItsProjectAlone() {
        PanelWindow w(
            project(),
            running("print('p: warning W_OVERSUBSCRIBED: 7 workers share 2 CPUs', file=sys.stderr)\n"
                    "print(json.dumps([{'run_id': 'r', 'deployment': 'single', 'status': 'ok', 'reasons': []}]))\n"));
        RunController& runner = w.runner;
        w.key(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(!runner.isRunning() && runner.state() == QStringLiteral("ok"), 10000);
        QCOMPARE(runner.remarks(), 1);
        QVERIFY2(runner.isWarned() && runner.status().endsWith(QStringLiteral("1 warning in the log")),
                 qPrintable(runner.status()));
        w.item(QStringLiteral("runPill"))->parentItem()->forceActiveFocus(Qt::TabFocusReason);
        w.key(Qt::Key_Return);
        QTRY_VERIFY(w.item(QStringLiteral("log")));
        QCOMPARE(w.editor->view(), QStringLiteral("canvas"));
        // The command shows the log too, wherever the focus is. So does the command that opens the panel at the log.
        w.canvas()->forceActiveFocus(Qt::TabFocusReason);
        QVERIFY(w.editor->actions().trigger(QStringLiteral("view.runs")));
        QTRY_VERIFY(!w.item(QStringLiteral("log")));
        QVERIFY(w.editor->actions().trigger(QStringLiteral("view.log")));
        QTRY_COMPARE(w.focusItem()->objectName(), QStringLiteral("log"));
        w.key(Qt::Key_R, Qt::ControlModifier);
        QTRY_COMPARE(w.focusItem(), w.canvas());
        w.key(Qt::Key_R, Qt::ControlModifier);
        QTRY_COMPARE(w.focusItem()->objectName(), QStringLiteral("log"));
        w.key(Qt::Key_N, Qt::ControlModifier);
        QTRY_VERIFY(w.editor->document().path().isEmpty());
        QCOMPARE(runner.remarks(), 0);
        QVERIFY(runner.log()->rowCount() > 0);  // the log stays readable
    }

    void aLongLogIsKeptShortAndCanBeFiltered() {
        PanelWindow w(project(), running("for i in range(30000): print('line', i, file=sys.stderr)\n"
                                         "print('p: error E_X: at the end', file=sys.stderr)\nsys.exit(3)\n"));
        RunController& runner = w.runner;
        w.key(Qt::Key_F6);
        QTRY_VERIFY_WITH_TIMEOUT(!runner.isRunning(), 30000);
        QCOMPARE(runner.log()->rowCount(), LogModel::kMostLines);
        QTRY_VERIFY(w.item(QStringLiteral("logFilter")));
        w.click(QStringLiteral("logFilter"));
        w.type(QStringLiteral("E_X"));
        QTRY_COMPARE(runner.log()->rowCount(), 1);
        w.click(QStringLiteral("logClear"));
        QTRY_COMPARE(runner.log()->rowCount(), 0);
    }

    void nothingIsLeftOfARunWhenTheEditorEnds() {
        {
            PanelWindow w(project(),
                          running("open(os.path.dirname(sys.argv[0]) + '/pid', 'w').write(str(os.getpid()))\n"
                                  "say(phase='compiling')\ntime.sleep(100)\n"));
            w.key(Qt::Key_F6);
            QVERIFY2(w.compiles(), qPrintable(toldBy(w.runner)));
        }
        const QString pid = QString::fromUtf8(readAll(m_folder.filePath(QStringLiteral("pid"))));
        QVERIFY(!QFileInfo::exists(QStringLiteral("/proc/") + pid));
    }
};

QTEST_MAIN(TestRunPanel)
#include "tst_run_panel.moc"
