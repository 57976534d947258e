#include "results_looks.h"

namespace weir::editor {
namespace {

/// Return a text that extends past the sides of the page, or an empty string.
QString outside(const QQuickItem* item, const QQuickItem* page) {
    const auto children = item->childItems();
    for (const QQuickItem* child : children) {
        if (!child->isVisible()) continue;
        const QRectF rect = child->mapRectToItem(page, child->boundingRect());
        const QString text = child->property("truncated").isValid() ? child->property("text").toString() : QString();
        if (!text.isEmpty() && (rect.left() < -1 || rect.right() > page->width() + 1))
            return QStringLiteral("%1: %2 to %3 of %4").arg(text).arg(rect.left()).arg(rect.right()).arg(page->width());
        if (const QString found = outside(child, page); !found.isEmpty()) return found;
    }
    return {};
}

/// Return those of `texts` that are not fully visible.
QStringList cut(const QQuickItem* item, QStringList texts) {
    const auto children = item->childItems();
    for (const QQuickItem* child : children) {
        if (child->isVisible() && !child->property("truncated").toBool() && child->width() > 0)
            texts.removeAll(child->property("text").toString());
        texts = cut(child, texts);
    }
    return texts;
}

} // namespace

void ResultsLooks::withoutLatencyTheTableOfBlocksHasTheRoomOfTheCurves() {
    const RunsFolder folder;
    for (const QString& run : folder.runs()) QVERIFY(QFile::remove(run + QStringLiteral("/latency.hgrm")));
    MeasuredWindow w(folder);
    QVERIFY(w.isShown());
    QTRY_VERIFY(w.item(QStringLiteral("header:Of work time")));
    QVERIFY(!w.item(QStringLiteral("percentilePlot")) && !w.item(QStringLiteral("histogramPlot")));
    const QQuickItem *note = w.item(QStringLiteral("runNote")), *tables = w.item(QStringLiteral("resultTablePane"));
    const double gap = tables->mapToScene({}).y() - note->mapToScene({0, note->height()}).y();
    QVERIFY2(gap > 0 && gap < 20, qPrintable(QString::number(gap)));
    w.click(QStringLiteral("tab:Latency"));
    QTRY_VERIFY(!w.item(QStringLiteral("header:Of work time")));
}

void ResultsLooks::theListOfRunsIsNotCut_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("laptop") << QSize(1280, 720);
    QTest::newRow("desktop") << QSize(1440, 900);
}

void ResultsLooks::theListOfRunsIsNotCut() {
    QFETCH(QSize, size);
    MeasuredWindow w(kMeasured + QStringLiteral("/series.weir.json"));
    w.window->resize(size);
    QVERIFY(w.isReady());
    QTRY_VERIFY_WITH_TIMEOUT(w.results.library()->total() > 0, kAnswerMs);
    WindowFixture::settle();
    w.click(QStringLiteral("tab:Runs"));
    QTRY_VERIFY(w.item(QStringLiteral("run:0")));
    WindowFixture::settle();
    QQuickItem* list = w.item(QStringLiteral("runs"))->parentItem();
    QCOMPARE(outside(list, list), QString());
    QCOMPARE(cut(list, {QStringLiteral("Note or reason"), QStringLiteral("Filter the runs")}), QStringList());
    w.editor->setView(QStringLiteral("results"));
    QTRY_VERIFY(w.item(QStringLiteral("runFilterSide")));
    WindowFixture::settle();
    QCOMPARE(cut(w.item(QStringLiteral("runFilterSide")), {QStringLiteral("Filter the runs")}), QStringList());
}

void ResultsLooks::theBottomPanelLeavesTheRoomToThePages() {
    MeasuredWindow w(kMeasured + QStringLiteral("/series.weir.json"));
    QVERIFY(w.isReady());
    const auto height = [&w] { return w.item(QStringLiteral("bottomPanel"))->height(); };
    // The panel takes no room to say "No problems": it is open only if the user opened it or it has something to show.
    QTRY_COMPARE(height(), 33.0);
    w.editor->setView(QStringLiteral("results"));
    QTRY_COMPARE(height(), 33.0);
    QVERIFY(!w.item(QStringLiteral("runs")) && !w.item(QStringLiteral("log")));
    // The tab's label shows the number of runs, so loading the runs moves the tabs.
    QTRY_VERIFY_WITH_TIMEOUT(w.results.library()->total() > 0, kAnswerMs);
    WindowFixture::settle();
    w.click(QStringLiteral("tab:Runs"));
    QTRY_VERIFY(height() > 150 && w.item(QStringLiteral("runs")));
    w.editor->setView(QStringLiteral("compare"));
    QTRY_COMPARE(height(), 33.0);
    // Each view remembers whether its panel was open.
    w.editor->setView(QStringLiteral("results"));
    QTRY_VERIFY(height() > 150);
    WindowFixture::settle();
    w.click(QStringLiteral("bottomToggle"));
    QTRY_COMPARE(height(), 33.0);
    w.editor->setView(QStringLiteral("canvas"));
    QTRY_COMPARE(height(), 33.0);
    w.key(Qt::Key_R, Qt::ControlModifier);
    QTRY_VERIFY(height() > 150);
    QCOMPARE(w.editor->memory()->value(QStringLiteral("bottomOpen/results")).toBool(), false);
    // Next to the welcome page the panel stays closed, whatever its stored state. An opened project restores that
    // state.
    QCOMPARE(w.editor->memory()->value(QStringLiteral("bottomOpen/canvas")).toBool(), true);
    w.editor->files()->newProject();
    QTRY_VERIFY(w.editor->isEmpty());
    QTRY_COMPARE(height(), 33.0);
    w.editor->files()->open(kMeasured + QStringLiteral("/series.weir.json"));
    QTRY_VERIFY(height() > 150);
}

void ResultsLooks::nothingIsCutAtCommonSizes_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("small") << QSize(1280, 800);
    QTest::newRow("large") << QSize(1600, 1000);
}

void ResultsLooks::nothingIsCutAtCommonSizes() {
    QFETCH(QSize, size);
    MeasuredWindow w(kMeasured + QStringLiteral("/series.weir.json"), kMeasured, "compare");
    w.window->resize(size);
    QVERIFY(w.isReady());
    RunComparison& comparison = w.comparison;
    QTRY_VERIFY_WITH_TIMEOUT(!comparison.verdict().isEmpty(), kAnswerMs);
    for (const auto& [view, page] : {std::pair("results", "resultsScroll"), {"compare", "compareScroll"}}) {
        w.editor->setView(QLatin1String(view));
        QTRY_VERIFY(w.item(QLatin1String(page)));
        WindowFixture::settle();
        QQuickItem* found = w.item(QLatin1String(page));
        QCOMPARE(outside(found, found), QString());
        // The notes about the run and its buttons are side by side.
        if (const QQuickItem *said = w.item(QStringLiteral("profiledRun")), *first = w.item(QStringLiteral("toGraph"));
            first)
            QVERIFY(said && said->mapToScene({said->width(), 0}).x() <= first->mapToScene({}).x());
        // Scrolling reaches the content below the window.
        const QQuickItem* table = w.item(
            QLatin1String(QLatin1String(view) == QLatin1String("results") ? "resultTablePane" : "compareTablePane"));
        QVERIFY(table && table->height() > 180);
        QVERIFY(table->y() + table->height() <= found->property("contentHeight").toReal());
    }
    w.editor->setView(QStringLiteral("lanes"));
    QTRY_VERIFY_WITH_TIMEOUT(w.editor->mapping()->hasPlan() && w.item(QStringLiteral("machineName")), kAnswerMs);
    WindowFixture::settle();
    QQuickItem* lanes = w.item(QStringLiteral("lanes"))->parentItem();
    QCOMPARE(outside(lanes, lanes), QString());
    QCOMPARE(w.item(QStringLiteral("machineName"))->property("truncated").toBool(), false);
}

void ResultsLooks::aTableWiderThanItsRoomKeepsItsBarAndGoesByKeys() {
    MeasuredWindow w(kMeasured + QStringLiteral("/series.weir.json"), kMeasured, "results");
    w.window->resize(1100, 1800);  // high enough to show the table above the problems
    QVERIFY(w.isShown());
    w.click(QStringLiteral("tab:Blocks"));
    WindowFixture::settle();
    const QQuickItem *table = w.item(QStringLiteral("wideTable")), *bar = w.item(QStringLiteral("tableBar"));
    QVERIFY(table && bar && table->property("contentWidth").toReal() > table->width() + 20);
    const auto rightOf = [](const QQuickItem* item) { return item->mapToScene({item->width(), 0}).x(); };
    QCOMPARE(rightOf(bar), rightOf(table));
    const auto* top = qobject_cast<TableModel*>(w.results.run()->blocks());
    const QString row = QStringLiteral("row:") + top->index(0).data().toString();
    QTRY_VERIFY(w.item(row));
    const double before = w.item(row)->mapToScene({}).x();
    for (QQuickItem* list = w.item(row); list; list = list->parentItem())
        if (list->inherits("QQuickListView")) {
            list->forceActiveFocus();
            break;
        }
    w.key(Qt::Key_Right);
    QTRY_VERIFY(w.item(row));
    const double step = before - w.item(row)->mapToScene({}).x();
    QVERIFY2(step > 20, qPrintable(QString::number(step)));
    QCOMPARE(rightOf(bar), rightOf(table));
    w.key(Qt::Key_Left);
    QCOMPARE(w.item(row)->mapToScene({}).x(), before);
}

void ResultsLooks::emptyPagesSayWhatToDo() {
    const RunsFolder folder({QStringLiteral("none")});
    MeasuredWindow w(folder, "compare");
    QVERIFY(w.isReady());
    const bool several = w.editor->deployments().size() > 1;
    QTRY_VERIFY(w.item(several ? QStringLiteral("runForCompare") : QStringLiteral("addForCompare")));
    QVERIFY(!w.item(several ? QStringLiteral("addForCompare") : QStringLiteral("runForCompare")));
    QVERIFY(w.comparison.advice().contains(QStringLiteral("8")));
    w.editor->setView(QStringLiteral("results"));
    QTRY_VERIFY(!w.item(QStringLiteral("runForCompare")));
    QVERIFY(!w.results.run()->isShown());
    QVERIFY(!w.editor->actions().isEnabled(QStringLiteral("results.heat")));
}

}  // namespace weir::editor

#include "moc_results_looks.cpp"
