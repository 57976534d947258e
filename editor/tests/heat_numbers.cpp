#include "heat_numbers.h"

#include "core/edits/project_edits.h"
#include "core/text/ticks.h"
#include "features/heat/load_text.h"
#include "features/runs/result_tables.h"
#include "features/runs/run_finding.h"

namespace weir::editor {

void HeatNumbers::legendHasTheKindsOfPillsThatAreThereWithoutNumbers() {
    const auto labels = [](const RunLoads& loads) {
        QStringList labels;
        for (const Fact& kind : pillKinds(loads)) {
            const QString words = kind.label + kind.text;
            if (words.contains(QRegularExpression(QStringLiteral("[0-9]")))) qFatal("%s", qPrintable(words));
            labels.append(kind.label.section(u' ', 0, 0));
        }
        return labels;
    };
    RunLoads loads;
    BlockLoad& gain = loads.blocks[QStringLiteral("gain")];
    gain.workers = QStringList{QStringLiteral("w0")};
    QCOMPARE(labels(loads), QStringList());
    gain.workerLoad = 0.5;
    QCOMPARE(labels(loads), QStringList{QStringLiteral("worker")});
    gain.workers = QStringList{QStringLiteral("gain")};
    QCOMPARE(labels(loads), QStringList{QStringLiteral("own")});
    loads.blocks[QStringLiteral("sink")].workers = QStringList{QStringLiteral("w0"), QStringLiteral("w1")};
    loads.blocks[QStringLiteral("sink")].workerLoad = 1;
    QCOMPARE(labels(loads), (QStringList{QStringLiteral("own"), QStringLiteral("workers")}));
    // A number that all blocks share is shown once, since a copy on each block would look like the block's own.
    RunLoads shared;
    for (const char* name : {"source", "sink"}) {
        shared.blocks[QLatin1String(name)].workers = QStringList{QStringLiteral("w0")};
        shared.blocks[QLatin1String(name)].workerLoad = 0.28;
    }
    QVERIFY(haveOneWorker(shared) && !haveOneWorker(loads));
    QCOMPARE(pillKinds(shared).front().label, QStringLiteral("w0 28 %"));
    for (const bool alone : {true, false})
        QCOMPARE(shownLoad(shared, QStringLiteral("sink"), shared.blocks[QStringLiteral("sink")], alone).pill.isEmpty(),
                 alone);
    // The colour scale explains the share of a profile, so its legend entry goes.
    gain.share = 0.2;
    QCOMPARE(labels(loads), QStringList{QStringLiteral("workers")});
}

void HeatNumbers::profileSaysWhichWorkerHasMostToDo() {
    // Both workers spin, so both always occupy a CPU.
    Json results = parse(R"({"elapsed_s": 1, "metrics": "profile", "blocks": [
        {"id": "src", "worker": "w0", "busy_ns": 300000000, "items_in": 0, "items_out": 100},
        {"id": "fir", "worker": "w1", "busy_ns": 900000000, "items_in": 100, "items_out": 100}],
        "threads": [{"name": "w0", "cpu_time_s": 0.99}, {"name": "w1", "cpu_time_s": 0.98}]})");
    const auto shown = [](const RunLoads& loads, const char* block) {
        return shownLoad(loads, QLatin1String(block), loads.blocks[QLatin1String(block)], haveOneWorker(loads)).pill;
    };
    const auto cells = [&results](int row) {
        TableModel table;
        fillThreadTable(table, results);
        return table.index(row).data(TableModel::CellsRole).toStringList().mid(0, 3);
    };
    RunLoads loads = loadsOf(results);
    QCOMPARE(loads.busiestWorker, QStringLiteral("w1"));
    QCOMPARE(busiestWorkerText(loads),
             QStringLiteral("The busiest worker is w1: its blocks worked for 90 % of the run."));
    QCOMPARE(pillKinds(loads).size(), 1);
    QCOMPARE(shown(loads, "src"), QStringLiteral("25 % · w0"));
    QCOMPARE(cells(0), (QStringList{QStringLiteral("w0"), QStringLiteral("30.0"), QStringLiteral("99.0")}));
    QCOMPARE(cells(1), (QStringList{QStringLiteral("w1"), QStringLiteral("90.0"), QStringLiteral("98.0")}));
    // Without a profile the slow worker is unknown, and the message says how to find it.
    for (Json& block : results["blocks"]) block["busy_ns"] = nullptr;
    for (Json& block : results["blocks"]) block["calls"] = 10;
    QCOMPARE(cells(1).at(1), kNotMeasured);
    QVERIFY(findingOf(loadsOf(results)).endsWith(QStringLiteral("worker are slow.")));
    // With one worker, or with one thread per block, there is nothing to distinguish.
    for (const char* worker : {"w0", ""}) {
        Json one = parse(
            R"({"elapsed_s": 1, "blocks": [{"id": "src", "busy_ns": 1, "items_out": 1}, {"id": "fir", "busy_ns": 2, "items_in": 1}]})");
        for (Json& block : one["blocks"]) block["worker"] = *worker ? worker : block["id"].get<std::string>();
        QVERIFY(pillKinds(loadsOf(one)).empty() && busiestWorkerText(loadsOf(one)).isEmpty());
        QCOMPARE(shown(loadsOf(one), "src"), QStringLiteral("33 %"));
    }
}

void HeatNumbers::theScaleOfBuffersStandsWhereAWireHasABand() {
    MeasuredWindow w(kMeasured + QStringLiteral("/series.weir.json"));
    QVERIFY(w.isMeasured());
    w.choose(QStringLiteral("flow"));
    QTRY_VERIFY(w.item(QStringLiteral("heatLegend")));
    // The only buffer between workers connects two copies of one block, so it has no wire.
    QVERIFY(w.heat.loads().wires.at({"stage", "out", "stage", "in"}).hasFill());
    QVERIFY(!w.item(QStringLiteral("fillScale")));
}

void HeatNumbers::numbersOfNeighboursDoNotTouchAndAreWhole() {
    const ChangedRuns folder({QStringLiteral("*-pipes-flow-*")}, withoutProfile);
    MeasuredWindow w(folder.project(QStringLiteral("pipes")), folder.path());
    QVERIFY(w.isMeasured());
    // Place the blocks as close as the grid allows.
    w.editor->edit(QStringLiteral("near"), [&](Transaction& t) {
        Placement places;
        double x = 0;
        for (const BlockView& block : w.editor->scene().blocks()) {
            places.emplace_back(block.id.toStdString(), QPointF(x, 0));
            x += block.rect.width() + 20;
        }
        placeBlocks(t, places);
    });
    for (const qreal zoom : {1.0, 0.81, 0.72, 0.55}) {
        w.canvas()->zoomBy(zoom / w.canvas()->zoom());
        WindowFixture::settle();
        QList<QRectF> words;
        // Above a stack, next to the number of copies, the pill shows either its full text or the number alone.
        const ShownLoad load = w.heat.blocks()[QStringLiteral("stage")];
        const QQuickItem* pill = w.item(QStringLiteral("loadPill:stage"));
        QVERIFY(!pill->property("cut").toBool() && load.pill.endsWith(load.brief));
        QCOMPARE(pill->property("text").toString(), zoom > 0.7 ? load.pill : load.brief);
        for (const BlockView& block : w.editor->scene().blocks()) {
            const QQuickItem* line = numbersOf(w, block.id);
            const QString text = line->property("text").toString();
            const QStringList facts = w.heat.blocks()[block.id].facts;
            QVERIFY2(!line->property("truncated").toBool() && line->property("lineCount").toInt() == 1,
                     qPrintable(text));
            QVERIFY2(text == facts.front() || text == facts.join(QStringLiteral(" · ")), qPrintable(text));
            QVERIFY(text.contains(QStringLiteral("per call")) || zoom < 1);
            words.append(wordsOf(w, line));
            for (const QRectF& other : words.mid(0, words.size() - 1))
                QVERIFY2(!other.adjusted(-8, 0, 8, 0).intersects(words.last()), qPrintable(QString::number(zoom)));
        }
    }
    // Numbers below the lowest block are visible too, above the legend.
    w.editor->edit(QStringLiteral("low"), [](Transaction& t) {
        placeBlocks(t, {{"gain", {0, 700}}});
        t.set(*blockPointer(t.json(), "gain") / "probe", true);
    });
    w.canvas()->fit();
    WindowFixture::settle();
    const QQuickItem* probe = w.item(QStringLiteral("probe:gain"));
    QVERIFY(w.canvas()->isDetailed() && probe);
    QVERIFY(probe->mapToItem(w.canvas(), QPointF(0, probe->height())).y() < w.item(QStringLiteral("heatPane"))->y());
}

void HeatNumbers::whatComesUpCoversNoBlockWhereverTheUserPutIt_data() {
    QTest::addColumn<qreal>("left");
    QTest::newRow("all is seen") << 60.;
    QTest::newRow("out of sight on the left") << -120.;
    QTest::newRow("out of sight on the right") << 300.;
}

void HeatNumbers::whatComesUpCoversNoBlockWhereverTheUserPutIt() {
    QFETCH(qreal, left);
    const ChangedRuns folder({QStringLiteral("*-pipes-flow-*")}, withoutProfile);
    MeasuredWindow w(folder.project(QStringLiteral("pipes")), folder.path());
    QVERIFY(w.isMeasured());
    w.canvas()->forceActiveFocus();
    w.key(Qt::Key_H, Qt::ControlModifier);
    // Move the graph to the lower edge, at a zoom chosen by the user.
    w.canvas()->zoomBy(0.95);
    QRectF graph;
    for (const BlockView& block : w.editor->scene().blocks()) graph |= block.rect;
    const QPointF corner = w.canvas()->toView(graph.bottomLeft());
    w.canvas()->panBy(QPointF(left, w.canvas()->height() - 100) - corner);
    const auto isClear = [&w] {
        const QQuickItem* pane = w.item(QStringLiteral("heatPane"));
        for (const BlockView& block : w.editor->scene().blocks()) {
            const QQuickItem* item = w.item(QStringLiteral("block:") + block.id);
            if (!item || item->mapToItem(w.canvas(), QPointF(0, item->height())).y() > pane->y() ||
                item->mapToItem(w.canvas(), QPointF()).y() < 0)
                return false;
        }
        return true;
    };
    QTRY_VERIFY(isClear());  // only the switch remains of the legend
    w.settle();
    const QQuickItem* map = w.item(QStringLiteral("minimap"));
    QVERIFY(!map || w.canvas()->blocksUnder(map->mapRectToItem(w.canvas(), map->boundingRect())) == 0);
    const QRectF all(w.canvas()->toView(graph.topLeft()), w.canvas()->toView(graph.bottomRight()));
    QCOMPARE(w.canvas()->boundingRect().contains(all), left == 60);
    const qreal zoom = w.canvas()->zoom();
    w.key(Qt::Key_H, Qt::ControlModifier);
    QTRY_VERIFY(w.item(QStringLiteral("heatLegend")));
    QTRY_VERIFY(isClear());
    w.click(QStringLiteral("bottomToggle"));
    QTRY_VERIFY(w.item(QStringLiteral("bottomPanel"))->height() > 100);
    QTRY_VERIFY(isClear());
    QCOMPARE(w.canvas()->zoom(), zoom);  // there was enough room
}

void HeatNumbers::aNumberIsTheSameWhereverItIsShown() {
    MeasuredWindow w(kMeasured + QStringLiteral("/series.weir.json"));
    QVERIFY(w.isMeasured());
    w.choose(w.results.run()->deployment());
    const QString expected = throughputOf(w.results);
    QVERIFY2(expected.endsWith(QStringLiteral(" Mitems/s")), qPrintable(expected));

    const RunListModel& list = w.results.library()->list();
    const QModelIndex row = list.index(list.rowOf(w.results.run()->path()));
    QCOMPARE(row.data(RunListModel::ThroughputRole).toString(), expected);
    QCOMPARE(w.results.run()->throughput() + u' ' + w.results.run()->throughputUnit(), expected);
    for (const BlockView& block : w.editor->scene().blocks())
        QCOMPARE(w.heat.blocks()[block.id].facts.value(block.id == w.heat.loads().bottleneck() ? 1 : 0), expected);
    for (const WireView& wire : w.editor->scene().wires()) {
        const QString key = QString::fromStdString(decor::wireKey(wire.connection));
        QVERIFY2(w.editor->wire()->chip(key).contains(expected), qPrintable(w.editor->wire()->chip(key)));
    }
    auto* blocks = qobject_cast<TableModel*>(w.results.run()->blocks());
    for (int index = 0; index < blocks->rowCount(); ++index)
        QCOMPARE(blocks->index(index).data(TableModel::CellsRole).toStringList()[5] + u' ' +
                     blocks->columns()[5].toMap()[QStringLiteral("unit")].toString(),
                 expected);
    w.editor->setView(QStringLiteral("results"));
    QTRY_VERIFY(w.item(QStringLiteral("headline")));
    QCOMPARE(w.item(QStringLiteral("headline"))->property("text").toString() + u' ' +
                 w.item(QStringLiteral("headlineUnit"))->property("text").toString(),
             expected);
}

void HeatNumbers::theNumbersAreThoseOfTheChosenDeployment() {
    MeasuredWindow w(kMeasured + QStringLiteral("/pipes.weir.json"));
    QVERIFY(w.isMeasured());
    // The newest run belongs to the other deployment. After a project is opened, the page and the graph show the same
    // run.
    QCOMPARE(w.editor->deployment(), QStringLiteral("flow"));
    QCOMPARE(w.results.run()->deployment(), QStringLiteral("flow"));
    QVERIFY(w.results.library()->rowOf(w.results.run()->path()) > 0 && w.isOnGraph());
    w.editor->setDeploymentIndex(1);
    QVERIFY(w.results.shown()->label().startsWith(QStringLiteral("thread_per_block ")) && !w.heat.blocks().isEmpty());
    QVERIFY(!w.isOnGraph() && w.results.fitsGraph());
    w.heat.setEnabled(false);
    w.editor->setView(QStringLiteral("results"));
    QTRY_VERIFY(w.item(QStringLiteral("toGraph")));
    WindowFixture::settle();
    w.click(QStringLiteral("toGraph"));
    QCOMPARE(w.editor->view(), QStringLiteral("canvas"));
    QVERIFY(w.isOnGraph());
    QCOMPARE(w.editor->deployment(), QStringLiteral("flow"));
    // A click on a run in the list shows this run on both the page and the graph.
    w.editor->setView(QStringLiteral("results"));
    QTRY_VERIFY(w.item(QStringLiteral("side:1")));
    WindowFixture::settle();
    w.click(QStringLiteral("side:1"));
    QCOMPARE(w.results.run()->deployment(), QStringLiteral("flow"));
    QCOMPARE(w.editor->deployment(), QStringLiteral("flow"));
    QVERIFY(w.isOnGraph());
    w.click(QStringLiteral("side:0"));
    QVERIFY(w.results.shown()->label().startsWith(QStringLiteral("thread_per_block ")) && w.isOnGraph());

    w.editor->setView(QStringLiteral("lanes"));
    MappingController& mapping = *w.editor->mapping();
    QTRY_VERIFY_WITH_TIMEOUT(mapping.hasPlan() && mapping.isMeasured() && !mapping.isPlanning(), kAnswerMs);
    QTRY_VERIFY(w.item(QStringLiteral("laneLoads")));
    QCOMPARE(w.item(QStringLiteral("laneLoads"))->property("text").toString(),
             QStringLiteral("Loads: ") + w.results.shown()->label());
    QVERIFY(!w.item(QStringLiteral("lanesStale")));
    w.editor->edit(QStringLiteral("map"), [](Transaction& t) { t.set(Pointer("/deployments/1/wait"), "spin"); });
    QTRY_VERIFY_WITH_TIMEOUT(w.item(QStringLiteral("lanesStale")), kAnswerMs);
    QCOMPARE(w.item(QStringLiteral("lanesStale"))->property("text").toString(),
             QStringLiteral("deployment was changed"));
    w.editor->undo();
    QTRY_VERIFY_WITH_TIMEOUT(!w.item(QStringLiteral("lanesStale")), kAnswerMs);

    w.editor->setView(QStringLiteral("canvas"));
    w.editor->deploymentSettings()->add();
    QVERIFY(w.heat.blocks().isEmpty() && w.heat.wires().isEmpty() && w.heat.isEnabled());
    QCOMPARE(w.heat.remark(), QStringLiteral("no run of this deployment yet"));
    QTRY_VERIFY(w.item(QStringLiteral("heatLegend")));
    QVERIFY(!w.results.shown()->isKnown() && w.editor->inspector()->runtime()->rowCount() == 0);
    w.editor->setDeploymentIndex(0);
    QVERIFY(!w.heat.blocks().isEmpty());
    // A new project never shows the old numbers, not even briefly.
    w.editor->newDocument();
    QVERIFY(!w.results.shown()->isKnown() && w.heat.blocks().isEmpty());
}

void HeatNumbers::theLegendSaysWhyAPercentileIsMissing() {
    const RunsFolder folder({QStringLiteral("*-series-flow-298eb8")});
    QVERIFY(folder.change("*-series-flow-*", [](Json& results) {
        Json& latency = results["latency"];
        latency["count"] = 55;
        latency["p50_ns"] = 1000;
        latency["p99_ns"] = nullptr;
    }));
    MeasuredWindow w(folder, "canvas");
    w.choose(QStringLiteral("flow"));
    QVERIFY(w.isMeasured());
    QVERIFY2(w.heat.figures().endsWith(QStringLiteral(" · latency p50 1.00 µs · p99: too few latencies")),
             qPrintable(w.heat.figures()));
}

// Regression: after Ctrl+M, no number of the next run was on the graph.
void HeatNumbers::coloursForAMoveGiveWayToTheNextRun() {
    const RunsFolder folder({QStringLiteral("*-series-flow-298eb8"), QStringLiteral("*-series-flow-3a97b0")});
    MeasuredWindow w(folder, "canvas");
    w.choose(QStringLiteral("flow"));
    QVERIFY(w.isMeasured());
    MappingController& mapping = *w.editor->mapping();
    const auto show = [&](const char* run) {
        const QString path = folder.path(QLatin1String(run));
        w.results.show(path);
        return QTest::qWaitFor([&] { return w.results.shown()->path() == path; }, kAnswerMs);
    };
    QVERIFY(show("20261120T193456Z-series-flow-3a97b0"));
    mapping.colourForMove();
    QVERIFY(!w.heat.isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(w.item(QStringLiteral("hidesRun")), kAnswerMs);
    QVERIFY(mapping.isColourByWorker());
    QVERIFY(show("20261120T193502Z-series-flow-298eb8"));
    QVERIFY(w.heat.isEnabled() && !w.heat.blocks().isEmpty() && !mapping.isColourByWorker());
    // Colours that the user chose stay.
    mapping.setColourByWorker(true);
    mapping.colourForMove();
    QVERIFY(show("20261120T193456Z-series-flow-3a97b0"));
    QVERIFY(mapping.isColourByWorker() && !w.heat.isEnabled());
}

void HeatNumbers::aRunOfAnotherProgramIsOnTheGraphUntilADeploymentIsChosen() {
    const RunsFolder folder({QStringLiteral("*-series-flow-298eb8"), QStringLiteral("*-series-flow-3a97b0")});
    QVERIFY(folder.change("*-298eb8", [](Json& results) { results["deployment"] = "two_threads"; }));
    MeasuredWindow w(folder, "canvas");
    w.choose(QStringLiteral("flow"));
    QVERIFY(w.isMeasured());
    const QString other = folder.runs("*-298eb8").value(0), own = folder.runs("*-3a97b0").value(0);
    w.results.show(other);
    QTRY_COMPARE_WITH_TIMEOUT(w.results.shown()->path(), other, kAnswerMs);
    QVERIFY(!w.heat.blocks().isEmpty() && w.results.shown()->label().startsWith(QStringLiteral("two_threads · ")));

    w.editor->deploymentSettings()->add();
    QVERIFY(!w.results.shown()->isKnown());
    w.choose(QStringLiteral("flow"));
    QCOMPARE(w.results.shown()->path(), own);
    w.results.library()->setFolder(folder.path());
    QTRY_COMPARE_WITH_TIMEOUT(w.results.shown()->path(), own, kAnswerMs);
}

void HeatNumbers::aConnectionShowsItsBufferAndWhatItCarried() {
    const RunsFolder folder({QStringLiteral("none")});
    MeasuredWindow w(folder.project(QStringLiteral("pipes")));
    QVERIFY(w.isMeasured());
    const std::string before = w.editor->document().canonicalText();
    w.choose(w.results.run()->deployment());
    const WireView wire = w.editor->scene().wires().front();
    const QString key = QString::fromStdString(decor::wireKey(wire.connection));
    QVERIFY(!w.item(QStringLiteral("wirePane")));

    const QPoint middle = w.canvas()->mapToScene(w.canvas()->toView(wire.path.pointAtPercent(0.5))).toPoint();
    w.click(middle);
    WireInspector& shown = *w.editor->wire();
    QTRY_VERIFY(w.item(QStringLiteral("wirePane")));
    QCOMPARE(shown.key(), key);
    for (const int end : {0, 2}) QVERIFY(w.item(QStringLiteral("wireEnd:") + shown.ends().at(end)));
    const QString type = w.item(QStringLiteral("wireType"))->property("text").toString();
    QVERIFY2(type.startsWith(wire.itemType), qPrintable(type));
    QTRY_VERIFY_WITH_TIMEOUT(shown.buffers()->rowCount() > 0, kAnswerMs);
    const auto fact = [](QAbstractItemModel* facts, const char* label) {
        for (const Fact& fact : static_cast<FactModel*>(facts)->rows())
            if (fact.label == QLatin1String(label)) return fact.text;
        return QString();
    };
    QCOMPARE(fact(shown.buffers(), "Requested"), QStringLiteral("auto"));
    QVERIFY(fact(shown.buffers(), "Planned").endsWith(QStringLiteral(" items")));
    QVERIFY(fact(shown.buffers(), "Granted").endsWith(QStringLiteral(" items")));
    const WireLoad& load = w.heat.loads().wires.at(wire.connection);
    QCOMPARE(fact(shown.measured(), "Buffer"), HeatMap::wireText(load));

    // The chip names the item type, also when the pointer only rests on the wire.
    QTRY_VERIFY(w.item(QStringLiteral("wireChip:") + key));
    QVERIFY2(shown.chip(key).startsWith(wire.itemType), qPrintable(shown.chip(key)));

    // The deployment gets the requested buffer, and the plan follows.
    w.fill(QStringLiteral("field:buffer"), QStringLiteral("3000"));
    QCOMPARE(w.editor->document().undoStack().count(), 1);
    const auto place = deploymentPointer(w.editor->document().json(), w.editor->deployment().toStdString());
    const Json* asked = find(w.editor->document().json(), *place / "buffers" / key.toStdString());
    QVERIFY(asked && *asked == Json({{"items", 3000}}));
    QTRY_COMPARE_WITH_TIMEOUT(fact(shown.buffers(), "Requested"), QStringLiteral("3 000 items"), kAnswerMs);
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
    w.editor->goTo(shown.ends().first());
    QTRY_VERIFY(!w.item(QStringLiteral("wirePane")));
}

}  // namespace weir::editor

#include "moc_heat_numbers.cpp"
