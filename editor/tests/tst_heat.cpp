#include "window_fixture.h"

#include "minimap.h"
#include "project_edits.h"

#include <QQuickItem>
#include <QTemporaryDir>

using namespace weir::editor;

namespace {

const QString kMeasured = QStringLiteral(WEIR_TEST_DATA "/measured");
constexpr int kAnswerMs = 30000;

} // namespace

/// The numbers of a real run on the canvas, down to the pixels.
class TestHeat : public QObject
{
    Q_OBJECT

    /// Of the light theme.
    static QColor fill(int step)
    {
        static constexpr QRgb kFills[] = {0xFFDDE9F3, 0xFFF9E3A2, 0xFFF5A94A, 0xFFC9401A, 0xFF8E1030};
        return QColor::fromRgb(kFills[step]);
    }

    static QColor line(int step)
    {
        static constexpr QRgb kLines[] = {0xFF6F8699, 0xFFA67C00, 0xFFBF6400, 0xFFC9401A, 0xFF8E1030};
        return QColor::fromRgb(kLines[step]);
    }

    static QImage picture(const WindowFixture &w)
    {
        QTest::qWait(60);
        return w.window->grabWindow();
    }

private slots:
    void initTestCase() { setUpApplication(); }
    void init() { WindowFixture::failOnQmlWarnings(); }

    void blocksAndWiresHaveTheColoursOfTheirLoad()
    {
        WindowFixture w(kMeasured + QStringLiteral("/pipes.weir.json"));
        Results &results = *w.editor->results();
        HeatMap &heat = *results.heat();
        results.library()->setFolder(kMeasured);
        QVERIFY(w.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(results.run()->isShown(), kAnswerMs);
        QVERIFY(heat.isAvailable() && !heat.isEnabled());
        QVERIFY2(!results.run()->isStale(), "it is a run of the project as it is");
        const QImage plain = picture(w);
        QVERIFY(!w.item(QStringLiteral("heatLegend")));

        QVERIFY(w.editor->actions().trigger(QStringLiteral("results.heat")));
        QVERIFY(heat.isEnabled());
        const QImage hot = picture(w);
        QVERIFY(w.item(QStringLiteral("heatLegend")));
        const RunLoads &loads = heat.loads();
        for (auto it = loads.blocks.constBegin(); it != loads.blocks.constEnd(); ++it) {
            const QQuickItem *block = w.item(QStringLiteral("block:") + it.key());
            QVERIFY2(block, qPrintable(it.key()));
            // Beside the chip, where there is neither text nor edge.
            const QPoint place = block->mapToScene(QPointF(33, 8) * w.canvas()->zoom()).toPoint();
            QCOMPARE(hot.pixelColor(place), fill(it->heat));
            QVERIFY(plain.pixelColor(place) != hot.pixelColor(place));
        }
        const QQuickItem *bottleneck = w.item(QStringLiteral("block:") + loads.bottleneck);
        const QPoint edge = bottleneck->mapToScene(QPointF(bottleneck->width() / 2, -1)).toPoint();
        QCOMPARE(hot.pixelColor(edge), line(4));
        QVERIFY(heat.blocks()[loads.bottleneck].toMap()[QStringLiteral("status")].toString().endsWith(
            QStringLiteral("bottleneck")));

        int wires = 0;
        for (const WireView &wire : w.editor->scene().wires()) {
            const auto load = loads.wires.find(wire.connection);
            QVERIFY(load != loads.wires.end());
            const QPoint middle = w.canvas()->mapToScene(w.canvas()->toView(wire.path.pointAtPercent(0.5))).toPoint();
            const QColor expected = line(heatStep(load->second.fill, 1));
            QCOMPARE(hot.pixelColor(middle), expected);
            QVERIFY(plain.pixelColor(middle) != expected);
            ++wires;
        }
        QCOMPARE(wires, 5);

        // A graph that was edited since keeps the numbers, and says that they are of an earlier version.
        QVERIFY(!w.item(QStringLiteral("heatStale")));
        w.editor->edit(QStringLiteral("set"), [](Transaction &t) { t.set(Pointer("/run/items"), 5); });
        QTRY_VERIFY_WITH_TIMEOUT(w.item(QStringLiteral("heatStale")), kAnswerMs);
        QVERIFY(heat.isEnabled());
        w.editor->undo();
        QTRY_VERIFY_WITH_TIMEOUT(!w.item(QStringLiteral("heatStale")), kAnswerMs);
        w.editor->edit(QStringLiteral("move"), [](Transaction &t) { t.set(Pointer("/ui/positions/tap"), {1, 2}); });
        QTRY_VERIFY_WITH_TIMEOUT(w.editor->isChecked(), kAnswerMs);
        QVERIFY(!heat.isStale());
        w.editor->undo();

        w.editor->actions().trigger(QStringLiteral("results.heat"));
        QVERIFY(!w.item(QStringLiteral("heatLegend")));
        const QQuickItem *source = w.item(QStringLiteral("block:source"));
        const QPoint header = source->mapToScene(QPointF(33, 8) * w.canvas()->zoom()).toPoint();
        QCOMPARE(picture(w).pixelColor(header), plain.pixelColor(header));
    }

    void theNumbersAreThoseOfTheChosenDeployment()
    {
        WindowFixture w(kMeasured + QStringLiteral("/pipes.weir.json"));
        Results &results = *w.editor->results();
        HeatMap &heat = *results.heat();
        results.library()->setFolder(kMeasured);
        QVERIFY(w.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(results.run()->isShown(), kAnswerMs);
        heat.setEnabled(true);
        // The newest run is of the other deployment.
        QCOMPARE(w.editor->deployment(), QStringLiteral("flow"));
        QCOMPARE(results.run()->deployment(), QStringLiteral("thread_per_block"));
        QVERIFY(heat.run().startsWith(QStringLiteral("flow ")) && !heat.blocks().isEmpty());
        QVERIFY(!results.isOnGraph() && results.fitsGraph());
        results.toggleOnGraph();
        QCOMPARE(w.editor->deployment(), QStringLiteral("thread_per_block"));
        QVERIFY(heat.run().startsWith(QStringLiteral("thread_per_block ")) && results.isOnGraph());

        w.editor->setView(QStringLiteral("lanes"));
        MappingController &mapping = *w.editor->mapping();
        QTRY_VERIFY_WITH_TIMEOUT(mapping.hasPlan() && mapping.isMeasured() && !mapping.isPlanning(), kAnswerMs);
        QCOMPARE(mapping.run(), heat.run());
        QTRY_VERIFY(w.item(QStringLiteral("laneLoads")));
        QVERIFY(!w.item(QStringLiteral("lanesStale")));
        w.editor->edit(QStringLiteral("map"), [](Transaction &t) { t.set(Pointer("/deployments/1/wait"), "spin"); });
        QTRY_VERIFY_WITH_TIMEOUT(w.item(QStringLiteral("lanesStale")), kAnswerMs);
        w.editor->undo();
        QTRY_VERIFY_WITH_TIMEOUT(!w.item(QStringLiteral("lanesStale")), kAnswerMs);

        w.editor->setView(QStringLiteral("canvas"));
        w.editor->deploymentSettings()->add();
        QVERIFY(heat.blocks().isEmpty() && heat.wires().isEmpty() && heat.isEnabled());
        QCOMPARE(heat.remark(), QStringLiteral("no run of this deployment yet"));
        QTRY_VERIFY(w.item(QStringLiteral("heatLegend")));
        QVERIFY(mapping.run().isEmpty() && w.editor->inspector()->runtime().isEmpty());
        w.editor->setDeploymentIndex(0);
        QVERIFY(!heat.blocks().isEmpty());
        // Another project has nothing of it, not for a moment.
        w.editor->newDocument();
        QVERIFY(!results.shown()->isKnown() && heat.blocks().isEmpty());
    }

    void aConnectionShowsItsBufferAndWhatItCarried()
    {
        QTemporaryDir folder;
        const QString copy = folder.filePath(QStringLiteral("pipes.weir.json"));
        QVERIFY(QFile::copy(kMeasured + QStringLiteral("/pipes.weir.json"), copy));
        QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner);
        WindowFixture w(copy);
        Results &results = *w.editor->results();
        results.library()->setFolder(kMeasured);
        QVERIFY(w.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(results.run()->isShown(), kAnswerMs);
        const std::string before = w.editor->document().canonicalText();
        w.editor->setDeploymentIndex(static_cast<int>(w.editor->deployments().indexOf(results.run()->deployment())));
        const WireView wire = w.editor->scene().wires().front();
        const QString key = QString::fromStdString(decor::wireKey(wire.connection));
        QVERIFY(!w.item(QStringLiteral("wirePane")));

        const QPoint middle = w.canvas()->mapToScene(w.canvas()->toView(wire.path.pointAtPercent(0.5))).toPoint();
        w.click(middle);
        WireInspector &shown = *w.editor->wire();
        QTRY_VERIFY(w.item(QStringLiteral("wirePane")));
        QCOMPARE(shown.key(), key);
        QVERIFY(w.item(QStringLiteral("wireEnd:") + shown.source()) && w.item(QStringLiteral("wireEnd:") + shown.target()));
        const QString type = w.item(QStringLiteral("wireType"))->property("text").toString();
        QVERIFY2(type.startsWith(wire.itemType), qPrintable(type));
        QTRY_VERIFY_WITH_TIMEOUT(!shown.buffers().isEmpty(), kAnswerMs);
        const auto fact = [](const QVariantList &facts, const char *label) {
            for (const QVariant &entry : facts)
                if (entry.toMap()[QStringLiteral("label")] == QLatin1String(label))
                    return entry.toMap()[QStringLiteral("text")].toString();
            return QString();
        };
        QCOMPARE(fact(shown.buffers(), "Requested"), QStringLiteral("auto"));
        QVERIFY(fact(shown.buffers(), "Planned").endsWith(QStringLiteral(" items")));
        QVERIFY(fact(shown.buffers(), "Granted").endsWith(QStringLiteral(" items")));
        const WireLoad &load = results.heat()->loads().wires.at(wire.connection);
        QCOMPARE(fact(shown.measured(), "Buffer"), HeatMap::wireText(load));

        // The chip says what flows, also while the pointer is only over the wire.
        QTRY_VERIFY(w.item(QStringLiteral("wireChip:") + key));
        QVERIFY2(shown.chip(key).startsWith(wire.itemType), qPrintable(shown.chip(key)));

        // Its buffer is asked for in the deployment, and the plan follows.
        w.fill(QStringLiteral("field:buffer"), QStringLiteral("3000"));
        QCOMPARE(w.editor->document().undoStack().count(), 1);
        const auto place = deploymentPointer(w.editor->document().json(), w.editor->deployment().toStdString());
        const Json *asked = find(w.editor->document().json(), *place / "buffers" / key.toStdString());
        QVERIFY(asked && *asked == Json({{"items", 3000}}));
        QTRY_COMPARE_WITH_TIMEOUT(fact(shown.buffers(), "Requested"), QStringLiteral("3,000 items"), kAnswerMs);
        w.fill(QStringLiteral("field:buffer"), QString());
        QCOMPARE(w.editor->document().canonicalText(), before);
        w.editor->undo();
        w.editor->undo();

        QVERIFY(!w.item(QStringLiteral("removePoints")));
        w.editor->decor()->addPoint(wire, wire.path.pointAtPercent(0.5) + QPointF(0, 40));
        w.editor->selection().set({}, {wire.connection});
        QTRY_VERIFY(w.item(QStringLiteral("removePoints")));
        QCOMPARE(shown.points(), 1);
        shown.removePoints();
        QCOMPARE(w.editor->document().canonicalText(), before);
        w.editor->goTo(shown.source());
        QTRY_VERIFY(!w.item(QStringLiteral("wirePane")));
    }

    void loadAndWorkerTakeTurnsInColouringTheGraphAndItsMap()
    {
        WindowFixture w(kMeasured + QStringLiteral("/pipes.weir.json"));
        HeatMap &heat = *w.editor->results()->heat();
        MappingController &mapping = *w.editor->mapping();
        w.editor->results()->library()->setFolder(kMeasured);
        QVERIFY(w.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(heat.isAvailable(), kAnswerMs);
        w.editor->edit(QStringLiteral("far"), [](Transaction &t) { placeBlocks(t, {{"tap", {3000, 1600}}}); });
        QTRY_VERIFY(w.item(QStringLiteral("minimap")));
        auto *map = qobject_cast<Minimap *>(w.item(QStringLiteral("minimap")));
        const auto onMap = [&](const QString &block) {
            const QPointF middle = map->toMap(w.editor->scene().block(block)->rect.center());
            return picture(w).pixelColor(map->mapToScene(middle).toPoint());
        };
        const QString far = QStringLiteral("tap");
        const QColor plain = onMap(far);

        QVERIFY(w.editor->actions().trigger(QStringLiteral("results.heat")));
        // What is out of view lies in the shade: only its hue counts.
        const QVariantMap hot = map->property("blockColors").toMap();
        QCOMPARE(hot[far].value<QColor>(), fill(heat.loads().blocks[far].heat));
        QVERIFY(onMap(far) != plain);

        QVERIFY(w.editor->actions().trigger(QStringLiteral("mapping.colour_by_worker")));
        QVERIFY(!heat.isEnabled() && !w.editor->actions().isChecked(QStringLiteral("results.heat")));
        QTRY_VERIFY_WITH_TIMEOUT(w.item(QStringLiteral("workerLegend")), kAnswerMs);
        QVERIFY(!w.item(QStringLiteral("heatLegend")));
        const QVariantMap workers = map->property("blockColors").toMap();
        QCOMPARE(workers.size(), static_cast<qsizetype>(w.editor->scene().blocks().size()));
        QVERIFY(workers != hot);

        QVERIFY(w.editor->actions().trigger(QStringLiteral("results.heat")));
        QVERIFY(!mapping.isColourByWorker() && !w.editor->actions().isChecked(QStringLiteral("mapping.colour_by_worker")));
        QVERIFY(w.item(QStringLiteral("heatLegend")) && !w.item(QStringLiteral("workerLegend")));
        QCOMPARE(map->property("blockColors").toMap(), hot);
    }
};

QTEST_MAIN(TestHeat)
#include "tst_heat.moc"
