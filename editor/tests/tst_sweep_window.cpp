#include "features/sweeping/sweep_design.h"
#include "features/sweeping/sweep_runner.h"
#include "measured_window.h"
#include "pictures.h"

#include <QSignalSpy>

using namespace weir::editor;
using namespace Qt::StringLiterals;
using pictures::inkOf;

static constexpr int kBuildMs = 300000; ///< the first build of a runtime, on a busy machine

/// Tests of sweeps: marking fields, measuring with the real command line, and using a point.
class TestSweepWindow : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<WindowFixture> m_window;

    WindowFixture& w() { return *m_window; }
    Editor& editor() { return *m_window->editor; }
    SweepDesign& design() { return *editor().sweep(); }
    SweepRunner& runner() { return *editor().sweepRunner(); }
    const Json& project() { return editor().document().json(); }
    Json vary() { return project()["sweeps"][0]["vary"]; }
    static bool comesTo(const std::function<bool()>& what, int ms = kAnswerMs) { return QTest::qWaitFor(what, ms); }
    QString textOf(const QString& item) {
        const QQuickItem* found = w().item(item);
        return found ? found->property("text").toString() : QString();
    }
    bool saidAtAxis(const QString& words, int axis = 0) {
        const QAbstractItemModel& axes = *design().axes();
        return axes.data(axes.index(axis, 0), axes.roleNames().key("problem")).toString().contains(words);
    }
    int steps() { return editor().document().undoStack().count(); }

  private slots:
    void initTestCase() {
        setUpApplication();
        WindowFixture::failOnQmlWarnings();
        const QString path = m_folder.filePath(u"p.weir.json"_s);
        QVERIFY(QFile::copy(QStringLiteral(WEIR_TEST_DATA "/run.weir.json"), path) && changeJson(path, [](Json& p) {
                    p["parameters"] = {{"n", {{"value", 5000000}}}};
                    p["run"]["items"] = {{"expr", "n"}};
                    p["cases"]["kind"] = {{"small", {{"/run/seed", 7}, {"/deployments/0/chunk_items", 512}}}};
                }));
        m_window = std::make_unique<WindowFixture>(path);
        QVERIFY(m_window->isReady());
        w().window->resize(1440, 900);
    }

    void init() { WindowFixture::failOnQmlWarnings(); }
    void cleanupTestCase() { m_window.reset(); }

    void anEmptyViewSaysWhatToDo() {
        w().key(Qt::Key_6, Qt::AltModifier);
        QCOMPARE(editor().view(), u"sweep"_s);
        QTRY_VERIFY(w().item(u"sweepFirst"_s));
        QTRY_COMPARE(w().focusItem(), w().item(u"sweepFirst"_s));
        w().key(Qt::Key_Return);
        QVERIFY(vary() == Json({{"deployment", {"single_thread"}}}));
        QTRY_VERIFY(w().item(u"sweepChoice"_s) && !w().item(u"sweepFirst"_s));
        editor().undo();
        QVERIFY(!project().contains("sweeps") && design().names().isEmpty());
    }

    void fieldsAreMarkedByKeyAndByPointer() {
        // Mark a parameter of the project by the key in its field.
        w().click(u"parameter:n"_s);
        QTRY_VERIFY(w().item(u"vary:n"_s));
        w().key(Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(vary() == Json({{"n", {5000000, 10000000}}}));
        QCOMPARE(steps(), 1);
        // Mark a setting of the bar through its context menu.
        QTest::mouseClick(w().window, Qt::RightButton, {}, w().centre(u"field:chunk_items"_s) - QPoint(60, 0));
        QTRY_VERIFY(w().item(u"varyItem"_s));
        w().click(u"varyItem"_s);
        QVERIFY(vary().contains("chunk_items"));
        QTRY_VERIFY(w().item(u"vary:chunk_items"_s));
        w().click(u"vary:chunk_items"_s);
        QVERIFY(!vary().contains("chunk_items"));
        // Mark the deployment through the menu, and a parameter of a block by the button beside its name.
        QVERIFY(editor().actions().trigger(u"sweep.deployment"_s) && vary().contains("deployment") &&
                editor().actions().isChecked(u"sweep.deployment"_s));
        QVERIFY(editor().actions().trigger(u"sweep.deployment"_s) && !vary().contains("deployment"));
        editor().setView(u"canvas"_s);
        editor().goTo(u"source"_s);
        QTRY_VERIFY(w().item(u"field:item_type"_s));
        QTest::mouseMove(w().window, w().centre(u"field:item_type"_s));
        QTRY_VERIFY(w().item(u"vary:item_type"_s));
        w().click(u"vary:item_type"_s);
        QVERIFY(vary().contains("/graph/blocks/0/parameters/item_type"));
        QVERIFY2(editor().notice().contains(u"source · item_type"_s), qPrintable(editor().notice()));
        while (steps() > 1 && editor().undoText() != u"Vary n"_s) editor().undo();
        QVERIFY(vary() == Json({{"n", {5000000, 10000000}}}));
        editor().dismissNotice();
        editor().selection().clear();
        // A field that no sweep can vary has no mark.
        QVERIFY(!editor().fields()->canVary(u"/name"_s) && editor().fields()->canVary(u"/deployments/0/workers"_s));
    }

    void valuesAreEditedAndWhatIsWrongIsSaidAtThem() {
        editor().setView(u"sweep"_s);
        QTRY_VERIFY(w().item(u"sweepValues:n"_s));
        w().fill(u"sweepValues:n"_s, u"5M, 10M"_s);
        QVERIFY(vary() == Json({{"n", {5000000, 10000000}}}));
        QVERIFY(comesTo([&] { return design().isReady(); }));
        QVERIFY2(textOf(u"sweepPlan"_s).startsWith(u"2 points in 8 rounds: 16 runs"_s),
                 qPrintable(textOf(u"sweepPlan"_s)));
        // Cases of the project are offered as well, all of them at first.
        QVERIFY(design().addable().contains(u"kind"_s));
        design().vary(u"kind"_s);
        QVERIFY(vary()["kind"] == Json::array({"small"}) && !design().addable().contains(u"kind"_s));
        // The mark of a field that the case sets stops the whole axis.
        QTRY_VERIFY(w().item(u"vary:chunk_items"_s));
        w().click(u"vary:chunk_items"_s);
        QVERIFY(!vary().contains("kind") && !vary().contains("chunk_items"));
        editor().undo();
        QVERIFY(comesTo([&] { return design().isReady() && textOf(u"sweepPlan"_s).startsWith(u"2 points"_s); }));
        editor().undo();
        w().fill(u"sweepValues:n"_s, u"5M, 5M"_s);
        QVERIFY(saidAtAxis(u"twice"_s) && vary()["n"] == Json({5000000, 10000000}));
        w().fill(u"sweepValues:n"_s, u"5M, nonsense"_s);
        QVERIFY(comesTo([&] { return saidAtAxis(u"nonsense"_s); }));
        QVERIFY(!design().isReady() && !runner().canBegin());
        w().fill(u"sweepValues:n"_s, u"2M, 5M, 10M"_s);
        QVERIFY(comesTo([&] { return design().isReady() && !saidAtAxis(u"n"_s); }));
        w().fill(u"sweepRepetitions"_s, u"0"_s);
        QVERIFY(!design().repetitionsProblem().isEmpty() && !project()["sweeps"][0].contains("repetitions"));
        w().fill(u"sweepRepetitions"_s, u"2"_s);
        QVERIFY(project()["sweeps"][0]["repetitions"] == Json(2));
        w().click(u"sweepHold:flags"_s);
        QVERIFY(project()["sweeps"][0]["hold"] == Json(Json::array({"flags"})));
        w().click(u"sweepRename"_s);
        QTRY_VERIFY(w().item(u"sweepName"_s));
        w().type(u"sizes"_s);
        w().key(Qt::Key_Return);
        QCOMPARE(design().name(), u"sizes"_s);
        // The keys have the order in which the command line writes them.
        QStringList keys;
        for (const auto& item : project()["sweeps"][0].items()) keys.append(QString::fromStdString(item.key()));
        QCOMPARE(keys, (QStringList{u"name"_s, u"vary"_s, u"repetitions"_s, u"hold"_s}));
    }

    void aParameterMayHaveSharesOfALoad() {
        const Json before = project();
        const auto done = [this] { return editor().document().undoStack().index(); };
        const int doneBefore = done();
        w().fill(u"sweepValues:n"_s, u"10%, 50%"_s);
        QVERIFY(project() == before);
        QVERIFY2(editor().notice().contains(u"another varied field"_s), qPrintable(editor().notice()));
        design().toggleDeployment();
        w().fill(u"sweepValues:n"_s, u"10%, 50 %"_s);
        QVERIFY(project()["sweeps"][0]["loads"] ==
                Json({{"parameter", "n"}, {"of", "single_thread"}, {"shares", {0.1, 0.5}}}));
        QVERIFY(vary() == Json({{"deployment", {"single_thread"}}}));
        QTRY_COMPARE(textOf(u"sweepValues:n"_s), u"10%, 50%"_s);
        // The source runs flat out, so a share of its rate has no meaning. The axis says so.
        QVERIFY(comesTo([&] { return saidAtAxis(u"flat out"_s, 1); }));
        QVERIFY(!runner().canBegin());
        QTRY_VERIFY(w().item(u"sweepWhose:n"_s));
        QCOMPARE(w().item(u"sweepWhose:n"_s)->property("currentText").toString(),
                 u"of the sustained rate of single_thread"_s);
        w().click(u"sweepWhose:n"_s);
        QTRY_VERIFY(w().item(u"option:of the sustained rate of each contender"_s));
        w().click(u"option:of the sustained rate of each contender"_s);
        QVERIFY(project()["sweeps"][0]["loads"] == Json({{"parameter", "n"}, {"shares", {0.1, 0.5}}}));
        w().fill(u"sweepValues:n"_s, u"20%, 0%"_s);
        QVERIFY(saidAtAxis(u"not a share"_s, 1) && project()["sweeps"][0]["loads"]["shares"] == Json({0.1, 0.5}));
        w().fill(u"sweepValues:n"_s, u"5M, 10M"_s);
        QVERIFY(vary()["n"] == Json({5000000, 10000000}) && !project()["sweeps"][0].contains("loads"));
        while (done() > doneBefore) editor().undo();
        QVERIFY(project() == before);
        editor().dismissNotice();
    }

    void itIsMeasuredAndTheFigureGrows() {
        QVERIFY(comesTo([&] { return design().isReady(); }));
        QSignalSpy measured(&runner(), &SweepRunner::measured);
        w().click(u"sweepGo"_s);
        QVERIFY(runner().isRunning());
        // A stopped sweep resumes and repeats no measurement.
        // The test stops the sweep in a signal handler: on a busy machine many progress lines arrive together, and the
        // last run may already be over.
        QString stoppedAt;
        QObject here;  // disconnects the handler when the test ends early
        connect(&runner(), &SweepRunner::changed, &here, [&] {
            if (stoppedAt.isEmpty() && runner().status().contains(u"run 2 of 6"_s)) {
                stoppedAt = runner().status();
                w().click(u"sweepGo"_s);
            }
        });
        QVERIFY(comesTo([&] { return !stoppedAt.isEmpty() || !runner().isRunning(); }, kBuildMs));
        QVERIFY2(stoppedAt.startsWith(u"round 1 of 2"_s), qPrintable(stoppedAt + u' ' + runner().failure()));
        QVERIFY(comesTo([&] { return !runner().isRunning() && runner().canGoOn(); }, kBuildMs));
        QCOMPARE(runner().folder(), m_folder.filePath(u"sweeps/sizes"_s));
        QCOMPARE(textOf(u"sweepGo"_s), u"Resume"_s);
        // The sweep resumes with the project as it was at the start.
        const Json before = project();
        QVERIFY(editor().edit(u"x"_s, [](Transaction& t) { t.set(Pointer("/parameters/n/value"), 3000000); }));
        w().click(u"sweepGo"_s);
        QVERIFY(comesTo([&] { return runner().isComplete() || !runner().failure().isEmpty(); }, kBuildMs));
        QVERIFY2(runner().failure().isEmpty(), qPrintable(runner().failure()));
        QVERIFY(comesTo([&] { return !runner().isRunning(); }));
        QVERIFY(measured.count() >= 3);
        QTRY_VERIFY2(textOf(u"sweepDiffers"_s).contains(u"parameters"_s), qPrintable(textOf(u"sweepDiffers"_s)));
        editor().undo();
        QVERIFY(project() == before);
        const SweepOutline& outline = runner().picture().outline;
        QCOMPARE(outline.points.size(), std::size_t{3});
        for (const SweepPoint& point : outline.points) {
            std::set<int> rounds;
            for (const SweepRunFact& run : point.runs) QVERIFY(rounds.insert(run.round).second);
        }
        // The plot shows a line in the colour of its series.
        WindowFixture::settle();
        const QQuickItem* plot = w().item(u"sweepPlot"_s);
        QVERIFY(plot && inkOf(w().window->grabWindow(), plot->mapRectToScene(plot->boundingRect()).toRect(),
                              QColor(0x0A6FB8)) > 50);
    }

    void thePointLeadsToItsRunsAndOneOfThemToTheResults() {
        QVERIFY(w().item(u"sweepPlot"_s));
        QCOMPARE(runner().chosen(), bestPoint(runner().picture().outline, 0));
        w().item(u"sweepPlot"_s)->forceActiveFocus(Qt::TabFocusReason);
        w().key(Qt::Key_Left);
        w().key(Qt::Key_Left);
        QCOMPARE(runner().chosen(), runner().picture().lines()[0][0]);
        w().key(Qt::Key_Right);
        QCOMPARE(runner().chosen(), runner().picture().lines()[0][1]);
        QCOMPARE(runner().runs()->rowCount(),
                 int(runner().picture().outline.points[std::size_t(runner().chosen())].runs.size()));
        QVERIFY(textOf(u"sweepPointName"_s).contains(u"n="_s));
        w().key(Qt::Key_Return);
        QTRY_VERIFY(w().item(u"sweepRuns"_s)->hasActiveFocus());
        w().key(Qt::Key_Return);
        QCOMPARE(editor().view(), u"results"_s);
        QVERIFY(editor().results()->run()->isShown() &&
                editor().results()->run()->path().startsWith(runner().folder()));
        QVERIFY(comesTo([&] { return editor().results()->library()->list().run(editor().results()->run()->path()); }));
        editor().setView(u"sweep"_s);
    }

    void theBestPointGoesIntoTheProject() {
        w().click(u"sweepBest"_s);
        const SweepPoint best =
            runner().picture().outline.points[std::size_t(runner().chosen())];  // a copy: the picture may be read again
        QVERIFY(editor().edit(u"x"_s, [](Transaction& t) {
            t.set(Pointer("/parameters/n/value"), 7);
            t.set(Pointer("/deployments/0/chunk_items"), 64);
        }));
        const Json before = project();
        const int count = steps();
        w().click(u"sweepUse"_s);
        QCOMPARE(steps(), count + 1);
        QVERIFY(project()["parameters"]["n"]["value"] == best.values[0]);
        QCOMPARE(editor().deployment(), u"single_thread_best"_s);
        QVERIFY(editor().isNoticeGood());
        w().click(u"sweepUse"_s);
        QCOMPARE(steps(), count + 1);  // a second click changes nothing
        editor().undo();
        QVERIFY(project() == before);
        editor().undo();
    }

    void whatWasMeasuredIsFoundAgain() {
        QVERIFY(editor().document().save(editor().document().path()).isEmpty());
        QVERIFY(editor().openPath(m_folder.filePath(u"p.weir.json"_s)));
        QVERIFY(comesTo([&] { return runner().isComplete(); }));
        QCOMPARE(runner().folder(), m_folder.filePath(u"sweeps/sizes"_s));
        QTRY_COMPARE(textOf(u"sweepGo"_s), u"Measure again"_s);
        w().click(u"sweepRemove"_s);
        QVERIFY(!project().contains("sweeps") && runner().folder().isEmpty());
        QVERIFY(QFileInfo::exists(m_folder.filePath(u"sweeps/sizes/sweep.json"_s)));
        editor().undo();
        QVERIFY(comesTo([&] { return runner().isComplete(); }));
    }

    void whatWasMeasuredElsewhereIsOpened() {
        const QString elsewhere = m_folder.filePath(u"elsewhere"_s);
        QVERIFY(copyFolder(runner().folder(), elsewhere));
        const auto opens = [&](const QString& file) { runner().openSweep(QUrl::fromLocalFile(elsewhere + file)); };
        opens(u"/table.csv"_s);
        QVERIFY(editor().notice().contains(u"is not a sweep"_s) && runner().opened().isEmpty());
        // The menu opens a sweep even if the project has none.
        w().click(u"sweepRemove"_s);
        editor().setView(u"canvas"_s);
        QVERIFY(editor().actions().trigger(u"sweep.open"_s));
        QTRY_VERIFY(w().window->findChild<QObject*>(u"sweepDialog"_s)->property("visible").toBool());
        w().key(Qt::Key_Escape);
        opens(u"/sweep.json"_s);
        QCOMPARE(editor().view(), u"sweep"_s);
        QVERIFY(comesTo([&] { return runner().isShown(); }));
        QCOMPARE(runner().folder(), elsewhere);
        QCOMPARE(runner().picture().outline.points.size(), std::size_t{3});
        QTRY_VERIFY(w().item(u"sweepPlot"_s) && w().item(u"sweepClose"_s));
        QVERIFY(textOf(u"sweepOpened"_s).contains(elsewhere));
        w().click(u"sweepClose"_s);
        QTRY_VERIFY(runner().folder().isEmpty() && w().item(u"sweepFirst"_s));
        editor().undo();
        // Another choice leads back to the project's own sweep.
        QVERIFY(comesTo([&] { return runner().isShown() && runner().folder().endsWith(u"sweeps/sizes"_s); }));
        opens(u"/sweep.json"_s);
        QVERIFY(comesTo([&] { return runner().isShown() && runner().folder() == elsewhere; }));
        runner().chooseBest();
        QVERIFY(runner().canUse());
        // A sweep of another project may contain code: its points cannot be used, and it cannot resume.
        QVERIFY(changeJson(elsewhere + u"/sweep.json"_s, [](Json& state) {
            state["project"] = "another";
            state["repetitions"] = 5;
        }));
        runner().closeOpened();
        opens(u"/sweep.json"_s);
        QVERIFY(editor().notice().contains(u"another project, another"_s));
        QVERIFY(
            comesTo([&] { return runner().isShown() && runner().folder() == elsewhere && !runner().isComplete(); }));
        runner().chooseBest();
        QVERIFY(!runner().canGoOn() && !runner().canUse());
        design().add();
        QVERIFY(runner().opened().isEmpty());
        editor().undo();
        QVERIFY(comesTo([&] { return runner().isComplete() && runner().folder().endsWith(u"sweeps/sizes"_s); }));
        editor().dismissNotice();
    }

    void nothingIsCutInASmallWindow() {
        w().window->resize(1024, 700);
        WindowFixture::settle();
        for (const QString& name : {u"sweepSummary"_s, u"sweepPlan"_s, u"sweepPointText"_s, u"sweepPointName"_s}) {
            const QQuickItem* item = w().item(name);
            QVERIFY2(item && !item->property("truncated").toBool(), qPrintable(name));
        }
        const QQuickItem *plot = w().item(u"sweepPlot"_s), *point = w().item(u"sweepPoint"_s);
        QVERIFY(plot->height() >= 180 && point->height() >= 150);
    }
};

QTEST_MAIN(TestSweepWindow)

#include "tst_sweep_window.moc"
