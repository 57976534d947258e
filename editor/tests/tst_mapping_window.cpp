#include "lanes_window.h"

#include "features/mapping/lane_view.h"

#include <QAccessible>
#include <QDir>

using namespace weir::editor;

/// Tests of the lanes with real pointer and key events and the real command line.
class TestMappingWindow : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString copyOf(const char* example) {
        return LanesWindow::copyOf(QStringLiteral(WEIR_ROOT "/examples/") + QLatin1String(example), m_folder);
    }

    /// Drags a bar to a lane. Banners may appear or go and move the lanes with the next frame, so it waits first.
    static void drag(WindowFixture& w, const char* bar, const char* lane) {
        WindowFixture::settle();
        w.drag(w.centre(QString::fromUtf8(bar)), w.centre(QString::fromUtf8(lane)));
    }

    static QString workerOf(const WindowFixture& w, const char* instance) {
        return w.editor->mapping()->planner().answer().plan->instance(QLatin1String(instance))->worker;
    }

  private slots:
    void initTestCase() { setUpApplication(); }
    void init() { WindowFixture::failOnQmlWarnings(); }

    void blocksDraggedToACoreAreThereInThePlan() {
        // The example reads files beside it. Links would lead out of the project's folder, so copy them.
        for (const QFileInfo& file :
             QDir(QStringLiteral(WEIR_ROOT "/examples/fm_receiver")).entryInfoList(QDir::Files)) {
            QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("fm_receiver")));
            QVERIFY(QFile::copy(file.filePath(), m_folder.filePath(QStringLiteral("fm_receiver/") + file.fileName())));
        }
        LanesWindow w(copyOf("fm_receiver.weir.json"));
        QCOMPARE(w.showLanes(), QString());
        QTRY_VERIFY(w.item(QStringLiteral("machineBanner")));
        QTRY_VERIFY(w.item(QStringLiteral("bar:channel")));
        QCOMPARE(workerOf(w, "channel"), QStringLiteral("w0"));

        w.click(QStringLiteral("bar:channel"));
        w.click(w.centre(QStringLiteral("bar:demodulate")), Qt::ControlModifier);
        QCOMPARE(w.editor->selection().blocks().size(), 2);
        drag(w, "bar:channel", "lane:CPU 1");
        QTRY_VERIFY(w.item(QStringLiteral("ghost:channel")));
        QCOMPARE(w.editor->undoText(), QStringLiteral("Map 2 instances to w1"));
        QCOMPARE(w.whyNoPlan(), QString());
        QCOMPARE(workerOf(w, "channel"), QStringLiteral("w1"));
        QCOMPARE(workerOf(w, "demodulate"), QStringLiteral("w1"));
        QCOMPARE(workerOf(w, "tune"), QStringLiteral("w0"));
        QTRY_VERIFY(!w.item(QStringLiteral("ghost:channel")));

        // A drop on the header of a lane means its CPU: the block gets a new worker there.
        QQuickItem* lane = w.item(QStringLiteral("lane:CPU 1"));
        w.drag(w.centre(QStringLiteral("bar:tune")), lane->mapToScene(QPointF(40, lane->height() / 2)).toPoint());
        QCOMPARE(w.whyNoPlan(), QString());
        QCOMPARE(workerOf(w, "tune"), QStringLiteral("w1"));
        QCOMPARE(w.editor->mapping()->planner().answer().plan->worker(QStringLiteral("w1"))->requested,
                 std::vector<int>{1});

        drag(w, "bar:speaker", "lane:+ worker");
        QCOMPARE(w.whyNoPlan(), QString());
        QCOMPARE(workerOf(w, "speaker"), QStringLiteral("w2"));
        for (int step = 0; step < 3; ++step) w.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!w.editor->isModified());
        QCOMPARE(w.whyNoPlan(), QString());
        QCOMPARE(workerOf(w, "channel"), QStringLiteral("w0"));
    }

    void aWorkerHasAPolicyOfItsOwn() {
        LanesWindow w(copyOf("quickstart.weir.json"));
        w.window->resize(1440, 900);
        QCOMPARE(w.showLanes(), QString());
        QTRY_VERIFY(w.item(QStringLiteral("worker:w1")));
        const auto said = [&w] {
            const Json* threads = find(w.editor->document().json(), Pointer("/deployments/0/threads"));
            return threads ? *threads : Json();
        };
        const auto focused = [&w] { return w.focusItem() ? w.focusItem()->objectName() : QString(); };
        WindowFixture::settle();
        w.click(QStringLiteral("worker:w1"));
        w.key(Qt::Key_Return);
        QTRY_VERIFY(w.item(QStringLiteral("moveTo:settings")));
        WindowFixture::settle();
        w.key(Qt::Key_Up); // wraps around to the last entry
        w.key(Qt::Key_Return);
        QTRY_COMPARE(focused(), QStringLiteral("field:worker:policy"));
        for (const int key : {Qt::Key_Return, Qt::Key_Down, Qt::Key_Return, Qt::Key_Tab}) w.key(key);
        QTRY_COMPARE(focused(), QStringLiteral("field:worker:priority"));
        w.type(QStringLiteral("80"));
        w.key(Qt::Key_Return);
        QVERIFY2(said() == jsonOf(R"({"w1": {"policy": "fifo", "priority": 80}})"), said().dump().c_str());
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!w.item(QStringLiteral("field:worker:policy")));
        QCOMPARE(focused(), QStringLiteral("lanes"));
        // The lane shows the new policy at once.
        QTRY_COMPARE(w.item(QStringLiteral("note:w1"))->property("text").toString(), QStringLiteral("fifo 80"));
        QCOMPARE(w.item(QStringLiteral("note:w0"))->property("text").toString(), QStringLiteral("planned"));
        // The same with the mouse, and undone.
        WindowFixture::settle();
        const QPoint name = w.centre(QStringLiteral("worker:w1"));
        QTest::mouseDClick(w.window, Qt::LeftButton, {}, name);
        QTRY_COMPARE(focused(), QStringLiteral("field:worker:policy"));
        WindowFixture::settle();
        for (const char* field : {"field:worker:policy", "field:worker:priority"}) {
            w.item(QLatin1String(field))->forceActiveFocus();
            w.key(Qt::Key_Backspace, Qt::ControlModifier | Qt::ShiftModifier);
        }
        QVERIFY2(said().is_null(), said().dump().c_str());
        w.key(Qt::Key_Escape);
        QTRY_COMPARE(w.item(QStringLiteral("note:w1"))->property("text").toString(), QStringLiteral("planned"));
    }

    void aWorkerThatIsEmptiedStaysUntilItIsRemoved() {
        LanesWindow w(copyOf("quickstart.weir.json"));
        QCOMPARE(w.showLanes(), QString());
        MappingController& mapping = *w.editor->mapping();
        QCOMPARE(mapping.plan()->workers.size(), std::size_t{2});
        QSet<QString> last;
        for (const QString& name : mapping.plan()->worker(QStringLiteral("w1"))->instances) last.insert(name);
        mapping.select(last);
        drag(w, "bar:sink", "bar:source");
        QCOMPARE(w.whyNoPlan(), QString());
        QCOMPARE(workerOf(w, "sink"), QStringLiteral("w0"));
        QCOMPARE(mapping.planner().answer().plan->workers.size(), std::size_t{1});
        QCOMPARE(mapping.plan()->workers.size(), std::size_t{2});
        QTRY_VERIFY(w.item(QStringLiteral("removeWorker:w1")));

        // The empty worker accepts blocks again and keeps its identity.
        drag(w, "bar:sink", "worker:w1");
        QCOMPARE(w.whyNoPlan(), QString());
        QCOMPARE(workerOf(w, "sink"), QStringLiteral("w1"));
        QTRY_VERIFY(!w.item(QStringLiteral("removeWorker:w1")));
        w.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(w.whyNoPlan(), QString());
        QTRY_VERIFY(w.item(QStringLiteral("removeWorker:w1")));
        WindowFixture::settle();
        w.click(QStringLiteral("removeWorker:w1"));
        QTRY_COMPARE(mapping.plan()->workers.size(), std::size_t{1});
        QVERIFY(!w.item(QStringLiteral("worker:w1")));
    }

    void theKeyboardAndTheMenuMoveBlocksToo() {
        LanesWindow w(copyOf("quickstart.weir.json"));
        const qsizetype flow = w.editor->deployments().indexOf(QStringLiteral("flow"));
        QVERIFY(flow >= 0);
        w.editor->setDeploymentIndex(static_cast<int>(flow));
        QCOMPARE(w.showLanes(), QString());
        QQuickItem* lanes = w.item(QStringLiteral("lanes"));
        QVERIFY(lanes);
        lanes->forceActiveFocus(Qt::TabFocusReason);
        w.key(Qt::Key_Right);
        QTRY_COMPARE(w.editor->mapping()->selection().isEmpty(), false);
        const QString moved = *w.editor->mapping()->selection().constBegin();
        const QString before = workerOf(w, moved.toLatin1().constData());
        // The bar keeps showing the number of workers.
        const auto workers = [&](const char* property) {
            return w.item(QStringLiteral("field:workers"))->property(property).toString();
        };
        QCOMPARE(workers("text"), QStringLiteral("2"));
        w.key(Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(w.whyNoPlan(), QString());
        QCOMPARE(w.editor->mapping()->plan()->workers.size(), std::size_t{2});
        QTRY_COMPARE(workers("text"), QString());
        QCOMPARE(workers("placeholderText"), QStringLiteral("2"));
        const QString after = workerOf(w, moved.toLatin1().constData());
        QVERIFY(after != before);
        w.key(Qt::Key_Return);
        QTRY_VERIFY(w.item(QStringLiteral("moveTo:") + before));
        QTest::qWait(50);
        w.click(QStringLiteral("moveTo:") + before);
        QTRY_COMPARE(w.editor->document().undoStack().count(), 2);
        QCOMPARE(w.whyNoPlan(), QString());
        QCOMPARE(workerOf(w, moved.toLatin1().constData()), before);
    }

    void lanesAreSelectedAndLeftByKeysAlone() {
        LanesWindow w(copyOf("quickstart.weir.json"));
        w.editor->setDeploymentIndex(static_cast<int>(w.editor->deployments().indexOf(QStringLiteral("flow"))));
        w.key(Qt::Key_2, Qt::AltModifier);
        QCOMPARE(w.whyNoPlan(), QString());
        MappingController& mapping = *w.editor->mapping();
        const auto lanes = [&] { return w.item(QStringLiteral("lanes")); };
        QTRY_VERIFY(lanes() && lanes()->hasActiveFocus());
        w.key(Qt::Key_Right);
        w.key(Qt::Key_End);
        w.key(Qt::Key_Home);
        QCOMPARE(mapping.selection(), QSet<QString>{QStringLiteral("source")});

        // Shift extends the selection to the end of the row and no further. Ctrl moves without selecting, and Space
        // toggles.
        for (int step = 0; step < 9; ++step) w.key(Qt::Key_Right, Qt::ShiftModifier);
        const QSet<QString> row = mapping.selection();
        QVERIFY(row.size() > 1 && row.contains(QStringLiteral("source")));
        w.key(Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(mapping.selection(), row);
        w.key(Qt::Key_Home);
        w.key(Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(mapping.selection().size(), 1);
        w.key(Qt::Key_Space);
        QCOMPARE(mapping.selection(), (QSet<QString>{QStringLiteral("source"), QStringLiteral("sink")}));
        w.key(Qt::Key_Space);
        QCOMPARE(mapping.selection().size(), 1);

        // As in any list, Shift in the opposite direction shrinks the selection.
        w.key(Qt::Key_Home);
        w.key(Qt::Key_Right, Qt::ShiftModifier);
        w.key(Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(mapping.selection().size(), 3);
        w.key(Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(mapping.selection().size(), 2);
        w.key(Qt::Key_End, Qt::ShiftModifier);
        QCOMPARE(int(mapping.selection().size()), int(mapping.plan()->instances.size()));
        w.key(Qt::Key_Home, Qt::ShiftModifier);
        QCOMPARE(mapping.selection(), QSet<QString>{QStringLiteral("source")});

        // The menu opens at the block, with the first entry highlighted, and wraps around.
        const auto highlighted = [&](const char* entry) {
            const QQuickItem* item = w.item(QLatin1String(entry));
            return item && item->property("highlighted").toBool();
        };
        w.key(Qt::Key_Home);
        w.key(Qt::Key_M, Qt::ControlModifier);
        QTRY_VERIFY(highlighted("moveTo:w0"));
        const QPoint away = w.centre(QStringLiteral("moveTo:w0")) - w.centre(QStringLiteral("bar:source"));
        QVERIFY2(away.manhattanLength() < 250, qPrintable(QString::number(away.manhattanLength())));
        w.key(Qt::Key_Up);
        QTRY_VERIFY(highlighted("moveTo:cpu1"));
        w.key(Qt::Key_Down);
        QTRY_VERIFY(highlighted("moveTo:w0"));
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!w.item(QStringLiteral("moveTo:w0")));

        // The table below shows its focus, and the view can take the focus back.
        QTRY_VERIFY(lanes()->hasActiveFocus());
        for (int tab = 0; tab < 6 && !w.item(QStringLiteral("values"))->hasActiveFocus(); ++tab) w.key(Qt::Key_Tab);
        QVERIFY(w.item(QStringLiteral("values"))->hasActiveFocus());
        QTRY_VERIFY(w.item(QStringLiteral("valuesRing")));
        w.key(Qt::Key_2, Qt::AltModifier);
        QVERIFY(lanes()->hasActiveFocus());
        w.key(Qt::Key_1, Qt::AltModifier);
        QVERIFY(w.canvas()->hasActiveFocus());
    }

    // Regression: during an import, the lanes said why the empty project before it has no plan.
    void whyThereIsNoPlanIsNotSaidOfTheNextProject() {
        LanesWindow w(LanesWindow::copyOf(QStringLiteral(WEIR_TEST_DATA "/empty.weir.json"), m_folder));
        QVERIFY2(w.showLanes().startsWith(QStringLiteral("no plan: ")), qPrintable(w.showLanes()));
        QTRY_VERIFY(w.item(QStringLiteral("failureBanner")));
        QString failure = w.mapping.failure();
        connect(&w.editor->document(), &Document::replaced, &w.mapping, [&] { failure = w.mapping.failure(); });
        w.editor->files()->open(copyOf("quickstart.weir.json"));
        QTRY_COMPARE_WITH_TIMEOUT(failure, QString(), 30000);
        QTRY_VERIFY(!w.item(QStringLiteral("failureBanner")));
        QCOMPARE(w.whyNoPlan(), QString());
    }

    // Regression: a drag scrolled only while the pointer moved.
    void aDragThatRestsAtAnEdgeScrolls() {
        LanesWindow w(copyOf("quickstart.weir.json"));
        w.mapping.loadMachine(
            QUrl::fromLocalFile(QStringLiteral(WEIR_ROOT "/codegen/tests/machines/two_packages.json")));
        QCOMPARE(w.showLanes(), QString());
        QTRY_VERIFY(w.item(QStringLiteral("bar:source")));
        WindowFixture::settle();
        const auto* lanes = qobject_cast<LaneView*>(w.item(QStringLiteral("lanes")));
        QVERIFY(lanes->contentHeight() > 2 * lanes->height());
        const QPoint from = w.centre(QStringLiteral("bar:source"));
        const QPoint edge = lanes->mapToScene(QPointF(from.x(), lanes->height() - 5)).toPoint();
        w.hold(from, edge);
        const qreal before = lanes->scrollY();
        QTRY_VERIFY(lanes->scrollY() > before + 100);
        const QRectF target = lanes->targetRect();
        QVERIFY(target.contains(lanes->pointer() + QPointF(0, lanes->scrollY())));
        QTest::mouseMove(w.window, lanes->mapToScene(QPointF(from.x(), lanes->height() / 2)).toPoint());
        const qreal rest = lanes->scrollY();
        QTest::qWait(150);
        QCOMPARE(lanes->scrollY(), rest);
        QTest::mouseMove(w.window, edge);
        QTest::mouseRelease(w.window, Qt::LeftButton, {}, edge);
        const qreal end = lanes->scrollY();
        QTest::qWait(150);
        QVERIFY(!lanes->isDragging() && lanes->scrollY() == end);
    }

    void theMenuOfABlockMapsItToAWorker() {
        LanesWindow w(copyOf("quickstart.weir.json"));
        w.editor->setDeploymentIndex(static_cast<int>(w.editor->deployments().indexOf(QStringLiteral("flow"))));
        const QPoint gain = w.centre(QStringLiteral("block:gain")) + QPoint(0, -15);
        QTest::mouseClick(w.window, Qt::RightButton, {}, gain);
        QTRY_VERIFY(w.item(QStringLiteral("menu:mapping.map_to")));
        w.click(QStringLiteral("menu:mapping.map_to"));
        // Regression: until the plan was there, the menu said that only workers can be mapped.
        const auto heading = [&w] {
            const QQuickItem* item = w.item(QStringLiteral("moveHeading"));
            const auto* words = item ? item->property("contentItem").value<QQuickItem*>() : nullptr;
            return words ? words->property("text").toString() : QString();
        };
        QTRY_COMPARE(heading(), QStringLiteral("Planning…"));
        QTRY_VERIFY_WITH_TIMEOUT(w.item(QStringLiteral("moveTo:w1")), 30000);
        QTRY_COMPARE(heading(), QStringLiteral("Map gain to"));
        QVERIFY(w.item(QStringLiteral("moveTo:w0"))->property("highlighted").toBool());
        QTest::qWait(50);
        // The chooser appears next to the block.
        QVERIFY((w.centre(QStringLiteral("moveTo:w1")) - gain).manhattanLength() < 400);
        QCOMPARE(w.item(QStringLiteral("moveTo:w1"))->isEnabled(), true);
        // Moving to a CPU pins a worker with all its blocks.
        const QString cpu =
            QAccessible::queryAccessibleInterface(w.item(QStringLiteral("moveTo:cpu1")))->text(QAccessible::Name);
        QVERIFY2(cpu.startsWith(QStringLiteral("CPU 1: pins w1 with its ")) && cpu.endsWith(QStringLiteral(" blocks")),
                 qPrintable(cpu));
        const QString before = workerOf(w, "gain");
        const QString other = before == QLatin1String("w1") ? QStringLiteral("w0") : QStringLiteral("w1");
        w.click(QStringLiteral("moveTo:") + other);
        QTRY_COMPARE(w.editor->document().undoStack().count(), 1);
        QVERIFY2(w.editor->undoText().startsWith(QStringLiteral("Map gain")), qPrintable(w.editor->undoText()));
        QTRY_COMPARE_WITH_TIMEOUT(workerOf(w, "gain"), other, 30000);
        QVERIFY(w.editor->mapping()->isColourByWorker());
        QTRY_VERIFY(w.item(QStringLiteral("workerLegend")));
        QVERIFY(w.item(QStringLiteral("legend:w1")));
    }

    void aStrategyIsPreviewedAndApplied() {
        LanesWindow w(copyOf("null_rand_latency.weir.json"));
        QCOMPARE(w.showLanes(), QString());
        QTRY_VERIFY(w.item(QStringLiteral("bar:stage×18")));
        w.click(QStringLiteral("strategy:single"));
        QTRY_VERIFY(w.item(QStringLiteral("previewBanner")));
        QCOMPARE(w.whyNoPlan(), QString());
        QTRY_VERIFY(w.item(QStringLiteral("bar:stage×36")));
        QVERIFY(!w.editor->isModified());
        w.click(QStringLiteral("bannerAction"));
        QCOMPARE(w.editor->undoText(), QStringLiteral("Place blocks: single"));
        QCOMPARE(w.whyNoPlan(), QString());
        QVERIFY(w.item(QStringLiteral("bar:stage×36")));

        // While the mapping is shown on the canvas, blocks have the colour of their worker.
        w.editor->actions().trigger(QStringLiteral("mapping.colour_by_worker"));
        w.editor->setView(QStringLiteral("canvas"));
        QTRY_VERIFY(w.item(QStringLiteral("laneMark:stage")));
        w.editor->actions().trigger(QStringLiteral("mapping.colour_by_worker"));
        QTRY_VERIFY(!w.item(QStringLiteral("laneMark:stage")));
        // Lanes out of view have no row.
        const auto all = static_cast<int>(w.mapping.allLanes().size());
        QVERIFY(all > 1);
        w.mapping.setRegion({0, 10});
        QCOMPARE(w.mapping.lanes()->rowCount(), 1);
        w.mapping.setRegion({});
        QCOMPARE(w.mapping.lanes()->rowCount(), all);
    }

    void schedulersThatMoveBlocksSaySo() {
        LanesWindow w(copyOf("null_rand_latency.weir.json"));
        w.editor->setDeploymentIndex(
            static_cast<int>(w.editor->deployments().indexOf(QStringLiteral("work_stealing"))));
        QCOMPARE(w.showLanes(), QString());
        QTRY_VERIFY(w.item(QStringLiteral("hintBanner")));
        QTRY_VERIFY(w.item(QStringLiteral("bar:stage×36")));
        drag(w, "bar:stage×36", "lane:CPU 0");
        QVERIFY2(w.editor->notice().contains(QStringLiteral("Work stealing")), qPrintable(w.editor->notice()));
        QVERIFY(!w.editor->isModified());
        // A worker without blocks is reachable too: the arrows lead to its name.
        QQuickItem* lanes = w.item(QStringLiteral("lanes"));
        lanes->forceActiveFocus();
        w.key(Qt::Key_Home);
        for (int key = 0; key < 4 && lanes->property("currentName").toString() != u"worker w1"; ++key)
            w.key(Qt::Key_Up);
        QCOMPARE(lanes->property("currentName").toString(), QStringLiteral("worker w1"));
        w.key(Qt::Key_Return);
        QTRY_VERIFY(w.item(QStringLiteral("moveTo:cpu0")));
        w.key(Qt::Key_Down);
        w.key(Qt::Key_Return);
        QTRY_COMPARE(w.editor->undoText(), QStringLiteral("Map w1 to CPU 0"));
        const auto cpus = [&] { return w.editor->mapping()->plan()->worker(QStringLiteral("w1"))->cpus; };
        QCOMPARE(w.whyNoPlan(), QString());
        QCOMPARE(cpus(), std::vector<int>{0});
        w.key(Qt::Key_Down, Qt::AltModifier);
        QTRY_COMPARE(w.editor->undoText(), QStringLiteral("Map w1 to CPU 1"));
    }
};

QTEST_MAIN(TestMappingWindow)
#include "tst_mapping_window.moc"
