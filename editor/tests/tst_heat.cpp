#include "heat_numbers.h"

#include "core/edits/project_edits.h"
#include "features/canvas/minimap.h"
#include "features/heat/load_text.h"
#include "window_words.h"

using namespace weir::editor;

/// Tests of a real run's numbers on the canvas, down to the pixels.
class TestHeat : public HeatNumbers {
    Q_OBJECT

  private slots:
    void blocksAndWiresHaveTheColoursOfTheirLoad() {
        MeasuredWindow w(kMeasured + QStringLiteral("/pipes.weir.json"));
        QVERIFY(w.isMeasured());
        QVERIFY2(w.results.run()->differs().isEmpty(), "it is a run of the project as it is");
        // The numbers appear by default and can be switched off.
        QVERIFY(w.heat.isKnown() && w.heat.isEnabled());
        w.canvas()->fit();
        w.canvas()->forceActiveFocus();
        w.key(Qt::Key_H, Qt::ControlModifier);
        QVERIFY(!w.heat.isEnabled());
        const QImage plain = picture(w);
        QVERIFY(!w.item(QStringLiteral("heatLegend")));

        w.key(Qt::Key_H, Qt::ControlModifier);
        QVERIFY(w.heat.isEnabled());
        const QImage hot = picture(w);
        QVERIFY(w.item(QStringLiteral("heatLegend")));
        const QString figures = w.item(QStringLiteral("heatFigures"))->property("text").toString();
        QVERIFY2(figures.contains(QStringLiteral("items/s (2 sources together) · latency p50 ")), qPrintable(figures));
        const RunLoads& loads = w.heat.loads();
        for (auto it = loads.blocks.constBegin(); it != loads.blocks.constEnd(); ++it) {
            const QQuickItem* block = w.item(QStringLiteral("block:") + it.key());
            QVERIFY2(block, qPrintable(it.key()));
            // A place next to the chip, without text or edges.
            const QPoint place = block->mapToScene(QPointF(33, 8) * w.canvas()->zoom()).toPoint();
            QCOMPARE(hot.pixelColor(place), fill(it->heat));
            QVERIFY(plain.pixelColor(place) != hot.pixelColor(place));
        }
        const QQuickItem* bottleneck = w.item(QStringLiteral("block:") + loads.bottleneck());
        const QPoint edge = bottleneck->mapToScene(QPointF(bottleneck->width() / 2, -1)).toPoint();
        QCOMPARE(hot.pixelColor(edge), fill(4));
        QVERIFY(w.heat.blocks()[loads.bottleneck()].facts.first() == QLatin1String("bottleneck"));
        QVERIFY2(w.heat.finding().startsWith(QStringLiteral("The slowest block is %1: ").arg(loads.bottleneck())),
                 qPrintable(w.heat.finding()));

        // Each pipe has its own worker, so no buffer lies between two workers, and the fill has no meaning.
        const auto middleOf = [&w](const WireView& wire) {
            return w.canvas()->mapToScene(w.canvas()->toView(wire.path.pointAtPercent(0.5))).toPoint();
        };
        for (const WireView& wire : w.editor->scene().wires()) {
            QVERIFY(!loads.wires.at(wire.connection).hasFill());
            // The wire keeps the colour of its item type.
            QVERIFY2(hasNear(hot, middleOf(wire), kFloat), qPrintable(hot.pixelColor(middleOf(wire)).name()));
            QVERIFY(!hasNear(hot, middleOf(wire), band(0)));
        }
        QVERIFY(!w.item(QStringLiteral("fillScale")));
        // A tall graph fits completely above the legend.
        w.editor->edit(QStringLiteral("low"), [](Transaction& t) { placeBlocks(t, {{"tap", {400, 1500}}}); });
        w.canvas()->fit();
        const QRectF bounds = w.editor->scene().bounds();
        QVERIFY(w.canvas()->toView(bounds.bottomRight()).y() < w.item(QStringLiteral("heatPane"))->y());
        QVERIFY(w.canvas()->toView(bounds.topLeft()).y() > 0);
        w.editor->undo();
        w.canvas()->fit();
        w.choose(QStringLiteral("thread_per_block"));
        const QImage threads = picture(w);
        QVERIFY(w.item(QStringLiteral("fillScale")));
        QStringList scale;
        forEachItem(w.item(QStringLiteral("fillScale")),
                    [&](const QQuickItem* item) { scale.append(item->property("text").toString()); });
        QVERIFY(scale.contains(QStringLiteral("0")) && scale.contains(QStringLiteral("100 %"))); // ends of the scale
        for (const WireView& wire : w.editor->scene().wires()) {
            const WireLoad& load = w.heat.loads().wires.at(wire.connection);
            QVERIFY(load.streams == 2 && load.within == 0);
            QVERIFY2(hasNear(threads, middleOf(wire), kFloat), qPrintable(threads.pixelColor(middleOf(wire)).name()));
            QVERIFY(hasNear(threads, middleOf(wire), band(heatStep(load.fill, 1))));
        }
        w.editor->setDeploymentIndex(0);

        // Regression: the numbers extend past the last block and were cut off.
        const QRectF canvas = w.canvas()->boundingRect();
        for (const BlockView& block : w.editor->scene().blocks()) {
            const QQuickItem* line = numbersOf(w, block.id);
            QVERIFY2(line, qPrintable(block.id));
            const QRectF words = wordsOf(w, line);
            QVERIFY2(canvas.contains(words),
                     qPrintable(QStringLiteral("%1 ends at %2").arg(block.id).arg(words.right())));
        }
        // The focus ring does not cover the pill at the edge of the block.
        const QQuickItem* pill = w.item(QStringLiteral("loadPill:") + loads.bottleneck());
        const QRect pillRect = pill->mapRectToScene(pill->boundingRect()).toRect().adjusted(3, 3, -3, -3);
        const QImage before = picture(w).copy(pillRect);
        w.editor->goTo(loads.bottleneck());
        w.canvas()->forceActiveFocus();
        w.key(Qt::Key_Space); // shows the focus and moves nothing
        QVERIFY(!w.canvas()->focusFrame().isEmpty());
        QCOMPARE(picture(w).copy(pillRect), before);
        w.editor->selection().clear();

        // After an edit the graph keeps the numbers, and the legend lists what changed.
        QVERIFY(!w.item(QStringLiteral("heatStale")));
        w.editor->edit(QStringLiteral("set"), [](Transaction& t) { t.set(Pointer("/run/items"), 5); });
        QTRY_VERIFY_WITH_TIMEOUT(w.item(QStringLiteral("heatStale")), kAnswerMs);
        QVERIFY(w.heat.isEnabled());
        QCOMPARE(w.item(QStringLiteral("heatStale"))->property("text").toString(),
                 QStringLiteral("run settings changed since"));
        w.editor->undo();
        QTRY_VERIFY_WITH_TIMEOUT(!w.item(QStringLiteral("heatStale")), kAnswerMs);
        w.editor->edit(QStringLiteral("move"), [](Transaction& t) { t.set(Pointer("/ui/positions/tap"), {1, 2}); });
        QTRY_VERIFY_WITH_TIMEOUT(w.editor->isChecked(), kAnswerMs);
        QVERIFY(!w.results.shown()->isStale());
        w.editor->undo();

        w.click(QStringLiteral("heatSwitch"));
        QVERIFY(!w.heat.isEnabled() && !w.item(QStringLiteral("heatLegend")));
        // The numbers stay off for other runs too, and the switch stays in its place.
        w.editor->setDeploymentIndex(1);
        w.editor->setDeploymentIndex(0);
        QVERIFY(!w.heat.isEnabled() && w.item(QStringLiteral("heatSwitch")));
        QCOMPARE(w.editor->memory()->value(QStringLiteral("heat")).toBool(), false);
        const QQuickItem* source = w.item(QStringLiteral("block:source"));
        const QPoint header = source->mapToScene(QPointF(33, 8) * w.canvas()->zoom()).toPoint();
        QCOMPARE(picture(w).pixelColor(header), plain.pixelColor(header));
    }

    void blocksThatMoveBetweenWorkersHaveNoScaleOfLoads() {
        const ChangedRuns folder({QStringLiteral("*-pipes-flow-*")}, [](QByteArray text) {
            return QString::fromUtf8(text)
                .replace(QRegularExpression(QStringLiteral("\"busy_ns\": [0-9]+")), QStringLiteral("\"busy_ns\": null"))
                .replace(QRegularExpression(QStringLiteral("\"worker\": \"[^\"]*\"")),
                         QStringLiteral("\"worker\": \"\""))
                .toUtf8();
        });
        MeasuredWindow w(folder.project(QStringLiteral("pipes")), folder.path(), "", folder.noting());
        QVERIFY(w.isMeasured());
        QVERIFY(w.item(QStringLiteral("noLoad")) && !w.item(QStringLiteral("loadKey")));
        QVERIFY(!w.item(QStringLiteral("loadPill:gain")));
    }

    void withoutAProfileItShowsCallsAndTheLoadOfWorkersAndAClickProfiles() {
        const ChangedRuns folder({QStringLiteral("*-pipes-flow-*")}, withoutProfile);
        MeasuredWindow w(folder.project(QStringLiteral("pipes")), folder.path(), "", folder.noting());
        w.window->resize(1400, 1200); // so that the table of blocks is in view
        QVERIFY(w.isMeasured());
        QVERIFY(!w.heat.isProfiled() && !w.results.run()->isProfiled() && w.heat.steps().isEmpty());
        const ShownLoad gain = w.heat.blocks()[QStringLiteral("gain")];
        QCOMPARE(gain.facts, (QStringList{throughputOf(w.results), QStringLiteral("1 024 per call")}));
        // A busy worker is no alarm: the pill has no colour, and the legend explains how to find the slow block.
        QVERIFY2(gain.pill.startsWith(QStringLiteral("w0 w1 ")), qPrintable(gain.pill));
        QVERIFY(w.item(QStringLiteral("loadPill:gain")));
        // No part of the legend looks like a measurement.
        const QQuickItem* legend = w.item(QStringLiteral("loadKey"));
        const QQuickItem* kind = w.item(QStringLiteral("pillKind"));
        QVERIFY(legend && kind);
        QCOMPARE(kind->property("label").toString(), QStringLiteral("workers · load"));
        const auto paper = [&w] {
            const QQuickItem* pill = w.item(QStringLiteral("loadPill:gain"));
            const QPointF place = pill->mapToScene({4, pill->height() / 2});
            return picture(w).pixelColor(place.toPoint());
        };
        QTRY_COMPARE(paper(), QColor(QStringLiteral("#FFFFFF")));
        QVERIFY(w.heat.finding().contains(QStringLiteral("A profile shows")));
        // A stack also has a pill, next to the number of its copies.
        const QQuickItem* stack = w.item(QStringLiteral("loadPill:stage"));
        const QQuickItem* copies = w.item(QStringLiteral("unfold:stage"));
        QVERIFY(stack && copies && stack->parentItem() == copies->parentItem());
        QVERIFY(w.heat.blocks()[QStringLiteral("stage")].pill.endsWith(stack->property("text").toString()));
        QVERIFY(copies->x() >= stack->x() + stack->width());
        QVERIFY(copies->parentItem()->width() <= w.item(QStringLiteral("block:stage"))->width());

        // If work times are missing, one click starts a profile of the same deployment and values, and does not change
        // the project.
        w.editor->selection().set({QStringLiteral("gain")});
        w.click(QStringLiteral("tab:Runtime"));
        QTRY_VERIFY(w.item(QStringLiteral("profileBlock")));
        w.editor->setView(QStringLiteral("results"));
        QTRY_VERIFY(w.item(QStringLiteral("profileRun")));
        w.editor->setView(QStringLiteral("canvas"));
        WindowFixture::settle();
        w.click(QStringLiteral("profileRun"));
        QVERIFY(w.editor->runner()->isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!w.editor->runner()->isRunning(), kAnswerMs);
        const QString words = QString::fromUtf8(readAll(folder.path(QStringLiteral("words"))));
        QVERIFY2(words.contains(QStringLiteral("--deployment flow")) &&
                     words.endsWith(QStringLiteral("--set /run/metrics=profile --repeat 1")),
                 qPrintable(words));
        QVERIFY(!w.editor->isModified());
    }

    void theCommandProfilesTheRunThatIsLookedAt() {
        const ChangedRuns folder({QStringLiteral("*-pipes-*")}, withoutProfile);
        MeasuredWindow w(folder.project(QStringLiteral("pipes")), folder.path(), "", folder.noting());
        QVERIFY(w.isMeasured());
        const auto profiled = [&] {
            if (!w.editor->actions().trigger(QStringLiteral("results.profile"))) return QByteArray("not offered");
            const bool ended = QTest::qWaitFor([&] { return !w.editor->runner()->isRunning(); }, kAnswerMs);
            return ended ? readAll(folder.path(QStringLiteral("words"))) : QByteArray("did not end");
        };
        const auto lookAtOther = [&w] {
            const RunListModel& runs = w.results.library()->list();
            for (int row = 0; row < runs.rowCount(); ++row)
                if (runs.runAt(row)->deployment == QLatin1String("thread_per_block"))
                    w.results.run()->show(runs.runAt(row)->path);
            return w.results.run()->deployment() == QLatin1String("thread_per_block") &&
                   w.results.shown()->path().contains(QStringLiteral("-flow-"));
        };
        w.editor->setDeploymentIndex(static_cast<int>(w.editor->deployments().indexOf(QStringLiteral("flow"))));

        // On the canvas, the click profiles the run of the graph. In Results, it profiles the run of the page.
        QCOMPARE(w.editor->view(), QStringLiteral("canvas"));
        QTRY_VERIFY(lookAtOther());
        const QByteArray onGraph = profiled();
        QVERIFY2(onGraph.contains("--deployment flow"), onGraph);
        w.editor->setView(QStringLiteral("results"));
        QTRY_VERIFY(lookAtOther());
        const QByteArray onPage = profiled();
        QVERIFY2(onPage.contains("--deployment thread_per_block"), onPage);
    }

    void loadAndWorkerTakeTurnsInColouringTheGraphAndItsMap() {
        MeasuredWindow w(kMeasured + QStringLiteral("/pipes.weir.json"));
        MappingController& mapping = *w.editor->mapping();
        QVERIFY(w.isMeasured());
        w.editor->edit(QStringLiteral("far"), [](Transaction& t) { placeBlocks(t, {{"tap", {3000, 1600}}}); });
        QTRY_VERIFY(w.item(QStringLiteral("minimap")));
        auto* map = qobject_cast<Minimap*>(w.item(QStringLiteral("minimap")));
        const auto onMap = [&](const QString& block) {
            const QPointF middle = map->toMap(w.editor->scene().block(block)->rect.center());
            return picture(w).pixelColor(map->mapToScene(middle).toPoint());
        };
        const QString far = QStringLiteral("tap");
        w.heat.setEnabled(false);
        const QColor plain = onMap(far);
        w.heat.setEnabled(true);
        // The minimap shades blocks out of view, so only the hue counts.
        const QVariantMap hot = map->property("blockColors").toMap();
        QCOMPARE(hot[far].value<QColor>(), fill(w.heat.loads().blocks[far].heat));
        QVERIFY(onMap(far) != plain);

        QVERIFY(w.editor->actions().trigger(QStringLiteral("mapping.colour_by_worker")));
        QVERIFY(!w.heat.isEnabled() && !w.editor->actions().isChecked(QStringLiteral("results.heat")));
        QTRY_VERIFY_WITH_TIMEOUT(w.item(QStringLiteral("workerLegend")), kAnswerMs);
        QVERIFY(!w.item(QStringLiteral("heatLegend")));
        const QVariantMap workers = map->property("blockColors").toMap();
        QCOMPARE(workers.size(), static_cast<qsizetype>(w.editor->scene().blocks().size()));
        QVERIFY(workers != hot);

        QVERIFY(w.editor->actions().trigger(QStringLiteral("results.heat")));
        QVERIFY(!mapping.isColourByWorker() &&
                !w.editor->actions().isChecked(QStringLiteral("mapping.colour_by_worker")));
        QVERIFY(w.item(QStringLiteral("heatLegend")) && !w.item(QStringLiteral("workerLegend")));
        QCOMPARE(map->property("blockColors").toMap(), hot);
    }
};

QTEST_MAIN(TestHeat)
#include "moc_heat_fixture.cpp"
#include "tst_heat.moc"
