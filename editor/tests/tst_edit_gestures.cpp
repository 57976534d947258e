#include "key_gestures.h"

#include "core/edits/project_edits.h"
#include "features/canvas/graph_finder.h"

#include <QSignalSpy>

using namespace weir::editor;

/// Tests of the gestures that edit the flowgraph, with real pointer and key events. Each gesture is one step, and undo
/// restores the bytes of the file.
class TestEditGestures : public KeyGestures {
    Q_OBJECT

  private slots:
    void aDoubleClickOnFreeCanvasAsksToo() {
        ReadyWindow w(project());
        QTest::mouseDClick(w.window, Qt::LeftButton, {}, at(w, {500, 300}));
        QTRY_VERIFY(popupIsOpen(w));
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!popupIsOpen(w));
        QTest::mouseDClick(w.window, Qt::LeftButton, {}, w.centre(QStringLiteral("block:gain")));
        QVERIFY(!popupIsOpen(w));
    }

    void deletingCanJoinTheNeighbours() {
        ReadyWindow w(project());
        keysFor(w, "gain");
        w.key(Qt::Key_Delete, Qt::ControlModifier);
        QTRY_VERIFY(!w.item(QStringLiteral("block:gain")));
        QCOMPARE(wires(w).last(), QStringLiteral("mag>sink"));
        isOneStep(w, "Delete gain and join");
    }

    void selectionsAlign() {
        ReadyWindow w(project());
        keysFor(w, "gain");
        w.click(w.centre(QStringLiteral("block:lone")) + QPoint(0, -15), Qt::ShiftModifier);
        w.key(Qt::Key_L, Qt::ShiftModifier);
        QCOMPARE(w.editor->scene().block(QStringLiteral("gain"))->rect.left(), 240.0);
        QCOMPARE(w.editor->scene().block(QStringLiteral("gain"))->rect.top(), 0.0);
        isOneStep(w, "Align 2 blocks");
    }

    void theGraphIsLaidOutByTheCommandLine() {
        ReadyWindow w(project());
        QSignalSpy finished(w.editor->tools()->autoLayout(), &AutoLayout::finished);
        w.click(at(w, {500, 300}));
        w.key(Qt::Key_L, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 30000);
        QCOMPARE(w.editor->notice(), QString());
        const GraphScene& scene = w.editor->scene();
        for (const WireView& wire : scene.wires()) QVERIFY(wire.from.x() < wire.to.x());
        blocksAreApart(w);
        isOneStep(w, "Lay out the graph");
    }

    void partOfTheGraphIsLaidOutInItsPlace() {
        ReadyWindow w(project());
        const QPointF corner = w.editor->scene().block(QStringLiteral("mag"))->rect.topLeft();
        const QPointF source = w.editor->scene().block(QStringLiteral("source"))->rect.topLeft();
        keysFor(w, "mag");
        for (const char* other : {"gain", "lone"})
            w.click(w.centre(QStringLiteral("block:") + QLatin1String(other)) + QPoint(0, -15), Qt::ShiftModifier);
        QSignalSpy finished(w.editor->tools()->autoLayout(), &AutoLayout::finished);
        w.key(Qt::Key_L, Qt::ControlModifier | Qt::AltModifier);
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 30000);
        QCOMPARE(w.editor->scene().block(QStringLiteral("source"))->rect.topLeft(), source);
        QCOMPARE(w.editor->scene().block(QStringLiteral("mag"))->rect.topLeft(), corner);
        QCOMPARE(w.editor->undoText(), QStringLiteral("Lay out 3 blocks"));
    }

    void blocksAreFoundWhileTyping() {
        ReadyWindow w(project());
        w.key(Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(w.item(QStringLiteral("findField")));
        w.type(QStringLiteral("null_source"));
        QCOMPARE(w.editor->tools()->finder()->count(), 2);
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("source"));
        w.key(Qt::Key_Return);
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("bytes"));
        w.key(Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("source"));
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!w.item(QStringLiteral("findField")));
        QVERIFY(w.canvas()->hasActiveFocus());
    }

    void groupsAreMadeAndTakenApart() {
        ReadyWindow w(project());
        keysFor(w, "lone");
        w.key(Qt::Key_G, Qt::ControlModifier);
        QCOMPARE(w.editor->scene().groups().size(), std::size_t{1});
        w.key(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(w.editor->scene().groups().empty());
        QVERIFY(!w.editor->actions().isEnabled(QStringLiteral("graph.ungroup")));
    }

    void blocksThatComeBackAreSelected() {
        ReadyWindow w(project());
        w.canvas()->forceActiveFocus(Qt::TabFocusReason);
        w.key(Qt::Key_Home);
        w.key(Qt::Key_Right, Qt::ShiftModifier);
        w.key(Qt::Key_Delete);
        QVERIFY(w.editor->selection().isEmpty());
        QTRY_VERIFY(w.item(QStringLiteral("canvasRing")));  // shows the focus while nothing is selected
        w.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(w.editor->selection().blocks().size(), 2);
        QVERIFY(w.editor->selection().blocks().contains(QStringLiteral("mag")));
    }

    void copiesInSeriesAreAskedForInPlace() {
        ReadyWindow w(project());
        keysFor(w, "gain");
        w.key(Qt::Key_R);
        QTRY_VERIFY(w.item(QStringLiteral("repeatField")) && w.item(QStringLiteral("repeatField"))->hasActiveFocus());
        w.type(QStringLiteral("3"));
        w.key(Qt::Key_Return);
        QCOMPARE(w.editor->scene().block(QStringLiteral("gain"))->badge, QStringLiteral("× 3"));
        isOneStep(w, "Repeat gain");
    }

    void aStackUnfoldsToLook() {
        ReadyWindow w(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json"));
        keysFor(w, "stage");
        w.key(Qt::Key_U);
        QTRY_VERIFY_WITH_TIMEOUT(w.item(QStringLiteral("instance:stage[3]")), 30000);
        QVERIFY(!w.item(QStringLiteral("instance:stage[4]")) && !w.item(QStringLiteral("instance:gain")));
        QCOMPARE(w.editor->tools()->unfolding()->rows(), 1);
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!w.item(QStringLiteral("unfolded")));
        w.click(QStringLiteral("unfold:stage"));
        QTRY_VERIFY(w.item(QStringLiteral("unfolded")));
        QVERIFY(!w.editor->isModified());
        QTRY_VERIFY_WITH_TIMEOUT(!w.editor->tools()->unfolding()->isWaiting(), 30000);
        // Moving a block asks the command line nothing.
        w.key(Qt::Key_Down, Qt::AltModifier);
        QVERIFY(w.editor->isModified() && !w.editor->tools()->unfolding()->isWaiting());
        // Quick changes do not start a process each, and the last change is answered.
        for (int step = 0; step < 10; ++step)
            w.editor->edit(QStringLiteral("say"),
                           [step](Transaction& t) { t.set(Pointer("/graph/blocks/0/comment"), std::to_string(step)); });
        QVERIFY(w.editor->tools()->unfolding()->findChildren<QProcess*>().size() <= 1);
        QVERIFY(w.editor->tools()->unfolding()->isWaiting());
        QTRY_VERIFY_WITH_TIMEOUT(!w.editor->tools()->unfolding()->isWaiting(), 30000);
        QVERIFY(w.editor->tools()->unfolding()->isOpen());
        // Another deployment has other workers, so the editor asks again.
        w.editor->setDeploymentIndex(1);
        QVERIFY(w.editor->tools()->unfolding()->isWaiting());
    }

    void theNextFileIsArrangedThoughThePreviousOneWasAskedAbout() {
        Json json = jsonOf(readAll(project()));
        json.erase("ui");
        ReadyWindow w(project());
        QSignalSpy arranged(w.editor->tools()->autoLayout(), &AutoLayout::arranged);
        w.editor->document().startWith(json);
        w.editor->document().startWith(json);
        QVERIFY(arranged.wait(30000));
    }

    void aFileWithoutPositionsIsArrangedByTheCommandLine() {
        Json json = jsonOf(readAll(project()));
        json.erase("ui");
        const QString path = m_folder.filePath(QStringLiteral("unplaced.weir.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(json.dump()));
        file.close();
        WindowFixture w(path);
        QSignalSpy arranged(w.editor->tools()->autoLayout(), &AutoLayout::arranged);
        QVERIFY(w.isReady());
        QTRY_COMPARE_WITH_TIMEOUT(arranged.size(), 1, 30000);
        QCOMPARE(w.editor->scene().block(QStringLiteral("source"))->rect.topLeft(), QPointF(80, 80));
        QVERIFY(!w.editor->isModified());
        QCOMPARE(w.editor->document().undoStack().count(), 0);
    }

    void aLongChainIsLaidOutInRowsThatFillTheWindow() {
        Json blocks = Json::array({{{"id", "b0"}, {"type", "null_source"}, {"parameters", {{"item_type", "f32"}}}}});
        Json wires = Json::array();
        for (int block = 1; block < 12; ++block) {
            blocks.push_back({{"id", "b" + std::to_string(block)}, {"type", block < 11 ? "saxpy" : "null_sink"}});
            wires.push_back({"b" + std::to_string(block - 1), "out", "b" + std::to_string(block), "in"});
        }
        ReadyWindow w(project());
        QSignalSpy arranged(w.editor->tools()->autoLayout(), &AutoLayout::arranged);
        w.editor->document().startWith(
            {{"schema_version", 1}, {"name", "chain"}, {"graph", {{"blocks", blocks}, {"connections", wires}}}});
        QTRY_COMPARE_WITH_TIMEOUT(arranged.size(), 1, 30000);
        const GraphScene& scene = w.editor->scene();
        QVERIFY2(w.canvas()->zoom() >= 0.55, qPrintable(QString::number(w.canvas()->zoom())));
        std::set<double> rows;
        for (const BlockView& block : scene.blocks()) rows.insert(block.rect.top());
        QVERIFY(rows.size() > 1 && rows.size() <= 4);
        // Wires that lead back run between the rows and cross no block.
        for (const WireView& wire : scene.wires())
            for (const BlockView& block : scene.blocks())
                for (int step = 0; step <= 100; ++step)
                    QVERIFY(!block.rect.adjusted(1, 1, -1, -1).contains(wire.path.pointAtPercent(step / 100.0)));
        // The command gives the same layout, also the second time.
        w.click(w.canvas()->mapToScene({6, 6}).toPoint());
        w.key(Qt::Key_L, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(arranged.size(), 2, 30000);
        QCOMPARE(w.editor->undoText(), QStringLiteral("Lay out the graph"));
        QCOMPARE(scene.blocks().back().rect.topLeft(),
                 QPointF(w.editor->document().json().at(Pointer("/ui/positions/b11/0")).get<double>(),
                         w.editor->document().json().at(Pointer("/ui/positions/b11/1")).get<double>()));
        QVERIFY(w.canvas()->zoom() >= 0.55);
    }

    void theRightButtonOffersWhatCanBeDone() {
        ReadyWindow w(project());
        QTest::mouseClick(w.window, Qt::RightButton, {}, w.centre(QStringLiteral("block:gain")) + QPoint(0, -15));
        QTRY_VERIFY(w.item(QStringLiteral("menu:graph.disable")));
        QVERIFY(!w.item(QStringLiteral("menu:graph.align_left")));
        w.click(QStringLiteral("menu:graph.disable"));
        QCOMPARE(w.editor->scene().block(QStringLiteral("gain"))->state, BlockState::Disabled);
        QTRY_VERIFY(!w.item(QStringLiteral("menu:graph.disable")));
        QTest::mouseClick(w.window, Qt::RightButton, {}, at(w, {500, 300}));
        QTRY_VERIFY(w.item(QStringLiteral("menu:graph.layout")));
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!w.item(QStringLiteral("menu:graph.layout")));
        QTest::mouseClick(w.window, Qt::RightButton, {}, onWire(w, "mag"));
        QTRY_VERIFY(w.item(QStringLiteral("menu:graph.insert_on_wire")));
        w.click(QStringLiteral("menu:graph.insert_on_wire"));
        QTRY_VERIFY(popupIsOpen(w));
        QTRY_VERIFY(!w.item(QStringLiteral("menu:graph.insert_on_wire")));
        QTRY_VERIFY(w.item(QStringLiteral("insertFilter"))->hasActiveFocus());
    }
};

QTEST_MAIN(TestEditGestures)
#include "moc_edit_gestures.cpp"
#include "tst_edit_gestures.moc"
