#include "results_fixture.h"
#include "run_fixture.h"
#include "window_fixture.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include "core/edits/project_edits.h"

#include <bit>

using namespace weir::editor;

namespace {

constexpr int kAnswerMs = 30000;
constexpr int kBuildMs = 300000; ///< the first build of a runtime, on a busy machine
constexpr std::uint64_t kItems = 1000000;

std::uint64_t splitmix(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

/// Expected digest of the first items of the counter source, each multiplied by a constant.
std::uint64_t digestOfCounter(std::uint64_t items, float constant) {
    std::uint64_t digest = 0;
    for (std::uint64_t n = 0; n < items; ++n)
        digest += splitmix(std::bit_cast<std::uint32_t>(float(n % 1021) * constant) ^ splitmix(n));
    return digest;
}

} // namespace

/// Test of a complete session in the window, from an untitled project to a comparison of two runs, and back.
class TestStory : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<WindowFixture> m_window;
    std::string m_beginning;
    bool m_failed = false;

    WindowFixture& w() { return *m_window; }
    Editor& editor() { return *m_window->editor; }
    Json at(const char* pointer) {
        const Json* value = find(editor().document().json(), Pointer(pointer));
        return value ? *value : Json();
    }

    /// Clicks an item as soon as it exists and no longer moves.
    bool clickWhenStill(const QString& name) {
        QPointF last(-1, -1);
        const bool still = QTest::qWaitFor(
            [&] {
                const QQuickItem* item = w().item(name);
                const QPointF now = item && item->width() > 0 ? item->mapToScene({}) : QPointF(-1, -1);
                return now == std::exchange(last, now) && now.x() >= 0;
            },
            kAnswerMs);
        if (still) w().click(name);
        return still;
    }

    /// Adds a block: Tab over the free canvas, the name, Enter.
    void addBlock(const QString& type, QPoint place) {
        w().click(place);
        w().key(Qt::Key_Tab);
        QTRY_VERIFY(w().item(QStringLiteral("insertFilter")));
        QTRY_VERIFY(w().item(QStringLiteral("insertFilter"))->hasActiveFocus());
        QString words = type;
        w().type(words.replace(u'_', u' '));
        QTRY_VERIFY(w().item(QStringLiteral("insert:") + type));
        w().key(Qt::Key_Return);
        QTRY_VERIFY(w().item(QStringLiteral("block:") + type));
        QTRY_VERIFY(!w().item(QStringLiteral("insertFilter")));
    }

    void select(const QString& block) {
        w().click(w().centre(QStringLiteral("block:") + block) + QPoint(0, -15));
        QCOMPARE(editor().selection().onlyBlock(), block);
    }

    void chooseScheduler(const QString& id) {
        QVERIFY(clickWhenStill(QStringLiteral("field:scheduler")));
        QVERIFY(clickWhenStill(QStringLiteral("scheduler:") + id));
        QTRY_COMPARE(editor().deploymentSettings()->scheduler(), id);
    }

    void runAndRead(const QString& scheduler) {
        QVERIFY(QTest::qWaitFor([this] { return editor().isChecked(); }, kAnswerMs));
        // Warnings are expected, since few items give few latencies.
        for (const Problem& problem : editor().problemModel().problems())
            QVERIFY2(problem.severity != QLatin1String("error"), qPrintable(problem.code + u' ' + problem.message));
        w().key(Qt::Key_F6);
        RunController& runner = *editor().runner();
        QVERIFY(runner.isRunning());
        const bool ended = ends(runner, kBuildMs);
        QVERIFY2(ended && runner.state() == QStringLiteral("ok"), qPrintable(toldBy(runner)));
        const RunView& run = *editor().results()->run();
        QTRY_VERIFY_WITH_TIMEOUT(run.isShown() && !editor().results()->library()->isReading(), kAnswerMs);
        QCOMPARE(run.status(), QStringLiteral("ok"));
        QVERIFY(run.throughputUnit().endsWith(QStringLiteral("items/s")));
        const Json& result = run.record().results;
        QCOMPARE(QString::fromStdString(result.at("scheduler").get<std::string>()), scheduler);
        QCOMPARE(editor().results()->shown()->path(), run.path());
        const Json& sink = result.at("sinks").at(0);
        QCOMPARE(sink.at("items").get<std::uint64_t>(), kItems);
        QCOMPARE(std::stoull(sink.at("digest").get<std::string>(), nullptr, 16), digestOfCounter(kItems, 3));
    }

  private slots:
    void initTestCase() {
        setUpApplication();
        WindowFixture::failOnQmlWarnings();
        // An untitled project must write nothing into the source tree.
        QVERIFY(QDir::setCurrent(m_folder.path()));
        // Its runs go to the user's cache, which is the folder of the test. A link shares finished builds.
        const QString builds =
            QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + QStringLiteral("/weir/builds");
        QVERIFY(QDir().mkpath(builds) && QDir().mkpath(m_folder.filePath(QStringLiteral("cache/weir"))));
        QVERIFY(QFile::link(builds, m_folder.filePath(QStringLiteral("cache/weir/builds"))));
        QVERIFY(qputenv("XDG_CACHE_HOME", QFile::encodeName(m_folder.filePath(QStringLiteral("cache")))));
        // Another unnamed project has a run in the same cache.
        const QString runs = m_folder.filePath(QStringLiteral("cache/weir/runs"));
        QVERIFY(QDir().mkpath(runs));
        QCOMPARE(QProcess::execute(QStringLiteral("cp"),
                                   {QStringLiteral("-r"), runOf("*-series-flow-*"), runs + QStringLiteral("/other")}),
                 0);
        QFile results(runs + QStringLiteral("/other/results.json"));
        const QByteArray recorded = readAll(results.fileName());
        QVERIFY(recorded.contains("\"series\"") && results.open(QIODevice::WriteOnly));
        results.write(QByteArray(recorded).replace("\"series\"", "\"untitled\""));
        results.close();
        m_window = std::make_unique<WindowFixture>(QString());
        QVERIFY(m_window->isReady());
        m_window->window->setWidth(1600);  // makes room for the fields of the deployment bar
        QTRY_VERIFY(w().item(QStringLiteral("canvas")));
        QTRY_VERIFY(w().item(QStringLiteral("canvas"))->width() > 800);
        m_beginning = editor().document().canonicalText();
        QVERIFY(!editor().hasFile() && editor().isEmpty());
    }

    // Each step needs the steps before it.
    void init() {
        WindowFixture::failOnQmlWarnings();
        if (m_failed) QSKIP("an earlier part of the story failed");
    }

    void cleanup() { m_failed = m_failed || QTest::currentTestFailed(); }

    void theGraphIsDrawn() {
        const QPoint corner = w().item(QStringLiteral("canvas"))->mapToScene({}).toPoint();
        const QStringList types{QStringLiteral("counter_source"), QStringLiteral("head"),
                                QStringLiteral("multiply_const"), QStringLiteral("digest_sink")};
        for (int i = 0; i < types.size(); ++i) addBlock(types[i], corner + QPoint(60 + 210 * i, 200));
        for (int i = 1; i < types.size(); ++i) {
            w().drag(w().centre(QStringLiteral("port:%1.out").arg(types[i - 1])),
                     w().centre(QStringLiteral("port:%1.in").arg(types[i])));
            QCOMPARE(editor().scene().wires().size(), static_cast<std::size_t>(i));
        }
    }

    void theParametersAreSet() {
        select(QStringLiteral("counter_source"));
        // The first letter selects an entry of the list.
        QVERIFY(clickWhenStill(QStringLiteral("field:item_type")));
        w().key(Qt::Key_F);
        w().key(Qt::Key_Return);
        QTRY_VERIFY(at("/graph/blocks/0/parameters/item_type") == Json("f32"));

        select(QStringLiteral("multiply_const"));
        QVERIFY(clickWhenStill(QStringLiteral("field:constant")));
        w().fill(QStringLiteral("field:constant"), QStringLiteral("3"));
        QTRY_VERIFY(at("/graph/blocks/2/parameters/constant") == Json(3));

        QVERIFY(clickWhenStill(QStringLiteral("deploymentSettings")));
        QVERIFY(clickWhenStill(QStringLiteral("tab:Run")));
        QVERIFY(clickWhenStill(QStringLiteral("field:items")));
        w().fill(QStringLiteral("field:items"), QStringLiteral("1M"));
        QTRY_VERIFY(!at("/run/items").is_null());
        QVERIFY(clickWhenStill(QStringLiteral("closeDeploymentPanel")));
        QTRY_VERIFY(!w().item(QStringLiteral("deploymentPanel")));
    }

    void aDeploymentIsAddedAndMapped() {
        QVERIFY(clickWhenStill(QStringLiteral("addDeployment")));
        QTRY_COMPARE(editor().deployments().size(), 2);  // with the deployment of the first run
        chooseScheduler(QStringLiteral("flow"));
        QVERIFY(clickWhenStill(QStringLiteral("field:workers")));
        w().fill(QStringLiteral("field:workers"), QStringLiteral("2"));
        QTRY_VERIFY(at("/deployments/1/workers") == Json(2));

        MappingController& mapping = *editor().mapping();
        // Plan for two cores, whatever machine runs the test.
        mapping.loadMachine(QUrl::fromLocalFile(QStringLiteral(WEIR_ROOT "/codegen/tests/machines/two_core.json")));
        QVERIFY(clickWhenStill(QStringLiteral("tab:Mapping")));
        QCOMPARE(editor().view(), QStringLiteral("lanes"));
        const auto planned = [&mapping] { return mapping.isActive() && !mapping.isPlanning() && mapping.hasPlan(); };
        QTRY_VERIFY_WITH_TIMEOUT(planned(), kAnswerMs);
        for (const char* block : {"counter_source", "digest_sink"}) {
            const QString bar = QStringLiteral("bar:") + QLatin1String(block);
            QVERIFY(clickWhenStill(bar));  // selects the block
            w().drag(w().centre(bar), w().centre(QStringLiteral("lane:CPU 1")));
            QTRY_VERIFY_WITH_TIMEOUT(planned(), kAnswerMs);
            const auto* instance = mapping.planner().answer().plan->instance(QLatin1String(block));
            QVERIFY(instance);
            QCOMPARE(instance->worker, QStringLiteral("w1"));
        }
    }

    void itRuns() { runAndRead(QStringLiteral("flow")); }

    void anotherDeploymentRuns() {
        QVERIFY(clickWhenStill(QStringLiteral("addDeployment")));
        QTRY_COMPARE(editor().deployments().size(), 3);
        chooseScheduler(QStringLiteral("thread_per_block"));
        runAndRead(QStringLiteral("thread_per_block"));
    }

    void bothAreCompared() {
        QVERIFY(clickWhenStill(QStringLiteral("tab:Compare")));
        QCOMPARE(editor().view(), QStringLiteral("compare"));
        RunComparison& comparison = *editor().comparison();
        // The newest run is the first choice.
        QTRY_COMPARE_WITH_TIMEOUT(comparison.choices().size(), 2, kAnswerMs);
        for (const auto& [side, row] : {std::pair("sideA", 1), std::pair("sideB", 0)}) {
            QVERIFY(clickWhenStill(QLatin1String(side)));
            w().key(Qt::Key_Escape);  // closes the list; the arrow keys then change the choice
            for (qsizetype step = comparison.choices().size(); step > 0; --step) w().key(Qt::Key_Up);
            for (int step = 0; step < row; ++step) w().key(Qt::Key_Down);
        }
        QCOMPARE(comparison.a(), 1);
        QCOMPARE(comparison.b(), 0);
        QTRY_VERIFY_WITH_TIMEOUT(!comparison.isWorking() && !comparison.verdict().isEmpty(), kAnswerMs);
        QVERIFY2(comparison.failure().isEmpty(), qPrintable(comparison.failure()));
        QCOMPARE(comparison.verdict(), QStringLiteral("not enough data"));
        QTRY_VERIFY(w().item(QStringLiteral("verdict")));
        QVERIFY(w().item(QStringLiteral("verdict"))->property("text").toString().contains(comparison.verdict()));
    }

    void everythingIsUndoneRedoneAndSaved() {
        QVERIFY(clickWhenStill(QStringLiteral("tab:Graph")));
        w().canvas()->forceActiveFocus(Qt::TabFocusReason);
        Document& document = editor().document();
        const std::string end = document.canonicalText();
        const int steps = document.undoStack().count();
        QVERIFY2(steps >= 14, qPrintable(QString::number(steps)));
        for (int step = 0; step < steps; ++step) w().key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(editor().undoText().isEmpty());
        QCOMPARE(document.canonicalText(), m_beginning);
        QVERIFY(!editor().isModified());
        for (int step = 0; step < steps; ++step) w().key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(document.canonicalText(), end);

        const QString path = m_folder.filePath(QStringLiteral("story.weir.json"));
        editor().files()->saveAs(QUrl::fromLocalFile(path));
        QTRY_VERIFY(!editor().isModified());
        QCOMPARE(readAll(path).toStdString(), document.canonicalText());
        // The unnamed project gets the name of its file, and nothing else changes.
        QCOMPARE(QByteArray::fromStdString(document.canonicalText())
                     .replace("\"name\": \"story\"", "\"name\": \"untitled\"")
                     .toStdString(),
                 end);
        // Runs from before the first save move to the project's folder.
        QCOMPARE(QDir(m_folder.filePath(QStringLiteral("runs"))).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(),
                 2);
        QTRY_COMPARE_WITH_TIMEOUT(editor().results()->library()->total(), 2, kAnswerMs);
        QVERIFY(editor().results()->library()->list().runAt(0)->path.startsWith(m_folder.path()));
        QVERIFY(!editor().results()->library()->list().isStale(editor().results()->library()->list().runAt(0)->path));
        QCOMPARE(QDir(m_folder.filePath(QStringLiteral("cache/weir/runs")))
                     .entryList(QDir::Dirs | QDir::NoDotAndDotDot)
                     .size(),
                 1);
        QCOMPARE(editor().runner()->state(), QStringLiteral("ok"));
        CliCommand command = WindowFixture::realCommand();
        QProcess validate;
        validate.setProcessChannelMode(QProcess::MergedChannels);
        validate.start(command.program, command.arguments + QStringList{QStringLiteral("validate"), path});
        QVERIFY(validate.waitForFinished(kAnswerMs));
        QVERIFY2(validate.exitStatus() == QProcess::NormalExit && validate.exitCode() == 0,
                 validate.readAll().constData());
        // The temporary files of the two runs beside the project are gone.
        QCOMPARE(QDir(m_folder.path()).entryList(QDir::Files | QDir::Hidden),
                 QStringList(QStringLiteral("story.weir.json")));
    }

    void anotherProjectHasNotRun() {
        editor().newDocument();
        QVERIFY(editor().runner()->state().isEmpty() && editor().runner()->status().isEmpty());
        QVERIFY(!w().item(QStringLiteral("runPill")));
    }

    void cleanupTestCase() {
        m_window.reset();
        QDir::setCurrent(QDir::tempPath());
    }
};

QTEST_MAIN(TestStory)
#include "tst_story.moc"
