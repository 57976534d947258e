#include "results_window.h"

#include <QClipboard>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace weir::editor;

/// Comparisons in the real window, of runs that were measured.
class TestCompareWindow : public ResultsWindow {
    Q_OBJECT

    /// Compares what is in the folder, which is in doubt; `said`: why.
    static void showDoubt(WindowFixture& w, const QTemporaryDir& folder, QString& said) {
        w.editor->results()->library()->setFolder(folder.path());
        w.editor->setView(QStringLiteral("compare"));
        QVERIFY(w.isReady());
        QTRY_COMPARE_WITH_TIMEOUT(w.editor->comparison()->verdict(), QStringLiteral("in doubt"), kAnswerMs);
        WindowFixture::settle();
        said = w.item(QStringLiteral("verdictReason"))->property("text").toString();
    }

  private slots:
    void theOlderRunIsAAndAProfiledOneIsNoBaseline() {
        QTemporaryDir folder, waiting;
        QVERIFY(copyFolder(kMeasured, waiting.path()));
        QVERIFY(QFile::copy(kMeasured + QStringLiteral("/pipes.weir.json"),
                            folder.filePath(QStringLiteral("pipes.weir.json"))));
        const auto arrives = [&](const QString& name, const char* metrics) {
            const QString run = QDir(waiting.path()).entryList({name}, QDir::Dirs).constFirst();
            QFile results(waiting.filePath(run + QStringLiteral("/results.json")));
            const QByteArray text = readAll(results.fileName()).replace("\"metrics\": \"profile\"", metrics);
            return results.open(QIODevice::WriteOnly) && results.write(text) == text.size() && results.flush() &&
                   QDir().rename(waiting.filePath(run), folder.filePath(run));
        };
        QVERIFY(arrives(QStringLiteral("*-pipes-flow-*"), "\"metrics\": \"counters\""));
        WindowFixture w(folder.filePath(QStringLiteral("pipes.weir.json")));
        RunComparison& comparison = *w.editor->comparison();
        RunLibrary& library = *w.editor->results()->library();
        library.setFolder(folder.path());
        QVERIFY(w.isReady());
        QTRY_COMPARE_WITH_TIMEOUT(library.total(), 1, kAnswerMs);
        // The second one comes, and is the newer.
        QVERIFY(arrives(QStringLiteral("*-pipes-thread_per_block-*"), "\"metrics\": \"counters\""));
        library.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(library.total(), 2, kAnswerMs);
        QVERIFY(comparison.choices().value(comparison.a()).startsWith(QStringLiteral("flow ")));
        QVERIFY(comparison.choices().value(comparison.b()).startsWith(QStringLiteral("thread_per_block ")));
        // A newer run comes: what is shown as chosen is what is compared.
        w.editor->setView(QStringLiteral("compare"));
        QTRY_VERIFY(w.item(QStringLiteral("sideA")));
        const QString flow = QDir(folder.path()).entryList({QStringLiteral("*-pipes-flow-*")}, QDir::Dirs).constFirst();
        const QString newer = folder.filePath(QStringLiteral("20991120T193453Z-pipes-flow-000000"));
        const auto comes = [&](const char* metrics) {
            bool isDone = copyFolder(folder.filePath(flow), newer);
            for (const char* name : {"/results.json", "/run.json"}) { // of another command
                QFile file(newer + QLatin1String(name));
                const QByteArray text = readAll(file.fileName())
                                            .replace(flow.toUtf8(), QFileInfo(newer).fileName().toUtf8())
                                            .replace("ccd40c11bd50e73b", "0000000000000000")
                                            .replace("\"metrics\": \"counters\"", metrics);
                isDone = isDone && file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
            }
            library.refresh();
            return isDone;
        };
        QVERIFY(comes("\"metrics\": \"counters\""));
        QTRY_COMPARE_WITH_TIMEOUT(comparison.choices().size(), 3, kAnswerMs);
        const auto shown = [&](const char* side) {
            return w.item(QLatin1String(side))->property("displayText").toString();
        };
        QVERIFY2(w.editor->notice().startsWith(QStringLiteral("Newer runs have come. A: ")),
                 qPrintable(w.editor->notice()));
        QTRY_COMPARE(shown("sideA"), comparison.choices().value(comparison.a()));
        QCOMPARE(shown("sideB"), comparison.choices().value(comparison.b()));
        const auto goes = [&] {
            const bool isDone = QDir(newer).removeRecursively();
            library.refresh();
            return isDone && QTest::qWaitFor([&] { return library.total() == 2; }, kAnswerMs);
        };
        QVERIFY(goes());
        // Who follows the newest runs does not mean a profiled one, and none has come that is compared.
        comparison.followNewest();
        w.editor->dismissNotice();
        QVERIFY(comes("\"metrics\": \"profile\""));
        QTRY_COMPARE_WITH_TIMEOUT(library.total(), 3, kAnswerMs);
        QVERIFY(!comparison.isProfiledA() && !comparison.isProfiledB());
        QVERIFY2(w.editor->notice().isEmpty(), qPrintable(w.editor->notice()));
        QVERIFY(goes());
        // Profiled, it is no side of a comparison of throughputs unless it is chosen; then that is said.
        const QString newest = library.list().runAt(0)->path;
        QFile results(newest + QStringLiteral("/results.json"));
        const QByteArray text =
            readAll(results.fileName()).replace("\"metrics\": \"counters\"", "\"metrics\": \"profile\"");
        QVERIFY(results.open(QIODevice::WriteOnly) && results.write(text) == text.size() && results.flush());
        library.refresh();
        QTRY_VERIFY_WITH_TIMEOUT(library.list().run(newest) && library.list().run(newest)->profiled, kAnswerMs);
        QVERIFY(comparison.choices().value(comparison.b()).startsWith(QStringLiteral("flow ")) && comparison.a() < 0);
        QVERIFY(comparison.headline().isEmpty());
        comparison.setSide(newest, true);
        QVERIFY(comparison.isProfiledA() && comparison.headline().startsWith(QStringLiteral("A was profiled")));
        QVERIFY(comparison.choices().value(comparison.a()).contains(QStringLiteral("profiled")));
        w.editor->setView(QStringLiteral("results"));
        w.editor->results()->show(newest);
        QTRY_VERIFY(w.item(QStringLiteral("profiledRun")));
    }

    void whatIsSaidOfASideIsShortAndNotRepeatedOfItsRuns() {
        const char* spin = "5 workers share 2 CPUs, and those that wait spin";
        Json pair{{"verdict", "worse"}};
        pair["headline"] = {"A: " + std::string(spin), "buffers differ: stage", "the machines differ"};
        pair["flagged"] = {{{"side", "A"}, {"run_id", "r1"}, {"why", {"W_OVERSUBSCRIBED: " + std::string(spin)}}},
                           {{"side", "A"}, {"run_id", "r2"}, {"why", {"W_DISTURBED: others: 3"}}}};
        const ComparisonView view = readComparison({{"comparisons", {pair}}});
        QCOMPARE(view.headline, QStringLiteral("A: 5 workers share 2 CPUs · buffers differ · 2 more in Remarks"));
        QCOMPARE(view.remarks.size(), 4);
        // One run of each has two numbers and their ratio. Beside an estimate over pairs, which is no ratio of the medians, these
        // are in the table alone.
        pair["metrics"] = {{{"id", "throughput_items_per_s"},
                            {"gate", true},
                            {"a", 2e6},
                            {"b", 3e6},
                            {"ratio", 1.5},
                            {"unit", "items/s"}}};
        for (const int blocks : {1, 8}) {
            pair["blocks"] = blocks;
            const QString said = readComparison({{"comparisons", {pair}}}).summary;
            QVERIFY2(said.contains(QStringLiteral("pairs of runs")) == (blocks > 1) &&
                         said.contains(QStringLiteral("A 2.00")) == (blocks == 1) &&
                         !said.contains(QStringLiteral("median")) && said.contains(QStringLiteral("+50")),
                     qPrintable(said));
        }
        // Without its code, which for a machine that sped up is of one that slowed.
        QCOMPARE(view.remarks.last(), QStringLiteral("A counts with a warning: others: 3 (r2)"));
    }

    void ofTwoMeasuredInTurnsAIsTheFirstOfTheProject_data() {
        QTest::addColumn<bool>("reversed");
        QTest::newRow("flow first") << false;
        QTest::newRow("single_thread first") << true;
    }

    void ofTwoMeasuredInTurnsAIsTheFirstOfTheProject() {
        QFETCH(bool, reversed);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("series.weir.json"));
        Json project = parse(readAll(kMeasured + QStringLiteral("/series.weir.json")));
        if (reversed) std::reverse(project["deployments"].begin(), project["deployments"].end());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray::fromStdString(project.dump())) > 0 &&
                file.flush());
        WindowFixture w(path);
        RunComparison& comparison = *w.editor->comparison();
        w.editor->results()->library()->setFolder(kMeasured);
        QVERIFY(w.isReady());
        QTRY_COMPARE_WITH_TIMEOUT(comparison.choices().size(), 2, kAnswerMs);
        QVERIFY(comparison.choices().value(comparison.a()).startsWith(reversed ? u"single_thread " : u"flow "));
        QVERIFY(comparison.choices().value(comparison.b()).startsWith(reversed ? u"flow " : u"single_thread "));
    }

    void twoDeploymentsAreCompared() {
        WindowFixture w(kMeasured + QStringLiteral("/series.weir.json"));
        RunComparison& comparison = *w.editor->comparison();
        w.editor->results()->library()->setFolder(kMeasured);
        QVERIFY(w.isReady());
        QTRY_COMPARE_WITH_TIMEOUT(comparison.choices().size(), 2, kAnswerMs);
        // Who does not look pays nothing.
        QVERIFY(!comparison.isWorking() && comparison.blocks()->rowCount() == 0);
        w.editor->setView(QStringLiteral("compare"));
        QTRY_VERIFY_WITH_TIMEOUT(!comparison.verdict().isEmpty(), kAnswerMs);
        const QHash<QString, QString> opposite{{QStringLiteral("better"), QStringLiteral("worse")},
                                               {QStringLiteral("worse"), QStringLiteral("better")}};
        const QString verdict = comparison.verdict();
        QVERIFY2(verdict != QLatin1String("not comparable"), qPrintable(comparison.because()));
        QVERIFY(comparison.metrics()->rowCount() > 3 && comparison.differences()->rowCount() > 0);
        QCOMPARE(comparison.blocks()->rowCount(), 5);
        QVERIFY(comparison.method().contains(QStringLiteral("in turns by one command")));
        QVERIFY(!comparison.view().intervals.empty());
        QTest::qWait(100);
        QVERIFY(inkIn(w, QStringLiteral("comparePlot"), QColor(0x0A, 0x6F, 0xB8)) > 50);
        QVERIFY(inkIn(w, QStringLiteral("comparePlot"), QColor(0xB4, 0x53, 0x0A)) > 50);
        QVERIFY(w.item(QStringLiteral("verdict")));
        QVERIFY(w.item(QStringLiteral("pairsNote")));  // below the two medians, whose ratio may be another

        // The number of remarks stands in one of the tabs: they keep the keys while it changes.
        w.item(QStringLiteral("tab:Metrics"))->forceActiveFocus(Qt::TabFocusReason);
        w.editor->actions().trigger(QStringLiteral("results.swap"));
        QVERIFY(comparison.verdict().isEmpty() && comparison.isWorking());
        QTRY_VERIFY_WITH_TIMEOUT(!comparison.verdict().isEmpty(), kAnswerMs);
        QCOMPARE(comparison.verdict(), opposite.value(verdict, verdict));
        QCOMPARE(w.focusItem(), w.item(QStringLiteral("tab:Metrics")));
        comparison.copyMarkdown();
        QTRY_VERIFY_WITH_TIMEOUT(QGuiApplication::clipboard()->text().contains(QStringLiteral("| ")), kAnswerMs);

        // One of B's own runs as A: that is no comparison, and the page says why.
        const RunListModel& list = w.editor->results()->library()->list();
        const QString deployment = comparison.choices().value(comparison.b()).section(u' ', 0, 0);
        int row = 0;
        while (list.runAt(row)->deployment != deployment) ++row;
        comparison.setSide(list.runAt(row)->path, true);
        QTRY_COMPARE_WITH_TIMEOUT(comparison.verdict(), QStringLiteral("not comparable"), kAnswerMs);
        QVERIFY(comparison.because().contains(QStringLiteral("in common")));
        QCOMPARE(comparison.choices().size(), 3);
    }

    void aDifferenceThatMayBeTheMachinesIsInDoubt() {
        QTemporaryDir folder;
        QVERIFY(copyFolder(kMeasured, folder.path()));
        // One side ran beside something else.
        for (const QString& run : QDir(folder.path()).entryList({QStringLiteral("*-series-*")}, QDir::Dirs))
            QVERIFY(change(folder.filePath(run), [](Json& results) {
                const bool flow = results["deployment"] == "flow";
                results["reasons"] = Json::array();
                results["witness"] = nullptr;
                if (flow)
                    results["reasons"].push_back(
                        {{"code", "W_DISTURBED"}, {"message", "others took 31 % of the run's CPUs"}});
                results["throughput_items_per_s"] = flow ? 1e7 : 2e7;
            }));
        WindowFixture w(folder.filePath(QStringLiteral("series.weir.json")));
        const RunComparison& comparison = *w.editor->comparison();
        QString said;
        showDoubt(w, folder, said);
        QCOMPARE(w.item(QStringLiteral("verdict"))->property("text").toString(), QStringLiteral("in doubt"));
        QVERIFY2(said.contains(QStringLiteral("the machine was disturbed in all 8 runs of ")) &&
                     said.contains(QStringLiteral("difference ")),
                 qPrintable(said));
        QCOMPARE(static_cast<TableModel*>(w.editor->comparison()->metrics())
                     ->index(0)
                     .data(TableModel::CellsRole)
                     .toStringList()
                     .last(),
                 QStringLiteral("in doubt"));
        QCOMPARE(comparison.view().intervals.front().tone, 0);
        QVERIFY(w.item(QStringLiteral("repeat")));  // in turns, which helps
    }

    void oneProgramMeasuredTwiceIsNeitherBetterNorWorse() {
        QTemporaryDir folder;
        QVERIFY(QFile::copy(kMeasured + QStringLiteral("/series.weir.json"),
                            folder.filePath(QStringLiteral("series.weir.json"))));
        for (const QString& run : QDir(kMeasured).entryList({QStringLiteral("*-series-flow-*")}, QDir::Dirs)) {
            const QString first = folder.filePath(run), second = folder.filePath(u'3' + run.mid(1));
            QVERIFY(copyFolder(kMeasured + u'/' + run, first) && copyFolder(kMeasured + u'/' + run, second));
            for (const char* name : {"/results.json", "/run.json"}) {  // of another command
                QFile file(second + QLatin1String(name));
                const QString set =
                    string(object(member(parse(readAll(first + QStringLiteral("/run.json"))), "set")), "id");
                const QByteArray text = readAll(file.fileName())
                                            .replace(run.toUtf8(), QFileInfo(second).fileName().toUtf8())
                                            .replace(set.toUtf8(), "0000000000000000");
                QVERIFY(!set.isEmpty() && file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
            }
            QVERIFY(change(first, [](Json& results) { results["throughput_items_per_s"] = 2e7; }));
            QVERIFY(change(second, [](Json& results) { results["throughput_items_per_s"] = 1e7; }));
        }
        WindowFixture w(folder.filePath(QStringLiteral("series.weir.json")));
        QString said;
        showDoubt(w, folder, said);
        QVERIFY2(said.contains(QStringLiteral("A and B are the same program")), qPrintable(said));
        QVERIFY(!w.item(QStringLiteral("repeat")));
    }

    void twoRunsOfOneDeploymentAreNotRunInTurns() {
        QTemporaryDir folder;
        for (const QString& run : QDir(kMeasured).entryList({QStringLiteral("*-series-flow-*")}, QDir::Dirs).mid(0, 2))
            QVERIFY(copyFolder(kMeasured + u'/' + run, folder.filePath(run)));
        QVERIFY(QFile::copy(kMeasured + QStringLiteral("/series.weir.json"),
                            folder.filePath(QStringLiteral("series.weir.json"))));
        const QString second =
            folder.filePath(QDir(folder.path()).entryList({QStringLiteral("*-series-flow-*")}, QDir::Dirs).last());
        for (const char* name : {"/results.json", "/run.json"}) {  // of another command
            const QString set =
                string(object(member(parse(readAll(second + QStringLiteral("/run.json"))), "set")), "id");
            QFile file(second + QLatin1String(name));
            const QByteArray text = readAll(file.fileName()).replace(set.toUtf8(), "0000000000000000");
            QVERIFY(!set.isEmpty() && file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        }
        WindowFixture w(folder.filePath(QStringLiteral("series.weir.json")));
        RunComparison& comparison = *w.editor->comparison();
        w.editor->results()->library()->setFolder(folder.path());
        w.editor->setView(QStringLiteral("compare"));
        QVERIFY(w.isReady());
        QTRY_COMPARE_WITH_TIMEOUT(comparison.choices().size(), 2, kAnswerMs);
        comparison.setSide(w.editor->results()->library()->list().runAt(1)->path, true);
        comparison.setSide(w.editor->results()->library()->list().runAt(0)->path, false);
        QTRY_COMPARE_WITH_TIMEOUT(comparison.verdict(), QStringLiteral("not enough data"), kAnswerMs);
        QVERIFY2(comparison.advice().contains(QStringLiteral("Both are of flow")), qPrintable(comparison.advice()));
        QVERIFY(!w.item(QStringLiteral("repeat")));
        // The other side's only run: it stands on this one now, and once in the list.
        const QString a = comparison.runOfA(), b = comparison.runOfB();
        comparison.setSide(b, true);
        QVERIFY(comparison.runOfA() == b && comparison.runOfB() == a);
        QCOMPARE(comparison.choices().size(), 2);
        // Several deployments are run: these are what one wants to see, whatever of one deployment was chosen before.
        for (const QString& run :
             QDir(kMeasured).entryList({QStringLiteral("*-series-single_thread-*")}, QDir::Dirs).mid(0, 2))
            QVERIFY(copyFolder(kMeasured + u'/' + run, folder.filePath(run)));
        emit w.editor->runner()->started();  // of one: what was chosen stays
        w.editor->results()->library()->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(comparison.choices().size() > 2, kAnswerMs);
        QCOMPARE(comparison.runOfA(), b);
        comparison.followNewest();
        w.editor->results()->library()->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(comparison.deploymentA() != comparison.deploymentB(), kAnswerMs);
    }

    void whoRunsSeveralDeploymentsComparesThem() {
        QTemporaryDir folder;
        const QStringList both{QStringLiteral("*-series-flow-*"), QStringLiteral("*-series-single_thread-*")};
        for (const QString& run : QDir(kMeasured).entryList(both, QDir::Dirs))
            QVERIFY(copyFolder(kMeasured + u'/' + run, folder.filePath(run)));
        QVERIFY(QFile::copy(kMeasured + QStringLiteral("/series.weir.json"),
                            folder.filePath(QStringLiteral("series.weir.json"))));
        QFile cli(folder.filePath(QStringLiteral("cli.py")));
        const QByteArray text =
            "import sys\nsys.path.insert(0, '" WEIR_ROOT
            "/codegen')\nif sys.argv[1] == 'run':\n"
            "    print('[]')\n    sys.exit(0)\nfrom weir.cli import main\nsys.exit(main(sys.argv[1:]))\n";
        QVERIFY(cli.open(QIODevice::WriteOnly) && cli.write(text) == text.size());
        cli.close();
        WindowFixture w(folder.filePath(QStringLiteral("series.weir.json")),
                        {QStringLiteral("/usr/bin/python3"), {cli.fileName()}});
        RunComparison& comparison = *w.editor->comparison();
        RunLibrary& library = *w.editor->results()->library();
        library.setFolder(folder.path());
        w.editor->setView(QStringLiteral("compare"));
        QVERIFY(w.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(comparison.deploymentA() != comparison.deploymentB(), kAnswerMs);
        const QString flow = library.list().newestOf(QStringLiteral("flow"))->path;
        comparison.setSide(flow, true);
        QVERIFY2(w.editor->notice().isEmpty(), qPrintable(w.editor->notice()));  // the page shows it
        w.editor->setView(QStringLiteral("results"));
        comparison.setSide(flow, false);
        QVERIFY2(w.editor->notice().startsWith(QStringLiteral("B of the comparison: flow")),
                 qPrintable(w.editor->notice()));
        QCOMPARE(comparison.deploymentA(), comparison.deploymentB());
        w.key(Qt::Key_F6, Qt::ShiftModifier);
        QVERIFY(w.editor->runner()->runsSeveral());
        QTRY_VERIFY_WITH_TIMEOUT(!w.editor->runner()->isRunning(), 10000);
        QTRY_VERIFY_WITH_TIMEOUT(comparison.deploymentA() != comparison.deploymentB(), kAnswerMs);
    }

    // It ran one side alone, whose runs then stood on both.
    void whatRanWithoutADeploymentRunsAgain() {
        QTemporaryDir folder;
        for (const char* name : {"*-series-flow-*", "*-series-single_thread-*"}) {
            const QString run = QDir(kMeasured).entryList({QLatin1String(name)}, QDir::Dirs).constFirst();
            QVERIFY(copyFolder(kMeasured + u'/' + run, folder.filePath(run)));
        }
        Json project = Json::parse(readAll(kMeasured + QStringLiteral("/series.weir.json")).toStdString());
        project["deployments"].erase(1);
        QCOMPARE(project["deployments"].size(), std::size_t(1));
        const auto write = [&](const QString& name, const QByteArray& text) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        };
        write(QStringLiteral("series.weir.json"), QByteArray::fromStdString(project.dump()));
        write(QStringLiteral("cli.py"),
              "import sys\nsys.path.insert(0, '" WEIR_ROOT
              "/codegen')\nif sys.argv[1] == 'run':\n"
              "    print('[]')\n    sys.exit(0)\nfrom weir.cli import main\nsys.exit(main(sys.argv[1:]))\n");
        WindowFixture w(folder.filePath(QStringLiteral("series.weir.json")),
                        {QStringLiteral("/usr/bin/python3"), {folder.filePath(QStringLiteral("cli.py"))}});
        RunComparison& comparison = *w.editor->comparison();
        w.editor->results()->library()->setFolder(folder.path());
        w.editor->setView(QStringLiteral("compare"));
        QVERIFY(w.isReady());
        QTRY_COMPARE_WITH_TIMEOUT(comparison.verdict(), QStringLiteral("not enough data"), kAnswerMs);
        QVERIFY2(comparison.because().contains(QStringLiteral("of each side")), qPrintable(comparison.because()));
        QTRY_VERIFY(w.item(QStringLiteral("repeat")));
        comparison.setA(comparison.a());  // chosen by hand: what is run for it takes its place all the same
        WindowFixture::settle();
        // A button that is left behind, not to be pressed meanwhile, is pressed by no key on another page.
        QSignalSpy starts(w.editor->runner(), &RunController::started);
        w.item(QStringLiteral("repeat"))->forceActiveFocus(Qt::TabFocusReason);
        w.key(Qt::Key_Return);
        QCOMPARE(starts.size(), 1);
        w.key(Qt::Key_4, Qt::AltModifier);
        w.key(Qt::Key_Return);
        QCOMPARE(w.editor->deployments(), (QStringList{QStringLiteral("flow"), QStringLiteral("single_thread")}));
        const QAbstractItemModel& log = *w.editor->runner()->log();
        const QString command = log.index(0, 0).data().toString();
        QVERIFY2(command.contains(QStringLiteral("--deployment flow --deployment single_thread")), qPrintable(command));
        QVERIFY(command.contains(QStringLiteral("--repeat 8")));
        QTRY_VERIFY_WITH_TIMEOUT(!w.editor->runner()->isRunning(), kAnswerMs);
        w.key(Qt::Key_Return);
        w.key(Qt::Key_Space);
        QCOMPARE(starts.size(), 1);
        QVERIFY(w.focusItem()->isVisible() && w.item(QStringLiteral("runsSide"))->hasActiveFocus());
        w.key(Qt::Key_5, Qt::AltModifier);
        QTRY_VERIFY(w.focusItem()->isVisible() && w.focusItem()->objectName() != QLatin1String("menu"));
        // Those that come keep their letters, whichever was measured last.
        const auto letters = [&] {
            return comparison.choices().value(comparison.a()).section(u' ', 0, 0) + u' ' +
                   comparison.choices().value(comparison.b()).section(u' ', 0, 0);
        };
        QCOMPARE(letters(), QStringLiteral("single_thread flow"));
        const QString last =
            QDir(kMeasured).entryList({QStringLiteral("*-series-single_thread-*")}, QDir::Dirs).constLast();
        QVERIFY(copyFolder(kMeasured + u'/' + last, folder.filePath(last)));
        w.editor->results()->library()->refresh();
        QTRY_COMPARE_WITH_TIMEOUT(w.editor->results()->library()->total(), 3, kAnswerMs);
        QCOMPARE(letters(), QStringLiteral("single_thread flow"));
        // A deployment with another name was set up somehow, which is not known any more.
        w.editor->deploymentSettings()->remove();
        w.editor->deploymentSettings()->remove();
        w.editor->deploymentSettings()->add();
        QVERIFY(w.editor->deploymentSettings()->rename(QStringLiteral("other")));
        QVERIFY(!comparison.isRepeatable() && comparison.advice().contains(QStringLiteral("flow")));
    }

    void pointsThatOneCommandMadeAreSides() {
        QTemporaryDir folder;
        QVERIFY(copyFolder(kMeasured, folder.path()));
        // As if one command had run one deployment with two seeds.
        for (const QString& run : QDir(folder.path()).entryList({QStringLiteral("*-single_thread-*")}, QDir::Dirs)) {
            QFile results(folder.filePath(run + QStringLiteral("/results.json")));
            const QByteArray text = readAll(results.fileName())
                                        .replace("\"deployment\": \"single_thread\"", "\"deployment\": \"flow\"")
                                        .replace("\"seed\": 1,", "\"seed\": 2,");
            QVERIFY(results.open(QIODevice::WriteOnly) && results.write(text) == text.size());
        }
        WindowFixture w(folder.filePath(QStringLiteral("series.weir.json")));
        Results& results = *w.editor->results();
        RunComparison& comparison = *w.editor->comparison();
        results.library()->setFolder(folder.path());
        w.editor->setView(QStringLiteral("compare"));
        QVERIFY(w.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(!comparison.verdict().isEmpty(), kAnswerMs);
        QCOMPARE(comparison.choices().size(), 2);
        QVERIFY2(comparison.choices().value(comparison.a()).startsWith(QStringLiteral("flow · seed=")),
                 qPrintable(comparison.choices().join(u'|')));
        QVERIFY2(comparison.verdict() != QLatin1String("not comparable"), qPrintable(comparison.because()));
        QVERIFY(results.run()->title().startsWith(QStringLiteral("flow · seed=")));
    }
};

QTEST_MAIN(TestCompareWindow)
#include "moc_results_window.cpp"
#include "tst_compare_window.moc"
