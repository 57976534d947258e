#include "core/ask/run_process.h"
#include "core/catalog/catalog.h"
#include "core/problems/validator.h"

#include <QDir>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace weir::editor;

/// Tests against small scripts that act like a slow, broken or verbose command line.
class TestCli : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    CliCommand script(const QString& name, const QByteArray& body) {
        const QString path = m_folder.filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly)) return {};
        file.write("import json, signal, sys, time\n" + body);
        return {QStringLiteral("/usr/bin/python3"), {path}};
    }

    /// A zombie process does not count as running.
    static bool isRunning(const QByteArray& process) {
        QFile stat(QStringLiteral("/proc/%1/stat").arg(QString::fromLatin1(process)));
        if (!stat.open(QIODevice::ReadOnly)) return false;
        const QByteArray line = stat.readAll();
        return line.mid(line.lastIndexOf(')') + 2, 1) != "Z";
    }

  private slots:
    void splitsQuotedCommands() {
        const CliCommand command = CliCommand::parse(QStringLiteral("\"/a b/weir\" -x 'y"));
        QCOMPARE(command.program, QStringLiteral("/a b/weir"));
        QCOMPARE(command.arguments.size(), 2);
        QVERIFY(CliCommand::parse(QString()).isEmpty());
    }

    void pathsWithBlanksAreOneProgram() {
        const QString path = m_folder.filePath(QStringLiteral("my weir"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        const CliCommand command = CliCommand::find(path);
        QCOMPARE(command.program, path);
        QVERIFY(command.arguments.isEmpty());
    }

    void verbsAreToldOfTheLibrariesThatTheyKnow() {
        CliCommand command = CliCommand::parse(QStringLiteral(WEIR_CLI_COMMAND));
        command.addExtensions({m_folder.path()});
        for (const QStringList& verb : {QStringList{QStringLiteral("runs"), QStringLiteral("list")},
                                        {QStringLiteral("compare")},
                                        {QStringLiteral("report")},
                                        {QStringLiteral("design")},
                                        {QStringLiteral("format")},
                                        {QStringLiteral("import")},
                                        {QStringLiteral("catalog")},
                                        {QStringLiteral("run")}}) {
            QProcess help;
            help.start(command.program, command.arguments + verb + QStringList{QStringLiteral("--help")});
            QVERIFY(help.waitForFinished());
            QCOMPARE(command.argumentsFor(verb).contains(QStringLiteral("--extensions")),
                     help.readAllStandardOutput().contains("--extensions"));
        }
    }

    void aVerbIsToldOfAllLibraries() {
        CliCommand command = script(QStringLiteral("echo.py"), "print(json.dumps(sys.argv[1:]))");
        command.addExtensions({m_folder.path() + QStringLiteral("/a b"), QStringLiteral("c")});
        QJsonArray said;
        bool answered = false;
        callCli(command,
                {.arguments = {QStringLiteral("catalog"), QStringLiteral("--json")}, .folder = m_folder.path()}, this,
                [&](const CliAnswer& answer) {
                    said = QJsonDocument::fromJson(answer.output).array();
                    answered = true;
                });
        QTRY_VERIFY(answered);
        QCOMPARE(said, (QJsonArray{QStringLiteral("catalog"), QStringLiteral("--json"), QStringLiteral("--extensions"),
                                   m_folder.path() + QStringLiteral("/a b"), QStringLiteral("--extensions"),
                                   QDir::current().absoluteFilePath(QStringLiteral("c"))}));
    }

    void whatIsAskedEndsWithTheAsker_data() {
        QTest::addColumn<QByteArray>("manners");
        QTest::newRow("ends when asked") << QByteArray();
        QTest::newRow("must be made to") << QByteArray("signal.signal(signal.SIGTERM, signal.SIG_IGN)\n");
    }

    void whatIsAskedEndsWithTheAsker() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("Destroyed while")));
        QFETCH(QByteArray, manners);
        // The script starts a child process, as a command does during a build.
        const CliCommand command = script(QStringLiteral("long.py"), manners + R"(
import os, subprocess
child = subprocess.Popen(["sleep", "60"])
part = f"pids.{os.getpid()}"
with open(part, "w") as file: file.write(f"{os.getpid()} {child.pid}")
os.rename(part, "pids")
time.sleep(60)
)");
        QFile pids(m_folder.filePath(QStringLiteral("pids")));
        pids.remove();
        auto asker = std::make_unique<QObject>();
        bool answered = false;
        for (int question = 0; question < 2; ++question)
            callCli(command, {.folder = m_folder.path()}, asker.get(),
                    [&answered](const CliAnswer&) { answered = true; });
        QTRY_VERIFY_WITH_TIMEOUT(pids.exists(), 10000);
        QVERIFY(pids.open(QIODevice::ReadOnly));
        const QList<QByteArray> processes = pids.readAll().split(' ');
        for (const QByteArray& process : processes) QVERIFY(isRunning(process));
        QElapsedTimer clock;
        clock.start();
        asker.reset();
        QVERIFY2(clock.elapsed() < 2000, "a window that closes would wait so long");
        for (const QByteArray& process : processes) QTRY_VERIFY(!isRunning(process));
        QTest::qWait(50);
        QVERIFY(!answered);
    }

    void aSchedulerAndATargetOutsideTheTreeAreOnTheList() {
        CliCommand command = CliCommand::parse(QStringLiteral(WEIR_CLI_COMMAND));
        command.addExtensions({QStringLiteral(WEIR_ROOT "/codegen/tests/schedulers"),
                               QStringLiteral(WEIR_ROOT "/codegen/tests/targets")});
        Catalog catalog;
        callCli(command,
                {.arguments = {QStringLiteral("catalog"), QStringLiteral("--json")}, .folder = m_folder.path()}, this,
                [&](const CliAnswer& answer) {
                    catalog = Catalog(Json::parse(answer.output.toStdString(), nullptr, false));
                });
        QTRY_VERIFY_WITH_TIMEOUT(catalog.isLoaded(), 20000);
        QVERIFY(catalog.scheduler("one_queue") != nullptr);
        QVERIFY(catalog.scheduler("work_stealing") != nullptr);
        QVERIFY(catalog.target("numpy_app") != nullptr);
        QCOMPARE(catalog.scheduler("in_order")->targets, std::vector<std::string>{"numpy_app"});
        QCOMPARE(catalog.scheduler("one_queue")->targets, catalog.scheduler("flow")->targets);
    }

    void lateAnswersAreDropped() {
        // The first answer takes a second. The others come at once, each with its own revision as message.
        const CliCommand command = script(QStringLiteral("slow.py"), R"(
text = sys.stdin.read()
revision = int(sys.argv[sys.argv.index("--revision") + 1])
if '"seed"' not in text: time.sleep(1)
print(json.dumps({"revision": revision, "ok": False, "diagnostics": [
    {"code": "X", "severity": "error", "pointer": "", "message": str(revision), "hint": ""}]}))
)");
        Document document;
        ProblemModel problems;
        Validator validator(command, document, problems);
        QSignalSpy answered(&validator, &Validator::answered);
        validator.validateNow();
        QTest::qWait(200);
        QVERIFY(!validator.isUpToDate());
        for (int seed = 1; seed <= 5; ++seed)
            document.edit(QStringLiteral("set"), [&](Transaction& t) { t.set(Pointer("/run/seed"), seed); });
        QVERIFY(answered.wait(5000));
        QTest::qWait(1200);
        QCOMPARE(answered.size(), 1);
        QVERIFY(validator.isUpToDate());
        QCOMPARE(problems.problems().front().message, QString::number(document.revision()));
    }

    void problemsOfAnotherProjectGoAtOnce() {
        const CliCommand command = script(QStringLiteral("folders.py"), R"(
import os
print(json.dumps({"revision": int(sys.argv[sys.argv.index("--revision") + 1]), "ok": False, "diagnostics": [
    {"code": "X", "severity": "error", "pointer": "", "message": os.getcwd(), "hint": ""}]}))
)");
        Document document;
        ProblemModel problems;
        Validator validator(command, document, problems);
        validator.validateNow();
        QTRY_COMPARE_WITH_TIMEOUT(problems.rowCount(), 1, 5000);
        document.startNew();
        QCOMPARE(problems.rowCount(), 0);
        QTRY_COMPARE_WITH_TIMEOUT(problems.rowCount(), 1, 5000);
        // Relative paths are relative to the folder of the saved project.
        QTemporaryDir other;
        QCOMPARE(document.save(other.filePath(QStringLiteral("p.weir.json"))), QString());
        QTRY_COMPARE_WITH_TIMEOUT(problems.problems().front().message, QFileInfo(other.path()).canonicalFilePath(),
                                  5000);
    }

    void aCommandThatHangsOrFloodsIsEnded_data() {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("message");
        const QByteArray pid = "import os; open('pid', 'w').write(str(os.getpid()))\n";
        QTest::newRow("hangs") << QByteArray(pid + "time.sleep(60)") << "did not answer within 1.5 s";
        QTest::newRow("floods") << QByteArray(pid + "while True: print('x' * 65536)") << "printed more than 1 MB";
        QTest::newRow("floods with errors")
            << QByteArray(pid + "while True: sys.stderr.write('x' * 65536)") << "printed more than 1 MB";
    }

    void aCommandThatHangsOrFloodsIsEnded() {
        QFETCH(QByteArray, body);
        QFETCH(QString, message);
        QStringList said;
        Ask ask(script(QStringLiteral("endless.py"), body),
                {.key = [] { return QString(); },
                 .request =
                     [this] {
                         return CliRequest{.folder = m_folder.path(),
                                           .patience = std::chrono::milliseconds(1500),
                                           .mostBytes = 1 << 20};
                     },
                 .answered = [&said](const CliAnswer& answer) { said.append(answer.explanation()); }},
                nullptr);
        ask.now();
        QVERIFY(ask.isBusy());
        QTRY_VERIFY_WITH_TIMEOUT(!ask.isBusy(), 10000);
        QVERIFY2(said.size() == 1 && said.first().contains(message), qPrintable(said.join(u'\n')));
        QFile pid(m_folder.filePath(QStringLiteral("pid")));
        QVERIFY(pid.open(QIODevice::ReadOnly));
        const QByteArray process = pid.readAll();
        QTRY_VERIFY(!isRunning(process));
    }

    void anAnswerIsOnlyDeliveredToWhatItIsAbout() {
        const CliCommand command = script(QStringLiteral("echo.py"), "time.sleep(0.3); print(sys.argv[1])");
        QString state = QStringLiteral("one");
        QStringList answers, late;
        Ask ask(
            command,
            {.key = [&] { return state; },
             .request = [&] { return CliRequest{.arguments = {state}, .folder = m_folder.path()}; },
             .answered = [&](const CliAnswer& answer) { answers.append(QString::fromUtf8(answer.output).trimmed()); }},
            nullptr);
        ask.refresh();
        QVERIFY(ask.isAsking() && !ask.isUpToDate());
        // No signal announces the change: after the answer for `one`, the editor notices it and asks for `two`.
        state = QStringLiteral("two");
        QTRY_COMPARE_WITH_TIMEOUT(answers, QStringList{QStringLiteral("two")}, 10000);
        QVERIFY(ask.isUpToDate() && !ask.isBusy());
        // An unchanged input is asked for again only on request.
        ask.refresh();
        QVERIFY(!ask.isBusy());
        ask.now();
        QTRY_COMPARE_WITH_TIMEOUT(answers.size(), 2, 10000);
        // While inactive, a running request finishes, and a changed input is sent only after reactivation.
        state = QStringLiteral("three");
        ask.refresh();
        QVERIFY(ask.isBusy());
        ask.setActive(false);
        state = QStringLiteral("four");
        ask.refresh();
        QVERIFY(!ask.isBusy());
        QTest::qWait(600);
        QCOMPARE(answers.size(), 2);
        ask.setActive(true);
        QTRY_COMPARE_WITH_TIMEOUT(answers.value(2), QStringLiteral("four"), 10000);
    }

    void aCommandThatDoesNotAnswerIsExplained() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("device not open")));
        for (const auto& [command, message] :
             {std::pair(script(QStringLiteral("error.py"), "sys.stderr.write('no such thing\\n'); sys.exit(3)"),
                        "code 3: no such thing"),
              std::pair(script(QStringLiteral("killed.py"), "import os; os.kill(os.getpid(), 9)"), "killed"),
              std::pair(script(QStringLiteral("nonsense.py"), "print('hello')"), "code 0"),
              std::pair(CliCommand{QStringLiteral("/nowhere/weir"), {}}, "/nowhere/weir does not start"),
              std::pair(CliCommand{}, "weir does not start")}) {
            Document document;
            ProblemModel problems;
            Validator validator(command, document, problems);
            QSignalSpy failed(&validator, &Validator::failed);
            validator.validateNow();
            QTRY_VERIFY(!failed.isEmpty());
            QVERIFY2(failed[0][0].toString().contains(QLatin1String(message)), qPrintable(failed[0][0].toString()));
        }
    }

    void runReportsProgressLogAndResults() {
        const CliCommand command = script(QStringLiteral("run.py"), R"(
print(json.dumps({"phase": "build", "done": 1, "total": 4}), file=sys.stderr)
print("compiling", file=sys.stderr)
print(json.dumps({"phase": "run", "done": 2, "total": 4, "eta_s": 1.5, "items_per_s": 2e9}), file=sys.stderr)
print(json.dumps([{"run_id": "r"}]))
)");
        RunProcess process;
        std::vector<RunProgress> progress;
        QStringList log;
        Json results;
        QString failure;
        connect(&process, &RunProcess::progressed, this, [&](const RunProgress& p) { progress.push_back(p); });
        connect(&process, &RunProcess::logged, this, [&](const QString& line) { log.append(line); });
        connect(&process, &RunProcess::finished, this, [&](const Json& r, const QString& f) {
            results = r;
            failure = f;
        });
        process.start(command, {QStringLiteral("run"), QStringLiteral("--json")}, m_folder.path());
        QTRY_VERIFY(!process.isRunning());
        QCOMPARE(failure, QString());
        QCOMPARE(progress.size(), std::size_t{2});
        QCOMPARE(progress[1].phase, QStringLiteral("run"));
        QCOMPARE(progress[1].secondsLeft, 1.5);
        QCOMPARE(log, QStringList{QStringLiteral("compiling")});
        QCOMPARE(text(&results[0]["run_id"]), std::string("r"));
    }

    void cancelKeepsThePartialResult() {
        const CliCommand command = script(QStringLiteral("partial.py"), R"(
def stop(*_):
    print(json.dumps([{"run_id": "r", "status": "partial"}])); sys.stdout.flush(); sys.exit(4)
signal.signal(signal.SIGINT, stop)
print("ready", file=sys.stderr, flush=True)
time.sleep(60)
)");
        RunProcess process;
        Json results;
        QString failure = QStringLiteral("none");
        connect(&process, &RunProcess::logged, this, [&] { process.cancel(); });
        connect(&process, &RunProcess::finished, this, [&](const Json& r, const QString& f) {
            results = r;
            failure = f;
        });
        QElapsedTimer timer;
        timer.start();
        process.start(command, {QStringLiteral("run"), QStringLiteral("--json")}, m_folder.path());
        QTRY_VERIFY_WITH_TIMEOUT(!process.isRunning(), 10000);
        QVERIFY(timer.elapsed() < 9000);
        QCOMPARE(failure, QString());
        QCOMPARE(text(&results[0]["status"]), std::string("partial"));
    }

    void runFailuresAreExplained() {
        RunProcess process;
        QString failure;
        connect(&process, &RunProcess::finished, this, [&](const Json&, const QString& f) { failure = f; });
        process.start(script(QStringLiteral("fail.py"), "sys.exit(3)"), {QStringLiteral("--json")}, m_folder.path());
        QTRY_VERIFY(!process.isRunning());
        QVERIFY(failure.contains(QStringLiteral("code 3")));
        QTest::failOnWarning(QRegularExpression(QStringLiteral("device not open")));
        for (const QString& program : {QStringLiteral("/nowhere/weir"), QString()}) {
            process.start({program, {}}, {QStringLiteral("--json")}, m_folder.path());
            QTRY_VERIFY(!process.isRunning());
            QVERIFY2(failure.contains(QStringLiteral("does not start")), qPrintable(failure));
        }
    }
};

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"
