#include "edit_gestures.h"

#include "core/edits/project_edits.h"

using namespace weir::editor;

/// Tests of the gestures that connect and route wires, with real pointer and key events.
class TestWireGestures : public EditGestures {
    Q_OBJECT

  private slots:
    void aWireDroppedOnFreeCanvasAsksForABlockThatFits() {
        ReadyWindow w(project());
        w.drag(w.centre(QStringLiteral("port:lone.out")), at(w, {560, 260}));
        QTRY_VERIFY(popupIsOpen(w));
        QVERIFY(w.editor->tools()->inserter()->purpose().contains(QStringLiteral("lone.out")));
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

    /// A click on one port and then on another connects them, as in GNU Radio Companion.
    void twoClicksOnPortsMakeAWire() {
        ReadyWindow w(project());
        const QStringList before = wires(w);
        const auto begin = [&w] {
            w.click(QStringLiteral("port:lone.out"));
            QVERIFY(w.canvas()->isConnecting());
            QTest::mouseMove(w.window, at(w, {500, 300}));
            QVERIFY(w.canvas()->isConnecting()); // the new wire follows the pointer
        };
        // A click on the free canvas, Esc, or a change of the graph cancels the connection.
        begin();
        w.click(at(w, {500, 300}));
        QVERIFY(!w.canvas()->isConnecting() && !popupIsOpen(w));
        begin();
        w.key(Qt::Key_Escape);
        QVERIFY(!w.canvas()->isConnecting());
        begin();
        w.editor->edit(QStringLiteral("gone"), [](Transaction& t) { t.remove(Pointer("/graph/blocks/4")); });
        QVERIFY(!w.canvas()->isConnecting());
        w.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(wires(w), before);
        // So do another mouse button, even on a port, and moving the focus to a field.
        begin();
        QTest::mouseClick(w.window, Qt::MiddleButton, {}, w.centre(QStringLiteral("port:gain.out")));
        QVERIFY(!w.canvas()->isConnecting());
        begin();
        w.item(QStringLiteral("paletteSearch"))->forceActiveFocus();
        QVERIFY(!w.canvas()->isConnecting());
        QCOMPARE(wires(w), before);
        // A click on a connected input starts no connection and keeps the existing one.
        w.click(QStringLiteral("port:sink.in"));
        QVERIFY(!w.canvas()->isConnecting());
        QCOMPARE(wires(w), before);
        w.editor->edit(QStringLiteral("free"), [](Transaction& t) { t.remove(Pointer("/graph/connections/2")); });
        begin();
        w.click(QStringLiteral("port:sink.in"));
        QVERIFY(!w.canvas()->isConnecting());
        QVERIFY2(wires(w).contains(QStringLiteral("lone>sink")), qPrintable(wires(w).join(u' ')));
    }

    void whatIsLikelyAtTheEndOfAWireComesFirst() {
        ReadyWindow w(project());
        w.drag(w.centre(QStringLiteral("port:gain.out")), at(w, {560, 260}));
        QTRY_VERIFY(popupIsOpen(w));
        const auto& rows = w.editor->tools()->inserter()->rows();
        QCOMPARE(rows.front().reason, QStringLiteral("often after Multiply by a constant"));
        QCOMPARE(rows.back().reason, QStringLiteral("fits f32"));
        QTRY_VERIFY(w.item(QStringLiteral("insert:%1:reason").arg(rows.front().type)));
        QCOMPARE(w.item(QStringLiteral("insertPorts"))->property("text").toString(), rows.front().ports);
        const QString second = rows[1].type;
        const QString ports = rows[1].ports;
        w.key(Qt::Key_Down);
        QCOMPARE(w.item(QStringLiteral("insertPorts"))->property("text").toString(), ports);
        w.key(Qt::Key_Return);
        QTRY_COMPARE(wires(w).last(), QStringLiteral("gain>") + second);
        isOneStep(w, qPrintable(QStringLiteral("Insert ") + second));
    }

    void aBlockFromThePaletteGoesIntoTheWire() {
        ReadyWindow w(project());
        const QPointF before = w.editor->scene().block(QStringLiteral("sink"))->rect.topLeft();
        w.key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        w.type(QStringLiteral("abs"));
        QTRY_VERIFY(w.item(QStringLiteral("palette:abs")));
        w.drag(w.centre(QStringLiteral("palette:abs")), onWire(w, "gain"));
        QTRY_VERIFY(w.item(QStringLiteral("block:abs")));
        QCOMPARE(wires(w), (QStringList{QStringLiteral("source>mag"), QStringLiteral("mag>gain"),
                                        QStringLiteral("gain>abs"), QStringLiteral("abs>sink")}));
        const GraphScene& scene = w.editor->scene();
        QVERIFY(scene.block(QStringLiteral("abs"))->rect.right() < scene.block(QStringLiteral("sink"))->rect.left());
        QVERIFY(scene.block(QStringLiteral("abs"))->rect.left() > scene.block(QStringLiteral("gain"))->rect.right());
        QVERIFY(scene.block(QStringLiteral("sink"))->rect.x() > before.x());
        w.click(at(w, {500, 300}));
        isOneStep(w, "Insert abs");
    }

    void theWireThatSomethingWouldGoIntoLightsUp() {
        ReadyWindow w(project());
        WindowFixture::settle();
        const GraphView& canvas = *w.canvas();
        const auto lights = [&](QPoint place) {
            QTest::qWait(50);
            const QImage image = w.window->grabWindow();
            const QColor there = image.pixelColor(place * image.devicePixelRatio());
            return there.blue() - there.red() > 50;
        };
        const WireView& wire = *w.editor->scene().wire("gain.out->sink.in");
        const QPoint end = canvas.mapToScene(canvas.toView(wire.path.pointAtPercent(0.4))).toPoint();
        QVERIFY(!lights(end));

        const QPoint lone = w.centre(QStringLiteral("block:lone")) + QPoint(0, -15);
        w.hold(lone, onWire(w, "gain"));
        QVERIFY(canvas.isOverDropTarget());
        QVERIFY(lights(end));
        QTest::mouseMove(w.window, at(w, {500, 420}));
        QVERIFY(!canvas.isOverDropTarget());
        QVERIFY(!lights(end));
        w.key(Qt::Key_Escape);
        QTest::mouseRelease(w.window, Qt::LeftButton, {}, at(w, {500, 420}));

        w.key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        w.type(QStringLiteral("abs"));
        QTRY_VERIFY(w.item(QStringLiteral("palette:abs")));
        w.hold(w.centre(QStringLiteral("palette:abs")), onWire(w, "gain"));
        QVERIFY(canvas.isOverDropTarget());
        QVERIFY(lights(end));
        QTest::mouseRelease(w.window, Qt::LeftButton, {}, onWire(w, "gain"));
        QTRY_VERIFY(w.item(QStringLiteral("block:abs")));
        QVERIFY(!canvas.isOverDropTarget());
    }

    void aBlockThatDoesNotFitStaysBesideTheWire() {
        ReadyWindow w(project());
        w.key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        w.type(QStringLiteral("conjugate"));
        QTRY_VERIFY(w.item(QStringLiteral("palette:conjugate")));
        const QPoint from = w.centre(QStringLiteral("palette:conjugate"));
        const QPoint onto = onWire(w, "gain");
        const auto landing = [&w] {
            const QQuickItem* pill = w.item(QStringLiteral("landing"));
            return pill ? pill->property("text").toString() : QString();
        };
        QTest::mousePress(w.window, Qt::LeftButton, {}, from);
        QVERIFY(!w.item(QStringLiteral("blockGhost")));
        for (int step = 1; step <= 8; ++step) QTest::mouseMove(w.window, from + (onto - from) * step / 8);
        const QString refused =
            QStringLiteral("Conjugate does not fit: it converts c64 to c64, and the wire gain → sink carries f32");
        QCOMPARE(landing(), refused);
        QTest::mouseMove(w.window, onWire(w, "source"));
        QCOMPARE(landing(), QStringLiteral("into the wire source → mag"));
        QCOMPARE(w.canvas()->hoveredWire()->source, std::string("source"));
        QTest::mouseMove(w.window, at(w, {500, 300}));
        QCOMPARE(landing(), QString());
        QVERIFY(!w.canvas()->hoveredWire());
        QTest::mouseMove(w.window, onto);
        QTest::mouseRelease(w.window, Qt::LeftButton, {}, onto);
        QTRY_VERIFY(w.item(QStringLiteral("block:conjugate")));
        QVERIFY(!w.item(QStringLiteral("blockGhost")));
        QCOMPARE(wires(w).size(), 3);
        QCOMPARE(w.editor->notice(), refused);
    }

    void aLoneBlockGoesIntoTheWireThatItIsDraggedOnto() {
        ReadyWindow w(project());
        WindowFixture::settle();
        const QPoint grip = w.centre(QStringLiteral("block:lone")) + QPoint(0, -15);
        const QPoint target = onWire(w, "gain");
        w.hold(grip, target);
        QVERIFY(w.canvas()->hoveredWire());
        QCOMPARE(w.canvas()->hoveredWire()->source, std::string("gain"));
        QTest::mouseRelease(w.window, Qt::LeftButton, {}, target);
        QCOMPARE(wires(w).mid(2), (QStringList{QStringLiteral("gain>lone"), QStringLiteral("lone>sink")}));
        isOneStep(w, "Insert lone");
    }

    void theEndOfAWireGoesToAnotherPort() {
        ReadyWindow w(project());
        w.drag(w.centre(QStringLiteral("port:sink.in")), w.centre(QStringLiteral("port:lone.in")));
        QCOMPARE(wires(w).last(), QStringLiteral("gain>lone"));
        isOneStep(w, "Reconnect gain");
    }

    void theEndOfAWireDroppedOnFreeCanvasAsksForABlock() {
        ReadyWindow w(project());
        w.drag(w.centre(QStringLiteral("port:sink.in")), at(w, {700, 260}));
        QTRY_VERIFY(popupIsOpen(w));
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!popupIsOpen(w));
        QCOMPARE(wires(w).last(), QStringLiteral("gain>sink"));
        QCOMPARE(w.editor->document().undoStack().count(), 0);
        QVERIFY(w.canvas()->hasActiveFocus());
        w.drag(w.centre(QStringLiteral("port:sink.in")), at(w, {700, 260}));
        QTRY_VERIFY(popupIsOpen(w));
        w.type(QStringLiteral("digest"));
        w.key(Qt::Key_Return);
        QTRY_COMPARE(wires(w).last(), QStringLiteral("gain>digest_sink"));
        isOneStep(w, "Insert digest_sink");
    }

    void onlyPortsThatFitStayLitWhileDragging() {
        ReadyWindow w(project());
        const QPoint from = w.centre(QStringLiteral("port:bytes.out"));
        w.hold(from, from + QPoint(32, 16));
        const auto opacity = [&w](const char* port) {
            return w.item(QStringLiteral("port:") + QLatin1String(port))->opacity();
        };
        QCOMPARE(opacity("lone.in"), 1.0);
        QCOMPARE(opacity("bytes.out"), 1.0);
        QCOMPARE(opacity("mag.in"), 0.3);
        QCOMPARE(opacity("sink.in"), 0.3);
        const QPoint wrong = w.centre(QStringLiteral("port:mag.in"));
        QTest::mouseMove(w.window, wrong);
        QVERIFY2(w.canvas()->connectionHint().contains(QStringLiteral("already connected")),
                 qPrintable(w.canvas()->connectionHint()));
        QTest::mouseRelease(w.window, Qt::LeftButton, {}, wrong);
        QVERIFY2(w.editor->notice().contains(QStringLiteral("already connected")), qPrintable(w.editor->notice()));
        QTRY_VERIFY(w.item(QStringLiteral("notice")));
        QCOMPARE(opacity("mag.in"), 1.0);
    }

    void deletesBlocksAndWires() {
        ReadyWindow w(project(QStringLiteral("pixels")));
        const QPointF from = w.canvas()->toView(w.editor->scene().wires().front().from);
        const QPointF to = w.canvas()->toView(w.editor->scene().wires().front().to);
        w.click(w.canvas()->mapToScene((from + to) / 2).toPoint());
        QCOMPARE(w.editor->selection().wires().size(), std::size_t{1});
        w.key(Qt::Key_Delete);
        QVERIFY(w.editor->scene().wires().empty());
        w.click(QStringLiteral("block:beta"));
        w.key(Qt::Key_Delete);
        QTRY_VERIFY(!w.item(QStringLiteral("block:beta")));
        w.key(Qt::Key_Z, Qt::ControlModifier);
        w.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(w.editor->scene().wires().size(), std::size_t{1});
        QTRY_VERIFY(w.item(QStringLiteral("block:beta")));
    }

    void blocksAreConnectedByKeysAlone() {
        ReadyWindow w(project());
        w.canvas()->forceActiveFocus(Qt::TabFocusReason);
        w.key(Qt::Key_Home);
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("source"));
        QVERIFY(!w.canvas()->focusFrame().isEmpty());
        for (const char* next : {"mag", "gain", "sink", "bytes"}) {
            w.key(Qt::Key_Tab);
            QCOMPARE(w.editor->selection().onlyBlock(), QLatin1String(next));
        }
        w.key(Qt::Key_Backtab, Qt::ShiftModifier);
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("sink"));
        w.key(Qt::Key_Tab);
        w.key(Qt::Key_C);
        QTRY_VERIFY(w.item(QStringLiteral("announcement")));
        QCOMPARE(w.canvas()->announcement(), QStringLiteral("connect bytes.out and lone.in (1 of 1): Enter, or Esc"));
        w.key(Qt::Key_Return);
        QCOMPARE(wires(w).last(), QStringLiteral("bytes>lone"));
        QVERIFY(w.canvas()->announcement().isEmpty());
        isOneStep(w, "Connect bytes to lone");
    }
};

QTEST_MAIN(TestWireGestures)
#include "moc_edit_gestures.cpp"
#include "tst_wire_gestures.moc"
