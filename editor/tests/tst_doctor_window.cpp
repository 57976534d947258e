#include "window_fixture.h"

#include "features/doctor/doctor.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QTemporaryDir>

using namespace weir::editor;
using namespace Qt::StringLiterals;

namespace {

constexpr int kAnswerMs = 30000;

/// Return a finding in the format of `weir doctor --json` that concerns the named deployments.
std::string finding(const char* title, const char* severity, const char* command, const std::string& concerns = {}) {
    std::string all;
    for (const char* name : {"flow", "pool"})
        if (concerns.find(name) != std::string::npos)
            all += (all.empty() ? "" : ", ") +
                   (R"({"deployment": ")" + std::string(name) + R"(", "message": "workers of )" + name + R"("})");
    return R"({"id": "x", "title": ")" + std::string(title) + R"(", "severity": ")" + severity +
           R"(", "value": null, "message": "it is so", "why": "in general", "remedy": "", "concerns": [)" + all +
           R"(], "commands": [)" + (*command ? '"' + std::string(command) + '"' : std::string()) + "]}";
}

} // namespace

/// Tests of the doctor's findings before a run: the real window with a fixed answer, independent of this machine.
class TestDoctorWindow : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<WindowFixture> m_window;

    WindowFixture& w() { return *m_window; }
    Editor& editor() { return *m_window->editor; }
    Doctor& doctor() { return *editor().doctor(); }
    QString linkText() {
        return w().item(u"doctorLink"_s) ? w().item(u"doctorLink"_s)->property("text").toString() : QString();
    }

    /// Return the real command line with two exceptions: `doctor` gives the test's answer, and `run` runs until it is
    /// stopped.
    CliCommand command() {
        QFile file(m_folder.filePath(u"cli.py"_s));
        if (!file.open(QIODevice::WriteOnly)) qFatal("no command");
        file.write(
            "import os, sys\nsys.path.insert(0, '" WEIR_ROOT
            "/codegen')\nhere = os.path.dirname(sys.argv[0])\n"
            "if sys.argv[1] == 'doctor':\n"
            "    open(here + '/asked', 'a').write(repr(sys.stdin.read()) + '\\n')\n"
            "    print(open(here + '/answer').read())\n    sys.exit(0)\n"
            "if sys.argv[1] == 'run':\n"
            "    import time\n    while not os.path.exists(here + '/end'):\n        time.sleep(0.02)\n    sys.exit(1)\n"
            "from weir.cli import main\nsys.exit(main(sys.argv[1:]))\n");
        return {u"/usr/bin/python3"_s, {file.fileName()}};
    }

    void answer(const std::vector<std::string>& findings) {
        std::string all;
        for (const std::string& one : findings) all += (all.empty() ? "" : ", ") + one;
        QFile file(m_folder.filePath(u"answer"_s));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(QByteArray::fromStdString(
            R"({"machine": {}, "project": "-", "deployments": ["flow", "pool"], "findings": [)" + all + "]}"));
    }

    int asked() { return static_cast<int>(readAll(m_folder.filePath(u"asked"_s)).count('\n')); }

  private slots:
    void initTestCase() {
        setUpApplication();
        WindowFixture::failOnQmlWarnings();
        answer({finding("Real-time group", "noisy", "", "pool"),
                finding("Governor", "noisy", "sudo set governor", "flow"),
                finding("Interrupts", "noisy", "sudo move them", "flow, pool"), finding("Virtual machine", "noisy", ""),
                finding("Turbo", "note", "sudo turbo"), finding("Steal", "ok", "")});
        m_window = std::make_unique<WindowFixture>(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json"),
                                                   command(), true);
        w().window->resize(1440, 900);
        QVERIFY(w().isReady());
        QVERIFY(editor().edit(u"names"_s, [](Transaction& t) {
            t.set(Pointer("/deployments"),
                  jsonOf(R"([{"name": "flow", "scheduler": "flow"}, {"name": "pool", "scheduler": "thread_pool"}])"));
        }));
        QVERIFY(QTest::qWaitFor([this] { return editor().isChecked() && doctor().count() > 0; }, kAnswerMs));
    }

    void init() { WindowFixture::failOnQmlWarnings(); }
    void cleanupTestCase() { m_window.reset(); }

    void aLineSaysHowManyThingsMakeItNoisy() {
        QTRY_COMPARE(linkText(), u"3 sources of noise"_s);
        w().window->setWidth(1600);
        QTRY_COMPARE(linkText(), u"3 sources of noise in this measurement"_s);
        w().window->setWidth(1100);
        QTRY_COMPARE(linkText(), u"3"_s);
        w().window->setWidth(1440);
        WindowFixture::settle();
        editor().setDeploymentIndex(1);
        QTRY_COMPARE(doctor().summary(), u"3 sources of noise in this measurement"_s);  // other findings than before
        QCOMPARE(doctor().rows().front().title, u"Real-time group"_s);
        QCOMPARE(doctor().rows().front().why, u"workers of pool"_s);
        editor().setDeploymentIndex(0);
        QTRY_COMPARE(doctor().rows().front().title, u"Governor"_s);
        QCOMPARE(doctor().rows().back().why, u"in general"_s);
        // A finding does not prevent a run.
        QVERIFY(editor().hindrances().isEmpty() && w().item(u"run"_s)->isEnabled());
    }

    void theListHasCommandsToCopy() {
        QAbstractItemModelTester tester(doctor().findings(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        w().click(u"doctorLink"_s);
        QTRY_VERIFY(w().item(u"finding:1"_s));
        WindowFixture::settle();
        w().click(u"copyCommand:0:0"_s);
        QCOMPARE(QGuiApplication::clipboard()->text(), u"sudo set governor"_s);
        // The list can be used with the keyboard.
        w().item(u"doctorFindings"_s)->forceActiveFocus();
        w().key(Qt::Key_Home);
        w().key(Qt::Key_Down);
        w().key(Qt::Key_Return);
        QCOMPARE(QGuiApplication::clipboard()->text(), u"sudo move them"_s);
        w().key(Qt::Key_Escape);
        QTRY_VERIFY(!w().item(u"finding:1"_s));
        w().key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(w().item(u"commandField"_s));
        w().type(u"noisy"_s);
        w().key(Qt::Key_Return);
        QTRY_VERIFY(w().item(u"finding:1"_s));
        // After a new check, fixed findings are gone.
        answer({finding("Memory lock", "broken", "ulimit -l unlimited", "flow"),
                finding("Interrupts", "noisy", "sudo move them", "flow")});
        WindowFixture::settle();
        w().click(u"doctorAgain"_s);
        QTRY_COMPARE_WITH_TIMEOUT(
            doctor().summary(),
            u"1 requested setting will not work on this machine · 1 source of noise in this measurement"_s, kAnswerMs);
        QVERIFY(doctor().isBroken());
        answer({});
        w().click(u"doctorAgain"_s);
        QTRY_COMPARE_WITH_TIMEOUT(doctor().summary(), QString(), kAnswerMs);
        w().key(Qt::Key_Escape);
        QTRY_VERIFY(!w().item(u"doctorLink"_s));
    }

    void itIsAskedOnceThingsHaveSettledAndNotWhileSomethingRuns() {
        const int before = asked();
        for (int step = 1; step < 6; ++step) {
            QVERIFY(editor().edit(
                u"type"_s, [step](Transaction& t) { t.set(Pointer("/deployments/0/chunk_items"), 512 * step); }));
            QTest::qWait(50);
        }
        QVERIFY(QTest::qWaitFor([&] { return asked() == before + 1; }, kAnswerMs));
        QVERIFY(readAll(m_folder.filePath(u"asked"_s)).trimmed().split('\n').last().contains("2560"));
        editor().runner()->run();
        QTRY_VERIFY(editor().runner()->isRunning());
        QVERIFY(editor().edit(u"type"_s, [](Transaction& t) { t.set(Pointer("/deployments/0/chunk_items"), 4096); }));
        QVERIFY(QTest::qWaitFor([this] { return editor().isChecked(); }, kAnswerMs));
        QTest::qWait(2500);
        doctor().again();
        QVERIFY(!doctor().isAsking());
        QCOMPARE(asked(), before + 1);
        QFile end(m_folder.filePath(u"end"_s));
        QVERIFY(end.open(QIODevice::WriteOnly));
        QTRY_VERIFY_WITH_TIMEOUT(!editor().runner()->isRunning(), kAnswerMs);
        QVERIFY(QTest::qWaitFor([&] { return asked() == before + 2; }, kAnswerMs));
        // The doctor is not asked about a project that cannot run either: the line then shows the error.
        QVERIFY(editor().edit(u"wrong"_s, [](Transaction& t) { t.set(Pointer("/deployments/0/chunk_items"), -1); }));
        QVERIFY(
            QTest::qWaitFor([this] { return editor().isChecked() && !editor().hindrances().isEmpty(); }, kAnswerMs));
        QTest::qWait(2500);
        QCOMPARE(asked(), before + 2);
    }
};

QTEST_MAIN(TestDoctorWindow)
#include "tst_doctor_window.moc"
