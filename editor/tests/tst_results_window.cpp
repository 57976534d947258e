#include "results_looks.h"

#include <QAbstractItemModelTester>
#include <QQuickItem>
#include <QTemporaryDir>

using namespace weir::editor;

/// Tests of results of recorded runs in the real window.
class TestResultsWindow : public ResultsLooks {
    Q_OBJECT

    /// Return all texts of an item and its children.
    static QString words(const QQuickItem* item) {
        QString found = item->property("text").toString();
        const auto children = item->childItems();
        for (const QQuickItem* child : children) found += QStringLiteral(" | ") + words(child);
        return found;
    }

  private slots:
    void aRunIsShownNotedAndDeleted() {
        const RunsFolder folder;
        // Simulate a full disk and a run of another version of Weir.
        const QStringList series = folder.runs();
        QFile torn(series[0] + QStringLiteral("/results.json"));
        QVERIFY(torn.resize(700));
        MeasuredWindow w(folder);
        Results& results = w.results;
        QVERIFY(w.isShown());
        QAbstractItemModelTester tester(results.library()->runs(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        // The repetitions of each of two deployments form one row, and the damaged run has its own.
        QCOMPARE(results.library()->total(), series.size());
        QCOMPARE(results.library()->runs()->rowCount(), 3);
        QCOMPARE(results.run()->status(), QStringLiteral("ok"));
        QVERIFY(results.run()->spread().contains(QStringLiteral("median of")));
        // The warning is next to the uncertain number, not on another page.
        const QString whole = folder.path(QStringLiteral("20261120T193502Z-series-flow-298eb8"));
        const QString brief = folder.path(QStringLiteral("20261120T193505Z-series-flow-2d2fdf"));
        for (const auto& [run, isShort] : {std::pair(whole, false), std::pair(brief, true)}) {
            QVERIFY(!readRun(run).results.is_null());
            results.show(run);
            QCOMPARE(w.item(QStringLiteral("shortWindow")) != nullptr, isShort);
            QCOMPARE(w.item(QStringLiteral("giveRunMoreItems")) != nullptr, isShort);
        }
        w.click(QStringLiteral("giveRunMoreItems"));
        QTRY_VERIFY(w.focusItem() && w.focusItem()->objectName() == QLatin1String("field:items"));
        w.editor->deploymentSettings()->setPanelOpen(false);
        // If a block ends the stream after its own number of items, this block has too few items.
        w.editor->edit(QStringLiteral("bound"),
                       [](Transaction& t) { t.set(Pointer("/graph/blocks/1/parameters"), Json{{"items", 1000}}); });
        w.click(QStringLiteral("giveRunMoreItems"));
        QTRY_COMPARE(w.editor->selection().onlyBlock(), QStringLiteral("limit"));
        QTRY_VERIFY(w.focusItem() && w.focusItem()->objectName() == QLatin1String("field:items"));
        QVERIFY(!w.editor->deploymentSettings()->isPanelOpen());
        // With 0, the block uses the number of the run.
        w.editor->edit(QStringLiteral("as the run"),
                       [](Transaction& t) { t.set(Pointer("/graph/blocks/1/parameters/items"), 0); });
        w.editor->problemGuide()->goToItems();
        QVERIFY(w.editor->deploymentSettings()->isPanelOpen());
        w.editor->deploymentSettings()->setPanelOpen(false);
        w.editor->undo();
        w.editor->undo();
        w.editor->setView(QStringLiteral("results"));
        results.show(series.last());
        QTest::qWait(100);
        QVERIFY(inkIn(w, QStringLiteral("percentilePlot"), QColor(0x0A, 0x6F, 0xB8)) > 100);
        QVERIFY(inkIn(w, QStringLiteral("histogramPlot"), QColor(71, 147, 202)) >
                300); // three quarters of this colour on white

        w.click(QStringLiteral("tab:Blocks"));
        w.click(QStringLiteral("header:Of work time"));
        auto* blocks = qobject_cast<TableModel*>(results.run()->blocks());
        QCOMPARE(blocks->sortColumn(), 1);
        const QString top = blocks->index(0).data().toString();
        w.click(QStringLiteral("row:") + top);
        QCOMPARE(w.editor->selection().onlyBlock(), blockOf(top));

        w.fill(QStringLiteral("runNote"), QStringLiteral("first try"));
        QCOMPARE(results.run()->note(), QStringLiteral("first try"));
        QCOMPARE(readAll(results.run()->path() + QStringLiteral("/note.txt")), QByteArray("first try\n"));

        w.click(QStringLiteral("runFilterSide"));
        w.type(QStringLiteral("damaged"));
        QCOMPARE(results.library()->runs()->rowCount(), 1);
        QTRY_VERIFY(w.item(QStringLiteral("side:0")));
        w.click(QStringLiteral("side:0"));
        QTRY_COMPARE(results.run()->status(), QStringLiteral("damaged"));
        QVERIFY(results.run()->reasons().value(0).contains(QStringLiteral("damaged")));
        w.click(QStringLiteral("runFilterSide"));
        w.key(Qt::Key_Escape);
        QCOMPARE(results.library()->runs()->rowCount(), 3);
        QTRY_VERIFY(w.item(QStringLiteral("openRuns:0")));
        WindowFixture::settle();
        w.click(QStringLiteral("openRuns:0"));
        QCOMPARE(results.library()->runs()->rowCount(), 9); // 7 of them are complete

        results.show(series.last());
        QTest::qWait(50);
        w.click(QStringLiteral("deleteRun"));
        QVERIFY(QFileInfo::exists(series.last()));
        w.click(QStringLiteral("deleteRun"));
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(series.last()), kAnswerMs);
        QTRY_COMPARE_WITH_TIMEOUT(results.library()->total(), series.size() - 1, kAnswerMs);
    }

    void whatTheMachineGrantedAndWhyItemsWereLateIsShownWhereItIsKnown() {
        const RunsFolder folder;
        const QStringList series = folder.runs("*-series-flow-*");
        const QString detailed = series[0], silent = series[1];
        QVERIFY(changeJson(detailed + QStringLiteral("/results.json"), [](Json& results) {
            results["granted"]["priority"]["w1"] = jsonOf(R"({"policy": "fifo", "priority": 80, "timer_slack_ns": 1})");
            results["planned"]["threads"] =
                jsonOf(R"({"w0": {"policy": "fifo", "priority": 80}, "w1": {"policy": "fifo", "priority": 80}})");
            results["response"] = jsonOf(
                R"({"deadline_ns": 3450000, "answered": 20000, "late": 12, "lost": 1, "failure_ratio": 0.00065})");
            results["causes"] = jsonOf(R"({"status": "ok", "reason": null, "late_items": 12, "named": 11,
                "by_kind": {"interrupted": 3, "preempted": 8, "unknown": 1}, "items": [
                {"source": "source", "sink": "sink", "index": 4096, "latency_ns": 5000000,
                 "cause": {"kind": "preempted", "by": "cc1plus/4711", "worker": "w0", "block": "gain", "ns": 4100000}},
                {"source": "source", "sink": "sink", "index": 8192, "latency_ns": 4000000,
                 "cause": {"kind": "unknown", "by": null, "worker": null, "block": null, "ns": 90000}}]})");
            results["interference"] =
                jsonOf(R"({"requested": {"loops": 4, "cpu_limit": 0.1, "slice_us": 3000, "cpus": null},
                "granted": {"loops": 3, "cpu_limit": 0.1, "slice_us": null, "cpus": [0, 1], "by": "cgroup1", "seconds": 2, "cpu_time_s": 0.4, "throttled_s": 1},
                "refused": [{"what": "slice of the loops", "reason": "the kernel has none", "needs": ""}]})");
        }));
        QVERIFY(changeJson(detailed + QStringLiteral("/run.json"), [](Json& run) {
            run["findings"] =
                jsonOf(R"([{"id": "governor", "title": "Frequency governor", "severity": "noisy", "value": "powersave",
                "message": "CPU 0 follows the load", "concern": "w0 runs there", "commands": ["sudo cpupower frequency-set -g performance"], "remedy": ""}])");
            run["isolation"] = jsonOf(
                R"({"id": "x", "pid": 1, "start": 1, "cpus": "1", "free": "1", "siblings": "", "by": "cgroup1", "tasks": 40,
                "interrupts": 2, "governor": null, "refused": [{"what": "interrupt 9", "reason": "the driver keeps it", "needs": ""}]})");
        }));

        MeasuredWindow w(folder);
        w.window->resize(1440, 900);
        Results& results = w.results;
        QVERIFY(w.isShown());
        results.show(detailed);
        WindowFixture::settle();
        const auto table = [&w](const char* tab) {
            w.click(QStringLiteral("tab:") + QLatin1String(tab));
            WindowFixture::settle();
            return words(w.item(QStringLiteral("resultTable")));
        };
        QVERIFY(words(w.item(QStringLiteral("resultsScroll"))).contains(QStringLiteral("0.0650 %")));
        const QString granted = table("Granted");
        QVERIFY2(granted.contains(QStringLiteral("fifo 80")) && granted.contains(QStringLiteral("other")),
                 qPrintable(granted));
        auto* rows = qobject_cast<TableModel*>(results.run()->granted());
        QCOMPARE(rows->index(0).data(TableModel::ToneRole).toString(), QStringLiteral("warning"));
        QCOMPARE(rows->index(0).data(TableModel::CellsRole).toStringList().last(), QStringLiteral("policy"));
        QCOMPARE(rows->index(1).data(TableModel::ToneRole).toString(), QString());
        const QString machine = table("Machine");
        for (const char* part :
             {"Frequency governor", "CPU 0 follows the load", "sudo cpupower", "40 tasks and 2 interrupts",
              "the driver keeps it", "4 loops, 10.0 % of the time of their CPUs, slice 3.00 ms",
              "3 loops, 10.0 % of the time of their CPUs, on CPUs 0, 1, 400 ms of CPU time in 2.00 s",
              "slice of the loops: the kernel has none"})
            QVERIFY2(machine.contains(QLatin1String(part)), qPrintable(machine));
        const QString late = table("Late");
        for (const char* part : {"switched out", "cc1plus/4711", "Of 12 late items, 11 have a known cause",
                                 "switched out: 8, interrupted: 3", "The latest 2 are listed"})
            QVERIFY2(late.contains(QLatin1String(part)), qPrintable(late));
        // A late item leads to the delayed block or, if this is unknown, to the sink.
        w.click(QStringLiteral("row:source → sink"));
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("gain"));
        w.key(Qt::Key_4, Qt::AltModifier);

        // A run without such data has no such tabs.
        results.show(silent);
        WindowFixture::settle();
        QVERIFY(!w.item(QStringLiteral("tab:Late")) && !w.item(QStringLiteral("tab:Machine")));
        QVERIFY(w.item(QStringLiteral("tab:Latency"))->property("active").toBool());
        QVERIFY(w.item(QStringLiteral("tab:Granted")));
        results.show(detailed);
        WindowFixture::settle();
        QVERIFY(w.item(QStringLiteral("tab:Late"))->property("active").toBool());
    }

    void theKeysWalkThroughTheRunsAndThePage() {
        MeasuredWindow w(kMeasured + QStringLiteral("/series.weir.json"));
        QVERIFY(w.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(w.results.library()->total() > 1, kAnswerMs);
        // Leaving a field of the inspector commits its text and gives the page the focus.
        w.editor->goTo(w.editor->scene().blocks().front().id);
        w.key(Qt::Key_Return);
        QTRY_VERIFY(qobject_cast<QQuickItem*>(w.focusItem()) != w.canvas());
        w.key(Qt::Key_4, Qt::AltModifier);
        const QQuickItem* runs = w.item(QStringLiteral("runsSide"));
        QVERIFY(runs && runs->hasActiveFocus());
        QTRY_VERIFY_WITH_TIMEOUT(w.results.run()->isShown(), kAnswerMs);
        const QString first = w.results.run()->path();
        // The focus is on the shown run, even if that run was read later.
        QTRY_COMPARE(runs->property("currentIndex").toInt(), w.results.library()->rowOf(first));
        WindowFixture::settle();
        w.key(w.results.library()->rowOf(first) == 0 ? Qt::Key_Down : Qt::Key_Up);
        const auto* row = runs->property("currentItem").value<QQuickItem*>();
        const QPoint edge = row->mapToScene({row->width() / 2, 2}).toPoint();  // on the focus ring
        QTRY_VERIFY(isNear(w.window->grabWindow().pixelColor(edge), QColor(0x1D, 0x5F, 0xD1)));
        // Once the keys rest, the page shows the focused run. The graph still shows the run of the chosen deployment.
        QTRY_VERIFY(w.results.run()->path() != first);
        QCOMPARE(runs->property("currentItem").value<QQuickItem*>()->property("path").toString(),
                 w.results.run()->path());
        // A click before the keys rest wins.
        const int at = runs->property("currentIndex").toInt();
        w.key(at == 0 ? Qt::Key_Down : Qt::Key_Up);
        w.click(QStringLiteral("side:%1").arg(at));
        const QString clicked = w.results.run()->path();
        QTest::qWait(400);
        QCOMPARE(w.results.run()->path(), clicked);
        // Tab visits every control of the page, keeps it in view, and then leaves the page.
        QStringList seen;
        for (int tab = 0; tab < 60 && !seen.contains(QStringLiteral("run")); ++tab) {
            w.key(Qt::Key_Tab);
            seen.append(w.focusItem()->objectName());
            for (const QQuickItem* above = w.focusItem(); above; above = above->parentItem())
                if (above->objectName() == QLatin1String("resultsScroll")) {
                    const QRectF at = w.focusItem()->mapRectToItem(above, w.focusItem()->boundingRect());
                    QVERIFY2(at.top() >= 0 && at.top() < above->height(), qPrintable(seen.last()));
                }
        }
        for (const char* name : {"deleteRun", "runNote", "percentilePlot", "tab:Latency"})
            QVERIFY2(seen.contains(QLatin1String(name)), qPrintable(seen.join(u' ')));
        // Only the current tab is a tab stop. The arrow keys choose another tab.
        QVERIFY2(!seen.contains(QLatin1String("tab:Blocks")), qPrintable(seen.join(u' ')));
        w.item(QStringLiteral("tab:Latency"))->forceActiveFocus();
        for (const auto& [key, name] : {std::pair(Qt::Key_Right, "tab:Blocks"),
                                        {Qt::Key_End, "tab:Environment"},
                                        {Qt::Key_Left, "tab:Hops"},
                                        {Qt::Key_Home, "tab:Latency"},
                                        {Qt::Key_Left, "tab:Latency"}}) {
            w.key(key);
            QCOMPARE(w.focusItem()->objectName(), QLatin1String(name));
            QVERIFY(w.focusItem()->property("active").toBool());
        }
        // Each page remembers its focus.
        w.item(QStringLiteral("runNote"))->forceActiveFocus();
        w.key(Qt::Key_5, Qt::AltModifier);
        QCOMPARE(w.focusItem(), w.item(QStringLiteral("sideA")));
        w.key(Qt::Key_4, Qt::AltModifier);
        QCOMPARE(w.focusItem(), w.item(QStringLiteral("runNote")));
        w.key(Qt::Key_4, Qt::AltModifier);
        QVERIFY(runs->hasActiveFocus());
    }

    /// `weir run P` writes runs to the current folder, and the editor writes them beside the project. Both are runs of
    /// the project.
    void whatTheCommandLineRanWhereTheEditorWasStartedIsShownToo() {
        QTemporaryDir folder;
        const QString project = folder.filePath(QStringLiteral("here/pipes.weir.json"));
        const QString other = folder.filePath(QStringLiteral("here/series.weir.json"));
        QVERIFY(QDir().mkpath(folder.filePath(QStringLiteral("here/runs"))) &&
                QDir().mkpath(folder.filePath(QStringLiteral("there"))));
        QVERIFY(QFile::copy(kMeasured + QStringLiteral("/pipes.weir.json"), project));
        QVERIFY(QFile::copy(kMeasured + QStringLiteral("/series.weir.json"), other));
        const auto arrives = [&](const char* pattern, const QString& place) {
            const QString to = folder.filePath(place) + u'/' + QFileInfo(runOf(pattern)).fileName();
            return copyFolder(runOf(pattern), to) ? to : QString();
        };
        const QString own = arrives("*-pipes-flow-*", QStringLiteral("here/runs"));
        WindowFixture w(project);
        RunLibrary& library = *w.editor->results()->library();
        library.setStartedIn(folder.filePath(QStringLiteral("there")));
        QVERIFY(w.isReady());
        QTRY_COMPARE_WITH_TIMEOUT(library.total(), 1, kAnswerMs);

        // The run happens there while the window is in the background.
        QWindow terminal;
        terminal.show();
        terminal.requestActivate();
        QTRY_VERIFY(!w.window->isActive());
        const QString started = arrives("*-pipes-thread_per_block-*", QStringLiteral("there/runs"));
        QVERIFY(!arrives("*-series-flow-*", QStringLiteral("there/runs")).isEmpty());  // a run of another project
        w.window->requestActivate();
        QTRY_COMPARE_WITH_TIMEOUT(library.total(), 2, kAnswerMs);
        QCOMPARE(library.list().runAt(0)->path, started);  // the newest first
        QCOMPARE(library.list().runAt(1)->path, own);
        w.editor->setView(QStringLiteral("compare"));
        QTRY_VERIFY_WITH_TIMEOUT(!w.editor->comparison()->verdict().isEmpty(), kAnswerMs);
        QVERIFY2(w.editor->comparison()->failure().isEmpty(), qPrintable(w.editor->comparison()->failure()));

        w.editor->setView(QStringLiteral("results"));
        w.editor->results()->show(started);
        QTRY_VERIFY(w.item(QStringLiteral("runNote")));
        w.fill(QStringLiteral("runNote"), QStringLiteral("by hand"));
        QCOMPARE(readAll(started + QStringLiteral("/note.txt")), QByteArray("by hand\n"));
        w.click(QStringLiteral("deleteRun"));
        w.click(QStringLiteral("deleteRun"));
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(started), kAnswerMs);
        QTRY_COMPARE_WITH_TIMEOUT(library.total(), 1, kAnswerMs);

        w.editor->files()->open(other);
        QTRY_COMPARE_WITH_TIMEOUT(library.total(), 1, kAnswerMs);
        QTRY_COMPARE_WITH_TIMEOUT(library.list().runAt(0)->project, QStringLiteral("series"), kAnswerMs);
        // If the editor was started in the project's folder, it lists each run once. A requested folder replaces all
        // others.
        w.editor->files()->open(project);
        library.setStartedIn(folder.filePath(QStringLiteral("here")));
        library.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(library.total(), 1, kAnswerMs);
        library.setStartedIn(folder.filePath(QStringLiteral("there")));
        QCOMPARE(w.editor->runner()->folder(), folder.filePath(QStringLiteral("here/runs")));
        library.setFolder(folder.filePath(QStringLiteral("there/runs")));
        QTRY_COMPARE_WITH_TIMEOUT(library.total(), 0, kAnswerMs);
        QCOMPARE(w.editor->runner()->folder(),
                 folder.filePath(QStringLiteral("there/runs")));  // otherwise new runs would not appear
    }

    void whatWasBegunForARunIsForThatRun() {
        const RunsFolder folder;
        MeasuredWindow w(folder);
        Results& results = w.results;
        QVERIFY(w.isShown());
        const QString first = results.library()->list().runAt(0)->path,
                      other = results.library()->list().runAt(1)->path;
        results.show(first);
        WindowFixture::settle();
        w.click(QStringLiteral("deleteRun"));
        w.click(QStringLiteral("runNote"));
        w.type(QStringLiteral("of the first"));
        // A finished run replaces the shown one, so the typed note must already be saved.
        results.show(other);
        WindowFixture::settle();
        QCOMPARE(readAll(first + QStringLiteral("/note.txt")), QByteArray("of the first\n"));
        QVERIFY(results.run()->note().isEmpty());
        results.show(first);
        WindowFixture::settle();
        w.click(QStringLiteral("deleteRun"));
        results.show(other);
        w.click(QStringLiteral("deleteRun"));
        QTest::qWait(100);
        QVERIFY(!w.results.library()->busy().contains(QStringLiteral("deleting")));
        QVERIFY(QFileInfo::exists(first) && QFileInfo::exists(other));
    }

    void whatSpeaksAgainstAGoodRunIsSeen() {
        const RunsFolder folder;
        const QString run = folder.runs().last();
        QVERIFY(changeJson(run + QStringLiteral("/results.json"), [](Json& results) {
            results["reasons"] = {{{"code", "W_DISTURBED"}, {"message", "others took 31 % of the run's CPUs"}},
                                  {{"code", "N_THROTTLED"}, {"message", "`pace` holds the rate"}}};
            results["load"] = {{"offered_items_per_s", 2e6}, {"delivered_items_per_s", 1.5e6}, {"kept_up", false}};
            results["verification"] = {{"ok", true}, {"message", "1,000,003 items equal to the reference"}};
        }));
        MeasuredWindow w(folder);
        QVERIFY(w.isReady());
        w.results.show(run);
        QCOMPARE(w.results.run()->status(), QStringLiteral("ok"));
        QTRY_VERIFY(w.item(QStringLiteral("reason")) && w.item(QStringLiteral("reason"))->isVisible());
        QVERIFY(w.item(QStringLiteral("reason"))->height() > 10);
        QVERIFY(w.item(QStringLiteral("note"))->property("text").toString().contains(QStringLiteral("holds the rate")));
        QVariantMap facts;
        for (const Fact& fact : static_cast<FactModel*>(w.results.run()->facts())->rows())
            facts[fact.label] = fact.text;
        QCOMPARE(facts[QStringLiteral("Offered")].toString(), QStringLiteral("2.00 Mitems/s"));
        QVERIFY(facts[QStringLiteral("Delivered")].toString().endsWith(u'✕'));
        QCOMPARE(facts[QStringLiteral("Verified")].toString(),
                 QStringLiteral("1,000,003 items equal to the reference"));
    }

    void notVerifiedStandsBesideTheNumberOfAnAdoptedRun() {
        const RunsFolder folder;
        const QString run = folder.runs().last();
        QVERIFY(changeJson(run + QStringLiteral("/results.json"), [](Json& results) {
            results["deployment"] = "board";
            results["reasons"] = {{{"code", "N_ADOPTED"}, {"message", "Weir did not generate the program"}}};
        }));
        MeasuredWindow w(folder);
        QVERIFY(w.isReady());
        w.results.show(folder.runs().first());
        QTRY_VERIFY(w.item(QStringLiteral("headlineUnit")));
        const auto unit = [&w] { return w.item(QStringLiteral("headlineUnit"))->property("text").toString(); };
        QVERIFY(!unit().contains(QStringLiteral("not verified")));
        w.results.show(run);
        QTRY_VERIFY(unit().endsWith(QStringLiteral(", not verified")));
        QCOMPARE(w.results.run()->deployment(), QStringLiteral("board"));
    }

    void workersThatSpinOnTooFewCpusAreToldWithTheRunAndPark() {
        const RunsFolder folder;
        const QString run = folder.runs().last();
        QVERIFY(changeJson(run + QStringLiteral("/results.json"), [](Json& results) {
            results["reasons"] = {
                {{"code", "W_OVERSUBSCRIBED"}, {"message", "5 workers share 2 CPUs, and those that wait spin"}}};
        }));
        MeasuredWindow w(folder);
        QVERIFY(w.isReady());
        w.results.show(run);
        const std::string deployment = w.results.run()->deployment().toStdString();
        QVERIFY(w.editor->edit(QStringLiteral("spin"), [&](Transaction& t) {
            t.set(*deploymentPointer(t.json(), deployment) / "wait", "spin");
        }));
        QTRY_VERIFY(w.item(QStringLiteral("parkRun")));
        WindowFixture::settle();
        const QString warned = QStringLiteral("done, with a warning");
        QCOMPARE(w.item(QStringLiteral("runState"))->property("says").toString(), warned);
        // Another process lists the rows, so they arrive later.
        const auto rowOfRun = [&] { return w.item(QStringLiteral("side:%1").arg(w.results.library()->rowOf(run))); };
        QTRY_VERIFY_WITH_TIMEOUT(rowOfRun(), kAnswerMs);
        const QQuickItem* row = rowOfRun();
        QVERIFY2(words(row).contains(QStringLiteral(" · 5 workers share 2 CPUs")), qPrintable(words(row)));
        w.results.heat()->setEnabled(true);
        w.editor->setView(QStringLiteral("canvas"));
        QTRY_VERIFY(w.item(QStringLiteral("heatWarning")));
        WindowFixture::settle();
        QCOMPARE(w.item(QStringLiteral("heatWarning"))->property("text").toString(),
                 QStringLiteral("5 workers share 2 CPUs"));
        w.click(QStringLiteral("heatWarning"));
        QCOMPARE(w.editor->view(), QStringLiteral("results"));
        QTRY_VERIFY(w.item(QStringLiteral("parkRun")));
        WindowFixture::settle();
        w.click(QStringLiteral("parkRun"));
        const Json& project = w.editor->document().json();
        QCOMPARE(string(project.at(*deploymentPointer(project, deployment)), "wait"), QStringLiteral("park"));
        QTRY_VERIFY(!w.item(QStringLiteral("parkRun")));
    }

    void ofTooFewLatenciesAPercentileSaysSo() {
        const RunsFolder folder;
        QVERIFY(folder.change("*-series-*", [](Json& results) { results["latency_pairs"][0]["p99_ns"] = nullptr; }));
        MeasuredWindow w(folder);
        QVERIFY(w.isShown());
        WindowFixture::settle();
        const auto* table = qobject_cast<TableModel*>(w.results.run()->latency());
        const QQuickItem* row = w.item(QStringLiteral("row:") + table->index(0).data().toString());
        QVERIFY(row);
        QQuickItem* p99 = nullptr;
        for (QQuickItem* child : row->childItems())
            if (child->objectName() == QLatin1String("cell:7")) p99 = child;
        QVERIFY(p99);
        QTest::mouseMove(w.window, p99->mapToScene({p99->width() - 4, p99->height() / 2}).toPoint());
        const auto hint = [p99] {
            for (const QQuickItem* child : p99->childItems())
                if (const auto* tip = child->findChild<QObject*>(QStringLiteral("hint"));
                    tip && tip->property("visible").toBool())
                    return tip->property("text").toString();
            return QString();
        };
        QTRY_VERIFY2(hint().startsWith(QStringLiteral("p99 needs at least 1\u202F000 latencies, this run has 61")),
                     qPrintable(hint()));
    }

    void profilingIsAButton() {
        const RunsFolder folder;
        QVERIFY(folder.change("*-series-*", [](Json& results) { results["metrics"] = "counters"; }));
        MeasuredWindow w(folder);
        QVERIFY(w.isShown());
        WindowFixture::settle();
        QTRY_VERIFY(w.item(QStringLiteral("profileRun")));
        WindowFixture::settle();
        const QColor frame(0x7F, 0x8A, 0x99), hovered(0xEE, 0xF1, 0xF5), accent(0x1D, 0x5F, 0xD1);
        const auto height = static_cast<int>(w.item(QStringLiteral("profileRun"))->height());
        QVERIFY(inkIn(w, QStringLiteral("profileRun"), frame) > 2 * height);
        QVERIFY(inkIn(w, QStringLiteral("profileRun"), hovered) < 100);
        QTest::mouseMove(w.window, w.centre(QStringLiteral("profileRun")));
        QTRY_VERIFY(inkIn(w, QStringLiteral("profileRun"), hovered) > 1000);
        // Keyboard focus is equally visible.
        const auto ring = [&] {
            const QQuickItem* button = w.item(QStringLiteral("profileRun"));
            const QRect left = button->mapRectToScene(QRectF(-5, 0, 5, button->height())).toRect();
            const QImage image = w.window->grabWindow().copy(left);
            return isNear(image.pixelColor(3, image.height() / 2), accent);
        };
        QVERIFY(!ring());
        w.item(QStringLiteral("profileRun"))->forceActiveFocus(Qt::TabFocusReason);
        QTRY_VERIFY(ring());
        // The command does the same as the button.
        w.key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(w.item(QStringLiteral("commandField")));
        w.type(QStringLiteral("profile"));
        w.key(Qt::Key_Return);
        QTRY_VERIFY(w.editor->runner()->isRunning());
        QVERIFY(!w.item(QStringLiteral("profileRun"))->isEnabled());
        QVERIFY(!w.editor->actions().isEnabled(QStringLiteral("results.profile")));
        w.editor->runner()->cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!w.editor->runner()->isRunning(), kAnswerMs);
        QVERIFY(w.editor->actions().isEnabled(QStringLiteral("results.profile")));
    }
};

QTEST_MAIN(TestResultsWindow)
#include "moc_results_window.cpp"
#include "tst_results_window.moc"
