#include "window_fixture.h"

#include "load_text.h"
#include "minimap.h"
#include "project_edits.h"
#include "value_text.h"

#include <QDir>
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

    /// Of wires: neither that of heat nor that of errors.
    static QColor fillLine(int step)
    {
        static constexpr QRgb kLines[] = {0xFF6F8699, 0xFF7F78B8, 0xFF7559C0, 0xFF5F38B8, 0xFF431F94};
        return QColor::fromRgb(kLines[step]);
    }

    /// Half of it on the canvas.
    static QColor band(int step)
    {
        const QColor of = fillLine(step);
        return QColor((of.red() + 0xF4) / 2, (of.green() + 0xF6) / 2, (of.blue() + 0xF8) / 2);
    }

    /// The project and one of its runs in a folder, with other results.
    static void copyRun(const QTemporaryDir &folder, const char *name, const std::function<QByteArray(QByteArray)> &changed)
    {
        const QString run = QDir(kMeasured).entryList({QLatin1String(name)}, QDir::Dirs).constFirst();
        QVERIFY(QDir(folder.path()).mkpath(run));
        for (const QString &file : {QStringLiteral("pipes.weir.json"), run + QStringLiteral("/project.json"),
                                    run + QStringLiteral("/plan.json"), run + QStringLiteral("/run.json"),
                                    run + QStringLiteral("/results.json"), run + QStringLiteral("/latency.hgrm")}) {
            QFile copy(folder.filePath(file));
            const QByteArray text = readAll(kMeasured + u'/' + file);
            QVERIFY(copy.open(QIODevice::WriteOnly));
            copy.write(file.endsWith(QStringLiteral("results.json")) ? changed(text) : text);
        }
    }

    static constexpr QRgb kFloat = 0xFFB4530A; ///< of the item type, in the light theme

    static bool isNear(const QColor &a, const QColor &b)
    {
        return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) < 40;
    }

    /// Within some pixels above or below.
    static bool hasNear(const QImage &image, QPoint place, const QColor &color)
    {
        for (int dy = -6; dy <= 6; ++dy)
            if (isNear(image.pixelColor(place + QPoint(0, dy)), color))
                return true;
        return false;
    }

    /// The line of numbers below a block, as it is drawn.
    static QQuickItem *numbersOf(const WindowFixture &w, const QString &block)
    {
        for (const QQuickItem *part : w.item(QStringLiteral("block:") + block)->childItems())
            for (QQuickItem *child : part->childItems())
                if (child->objectName() == QLatin1String("heatLine"))
                    return child;
        return nullptr;
    }

    static QRectF wordsOf(const WindowFixture &w, const QQuickItem *line)
    {
        return line->mapRectToItem(w.canvas(), QRectF(0, 0, line->property("contentWidth").toReal(),
                                                      line->property("contentHeight").toReal()));
    }

    static QByteArray withoutProfile(QByteArray text)
    {
        text.replace("\"metrics\": \"profile\"", "\"metrics\": \"counters\"");
        return QString::fromUtf8(text)
            .replace(QRegularExpression(QStringLiteral("\"busy_ns\": [0-9]+")), QStringLiteral("\"busy_ns\": null"))
            .toUtf8();
    }

    /// The real command line, but for `run`, which notes its words and measures nothing.
    static CliCommand noting(const QTemporaryDir &folder)
    {
        QFile file(folder.filePath(QStringLiteral("cli.py")));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("no command");
        file.write("import os, sys\nsys.path.insert(0, '" WEIR_ROOT "/codegen')\n"
                   "if sys.argv[1] == 'run':\n"
                   "    open(os.path.dirname(sys.argv[0]) + '/words', 'w').write(' '.join(sys.argv[1:]))\n"
                   "    print('[]')\n    sys.exit(0)\n"
                   "from weir.cli import main\nsys.exit(main(sys.argv[1:]))\n");
        return {QStringLiteral("/usr/bin/python3"), {file.fileName()}};
    }

    /// As the command line would print it.
    static QString throughputOf(Results &results)
    {
        return throughputText(numberOf(results.run()->record().results, "throughput_items_per_s"));
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
        QVERIFY2(results.run()->differs().isEmpty(), "it is a run of the project as it is");
        // There without being asked for; it can be taken away.
        QVERIFY(heat.isKnown() && heat.isEnabled());
        w.canvas()->fit();
        w.canvas()->forceActiveFocus();
        w.key(Qt::Key_H, Qt::ControlModifier);
        QVERIFY(!heat.isEnabled());
        const QImage plain = picture(w);
        QVERIFY(!w.item(QStringLiteral("heatLegend")));

        w.key(Qt::Key_H, Qt::ControlModifier);
        QVERIFY(heat.isEnabled());
        const QImage hot = picture(w);
        QVERIFY(w.item(QStringLiteral("heatLegend")));
        const QString figures = w.item(QStringLiteral("heatFigures"))->property("text").toString();
        QVERIFY2(figures.contains(QStringLiteral("items/s (2 sources together) · latency p50 ")), qPrintable(figures));
        const RunLoads &loads = heat.loads();
        for (auto it = loads.blocks.constBegin(); it != loads.blocks.constEnd(); ++it) {
            const QQuickItem *block = w.item(QStringLiteral("block:") + it.key());
            QVERIFY2(block, qPrintable(it.key()));
            // Beside the chip, where there is neither text nor edge.
            const QPoint place = block->mapToScene(QPointF(33, 8) * w.canvas()->zoom()).toPoint();
            QCOMPARE(hot.pixelColor(place), fill(it->heat));
            QVERIFY(plain.pixelColor(place) != hot.pixelColor(place));
        }
        const QQuickItem *bottleneck = w.item(QStringLiteral("block:") + loads.bottleneck());
        const QPoint edge = bottleneck->mapToScene(QPointF(bottleneck->width() / 2, -1)).toPoint();
        QCOMPARE(hot.pixelColor(edge), fill(4));
        QVERIFY(heat.blocks()[loads.bottleneck()].facts.first() == QLatin1String("bottleneck"));
        QVERIFY2(heat.finding().startsWith(QStringLiteral("The slowest block is %1: ").arg(loads.bottleneck())),
                 qPrintable(heat.finding()));

        // Each pipe is on a worker of its own: no buffer lies between two, and no fill says anything.
        const auto middleOf = [&w](const WireView &wire) {
            return w.canvas()->mapToScene(w.canvas()->toView(wire.path.pointAtPercent(0.5))).toPoint();
        };
        for (const WireView &wire : w.editor->scene().wires()) {
            QVERIFY(!loads.wires.at(wire.connection).hasFill());
            // The colour of its item type stays.
            QVERIFY2(hasNear(hot, middleOf(wire), kFloat), qPrintable(hot.pixelColor(middleOf(wire)).name()));
            QVERIFY(!hasNear(hot, middleOf(wire), band(0)));
        }
        QVERIFY(!w.item(QStringLiteral("fillScale")));
        // However high the graph is, all of it is shown above the legend.
        w.editor->edit(QStringLiteral("low"), [](Transaction &t) { placeBlocks(t, {{"tap", {400, 1500}}}); });
        w.canvas()->fit();
        const QRectF bounds = w.editor->scene().bounds();
        QVERIFY(w.canvas()->toView(bounds.bottomRight()).y() < w.item(QStringLiteral("heatPane"))->y());
        QVERIFY(w.canvas()->toView(bounds.topLeft()).y() > 0);
        w.editor->undo();
        w.canvas()->fit();
        w.editor->setDeploymentIndex(static_cast<int>(w.editor->deployments().indexOf(QStringLiteral("thread_per_block"))));
        const QImage threads = picture(w);
        QVERIFY(w.item(QStringLiteral("fillScale")));
        for (const WireView &wire : w.editor->scene().wires()) {
            const WireLoad &load = heat.loads().wires.at(wire.connection);
            QVERIFY(load.streams == 2 && load.within == 0);
            QVERIFY2(hasNear(threads, middleOf(wire), kFloat), qPrintable(threads.pixelColor(middleOf(wire)).name()));
            QVERIFY(hasNear(threads, middleOf(wire), band(heatStep(load.fill, 1))));
        }
        w.editor->setDeploymentIndex(0);

        // All that is drawn is shown: the numbers reach beyond the last block, and were cut.
        const QRectF canvas = w.canvas()->boundingRect();
        for (const BlockView &block : w.editor->scene().blocks()) {
            const QQuickItem *line = numbersOf(w, block.id);
            QVERIFY2(line, qPrintable(block.id));
            const QRectF words = wordsOf(w, line);
            QVERIFY2(canvas.contains(words), qPrintable(QStringLiteral("%1 ends at %2").arg(block.id).arg(words.right())));
        }
        // The ring of who uses the keys does not lie on the pill at the edge of the block.
        const QQuickItem *pill = w.item(QStringLiteral("loadPill:") + loads.bottleneck());
        const QRect pillRect = pill->mapRectToScene(pill->boundingRect()).toRect().adjusted(3, 3, -3, -3);
        const QImage before = picture(w).copy(pillRect);
        w.editor->goTo(loads.bottleneck());
        w.canvas()->forceActiveFocus();
        w.key(Qt::Key_Space); // which moves nothing
        QVERIFY(!w.canvas()->focusFrame().isEmpty());
        QCOMPARE(picture(w).copy(pillRect), before);
        w.editor->selection().clear();

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

        w.click(QStringLiteral("heatSwitch"));
        QVERIFY(!heat.isEnabled() && !w.item(QStringLiteral("heatLegend")));
        // It stays off, also when other numbers come; the switch stays where it is.
        w.editor->setDeploymentIndex(1);
        w.editor->setDeploymentIndex(0);
        QVERIFY(!heat.isEnabled() && w.item(QStringLiteral("heatSwitch")));
        QCOMPARE(w.editor->memory()->value(QStringLiteral("heat")).toBool(), false);
        const QQuickItem *source = w.item(QStringLiteral("block:source"));
        const QPoint header = source->mapToScene(QPointF(33, 8) * w.canvas()->zoom()).toPoint();
        QCOMPARE(picture(w).pixelColor(header), plain.pixelColor(header));
    }

    void blocksThatMoveBetweenWorkersHaveNoScaleOfLoads()
    {
        QTemporaryDir folder;
        copyRun(folder, "*-pipes-flow-*", [](QByteArray text) {
            return QString::fromUtf8(text)
                .replace(QRegularExpression(QStringLiteral("\"busy_ns\": [0-9]+")), QStringLiteral("\"busy_ns\": null"))
                .replace(QRegularExpression(QStringLiteral("\"worker\": \"[^\"]*\"")), QStringLiteral("\"worker\": \"\""))
                .toUtf8();
        });
        WindowFixture w(folder.filePath(QStringLiteral("pipes.weir.json")), noting(folder));
        w.editor->results()->library()->setFolder(folder.path());
        QVERIFY(w.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(w.item(QStringLiteral("heatLegend")), kAnswerMs);
        QVERIFY(w.item(QStringLiteral("noLoad")) && !w.item(QStringLiteral("loadKey")));
        QVERIFY(!w.item(QStringLiteral("loadPill:gain")));
    }

    void withoutAProfileItShowsCallsAndTheLoadOfWorkersAndAClickProfiles()
    {
        QTemporaryDir folder;
        copyRun(folder, "*-pipes-flow-*", withoutProfile);
        WindowFixture w(folder.filePath(QStringLiteral("pipes.weir.json")), noting(folder));
        w.window->resize(1400, 1200); // the table of blocks is in view
        Results &results = *w.editor->results();
        results.library()->setFolder(folder.path());
        QVERIFY(w.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(w.item(QStringLiteral("heatLegend")), kAnswerMs);
        HeatMap &heat = *results.heat();
        QVERIFY(!heat.isProfiled() && !results.run()->isProfiled() && heat.steps().isEmpty());
        const BlockModel::Load gain = heat.blocks()[QStringLiteral("gain")];
        QCOMPARE(gain.facts, (QStringList{throughputOf(results), QStringLiteral("1,024 a call")}));
        // A busy worker is no alarm: the pill has no colour, and the legend says who knows which block is slow.
        QVERIFY2(gain.pill.startsWith(QStringLiteral("w0 w1 ")), qPrintable(gain.pill));
        QVERIFY(w.item(QStringLiteral("loadPill:gain")));
        // Nothing in the legend passes for a measurement.
        const QQuickItem *legend = w.item(QStringLiteral("loadKey"));
        const QQuickItem *kind = w.item(QStringLiteral("pillKind"));
        QVERIFY(legend && kind);
        QCOMPARE(kind->property("label").toString(), QStringLiteral("workers · load"));
        const auto paper = [&w] {
            const QQuickItem *pill = w.item(QStringLiteral("loadPill:gain"));
            const QPointF place = pill->mapToScene({4, pill->height() / 2});
            return picture(w).pixelColor(place.toPoint());
        };
        QTRY_COMPARE(paper(), QColor(QStringLiteral("#FFFFFF")));
        QVERIFY(heat.finding().contains(QStringLiteral("a profile says")));
        // On a stack too, beside the number of its copies.
        const QQuickItem *stack = w.item(QStringLiteral("loadPill:stage"));
        const QQuickItem *copies = w.item(QStringLiteral("unfold:stage"));
        QVERIFY(stack && copies && stack->parentItem() == copies->parentItem());
        QCOMPARE(stack->property("text").toString(), heat.blocks()[QStringLiteral("stage")].pill);
        QVERIFY(copies->x() >= stack->x() + stack->width());
        QVERIFY(copies->parentItem()->width() <= w.item(QStringLiteral("block:stage"))->width());

        // One click, wherever the work time is missing: the same deployment and values, and nothing of the project changes.
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
        const QString words = QString::fromUtf8(readAll(folder.filePath(QStringLiteral("words"))));
        QVERIFY2(words.contains(QStringLiteral("--deployment flow")) && words.endsWith(QStringLiteral("--set /run/metrics=profile")),
                 qPrintable(words));
        QVERIFY(!w.editor->isModified());
    }

    void legendHasTheKindsOfPillsThatAreThereWithoutNumbers()
    {
        const auto labels = [](const RunLoads &loads) {
            QStringList labels;
            for (const Fact &kind : pillKinds(loads)) {
                const QString words = kind.label + kind.text;
                if (words.contains(QRegularExpression(QStringLiteral("[0-9]"))))
                    qFatal("%s", qPrintable(words));
                labels.append(kind.label.section(u' ', 0, 0));
            }
            return labels;
        };
        RunLoads loads;
        BlockLoad &gain = loads.blocks[QStringLiteral("gain")];
        gain.workers = QStringList{QStringLiteral("w0")};
        QCOMPARE(labels(loads), QStringList());
        gain.workerLoad = 0.5;
        QCOMPARE(labels(loads), QStringList{QStringLiteral("worker")});
        gain.workers = QStringList{QStringLiteral("gain")};
        QCOMPARE(labels(loads), QStringList{QStringLiteral("own")});
        loads.blocks[QStringLiteral("sink")].workers = QStringList{QStringLiteral("w0"), QStringLiteral("w1")};
        loads.blocks[QStringLiteral("sink")].workerLoad = 1;
        QCOMPARE(labels(loads), (QStringList{QStringLiteral("own"), QStringLiteral("workers")}));
        // The share of a profile has the scale of its colours.
        gain.share = 0.2;
        QCOMPARE(labels(loads), QStringList{QStringLiteral("workers")});
    }

    void numbersOfNeighboursDoNotTouchAndAreWhole()
    {
        QTemporaryDir folder;
        copyRun(folder, "*-pipes-flow-*", withoutProfile);
        WindowFixture w(folder.filePath(QStringLiteral("pipes.weir.json")));
        w.editor->results()->library()->setFolder(folder.path());
        QVERIFY(w.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(w.item(QStringLiteral("heatLegend")), kAnswerMs);
        const HeatMap &heat = *w.editor->results()->heat();
        // As near as the grid lets them be.
        w.editor->edit(QStringLiteral("near"), [&](Transaction &t) {
            Placement places;
            double x = 0;
            for (const BlockView &block : w.editor->scene().blocks()) {
                places.emplace_back(block.id.toStdString(), QPointF(x, 0));
                x += block.rect.width() + 20;
            }
            placeBlocks(t, places);
        });
        for (const qreal zoom : {1.0, 0.81, 0.72, 0.55}) {
            w.canvas()->zoomBy(zoom / w.canvas()->zoom());
            WindowFixture::settle();
            QList<QRectF> words;
            for (const BlockView &block : w.editor->scene().blocks()) {
                const QQuickItem *line = numbersOf(w, block.id);
                const QString text = line->property("text").toString();
                const QStringList facts = heat.blocks()[block.id].facts;
                QVERIFY2(!line->property("truncated").toBool() && line->property("lineCount").toInt() == 1, qPrintable(text));
                QVERIFY2(text == facts.front() || text == facts.join(QStringLiteral(" · ")), qPrintable(text));
                QVERIFY(text.contains(QStringLiteral("a call")) || zoom < 1);
                words.append(wordsOf(w, line));
                for (const QRectF &other : words.mid(0, words.size() - 1))
                    QVERIFY2(!other.adjusted(-8, 0, 8, 0).intersects(words.last()), qPrintable(QString::number(zoom)));
            }
        }
        // What stands below the lowest block is shown too, above the legend.
        w.editor->edit(QStringLiteral("low"), [](Transaction &t) {
            placeBlocks(t, {{"gain", {0, 700}}});
            t.set(*blockPointer(t.json(), "gain") / "probe", true);
        });
        w.canvas()->fit();
        WindowFixture::settle();
        const QQuickItem *probe = w.item(QStringLiteral("probe:gain"));
        QVERIFY(w.canvas()->isDetailed() && probe);
        QVERIFY(probe->mapToItem(w.canvas(), QPointF(0, probe->height())).y() < w.item(QStringLiteral("heatPane"))->y());
    }

    void whatComesUpCoversNoBlockWhereverTheUserPutIt()
    {
        QTemporaryDir folder;
        copyRun(folder, "*-pipes-flow-*", withoutProfile);
        WindowFixture w(folder.filePath(QStringLiteral("pipes.weir.json")));
        w.editor->results()->library()->setFolder(folder.path());
        QVERIFY(w.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(w.item(QStringLiteral("heatLegend")), kAnswerMs);
        w.canvas()->forceActiveFocus();
        w.key(Qt::Key_H, Qt::ControlModifier);
        // At the lower edge, at a zoom of the user's.
        w.canvas()->zoomBy(0.95);
        QRectF graph;
        for (const BlockView &block : w.editor->scene().blocks())
            graph |= block.rect;
        const QPointF corner = w.canvas()->toView(graph.bottomLeft());
        w.canvas()->panBy(QPointF(60, w.canvas()->height() - 100) - corner);
        const auto isClear = [&w] {
            const QQuickItem *pane = w.item(QStringLiteral("heatPane"));
            for (const BlockView &block : w.editor->scene().blocks()) {
                const QQuickItem *item = w.item(QStringLiteral("block:") + block.id);
                if (!item || item->mapToItem(w.canvas(), QPointF(0, item->height())).y() > pane->y()
                    || item->mapToItem(w.canvas(), QPointF()).y() < 0)
                    return false;
            }
            return true;
        };
        QTRY_VERIFY(isClear()); // the switch alone is low
        const qreal zoom = w.canvas()->zoom();
        w.key(Qt::Key_H, Qt::ControlModifier);
        QTRY_VERIFY(w.item(QStringLiteral("heatLegend")));
        QTRY_VERIFY(isClear());
        w.click(QStringLiteral("bottomToggle"));
        QTRY_VERIFY(w.item(QStringLiteral("bottomPanel"))->height() > 100);
        QTRY_VERIFY(isClear());
        QCOMPARE(w.canvas()->zoom(), zoom); // there was room
    }

    void aNumberIsTheSameWhereverItIsShown()
    {
        WindowFixture w(kMeasured + QStringLiteral("/series.weir.json"));
        Results &results = *w.editor->results();
        results.library()->setFolder(kMeasured);
        QVERIFY(w.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(results.run()->isShown(), kAnswerMs);
        const int deployment = static_cast<int>(w.editor->deployments().indexOf(results.run()->deployment()));
        w.editor->setDeploymentIndex(deployment);
        const QString expected = throughputOf(results);
        QVERIFY2(expected.endsWith(QStringLiteral(" Mitems/s")), qPrintable(expected));

        const RunListModel &list = results.library()->list();
        const QModelIndex row = list.index(list.rowOf(results.run()->path()));
        QCOMPARE(row.data(RunListModel::ThroughputRole).toString(), expected);
        QCOMPARE(results.run()->throughput() + u' ' + results.run()->throughputUnit(), expected);
        for (const BlockView &block : w.editor->scene().blocks())
            QCOMPARE(results.heat()->blocks()[block.id].facts.value(block.id == results.heat()->loads().bottleneck() ? 1 : 0), expected);
        for (const WireView &wire : w.editor->scene().wires()) {
            const QString key = QString::fromStdString(decor::wireKey(wire.connection));
            QVERIFY2(w.editor->wire()->chip(key).contains(expected), qPrintable(w.editor->wire()->chip(key)));
        }
        auto *blocks = qobject_cast<TableModel *>(results.run()->blocks());
        for (int index = 0; index < blocks->rowCount(); ++index)
            QCOMPARE(blocks->index(index).data(TableModel::CellsRole).toStringList()[5] + u' ' + blocks->columns()[5].toMap()[QStringLiteral("unit")].toString(),
                     expected);
        w.editor->setView(QStringLiteral("results"));
        QTRY_VERIFY(w.item(QStringLiteral("headline")));
        QCOMPARE(w.item(QStringLiteral("headline"))->property("text").toString() + u' '
                     + w.item(QStringLiteral("headlineUnit"))->property("text").toString(),
                 expected);
    }

    void theNumbersAreThoseOfTheChosenDeployment()
    {
        WindowFixture w(kMeasured + QStringLiteral("/pipes.weir.json"));
        Results &results = *w.editor->results();
        HeatMap &heat = *results.heat();
        results.library()->setFolder(kMeasured);
        QVERIFY(w.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(results.run()->isShown(), kAnswerMs);
        // The newest run is of the other deployment.
        QCOMPARE(w.editor->deployment(), QStringLiteral("flow"));
        QCOMPARE(results.run()->deployment(), QStringLiteral("thread_per_block"));
        QVERIFY(heat.run().startsWith(QStringLiteral("flow ")) && !heat.blocks().isEmpty());
        QVERIFY(!results.isOnGraph() && results.fitsGraph());
        results.toggleOnGraph();
        QCOMPARE(w.editor->deployment(), QStringLiteral("thread_per_block"));
        // So does a click on a run of the list: page and graph are of that one.
        w.editor->setView(QStringLiteral("results"));
        QTRY_VERIFY(w.item(QStringLiteral("side:1")));
        WindowFixture::settle();
        w.click(QStringLiteral("side:1"));
        QCOMPARE(results.run()->deployment(), QStringLiteral("flow"));
        QCOMPARE(w.editor->deployment(), QStringLiteral("flow"));
        QVERIFY(results.isOnGraph());
        w.click(QStringLiteral("side:0"));
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
        QVERIFY(mapping.run().isEmpty() && w.editor->inspector()->runtime()->rowCount() == 0);
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
        QTRY_VERIFY_WITH_TIMEOUT(shown.buffers()->rowCount() > 0, kAnswerMs);
        const auto fact = [](QAbstractItemModel *facts, const char *label) {
            for (const Fact &fact : static_cast<FactModel *>(facts)->rows())
                if (fact.label == QLatin1String(label))
                    return fact.text;
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
        QTRY_VERIFY_WITH_TIMEOUT(heat.isKnown(), kAnswerMs);
        w.editor->edit(QStringLiteral("far"), [](Transaction &t) { placeBlocks(t, {{"tap", {3000, 1600}}}); });
        QTRY_VERIFY(w.item(QStringLiteral("minimap")));
        auto *map = qobject_cast<Minimap *>(w.item(QStringLiteral("minimap")));
        const auto onMap = [&](const QString &block) {
            const QPointF middle = map->toMap(w.editor->scene().block(block)->rect.center());
            return picture(w).pixelColor(map->mapToScene(middle).toPoint());
        };
        const QString far = QStringLiteral("tap");
        heat.setEnabled(false);
        const QColor plain = onMap(far);
        heat.setEnabled(true);
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
