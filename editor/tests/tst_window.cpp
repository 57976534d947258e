#include "window_fixture.h"

#include "app/start_options.h"

#include "core/edits/project_edits.h"

#include <QSignalSpy>
#include <QTemporaryDir>

using namespace weir::editor;

/// Tests of the window with real pointer and key events and the real command line.
class TestWindow : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString copyOf(const QString& path) {
        const QString copy = m_folder.filePath(QString::number(m_copies++) + QStringLiteral(".weir.json"));
        QFile::copy(path, copy);
        QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner);
        return copy;
    }

    int m_copies = 0;

  private slots:
    void initTestCase() { setUpApplication(); }
    void init() {
        WindowFixture::failOnQmlWarnings();
        QTest::failOnWarning(QRegularExpression(QStringLiteral("DelegateModel")));
    }

    /// On a slow machine the check finishes before the blocks are ready. A bar then closes, and the graph moves with
    /// the next frame.
    void whatIsReadyStaysWhereItIs() {
        const QString late = m_folder.filePath(QStringLiteral("late")),
                      checked = m_folder.filePath(QStringLiteral("checked"));
        QFile file(late);
        QVERIFY(file.open(QFile::WriteOnly));
        file.write("#!/bin/sh\ncase \" $* \" in *\" catalog \"*) until [ -e '" + checked.toLocal8Bit() +
                   "' ]; do sleep 0.05; done;; esac\nexec " WEIR_CLI_COMMAND " \"$@\"\n");
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
        WindowFixture w(copyOf(QStringLiteral(WEIR_TEST_DATA "/pixels.weir.json")), CliCommand::parse(late));
        QVERIFY(QTest::qWaitFor([&w] { return w.editor->isChecked(); }, 30000));
        QVERIFY(!w.editor->isCatalogLoaded());
        QFile go(checked);
        QVERIFY(go.open(QFile::WriteOnly));
        QVERIFY(w.isReady());
        const auto place = [canvas = w.canvas()] { return std::pair(canvas->size(), canvas->toView({})); };
        const auto found = place();
        QTest::qWait(300);
        QCOMPARE(place(), found);
    }

    void drawsAFlowgraphFromNothing() {
        const QString path = copyOf(QStringLiteral(WEIR_TEST_DATA "/empty.weir.json"));
        const QByteArray original = readAll(path);
        ReadyWindow w(path);
        Document& document = w.editor->document();

        w.key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        w.type(QStringLiteral("null sour"));
        w.key(Qt::Key_Return);
        QTRY_VERIFY(w.item(QStringLiteral("block:null_source")));
        QVERIFY(w.canvas()->hasActiveFocus());

        const QPoint canvas = w.centre(QStringLiteral("canvas"));
        w.key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        w.type(QStringLiteral("null sink"));
        QTRY_VERIFY(w.item(QStringLiteral("palette:null_sink")));
        w.drag(w.centre(QStringLiteral("palette:null_sink")), canvas + QPoint(280, 40));
        QTRY_VERIFY(w.item(QStringLiteral("block:null_sink")));
        // Undo applies to the graph, not to the text of the search.
        w.key(Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY(!w.item(QStringLiteral("block:null_sink")));
        w.key(Qt::Key_Y, Qt::ControlModifier);
        QTRY_VERIFY(w.item(QStringLiteral("block:null_sink")));

        w.drag(w.centre(QStringLiteral("port:null_source.out")), w.centre(QStringLiteral("port:null_sink.in")));
        QCOMPARE(w.editor->scene().wires().size(), std::size_t{1});

        w.click(QStringLiteral("block:null_source"));
        QTRY_VERIFY(w.item(QStringLiteral("field:id")));
        w.fill(QStringLiteral("field:id"), QStringLiteral("numbers"));
        QTRY_VERIFY(w.item(QStringLiteral("block:numbers")));
        QCOMPARE(w.editor->scene().wires().front().connection.source, std::string("numbers"));

        w.fill(QStringLiteral("field:repeat"), QStringLiteral("2 * 3"));
        QCOMPARE(inlineValue(document, "/graph/blocks/0/repeat/expr"), std::string("2 * 3"));

        QCOMPARE(document.undoStack().count(), 5);
        w.click(QStringLiteral("canvas"));
        w.key(Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY(!document.isModified());
        const QByteArray saved = readAll(path);
        QCOMPARE(saved.toStdString(), document.canonicalText());

        for (int step = 0; step < 5; ++step) w.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(QByteArray::fromStdString(document.canonicalText()), original);
        for (int step = 0; step < 5; ++step) w.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(QByteArray::fromStdString(document.canonicalText()), saved);
    }

    void movesSnapAndAreOneStep() {
        ReadyWindow w(copyOf(QStringLiteral(WEIR_TEST_DATA "/pixels.weir.json")));
        const QPointF before = w.editor->scene().block(QStringLiteral("alpha"))->rect.topLeft();
        const QPoint from = w.centre(QStringLiteral("block:alpha")) + QPoint(0, -20);
        w.drag(from, from + QPoint(63, 38));
        QCOMPARE(w.editor->scene().block(QStringLiteral("alpha"))->rect.topLeft(), before + QPointF(60, 40));
        QCOMPARE(w.editor->document().undoStack().count(), 1);
        QCOMPARE(w.editor->undoText(), QStringLiteral("Move alpha"));
        for (int step = 0; step < 3; ++step) w.key(Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(w.editor->document().undoStack().count(), 2);
        QCOMPARE(w.editor->scene().block(QStringLiteral("alpha"))->rect.topLeft(), before + QPointF(120, 40));
        w.key(Qt::Key_Z, Qt::ControlModifier);
        w.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(w.editor->scene().block(QStringLiteral("alpha"))->rect.topLeft(), before);
    }

    void selectsByClickShiftAndBox() {
        ReadyWindow w(copyOf(QStringLiteral(WEIR_TEST_DATA "/pixels.weir.json")));
        w.click(QStringLiteral("block:alpha"));
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("alpha"));
        w.click(w.centre(QStringLiteral("block:gamma")), Qt::ShiftModifier);
        QCOMPARE(w.editor->selection().blocks().size(), 2);
        const QPointF corner = w.canvas()->mapToScene({8, 60});
        const QPoint end = w.centre(QStringLiteral("block:alpha"));
        w.drag(corner.toPoint(), end);
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("alpha"));
        w.click(corner.toPoint());
        QVERIFY(w.editor->selection().isEmpty());
    }

    void badNamesAreRefusedWithTheReason() {
        ReadyWindow w(copyOf(QStringLiteral(WEIR_TEST_DATA "/pixels.weir.json")));
        w.click(QStringLiteral("block:alpha"));
        QTRY_VERIFY(w.item(QStringLiteral("field:id")));
        w.fill(QStringLiteral("field:id"), QStringLiteral("Not a name"));
        QVERIFY(w.editor->notice().contains(QStringLiteral("is not a name")));
        QVERIFY(w.item(QStringLiteral("block:alpha")));
        w.fill(QStringLiteral("field:id"), QStringLiteral("beta"));
        QVERIFY(w.editor->notice().contains(QStringLiteral("already")));
        QVERIFY(!w.editor->isModified());
    }

    void zoomsAroundThePointerAndFits() {
        ReadyWindow w(copyOf(QStringLiteral(WEIR_TEST_DATA "/pixels.weir.json")));
        GraphView* canvas = w.canvas();
        w.click(canvas->mapToScene({8, 8}).toPoint());
        const QPointF place = canvas->toScene({canvas->width() / 2, canvas->height() / 2});
        w.key(Qt::Key_Plus);
        QVERIFY(canvas->zoom() > 1.1);
        QVERIFY((canvas->toScene({canvas->width() / 2, canvas->height() / 2}) - place).manhattanLength() < 1e-6);
        const QPointF offset(canvas->offsetX(), canvas->offsetY());
        w.drag(canvas->mapToScene({20, 20}).toPoint(), canvas->mapToScene({60, 50}).toPoint(), Qt::MiddleButton);
        QCOMPARE(QPointF(canvas->offsetX(), canvas->offsetY()), offset + QPointF(40, 30));
        w.key(Qt::Key_0);
        QCOMPARE(canvas->zoom(), 1.0);
    }

    // Names of imported blocks are long and similar.
    void whatABlockIsIsReadAtTheZoomOfAWholeGraph() {
        ReadyWindow w(copyOf(QStringLiteral(WEIR_TEST_DATA "/empty.weir.json")));
        w.editor->edit(QStringLiteral("import"), [](Transaction& t) {
            addBlock(t, "analog_noise_source_x_0_noise", "random_source", {0, 0});
            addBlock(t, "blocks_add_xx", "add", {400, 0});
        });
        for (const qreal zoom : {1.0, 0.85, 0.73}) {
            w.canvas()->zoomBy(zoom / w.canvas()->zoom());
            const auto says = [&w](const char* item, const char* text) {
                const QQuickItem* kind = w.item(QLatin1String(item));
                return kind && kind->property("text").toString() == QLatin1String(text) &&
                       !kind->property("truncated").toBool();
            };
            QTRY_VERIFY2(says("type:blocks_add_xx", "Add"), qPrintable(QString::number(zoom)));
            QVERIFY(!w.item(QStringLiteral("kind:blocks_add_xx")));
            // If the name needs both lines of the header, the type stands once, below the header.
            const char* noise =
                w.item(QStringLiteral("name:analog_noise_source_x_0_noise"))->property("lineCount").toInt() > 1
                    ? "kind:analog_noise_source_x_0_noise"
                    : "type:analog_noise_source_x_0_noise";
            QTRY_VERIFY2(says(noise, "Random source"), qPrintable(QString::number(zoom)));
            QVERIFY(!w.item(QStringLiteral("name:analog_noise_source_x_0_noise"))->property("truncated").toBool());
        }
    }

    void theZoomIsSaidAndChangedInTheCornerOfTheCanvas() {
        ReadyWindow w(copyOf(QStringLiteral(WEIR_TEST_DATA "/pixels.weir.json")));
        const auto said = [&w] { return w.item(QStringLiteral("zoomActual"))->property("text").toString(); };
        QCOMPARE(said(), QStringLiteral("100 %"));
        w.click(QStringLiteral("zoomOut"));
        QCOMPARE(w.canvas()->zoom(), 0.8);
        QCOMPARE(said(), QStringLiteral("80 %"));
        w.click(QStringLiteral("zoomIn"));
        w.click(QStringLiteral("zoomIn"));
        QCOMPARE(w.canvas()->zoom(), 1.25);
        w.click(QStringLiteral("zoomActual"));
        QCOMPARE(w.canvas()->zoom(), 1.0);
        w.canvas()->panBy({-5000, 0});
        w.click(QStringLiteral("zoomFit"));
        QVERIFY(w.canvas()->boundingRect().contains(w.canvas()->toView(w.editor->scene().bounds().center())));
    }

    void theGraphIsWhereItWasWhenOneComesBackToIt() {
        ReadyWindow w(copyOf(QStringLiteral(WEIR_TEST_DATA "/pixels.weir.json")));
        const auto place = [&w] {
            WindowFixture::settle();
            return QList<qreal>{w.canvas()->zoom(), w.canvas()->offsetX(), w.canvas()->offsetY()};
        };
        const auto awayAndBack = [&w] {
            for (const QString& view :
                 {QStringLiteral("tab:Results"), QStringLiteral("tab:Mapping"), QStringLiteral("tab:Graph")}) {
                w.click(view);
                WindowFixture::settle();
            }
        };
        w.click(QStringLiteral("zoomFit"));
        const QList<qreal> fitted = place();
        awayAndBack();
        QCOMPARE(place(), fitted);
        // The user saw the graph grow since the last fit, so the view stays.
        w.drag(w.centre(QStringLiteral("block:bytes")), w.centre(QStringLiteral("block:bytes")) + QPoint(60, 260));
        QCOMPARE(place(), fitted);
        awayAndBack();
        QCOMPARE(place(), fitted);
        // A view that showed the whole graph fits it again after the window was resized.
        w.click(QStringLiteral("zoomFit"));
        w.click(QStringLiteral("tab:Results"));
        w.window->resize(1000, 700);
        WindowFixture::settle();
        w.click(QStringLiteral("tab:Graph"));
        WindowFixture::settle();
        const QRectF bounds = w.editor->scene().bounds();
        const QRectF shown(w.canvas()->toView(bounds.topLeft()), w.canvas()->toView(bounds.bottomRight()));
        QVERIFY(w.canvas()->boundingRect().contains(shown));
        QVERIFY2(qAbs(shown.center().x() - w.canvas()->width() / 2) < 30,
                 qPrintable(QString::number(shown.center().x())));
    }

    void theTabsStayWhereTheyAreInEveryView() {
        ReadyWindow w(copyOf(QStringLiteral(WEIR_TEST_DATA "/pixels.weir.json")));
        const QStringList names{QStringLiteral("Graph"), QStringLiteral("Mapping"), QStringLiteral("Code"),
                                QStringLiteral("Results"), QStringLiteral("Compare")};
        const auto places = [&w, &names] {
            QList<QPointF> found;
            for (const QString& name : names) found.append(w.item(QStringLiteral("tab:") + name)->mapToScene({}));
            return found;
        };
        const QList<QPointF> before = places();
        for (const QString& name : names) {
            w.click(QStringLiteral("tab:") + name);
            QTest::qWait(50);
            QCOMPARE(places(), before);
        }
    }

    void fitLeavesNoMoreAroundTheGraphThanItNeeds() {
        ReadyWindow w(QStringLiteral(WEIR_ROOT "/examples/fm_receiver.weir.json"));
        GraphView* canvas = w.canvas();
        w.click(canvas->mapToScene({8, 8}).toPoint());
        w.key(Qt::Key_Minus);
        w.key(Qt::Key_0);
        QVERIFY(canvas->zoom() <= 1.0);
        QRectF bounds = w.editor->scene().bounds();
        for (const WireView& wire : w.editor->scene().wires()) bounds |= wire.bounds;
        const QRectF shown(canvas->toView(bounds.topLeft()), canvas->toView(bounds.bottomRight()));
        QVERIFY(canvas->boundingRect().contains(shown));
        QVERIFY2(shown.left() <= 22 && canvas->width() - shown.right() <= 22,
                 qPrintable(QString::number(shown.left())));
        w.editor->document().startNew();
        w.editor->tools()->inserter()->add(QStringLiteral("abs"), {0, 0});
        canvas->fit();
        QCOMPARE(canvas->zoom(), 1.0);
    }

    void theViewGlidesToWhereItIsLed() {
        ReadyWindow w(copyOf(QStringLiteral(WEIR_TEST_DATA "/pixels.weir.json")));
        GraphView* canvas = w.canvas();
        QCOMPARE(canvas->property("motion").toInt(), 0);  // without motion, the first picture is the final one
        canvas->setProperty("motion", 150);
        canvas->zoomBy(0.6);
        QSignalSpy steps(canvas, &GraphView::viewChanged);
        canvas->fit();
        QVERIFY(canvas->zoom() < 1);
        QVERIFY(!canvas->isAtRest());
        QTRY_COMPARE(canvas->zoom(), 1.0);
        QTRY_VERIFY(canvas->isAtRest());
        QVERIFY(steps.size() > 2);
        // A gesture stops the animation.
        canvas->zoomBy(0.6);
        canvas->fit();
        QTest::qWait(30);
        canvas->zoomBy(0.5);
        const qreal zoom = canvas->zoom();
        QTest::qWait(250);
        QCOMPARE(canvas->zoom(), zoom);
    }

    void parametersAreSetAndTakenBack() {
        ReadyWindow w(copyOf(QStringLiteral(WEIR_TEST_DATA "/pixels.weir.json")));
        w.click(QStringLiteral("block:beta"));
        QTRY_VERIFY(w.item(QStringLiteral("field:a")));
        w.fill(QStringLiteral("field:a"), QStringLiteral("= 1 / 4"));
        QCOMPARE(inlineValue(w.editor->document(), "/graph/blocks/1/parameters/a/expr"), std::string("1 / 4"));
        w.fill(QStringLiteral("field:a"), QString());
        QVERIFY(!w.editor->document().json().at(Pointer("/graph/blocks/1")).contains("parameters"));
    }

    void unsavedChangesAreNotLostOnClose() {
        const QString path = copyOf(QStringLiteral(WEIR_TEST_DATA "/pixels.weir.json"));
        ReadyWindow w(path);
        QSignalSpy exits(&w.engine, &QQmlEngine::exit);
        w.click(QStringLiteral("block:alpha"));
        w.key(Qt::Key_Delete);
        w.window->close();
        QTRY_VERIFY(w.item(QStringLiteral("closeSave")));
        QVERIFY(w.window->isVisible());
        QTest::qWait(300);
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!w.item(QStringLiteral("closeSave")));
        QCOMPARE(exits.size(), 0);
        w.window->close();
        QTRY_VERIFY(w.item(QStringLiteral("closeSave")));
        QTRY_VERIFY(w.item(QStringLiteral("closeSave"))->hasActiveFocus());
        QTRY_VERIFY(w.item(QStringLiteral("closeSave"))->property("visualFocus").toBool());
        w.key(Qt::Key_Return);
        QTRY_COMPARE(exits.size(), 1);
        QCOMPARE(readAll(path).toStdString(), w.editor->document().canonicalText());
    }

    void aNewDocumentHasNoProblemYet() {
        ReadyWindow w(QString{});
        QCOMPARE(w.editor->problemCount(), 0);
        QVERIFY(w.editor->tools()->inserter()->add(QStringLiteral("abs"), {}));
        w.editor->removeSelection();
        QTRY_COMPARE_WITH_TIMEOUT(w.editor->problemCount(), 1, 10000);
    }

    void aDoubleClickAndEnterLeadToTheFirstValue() {
        ReadyWindow w(copyOf(QStringLiteral(WEIR_TEST_DATA "/pixels.weir.json")));
        const auto isIn = [&w](const QString& field) {
            const QQuickItem* item = w.item(field);
            return item && item->hasActiveFocus();
        };
        QTest::mouseDClick(w.window, Qt::LeftButton, {}, w.centre(QStringLiteral("block:beta")));
        QTRY_VERIFY(isIn(QStringLiteral("field:a")));
        w.editor->actions().trigger(QStringLiteral("view.inspector"));
        QTRY_VERIFY(!w.item(QStringLiteral("field:item_type")));
        w.canvas()->forceActiveFocus();
        w.key(Qt::Key_Return);
        QTRY_VERIFY(isIn(QStringLiteral("field:a")));
    }

    void panesGiveWayAndAreHidden() {
        ReadyWindow w(copyOf(QStringLiteral(WEIR_TEST_DATA "/pixels.weir.json")));
        w.window->resize(900, 560);
        QTRY_VERIFY(w.canvas()->width() < 520 && w.canvas()->width() > 480);
        const auto right = [&w](const QString& name) {
            const QQuickItem* item = w.item(name);
            return item ? item->mapToItem(w.canvas(), QPointF(item->width(), 0)).x() : 0;
        };
        const QQuickItem* open = w.item(QStringLiteral("open"));
        QVERIFY(right(QStringLiteral("tab:Compare")) > 0);
        QVERIFY(right(QStringLiteral("tab:Compare")) < open->mapToItem(w.canvas(), QPointF()).x());
        QVERIFY(right(QStringLiteral("deploymentSettings")) > 0);
        QVERIFY(right(QStringLiteral("deploymentSettings")) < w.canvas()->width());
        w.key(Qt::Key_B, Qt::ControlModifier);
        QTRY_VERIFY(w.canvas()->width() > 640);
        w.key(Qt::Key_E, Qt::ControlModifier);
        QTRY_COMPARE(qRound(w.canvas()->width()), 900);
        const double height = w.canvas()->height();
        w.key(Qt::Key_R, Qt::ControlModifier);
        QTRY_VERIFY(w.canvas()->height() < height - 80);
        w.key(Qt::Key_R, Qt::ControlModifier);
        QTRY_COMPARE(w.canvas()->height(), height);
        QCOMPARE(w.editor->memory()->value(QStringLiteral("pane/palette")).toBool(), false);
        // Opening the problems moves the focus there, and closing them returns it to the graph.
        QVERIFY(w.canvas()->hasActiveFocus());
        QVERIFY(w.editor->openPath(QStringLiteral(WEIR_ROOT "/codegen/tests/bad/E_CYCLE.weir.json")));
        QTRY_VERIFY_WITH_TIMEOUT(w.editor->isChecked() && w.editor->problemCount() > 0, 20000);
        w.key(Qt::Key_R, Qt::ControlModifier);
        QTRY_VERIFY(w.item(QStringLiteral("problems")) && w.item(QStringLiteral("problems"))->hasActiveFocus());
        w.key(Qt::Key_R, Qt::ControlModifier);
        QTRY_VERIFY(w.canvas()->hasActiveFocus());
        // Searching for a block opens the palette.
        w.key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(w.item(QStringLiteral("paletteSearch")) &&
                    w.item(QStringLiteral("paletteSearch"))->hasActiveFocus());
    }

    void theWindowStaysOnTheScreen() {
        QCOMPARE(fitting({1600, 1000}, {1366, 728}), QSize(1358, 688));
        QCOMPARE(fitting({1600, 1000}, {2560, 1400}), QSize(1600, 1000));
    }

  private:
    static std::string inlineValue(const Document& document, const char* pointer) {
        return text(weir::editor::find(document.json(), Pointer(pointer)));
    }
};

QTEST_MAIN(TestWindow)
#include "tst_window.moc"
