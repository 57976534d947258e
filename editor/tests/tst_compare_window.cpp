#include "results_window.h"

#include <QClipboard>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace weir::editor;

/// Tests of comparisons of recorded runs in the real window.
class TestCompareWindow : public ResultsWindow {
    Q_OBJECT

    /// Waits until the comparison is in doubt, and stores the reason in `said`.
    static void showDoubt(MeasuredWindow& w, QString& said) {
        QVERIFY(w.isReady());
        QTRY_COMPARE_WITH_TIMEOUT(w.comparison.verdict(), QStringLiteral("in doubt"), kAnswerMs);
        WindowFixture::settle();
        said = w.item(QStringLiteral("verdictReason"))->property("text").toString();
    }

    /// Edits the run to look like one of another command, in a folder of that name.
    static bool isOfAnotherCommand(const QString& run, const QByteArray& name, const QByteArray& before,
                                   const char* metrics = "\"metrics\": \"counters\"") {
        const QByteArray set =
            string(object(member(parse(readAll(run + QStringLiteral("/run.json"))), "set")), "id").toUtf8();
        const auto changed = [&](QByteArray text) {
            return text.replace(before, name)
                .replace(set, "0000000000000000")
                .replace("\"metrics\": \"counters\"", metrics);
        };
        return !set.isEmpty() && changeText(run + QStringLiteral("/results.json"), changed) &&
               changeText(run + QStringLiteral("/run.json"), changed);
    }

  private slots:
    void theOlderRunIsAAndAProfiledOneIsNoBaseline() {
        const RunsFolder folder({QStringLiteral("none")});
        const auto counted = [](QByteArray text) {
            return text.replace("\"metrics\": \"profile\"", "\"metrics\": \"counters\"");
        };
        const auto arrives = [&](const char* pattern) {
            const QString run = QFileInfo(runOf(pattern)).fileName();
            folder.add(run);
            return changeText(folder.path(run + QStringLiteral("/results.json")), counted);
        };
        QVERIFY(arrives("*-pipes-flow-*"));
        MeasuredWindow w(folder.project(QStringLiteral("pipes")), folder.path());
        RunComparison& comparison = w.comparison;
        RunLibrary& library = *w.results.library();
        QVERIFY(w.isReady());
        QTRY_COMPARE_WITH_TIMEOUT(library.total(), 1, kAnswerMs);
        // The second run arrives and is the newer one.
        QVERIFY(arrives("*-pipes-thread_per_block-*"));
        library.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(library.total(), 2, kAnswerMs);
        QVERIFY(comparison.choices().value(comparison.a()).startsWith(QStringLiteral("flow ")));
        QVERIFY(comparison.choices().value(comparison.b()).startsWith(QStringLiteral("thread_per_block ")));
        // A newer run arrives: the sides shown as chosen are the ones compared.
        w.editor->setView(QStringLiteral("compare"));
        QTRY_VERIFY(w.item(QStringLiteral("sideA")));
        const QString flow = folder.runs("*-pipes-flow-*").first();
        const QString newer = folder.path(QStringLiteral("20991120T193453Z-pipes-flow-000000"));
        const auto comes = [&](const char* metrics) {
            const bool isDone =
                copyFolder(flow, newer) && isOfAnotherCommand(newer, QFileInfo(newer).fileName().toUtf8(),
                                                              QFileInfo(flow).fileName().toUtf8(), metrics);
            library.refresh();
            return isDone;
        };
        QVERIFY(comes("\"metrics\": \"counters\""));
        QTRY_COMPARE_WITH_TIMEOUT(comparison.choices().size(), 3, kAnswerMs);
        const auto shown = [&](const char* side) {
            return w.item(QLatin1String(side))->property("displayText").toString();
        };
        QVERIFY2(w.editor->notice().startsWith(QStringLiteral("Newer runs were chosen. A: ")),
                 qPrintable(w.editor->notice()));
        QTRY_COMPARE(shown("sideA"), comparison.choices().value(comparison.a()));
        QCOMPARE(shown("sideB"), comparison.choices().value(comparison.b()));
        const auto goes = [&] {
            const bool isDone = QDir(newer).removeRecursively();
            library.refresh();
            return isDone && QTest::qWaitFor([&] { return library.total() == 2; }, kAnswerMs);
        };
        QVERIFY(goes());
        // Following the newest runs skips profiled runs.
        comparison.followNewest();
        w.editor->dismissNotice();
        QVERIFY(comes("\"metrics\": \"profile\""));
        QTRY_COMPARE_WITH_TIMEOUT(library.total(), 3, kAnswerMs);
        QVERIFY(!comparison.isProfiledA() && !comparison.isProfiledB());
        QVERIFY2(w.editor->notice().isEmpty(), qPrintable(w.editor->notice()));
        QVERIFY(goes());
        // A profiled run is a side of a throughput comparison only if the user chooses it. The page then says so.
        const QString newest = library.list().runAt(0)->path;
        QVERIFY(changeText(newest + QStringLiteral("/results.json"), [](QByteArray text) {
            return text.replace("\"metrics\": \"counters\"", "\"metrics\": \"profile\"");
        }));
        library.refresh();
        QTRY_VERIFY_WITH_TIMEOUT(library.list().run(newest) && library.list().run(newest)->profiled, kAnswerMs);
        QVERIFY(comparison.choices().value(comparison.b()).startsWith(QStringLiteral("flow ")) && comparison.a() < 0);
        QVERIFY(comparison.headline().isEmpty());
        comparison.setSide(newest, true);
        QVERIFY(comparison.isProfiledA() && comparison.headline().startsWith(QStringLiteral("A was profiled")));
        QVERIFY(comparison.choices().value(comparison.a()).contains(QStringLiteral("profiled")));
        w.editor->setView(QStringLiteral("results"));
        w.results.show(newest);
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
        // One run per side has two numbers and their ratio. Next to an estimate over pairs, which is not the ratio of
        // the medians, these numbers appear only in the table.
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
        // The remark omits the code, since machines that sped up and slowed down share one.
        QCOMPARE(view.remarks.last(), QStringLiteral("A counts with a warning: others: 3 (r2)"));
    }

    void ofTwoMeasuredInTurnsAIsTheFirstOfTheProject_data() {
        QTest::addColumn<bool>("reversed");
        QTest::newRow("flow first") << false;
        QTest::newRow("single_thread first") << true;
    }

    void ofTwoMeasuredInTurnsAIsTheFirstOfTheProject() {
        QFETCH(bool, reversed);
        const RunsFolder folder({QStringLiteral("none")});
        QVERIFY(changeJson(folder.project(), [&](Json& project) {
            if (reversed) std::reverse(project["deployments"].begin(), project["deployments"].end());
        }));
        MeasuredWindow w(folder.project());
        RunComparison& comparison = w.comparison;
        QVERIFY(w.isReady());
        QTRY_COMPARE_WITH_TIMEOUT(comparison.choices().size(), 2, kAnswerMs);
        QVERIFY(comparison.choices().value(comparison.a()).startsWith(reversed ? u"single_thread " : u"flow "));
        QVERIFY(comparison.choices().value(comparison.b()).startsWith(reversed ? u"flow " : u"single_thread "));
    }

    void twoDeploymentsAreCompared() {
        MeasuredWindow w(kMeasured + QStringLiteral("/series.weir.json"));
        RunComparison& comparison = w.comparison;
        QVERIFY(w.isReady());
        QTRY_COMPARE_WITH_TIMEOUT(comparison.choices().size(), 2, kAnswerMs);
        // A hidden page does no work.
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
        QVERIFY(w.item(QStringLiteral("pairsNote")));  // its ratio may differ from that of the medians

        // A tab's label contains the number of remarks. The tabs keep the focus while this number changes.
        w.item(QStringLiteral("tab:Metrics"))->forceActiveFocus(Qt::TabFocusReason);
        w.editor->actions().trigger(QStringLiteral("results.swap"));
        QVERIFY(comparison.verdict().isEmpty() && comparison.isWorking());
        QTRY_VERIFY_WITH_TIMEOUT(!comparison.verdict().isEmpty(), kAnswerMs);
        QCOMPARE(comparison.verdict(), opposite.value(verdict, verdict));
        QCOMPARE(w.focusItem(), w.item(QStringLiteral("tab:Metrics")));
        comparison.copyMarkdown();
        QTRY_VERIFY_WITH_TIMEOUT(QGuiApplication::clipboard()->text().contains(QStringLiteral("| ")), kAnswerMs);

        // If A is one of B's own runs, there is nothing to compare, and the page says why.
        const RunListModel& list = w.results.library()->list();
        const QString deployment = comparison.choices().value(comparison.b()).section(u' ', 0, 0);
        int row = 0;
        while (list.runAt(row)->deployment != deployment) ++row;
        comparison.setSide(list.runAt(row)->path, true);
        QTRY_COMPARE_WITH_TIMEOUT(comparison.verdict(), QStringLiteral("not comparable"), kAnswerMs);
        QCOMPARE(comparison.because(), QStringLiteral("A and B share some runs"));
        QCOMPARE(comparison.choices().size(), 3);
    }

    void aDifferenceThatMayBeTheMachinesIsInDoubt() {
        const RunsFolder folder;
        // One side ran beside another program.
        QVERIFY(folder.change("*-series-*", [](Json& results) {
            const bool flow = results["deployment"] == "flow";
            results["reasons"] = Json::array();
            results["speed_check"] = nullptr;
            if (flow)
                results["reasons"].push_back(
                    {{"code", "W_DISTURBED"}, {"message", "others took 31 % of the run's CPUs"}});
            results["throughput_items_per_s"] = flow ? 1e7 : 2e7;
        }));
        MeasuredWindow w(folder, "compare");
        QString said;
        showDoubt(w, said);
        QCOMPARE(w.item(QStringLiteral("verdict"))->property("text").toString(), QStringLiteral("in doubt"));
        QVERIFY2(said.contains(QStringLiteral("other programs disturbed all 8 runs of A")) &&
                     said.contains(QStringLiteral("this may explain the difference")),
                 qPrintable(said));
        QCOMPARE(static_cast<TableModel*>(w.comparison.metrics())
                     ->index(0)
                     .data(TableModel::CellsRole)
                     .toStringList()
                     .last(),
                 QStringLiteral("in doubt"));
        QCOMPARE(w.comparison.view().intervals.front().tone, 0);
        QVERIFY(w.item(QStringLiteral("repeat")));  // alternating runs reduce the effect of interference
    }

    void oneProgramMeasuredTwiceIsNeitherBetterNorWorse() {
        const RunsFolder folder({QStringLiteral("*-series-flow-*")});
        for (const QString& first : folder.runs()) {
            const QString name = QFileInfo(first).fileName(), other = u'3' + name.mid(1);
            QVERIFY(copyFolder(first, folder.path(other)) &&
                    isOfAnotherCommand(folder.path(other), other.toUtf8(), name.toUtf8()));
        }
        QVERIFY(folder.change("2*-series-*", [](Json& results) { results["throughput_items_per_s"] = 2e7; }));
        QVERIFY(folder.change("3*-series-*", [](Json& results) { results["throughput_items_per_s"] = 1e7; }));
        MeasuredWindow w(folder, "compare");
        QString said;
        showDoubt(w, said);
        QVERIFY2(said.contains(QStringLiteral("A and B are the same program")), qPrintable(said));
        QVERIFY(!w.item(QStringLiteral("repeat")));
    }

    void twoRunsOfOneDeploymentAreNotRunInTurns() {
        const RunsFolder folder({QStringLiteral("none")});
        for (const QString& run : QDir(kMeasured).entryList({QStringLiteral("*-series-flow-*")}, QDir::Dirs).mid(0, 2))
            folder.add(run);
        QVERIFY(isOfAnotherCommand(folder.runs().last(), "-", "-"));
        MeasuredWindow w(folder, "compare");
        RunComparison& comparison = w.comparison;
        QVERIFY(w.isReady());
        QTRY_COMPARE_WITH_TIMEOUT(comparison.choices().size(), 2, kAnswerMs);
        comparison.setSide(w.results.library()->list().runAt(1)->path, true);
        comparison.setSide(w.results.library()->list().runAt(0)->path, false);
        QTRY_COMPARE_WITH_TIMEOUT(comparison.verdict(), QStringLiteral("not enough data"), kAnswerMs);
        QVERIFY2(comparison.advice().contains(QStringLiteral("Both sides are runs of flow")),
                 qPrintable(comparison.advice()));
        QVERIFY(!w.item(QStringLiteral("repeat")));
        // Choosing the other side's only run swaps the sides, and the list shows this run once.
        const QString a = comparison.runOfA(), b = comparison.runOfB();
        comparison.setSide(b, true);
        QVERIFY(comparison.runOfA() == b && comparison.runOfB() == a);
        QCOMPARE(comparison.choices().size(), 2);
        // After a run of several deployments the page compares these, even if the user chose runs of one deployment
        // before.
        for (const QString& run :
             QDir(kMeasured).entryList({QStringLiteral("*-series-single_thread-*")}, QDir::Dirs).mid(0, 2))
            folder.add(run);
        emit w.editor->runner()->started();  // a run of one deployment: the choice stays
        w.results.library()->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(comparison.choices().size() > 2, kAnswerMs);
        QCOMPARE(comparison.runOfA(), b);
        comparison.followNewest();
        w.results.library()->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(comparison.deploymentA() != comparison.deploymentB(), kAnswerMs);
    }

    void whoRunsSeveralDeploymentsComparesThem() {
        const RunsFolder folder({QStringLiteral("*-series-*")});
        MeasuredWindow w(folder, "compare", folder.noting());
        RunComparison& comparison = w.comparison;
        RunLibrary& library = *w.results.library();
        QVERIFY(w.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(comparison.deploymentA() != comparison.deploymentB(), kAnswerMs);
        const QString flow = library.list().newestOf(QStringLiteral("flow"))->path;
        comparison.setSide(flow, true);
        QVERIFY2(w.editor->notice().isEmpty(), qPrintable(w.editor->notice()));  // the page itself shows this
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

    // Regression: such a run ran only one side, and its runs then appeared on both sides.
    void whatRanWithoutADeploymentRunsAgain() {
        const RunsFolder folder({QStringLiteral("none")});
        for (const char* name : {"*-series-flow-*", "*-series-single_thread-*"})
            folder.add(QFileInfo(runOf(name)).fileName());
        QVERIFY(changeJson(folder.project(), [](Json& project) { project["deployments"].erase(1); }));
        MeasuredWindow w(folder, "compare", folder.noting());
        RunComparison& comparison = w.comparison;
        QVERIFY(w.isReady());
        QTRY_COMPARE_WITH_TIMEOUT(comparison.verdict(), QStringLiteral("not enough data"), kAnswerMs);
        QVERIFY2(comparison.because().contains(QStringLiteral("of each side")), qPrintable(comparison.because()));
        QTRY_VERIFY(w.item(QStringLiteral("repeat")));
        comparison.setA(comparison.a());  // chosen by hand, but a new run for this side still replaces it
        WindowFixture::settle();
        // A disabled button on a hidden page reacts to no key.
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
        // New runs keep the sides of their deployments, whichever was measured last.
        const auto letters = [&] {
            return comparison.choices().value(comparison.a()).section(u' ', 0, 0) + u' ' +
                   comparison.choices().value(comparison.b()).section(u' ', 0, 0);
        };
        QCOMPARE(letters(), QStringLiteral("single_thread flow"));
        folder.add(QDir(kMeasured).entryList({QStringLiteral("*-series-single_thread-*")}, QDir::Dirs).constLast());
        w.results.library()->refresh();
        QTRY_COMPARE_WITH_TIMEOUT(w.results.library()->total(), 3, kAnswerMs);
        QCOMPARE(letters(), QStringLiteral("single_thread flow"));
        // The settings of a deployment with another name are no longer known.
        w.editor->deploymentSettings()->remove();
        w.editor->deploymentSettings()->remove();
        w.editor->deploymentSettings()->add();
        QVERIFY(w.editor->deploymentSettings()->rename(QStringLiteral("other")));
        QVERIFY(!comparison.isRepeatable() && comparison.advice().contains(QStringLiteral("flow")));
    }

    void pointsThatOneCommandMadeAreSides() {
        const RunsFolder folder;
        // Edit the runs as if one command ran one deployment with two seeds.
        for (const QString& run : folder.runs("*-single_thread-*"))
            QVERIFY(changeText(run + QStringLiteral("/results.json"), [](QByteArray text) {
                return text.replace("\"deployment\": \"single_thread\"", "\"deployment\": \"flow\"")
                    .replace("\"seed\": 1,", "\"seed\": 2,");
            }));
        MeasuredWindow w(folder, "compare");
        Results& results = w.results;
        RunComparison& comparison = w.comparison;
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
