#include "tuning_window.h"

#include "core/text/value_text.h"

#include <QAccessible>

using namespace weir::editor;
using namespace Qt::StringLiterals;

/// Tests of the search for a better deployment, with real keys and pointer events.
class TestTuningWindow : public TuningWindow {
    Q_OBJECT

  private slots:
    void keysAloneLeadFromTheGoalToTheDeployment() {
        w().canvas()->forceActiveFocus();
        w().key(Qt::Key_T, Qt::ControlModifier);
        QTRY_VERIFY(w().item(u"tunePane"_s) && !w().item(u"inspectorPane"_s));
        QCOMPARE(w().focusItem(), w().item(u"tuneGoal"_s));
        w().key(Qt::Key_Tab);
        QCOMPARE(w().focusItem(), w().item(u"tuneBudget"_s));
        w().key(Qt::Key_A, Qt::ControlModifier);
        w().type(u"060"_s); // leading zeros are dropped
        QCOMPARE(tuner().budget(), u"60"_s);
        w().key(Qt::Key_Return);
        QVERIFY(tuner().isRunning());
        QCOMPARE(w().focusItem(), w().item(u"tuneGo"_s));
        QVERIFY(comesTo(
            [&] { return textOf("tuneStatus").contains(u"run 2 of 4: flow-auto-w2-spin · 4 candidates left"_s); }));
        QVERIFY2(QRegularExpression(u"· (1:00|0:\\d\\d) left$"_s).match(textOf("tuneStatus")).hasMatch(),
                 qPrintable(textOf("tuneStatus")));
        QVERIFY(words().contains(u"--goal throughput --budget 60s"_s) && words().endsWith(u"--deployment flow"_s));
        QVERIFY2(words().contains(u"quickstart.weir.json --json"_s), qPrintable(words()));
        const QString copy = words().section(u"--output "_s, 1).section(u' ', 0, 0);
        QVERIFY(QFileInfo(QFileInfo(copy).path()).isDir() && !copy.startsWith(QFileInfo(kExample).path()));
        letGo();
        QVERIFY(comesTo([&] { return tuner().isAnswered(); }));
        QVERIFY(!QFileInfo::exists(QFileInfo(copy).path())); // the editor deleted its temporary copy

        w().key(Qt::Key_T, Qt::ControlModifier);
        QTRY_VERIFY(w().item(u"tuneCandidates"_s)->hasActiveFocus());
        const TunedCandidate& best = tuner().answer()->candidates[std::size_t(tuner().chosen())];
        QVERIFY(best.bestFor.contains(u"throughput"_s));
        w().key(Qt::Key_End);
        QCOMPARE(tuner().chosen(), int(tuner().answer()->candidates.size()) - 1);
        w().key(Qt::Key_Home);
        QCOMPARE(tuner().chosen(), 0);
        QVERIFY(moving() >= 0);
        w().key(Qt::Key_Tab);
        QCOMPARE(w().focusItem(), w().item(u"tuneOnGraph"_s));
        w().key(Qt::Key_Tab);
        QVERIFY(w().item(u"tuneChanges"_s)->hasActiveFocus());
        w().key(Qt::Key_Return); // selects the block of the move
        QCOMPARE(editor().selectedBlocks(), 1);
        w().key(Qt::Key_Tab);
        QCOMPARE(w().focusItem(), w().item(u"tuneApply"_s));
        w().key(Qt::Key_Return);
        QCOMPARE(editor().deployment(), u"tuned_throughput"_s);
        QCOMPARE(w().focusItem(), w().item(u"tuneDiscard"_s));
        w().key(Qt::Key_Return);
        QCOMPARE(w().focusItem(), w().item(u"tuneGoal"_s));
        w().key(Qt::Key_Escape);
        QTRY_VERIFY(!w().item(u"tunePane"_s));
        QTRY_COMPARE(w().focusItem(), w().canvas());
    }

    void everyCandidateIsListedWithWhatWasMeasured() {
        search();
        const Json answer = jsonOf(readAll(kAnswer));
        QVERIFY(answer["front"].size() >= 1 && tuner().candidates()->rowCount() > 1);
        for (const Json& row : answer["tried"]) {
            QVERIFY(row["finalist"].get<bool>());
            const QString name = QString::fromStdString(row["name"].get<std::string>());
            QTRY_VERIFY2(w().item(u"tuned:"_s + name), qPrintable(name));
            QAccessibleInterface* said = QAccessible::queryAccessibleInterface(w().item(u"tuned:"_s + name));
            const QString words = said->text(QAccessible::Name);
            for (const QString& part : {name, throughputText(row["items_per_s"].get<double>()),
                                        u"predicted "_s + throughputText(row["predicted_items_per_s"].get<double>()),
                                        QString::fromStdString(row["scheduler"].get<std::string>())})
                QVERIFY2(words.contains(part), qPrintable(words + u" / "_s + part));
        }
        QVERIFY(textOf("tuneBefore").startsWith(u"flow now: "_s));
        w().click(u"tuned:"_s + tuner().answer()->candidates.back().name);
        QCOMPARE(tuner().chosen(), int(tuner().answer()->candidates.size()) - 1);
    }

    void whatWouldMoveIsMarkedOnTheGraph() {
        search();
        QVERIFY(moving() >= 0);
        QTRY_VERIFY(w().item(u"tuneLegend"_s));
        const auto marked = tuner().blockColours();
        WindowFixture::settle();
        const QImage with = w().window->grabWindow();
        for (const BlockView& block : editor().scene().blocks()) {
            const QQuickItem* mark = w().item(u"laneMark:"_s + block.id);
            QCOMPARE(mark != nullptr, marked.contains(block.id));
            if (!mark) continue;
            QVERIFY2(mark->property("text").toString().contains(u" → "_s),
                     qPrintable(mark->property("text").toString()));
            // The mark at the upper edge has the colours of both workers.
            const QQuickItem* item = w().item(u"block:"_s + block.id);
            const QRect above = item->mapRectToScene(QRectF(0, -14, item->width() + 40, 22)).toRect();
            const QVariantList workers = editor().blockModel().said("moves", block.id)[u"colours"_s].toList();
            QVERIFY(workers.size() >= 2);
            static constexpr QRgb kLanes[] = {0xFF0A6FB8, 0xFFB4530A, 0xFF19713A, 0xFF9B2BB5};
            for (const int number : {workers.constFirst().toInt(), workers.constLast().toInt()})
                if (number >= 0) QVERIFY(inkOf(with, above, QColor::fromRgb(kLanes[number])) > 20);
        }
        // Colours by worker and the preview exclude each other, and the later request wins.
        editor().mapping()->setColourByWorker(true);
        QVERIFY(!tuner().isOnGraph() && !tuner().isPreviewing());
        tuner().setOnGraph(true);
        QVERIFY(tuner().isPreviewing() && !editor().mapping()->isColourByWorker() &&
                !editor().results()->heat()->isEnabled());
        w().click(u"tuneOnGraph"_s);
        QVERIFY(!tuner().isPreviewing());
        QTRY_VERIFY(!w().item(u"tuneLegend"_s));
        WindowFixture::settle();
        for (const BlockView& block : editor().scene().blocks()) QVERIFY(!w().item(u"laneMark:"_s + block.id));
    }

    void applyingIsOneStepAndTakesAFreeName() {
        QVERIFY(editor().edit(u"x"_s, [](Transaction& t) {
            t.append(kDeployments, {{"name", "tuned_throughput"}, {"scheduler", "single_thread"}});
        }));
        QVERIFY(comesTo([&] { return editor().isChecked(); }));
        search();
        QVERIFY(QString::fromUtf8(readAll(m_folder.filePath(u"input"_s)))
                    .contains(u"tuned_throughput"_s)); // from the unsaved document
        QVERIFY(words().startsWith(u"tune - "_s));
        const int row = moving();
        QVERIFY(row >= 0);
        const Json before = editor().document().json();
        const int steps = editor().document().undoStack().count();
        const TunedCandidate& of = tuner().answer()->candidates[std::size_t(row)];
        const QString name = tuner().wantedName();
        QVERIFY(name == u"tuned_throughput_2"_s || name == u"tuned_p99"_s);
        w().click(u"tuneApply"_s);
        QCOMPARE(editor().document().undoStack().count(), steps + 1);
        QCOMPARE(editor().deployment(), name);
        const Json& added = editor().document().json()["deployments"].back();
        QCOMPARE(string(added, "name"), name);
        for (const auto& setting : of.deployment.items())
            QVERIFY(added.contains(setting.key()) && added[setting.key()] == setting.value());
        QVERIFY(!tuner().isPreviewing());
        // A second use of the same candidate is refused.
        QVERIFY(comesTo([&] { return editor().isChecked(); }));
        QVERIFY2(!tuner().canApply() && tuner().refusal().contains(name), qPrintable(tuner().refusal()));
        QVERIFY(!tuner().isStale());
        QCOMPARE(editor().problemModel().count(u"error"_s), 0);
        editor().undo();
        QVERIFY(editor().document().json() == before);
        QVERIFY(comesTo([&] { return tuner().canApply(); }));
    }

    void anAnswerIsForTheProjectThatItWasMadeFor() {
        search();
        QVERIFY(moving() >= 0);
        // Positions and other deployments do not matter.
        editor().selection().set({u"gain"_s});
        editor().moveSelection({20, 0}, false);
        QVERIFY(tuner().canApply());
        QVERIFY(editor().edit(u"x"_s, [](Transaction& t) { t.set(Pointer("/deployments/2/wait"), "yield"); }));
        QVERIFY(comesTo([&] { return editor().isChecked(); }));
        QVERIFY2(tuner().canApply(), qPrintable(tuner().refusal()));
        const Json before = editor().document().json();
        QVERIFY(
            editor().edit(u"x"_s, [](Transaction& t) { t.set(Pointer("/graph/blocks/2/parameters/constant"), 3); }));
        QVERIFY(!tuner().canApply()); // unknown until the check has answered
        QVERIFY(comesTo([&] { return editor().isChecked(); }));
        QVERIFY(tuner().isStale() && !tuner().canApply());
        QTRY_VERIFY2(textOf("tuneRefusal").contains(u"parameters changed since"_s), qPrintable(textOf("tuneRefusal")));
        const int steps = editor().document().undoStack().count();
        QVERIFY(!tuner().apply() && !editor().actions().trigger(u"run.tune_apply"_s));
        QCOMPARE(editor().document().undoStack().count(), steps);
        editor().undo();
        QVERIFY(editor().document().json() == before);
        QVERIFY(comesTo([&] { return tuner().canApply(); }));
        // The answer is valid only while the deployment that the search started from is unchanged.
        QVERIFY(editor().edit(u"x"_s, [](Transaction& t) { t.set(Pointer("/deployments/0/workers"), 1); }));
        QVERIFY(comesTo([&] { return editor().isChecked(); }));
        QVERIFY(tuner().refusal().contains(u"deployment flow was changed"_s));
    }

    void discardingForgetsIt() {
        search();
        QVERIFY(moving() >= 0);
        const Json before = editor().document().json();
        w().click(u"tuneDiscard"_s);
        QVERIFY(!tuner().isAnswered() && !tuner().isPreviewing() && editor().document().json() == before);
        QTRY_VERIFY(!w().item(u"tuneCandidates"_s));
        QVERIFY(!editor().actions().isEnabled(u"run.tune_apply"_s) &&
                !editor().actions().isEnabled(u"run.tune_discard"_s));
    }

    void aSearchThatIsStoppedKeepsWhatWasMeasured() {
        tuner().setOpen(true);
        tuner().setBudget(u"60"_s);
        tuner().setGoal(1);
        w().click(u"tuneGo"_s);
        QVERIFY(comesTo([&] { return tuner().status().contains(u"run 2 of 4"_s); }));
        QVERIFY(words().contains(u"--goal p99"_s));
        // If the user closes the pane during a search, it reopens with the answer.
        w().click(u"tuneClose"_s);
        QTRY_VERIFY(!w().item(u"tunePane"_s) && w().item(u"inspectorPane"_s));
        QVERIFY(tuner().isRunning() && editor().actions().trigger(u"run.tune_stop"_s));
        QVERIFY(comesTo([&] { return tuner().isAnswered(); }));
        QTRY_VERIFY(w().item(u"tunePane"_s));
        QVERIFY2(textOf("tuneSummary").contains(u"stopped early"_s), qPrintable(textOf("tuneSummary")));
        tuner().setGoal(0);
    }

    void anAnswerThatComesAfterTheProjectHasGoneIsDropped() {
        tuner().setOpen(true);
        tuner().setBudget(u"60"_s);
        tuner().begin();
        QVERIFY(comesTo([&] { return tuner().status().contains(u"run 2 of 4"_s); }));
        QVERIFY(editor().openPath(kExample));
        QVERIFY(comesTo([&] { return !tuner().isRunning(); }));
        QVERIFY(!tuner().isAnswered() && tuner().failure().isEmpty());
        QVERIFY(comesTo([&] { return editor().isChecked(); }));
    }

    void whatTheCommandLineRefusesIsADiagnostic() {
        tuner().setOpen(true);
        tuner().setBudget(u"1"_s);
        w().click(u"tuneGo"_s); // the real command line
        QVERIFY(comesTo([&] { return !tuner().isRunning() && !tuner().failure().isEmpty(); }));
        QVERIFY2(tuner().failure().contains(u"too short"_s), qPrintable(tuner().failure()));
        QVERIFY(!tuner().hint().isEmpty());
        QTRY_VERIFY(textOf("tuneFailure").contains(tuner().hint()));
        const auto& problems = editor().problemModel().problems();
        QVERIFY(std::any_of(problems.begin(), problems.end(),
                            [](const Problem& one) { return one.code == u"E_TUNE_BUDGET"_s; }));
        tuner().setBudget(u"x"_s);
        QVERIFY(!tuner().canStart());
        tuner().setBudget(u"60"_s);
    }
};

QTEST_MAIN(TestTuningWindow)

#include "moc_tuning_window.cpp"
#include "tst_tuning_window.moc"
