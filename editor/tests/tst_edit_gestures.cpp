#include "window_fixture.h"

#include "graph_finder.h"
#include "project_edits.h"

#include <QSignalSpy>
#include <QTemporaryDir>

using namespace weir::editor;

/// The gestures that change the flowgraph, with real pointer and key events; each is one step, and is taken back to the
/// same bytes.
class TestEditGestures : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_copies = 0;

    QString project()
    {
        const QString copy = m_folder.filePath(QString::number(m_copies++) + QStringLiteral(".weir.json"));
        QFile::copy(QStringLiteral(WEIR_TEST_DATA "/gestures.weir.json"), copy);
        QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner);
        return copy;
    }

    static QStringList wires(const WindowFixture &w)
    {
        QStringList all;
        for (const WireView &wire : w.editor->scene().wires())
            all.append(QString::fromStdString(wire.connection.source + ">" + wire.connection.target));
        return all;
    }

    static QPoint at(const WindowFixture &w, QPointF place)
    {
        return w.canvas()->mapToScene(w.canvas()->toView(place)).toPoint();
    }

    static QPoint onWire(const WindowFixture &w, const char *source)
    {
        for (const WireView &wire : w.editor->scene().wires())
            if (wire.connection.source == source)
                return at(w, (wire.from + wire.to) / 2);
        qFatal("no wire from %s", source);
        return {};
    }

    /// One step was made, and taking it back gives the bytes of the file.
    static void isOneStep(WindowFixture &w, const char *name)
    {
        Document &document = w.editor->document();
        QCOMPARE(document.undoStack().count(), 1);
        QCOMPARE(w.editor->undoText(), QLatin1String(name));
        const std::string after = document.canonicalText();
        w.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(document.canonicalText(), readAll(document.path()).toStdString());
        w.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(document.canonicalText(), after);
    }

    static bool popupIsOpen(const WindowFixture &w) { return w.item(QStringLiteral("insertFilter")); }

    static void keysFor(WindowFixture &w, const char *block)
    {
        w.click(w.centre(QStringLiteral("block:") + QLatin1String(block)) + QPoint(0, -15));
        QCOMPARE(w.editor->selection().onlyBlock(), QLatin1String(block));
    }

private slots:
    void initTestCase() { setUpApplication(); }
    void init()
    {
        WindowFixture::failOnQmlWarnings();
        QTest::failOnWarning(QRegularExpression(QStringLiteral("DelegateModel")));
    }

    void aWireDroppedOnFreeCanvasAsksForABlockThatFits()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
        w.drag(w.centre(QStringLiteral("port:lone.out")), at(w, {560, 260}));
        QTRY_VERIFY(popupIsOpen(w));
        QVERIFY(w.editor->inserter()->purpose().contains(QStringLiteral("lone.out")));
        QTRY_VERIFY(w.item(QStringLiteral("insertFilter"))->hasActiveFocus());
        w.type(QStringLiteral("null s"));
        QTRY_VERIFY(w.item(QStringLiteral("insert:null_sink")));
        QVERIFY(!w.item(QStringLiteral("insert:null_source")));
        w.key(Qt::Key_Return);
        QTRY_VERIFY(w.item(QStringLiteral("block:null_sink")));
        QCOMPARE(wires(w).last(), QStringLiteral("lone>null_sink"));
        const QPointF port = w.editor->scene().portPosition({QStringLiteral("null_sink"), QStringLiteral("in"), false});
        QVERIFY((port - QPointF(560, 260)).manhattanLength() <= 20);
        isOneStep(w, "Insert null_sink");
    }

    void escapeLeavesTheFlowgraphAlone()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
        w.drag(w.centre(QStringLiteral("port:lone.out")), at(w, {560, 260}));
        QTRY_VERIFY(popupIsOpen(w));
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!popupIsOpen(w));
        QCOMPARE(w.editor->document().undoStack().count(), 0);
        QVERIFY(w.canvas()->hasActiveFocus());
    }

    void tabAndTypingAddABlock()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
        w.click(at(w, {500, 300}));
        w.key(Qt::Key_Tab);
        QTRY_VERIFY(popupIsOpen(w));
        QVERIFY(w.editor->inserter()->purpose().isEmpty());
        w.type(QStringLiteral("thrt"));
        w.key(Qt::Key_Return);
        QTRY_VERIFY(w.item(QStringLiteral("block:throttle")));
        isOneStep(w, "Add throttle");
    }

    void aDoubleClickOnFreeCanvasAsksToo()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
        QTest::mouseDClick(w.window, Qt::LeftButton, {}, at(w, {500, 300}));
        QTRY_VERIFY(popupIsOpen(w));
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!popupIsOpen(w));
        QTest::mouseDClick(w.window, Qt::LeftButton, {}, w.centre(QStringLiteral("block:gain")));
        QVERIFY(!popupIsOpen(w));
    }

    void aBlockFromThePaletteGoesIntoTheWire()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
        const QPointF before = w.editor->scene().block(QStringLiteral("sink"))->rect.topLeft();
        w.key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        w.type(QStringLiteral("abs"));
        QTRY_VERIFY(w.item(QStringLiteral("palette:abs")));
        w.drag(w.centre(QStringLiteral("palette:abs")), onWire(w, "gain"));
        QTRY_VERIFY(w.item(QStringLiteral("block:abs")));
        QCOMPARE(wires(w), (QStringList{QStringLiteral("source>mag"), QStringLiteral("mag>gain"), QStringLiteral("gain>abs"),
                                        QStringLiteral("abs>sink")}));
        const GraphScene &scene = w.editor->scene();
        QVERIFY(scene.block(QStringLiteral("abs"))->rect.right() < scene.block(QStringLiteral("sink"))->rect.left());
        QVERIFY(scene.block(QStringLiteral("abs"))->rect.left() > scene.block(QStringLiteral("gain"))->rect.right());
        QVERIFY(scene.block(QStringLiteral("sink"))->rect.x() > before.x());
        w.click(at(w, {500, 300}));
        isOneStep(w, "Insert abs");
    }

    void aBlockThatDoesNotFitStaysBesideTheWire()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
        w.key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        w.type(QStringLiteral("conjugate"));
        QTRY_VERIFY(w.item(QStringLiteral("palette:conjugate")));
        w.drag(w.centre(QStringLiteral("palette:conjugate")), onWire(w, "gain"));
        QTRY_VERIFY(w.item(QStringLiteral("block:conjugate")));
        QCOMPARE(wires(w).size(), 3);
    }

    void aLoneBlockGoesIntoTheWireThatItIsDraggedOnto()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
        const QPoint grip = w.centre(QStringLiteral("block:lone")) + QPoint(0, -15);
        const QPoint target = onWire(w, "gain");
        QTest::mousePress(w.window, Qt::LeftButton, {}, grip);
        for (int step = 1; step <= 8; ++step)
            QTest::mouseMove(w.window, grip + (target - grip) * step / 8);
        QVERIFY(w.canvas()->hoveredWire());
        QCOMPARE(w.canvas()->hoveredWire()->source, std::string("gain"));
        QTest::mouseRelease(w.window, Qt::LeftButton, {}, target);
        QCOMPARE(wires(w).mid(2), (QStringList{QStringLiteral("gain>lone"), QStringLiteral("lone>sink")}));
        isOneStep(w, "Insert lone");
    }

    void deletingCanJoinTheNeighbours()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
        keysFor(w, "gain");
        w.key(Qt::Key_Delete, Qt::ControlModifier);
        QTRY_VERIFY(!w.item(QStringLiteral("block:gain")));
        QCOMPARE(wires(w).last(), QStringLiteral("mag>sink"));
        isOneStep(w, "Delete gain and join");
    }

    void lettersEnableDisableAndBypass()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
        const auto state = [&w](const char *block) { return w.editor->scene().block(QLatin1String(block))->state; };
        keysFor(w, "gain");
        w.key(Qt::Key_D);
        QCOMPARE(state("gain"), BlockState::Disabled);
        isOneStep(w, "Disable gain");
        w.key(Qt::Key_B);
        QCOMPARE(state("gain"), BlockState::Bypassed);
        w.key(Qt::Key_E);
        QCOMPARE(state("gain"), BlockState::Enabled);
        keysFor(w, "mag");
        w.key(Qt::Key_B);
        QCOMPARE(state("mag"), BlockState::Enabled);
        QVERIFY2(w.editor->notice().contains(QStringLiteral("c64")), qPrintable(w.editor->notice()));
        keysFor(w, "source");
        w.key(Qt::Key_B);
        QVERIFY2(w.editor->notice().contains(QStringLiteral("one input")), qPrintable(w.editor->notice()));
    }

    void selectionsAlign()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
        keysFor(w, "gain");
        w.click(w.centre(QStringLiteral("block:lone")) + QPoint(0, -15), Qt::ShiftModifier);
        w.key(Qt::Key_L, Qt::ShiftModifier);
        QCOMPARE(w.editor->scene().block(QStringLiteral("gain"))->rect.left(), 240.0);
        QCOMPARE(w.editor->scene().block(QStringLiteral("gain"))->rect.top(), 0.0);
        isOneStep(w, "Align 2 blocks");
    }

    void theGraphIsLaidOutByTheCommandLine()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
        QSignalSpy finished(w.editor->autoLayout(), &AutoLayout::finished);
        w.click(at(w, {500, 300}));
        w.key(Qt::Key_L, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 30000);
        QCOMPARE(w.editor->notice(), QString());
        const GraphScene &scene = w.editor->scene();
        for (const WireView &wire : scene.wires())
            QVERIFY(wire.from.x() < wire.to.x());
        for (const BlockView &a : scene.blocks())
            for (const BlockView &b : scene.blocks())
                QVERIFY(&a == &b || !a.rect.intersects(b.rect));
        isOneStep(w, "Lay out the graph");
    }

    void partOfTheGraphIsLaidOutInItsPlace()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
        const QPointF corner = w.editor->scene().block(QStringLiteral("mag"))->rect.topLeft();
        const QPointF source = w.editor->scene().block(QStringLiteral("source"))->rect.topLeft();
        keysFor(w, "mag");
        for (const char *other : {"gain", "lone"})
            w.click(w.centre(QStringLiteral("block:") + QLatin1String(other)) + QPoint(0, -15), Qt::ShiftModifier);
        QSignalSpy finished(w.editor->autoLayout(), &AutoLayout::finished);
        w.key(Qt::Key_L, Qt::ControlModifier | Qt::AltModifier);
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 30000);
        QCOMPARE(w.editor->scene().block(QStringLiteral("source"))->rect.topLeft(), source);
        QCOMPARE(w.editor->scene().block(QStringLiteral("mag"))->rect.topLeft(), corner);
        QCOMPARE(w.editor->undoText(), QStringLiteral("Lay out 3 blocks"));
    }

    void blocksAreFoundWhileTyping()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
        w.key(Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(w.item(QStringLiteral("findField")));
        w.type(QStringLiteral("null_source"));
        QCOMPARE(w.editor->finder()->count(), 2);
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("source"));
        w.key(Qt::Key_Return);
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("bytes"));
        w.key(Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("source"));
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!w.item(QStringLiteral("findField")));
        QVERIFY(w.canvas()->hasActiveFocus());
    }

    void theEndOfAWireGoesToAnotherPort()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
        w.drag(w.centre(QStringLiteral("port:sink.in")), w.centre(QStringLiteral("port:lone.in")));
        QCOMPARE(wires(w).last(), QStringLiteral("gain>lone"));
        isOneStep(w, "Reconnect gain");
    }

    void theEndOfAWireDroppedOnFreeCanvasAsksForABlock()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
        w.drag(w.centre(QStringLiteral("port:sink.in")), at(w, {700, 260}));
        QTRY_VERIFY(popupIsOpen(w));
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!popupIsOpen(w));
        QCOMPARE(wires(w).last(), QStringLiteral("gain>sink"));
        w.drag(w.centre(QStringLiteral("port:sink.in")), at(w, {700, 260}));
        QTRY_VERIFY(popupIsOpen(w));
        w.type(QStringLiteral("digest"));
        w.key(Qt::Key_Return);
        QTRY_COMPARE(wires(w).last(), QStringLiteral("gain>digest_sink"));
        isOneStep(w, "Insert digest_sink");
    }

    void oneOutputFeedsSeveralInputs()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
        w.drag(w.centre(QStringLiteral("port:gain.out")), w.centre(QStringLiteral("port:lone.in")));
        QCOMPARE(wires(w), (QStringList{QStringLiteral("source>mag"), QStringLiteral("mag>gain"), QStringLiteral("gain>sink"),
                                        QStringLiteral("gain>lone")}));
    }

    void onlyPortsThatFitStayLitWhileDragging()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
        const QPoint from = w.centre(QStringLiteral("port:bytes.out"));
        QTest::mousePress(w.window, Qt::LeftButton, {}, from);
        for (int step = 1; step <= 4; ++step)
            QTest::mouseMove(w.window, from + QPoint(8 * step, 4 * step));
        const auto opacity = [&w](const char *port) { return w.item(QStringLiteral("port:") + QLatin1String(port))->opacity(); };
        QCOMPARE(opacity("lone.in"), 1.0);
        QCOMPARE(opacity("bytes.out"), 1.0);
        QCOMPARE(opacity("mag.in"), 0.3);
        QCOMPARE(opacity("sink.in"), 0.3);
        const QPoint wrong = w.centre(QStringLiteral("port:mag.in"));
        QTest::mouseMove(w.window, wrong);
        QVERIFY2(w.canvas()->connectionHint().contains(QStringLiteral("connection already")),
                 qPrintable(w.canvas()->connectionHint()));
        QTest::mouseRelease(w.window, Qt::LeftButton, {}, wrong);
        QCOMPARE(opacity("mag.in"), 1.0);
    }

    void blocksAreConnectedByKeysAlone()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
        w.canvas()->forceActiveFocus(Qt::TabFocusReason);
        w.key(Qt::Key_Home);
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("source"));
        QVERIFY(!w.canvas()->focusFrame().isEmpty());
        for (const char *next : {"mag", "gain", "sink", "bytes"}) {
            w.key(Qt::Key_Tab);
            QCOMPARE(w.editor->selection().onlyBlock(), QLatin1String(next));
        }
        w.key(Qt::Key_Backtab, Qt::ShiftModifier);
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("sink"));
        w.key(Qt::Key_Tab);
        w.key(Qt::Key_C);
        QTRY_VERIFY(w.item(QStringLiteral("announcement")));
        QCOMPARE(w.canvas()->announcement(), QStringLiteral("connect bytes.out and lone.in (1 of 1)"));
        w.key(Qt::Key_Return);
        QCOMPARE(wires(w).last(), QStringLiteral("bytes>lone"));
        QVERIFY(w.canvas()->announcement().isEmpty());
        isOneStep(w, "Connect bytes to lone");
    }

    void groupsAreMadeAndTakenApart()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
        keysFor(w, "lone");
        w.key(Qt::Key_G, Qt::ControlModifier);
        QCOMPARE(w.editor->scene().groups().size(), std::size_t{1});
        w.key(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(w.editor->scene().groups().empty());
        w.key(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!w.editor->notice().isEmpty());
    }

    void copiesInSeriesAreAskedForInPlace()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
        keysFor(w, "gain");
        w.key(Qt::Key_R);
        QTRY_VERIFY(w.item(QStringLiteral("repeatField")) && w.item(QStringLiteral("repeatField"))->hasActiveFocus());
        w.type(QStringLiteral("3"));
        w.key(Qt::Key_Return);
        QCOMPARE(w.editor->scene().block(QStringLiteral("gain"))->badge, QStringLiteral("× 3"));
        isOneStep(w, "Repeat gain");
    }

    void aStackUnfoldsToLook()
    {
        WindowFixture w(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json"));
        QVERIFY(w.isReady());
        keysFor(w, "stage");
        w.key(Qt::Key_U);
        QTRY_VERIFY_WITH_TIMEOUT(w.item(QStringLiteral("instance:stage[3]")), 30000);
        QVERIFY(!w.item(QStringLiteral("instance:stage[4]")) && !w.item(QStringLiteral("instance:gain")));
        QCOMPARE(w.editor->unfolding()->rows(), 1);
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!w.item(QStringLiteral("unfolded")));
        w.click(QStringLiteral("unfold:stage"));
        QTRY_VERIFY(w.item(QStringLiteral("unfolded")));
        QVERIFY(!w.editor->isModified());
        // Quick changes are not a process each, and the last of them is answered.
        for (int step = 0; step < 10; ++step)
            w.key(Qt::Key_Down);
        QVERIFY(w.editor->unfolding()->findChildren<QProcess *>().size() <= 1);
        QVERIFY(w.editor->unfolding()->isWaiting());
        QTRY_VERIFY_WITH_TIMEOUT(!w.editor->unfolding()->isWaiting(), 30000);
        QVERIFY(w.editor->unfolding()->isOpen());
        // Another deployment has other workers.
        w.editor->setDeploymentIndex(1);
        QVERIFY(w.editor->unfolding()->isWaiting());
    }

    void theNextFileIsArrangedThoughThePreviousOneWasAskedAbout()
    {
        Json json = jsonOf(readAll(project()));
        json.erase("ui");
        WindowFixture w(project());
        QVERIFY(w.isReady());
        QSignalSpy arranged(w.editor->autoLayout(), &AutoLayout::arranged);
        w.editor->document().startWith(json);
        w.editor->document().startWith(json);
        QVERIFY(arranged.wait(30000));
    }

    void aFileWithoutPositionsIsArrangedByTheCommandLine()
    {
        Json json = jsonOf(readAll(project()));
        json.erase("ui");
        const QString path = m_folder.filePath(QStringLiteral("unplaced.weir.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(json.dump()));
        file.close();
        WindowFixture w(path);
        QSignalSpy arranged(w.editor->autoLayout(), &AutoLayout::arranged);
        QVERIFY(w.isReady());
        QTRY_COMPARE_WITH_TIMEOUT(arranged.size(), 1, 30000);
        QCOMPARE(w.editor->scene().block(QStringLiteral("source"))->rect.topLeft(), QPointF(80, 80));
        QVERIFY(!w.editor->isModified());
        QCOMPARE(w.editor->document().undoStack().count(), 0);
    }

    void theRightButtonOffersWhatCanBeDone()
    {
        WindowFixture w(project());
        QVERIFY(w.isReady());
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
#include "tst_edit_gestures.moc"
