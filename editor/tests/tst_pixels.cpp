#include "window_fixture.h"

#include "../bench/big_project.h"
#include "core/edits/project_edits.h"
#include "core/graph/node_geometry.h"
#include "core/graph/wire_geometry.h"
#include "core/json/canonical_json.h"
#include "features/canvas/name_lines.h"

#include <QImage>
#include <QTemporaryDir>
#include <QWheelEvent>

using namespace weir::editor;

namespace {

int distance(QColor a, QColor b) {
    return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
}

QRect difference(const QImage& a, const QImage& b) {
    QRect box;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            if (a.pixel(x, y) != b.pixel(x, y)) box |= QRect(x, y, 1, 1);
    return box;
}

} // namespace

/// Tests that an edit changes the expected pixels of the canvas and no others.
class TestPixels : public QObject {
    Q_OBJECT

    std::unique_ptr<WindowFixture> m_window;

    QImage grabCanvas() {
        QTest::qWait(50);
        return grabNow(*m_window);
    }

    static QImage grabNow(WindowFixture& window) {
        const GraphView* canvas = window.canvas();
        const QRectF rect(canvas->mapToScene({0, 0}), QSizeF(canvas->width(), canvas->height()));
        return window.window->grabWindow().copy(rect.toRect());
    }

    static void wheel(WindowFixture& window, int delta) {
        const QPointF at = window.canvas()->mapToScene({300, 250});
        QWheelEvent event(at, window.window->mapToGlobal(at), {}, {0, delta}, {}, {}, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(window.window, &event);
    }

    /// Return the first block in view at whose place only the empty canvas is drawn.
    static QString missingBlock(WindowFixture& window, const QImage& image) {
        const GraphView& canvas = *window.canvas();
        const QColor empty = canvas.parentItem()->property("color").value<QColor>();
        for (const BlockView& block : window.editor->scene().blocks()) {
            const QRect rect(canvas.toView(block.rect.topLeft()).toPoint(),
                             (block.rect.size() * canvas.zoom()).toSize());
            if (!image.rect().contains(rect)) continue;
            int filled = 0;
            for (int x = rect.left(); x < rect.right(); ++x)
                filled += distance(image.pixelColor(x, rect.center().y()), empty) > 0;
            if (2 * filled < rect.width()) return block.id;
        }
        return {};
    }

    static void collectTexts(QQuickItem* item, QList<QQuickItem*>& texts) {
        if (!item->isVisible() || item->property("glyph").isValid()) return; // icons are pictures
        if (item->inherits("QQuickText") && !item->property("text").toString().isEmpty()) texts.append(item);
        const auto children = item->childItems();
        for (QQuickItem* child : children) collectTexts(child, texts);
    }

    QRectF inView(QRectF scene) const {
        return {m_window->canvas()->toView(scene.topLeft()), m_window->canvas()->toView(scene.bottomRight())};
    }

  private slots:
    void initTestCase() { setUpApplication(); }

    void init() {
        WindowFixture::failOnQmlWarnings();
        m_window = std::make_unique<WindowFixture>(QStringLiteral(WEIR_TEST_DATA "/pixels.weir.json"));
        QVERIFY(m_window->isReady());
        QCOMPARE(m_window->canvas()->zoom(), 1.0);
    }

    void lettersKeepTheirSizeAndRowsDropOut_data() {
        QTest::addColumn<qreal>("zoom");
        QTest::addColumn<int>("rows"); // greatest number of shown rows, of the recording's three
        QTest::newRow("100 %") << 1.0 << 3;
        QTest::newRow("75 %") << 0.75 << 3;
        QTest::newRow("60 %") << 0.6 << 3;
        QTest::newRow("50 %") << 0.5 << 2;
        QTest::newRow("40 %") << 0.4 << 0;
    }

    void lettersKeepTheirSizeAndRowsDropOut() {
        QFETCH(qreal, zoom);
        QFETCH(int, rows);
        m_window = std::make_unique<WindowFixture>(QStringLiteral(WEIR_ROOT "/examples/fm_receiver.weir.json"));
        QVERIFY(m_window->isReady());
        GraphView* canvas = m_window->canvas();
        canvas->zoomBy(zoom / canvas->zoom());
        QTRY_VERIFY(canvas->isAtRest());
        QTest::qWait(50);
        QList<QQuickItem*> texts;
        collectTexts(canvas, texts);
        for (const QQuickItem* text : std::as_const(texts)) {
            const QRectF drawn = text->mapRectToScene({0, 0, 100, 100});
            const qreal size = text->property("font").value<QFont>().pixelSize() * drawn.height() / 100;
            QVERIFY2(size > 10.5,
                     qPrintable(QStringLiteral("%1: %2").arg(text->property("text").toString()).arg(size)));
        }
        const QQuickItem* block = m_window->item(QStringLiteral("block:recording"));
        QCOMPARE(block != nullptr, zoom >= 0.5);
        int shown = 0;
        for (const char* name : {"path", "sample_rate", "repeat"})
            if (const QQuickItem* row = m_window->item(QStringLiteral("row:recording.") + QLatin1String(name))) {
                ++shown;
                QVERIFY(row->mapRectToItem(block, row->boundingRect()).bottom() <= block->height());
                // A long value leaves room for its name.
                const QQuickItem* of = row->childItems().at(0);
                const QQuickItem* value = row->childItems().at(1);
                if (!of->isVisible()) { // the value contains the name
                    QVERIFY(value->property("text").toString().contains(QLatin1String(name)) &&
                            !value->property("truncated").toBool());
                    continue;
                }
                QVERIFY2(of->width() >= std::min(of->implicitWidth(), 0.29 * row->width()), name);
                QVERIFY(of->x() + of->width() < value->x() && value->width() > 0.4 * row->width());
                // If the name has less than its share of the width, the value must be uncut.
                if (of->width() < std::min(of->implicitWidth(), 0.39 * row->width()))
                    QVERIFY2(!value->property("truncated").toBool(), name);
            }
        QVERIFY2(shown <= rows && (shown > 0) == (zoom >= 0.5) && (zoom < 1 || shown == 3),
                 qPrintable(QString::number(shown)));
        const auto isLabel = [](const QQuickItem* text) {
            return text->property("text").toString() == QLatin1String("out");
        };
        QCOMPARE(std::any_of(texts.begin(), texts.end(), isLabel), zoom >= 0.5);
    }

    void aLongNameTakesTwoLinesBeforeItIsCut() {
        m_window->editor->edit(QStringLiteral("rename"),
                               [](Transaction& t) { renameBlock(t, "beta", "analog_sig_source_x_0"); });
        GraphView* canvas = m_window->canvas();
        canvas->zoomBy(0.7 / canvas->zoom());
        QTRY_VERIFY(canvas->isAtRest());
        QTest::qWait(50);
        const QQuickItem* name = m_window->item(QStringLiteral("name:analog_sig_source_x_0"));
        QVERIFY(name);
        QCOMPARE(name->property("lineCount").toInt(), 2);
        QVERIFY(!name->property("truncated").toBool());
        QVERIFY(m_window->item(QStringLiteral("block:analog_sig_source_x_0"))
                    ->contains(name->mapToItem(m_window->item(QStringLiteral("block:analog_sig_source_x_0")),
                                               QPointF(2, 26))));

        const QFontMetricsF metrics{QFont()};
        QCOMPARE(nameLines(QStringLiteral("a_bb_ccc"), metrics, 1000, 2), QStringList{QStringLiteral("a_bb_ccc")});
        const QStringList two{QStringLiteral("blocks_"), QStringLiteral("source")};
        QCOMPARE(nameLines(two.join(QString()), metrics, metrics.horizontalAdvance(two[0]) + 1, 2), two);
        QVERIFY(nameLines(two.join(QString()), metrics, metrics.horizontalAdvance(two[0]) + 1, 1).isEmpty());
        QVERIFY(nameLines(QStringLiteral("unbreakable"), metrics, 20, 2).isEmpty());
        const QString stub = QStringLiteral("sig_source_x_0");
        QCOMPARE(nameLines(stub, metrics, metrics.horizontalAdvance(stub) - 1, 2).value(1), QStringLiteral("x_0"));
        const QStringList kind{QStringLiteral("Random "), QStringLiteral("Source")};
        QCOMPARE(nameLines(kind.join(QString()), metrics, metrics.horizontalAdvance(kind[0]) + 1, 2), kind);
    }

    void statesAreSeenAtAGlance() {
        Editor& editor = *m_window->editor;
        const auto header = [&](const char* block) {
            const QRectF rect = editor.scene().block(QLatin1String(block))->rect;
            return grabCanvas().pixelColor(m_window->canvas()->toView(rect.topRight() + QPointF(-8, 6)).toPoint());
        };
        // The header of a source is blue, and that of a sink is rose.
        const QColor source = header("alpha");
        QVERIFY(distance(source, Qt::white) > 40 && source.blue() > source.red());
        const QColor sink = header("gamma");
        QVERIFY(distance(sink, source) > 40 && sink.red() > sink.green());
        editor.edit(QStringLiteral("off"), [](Transaction& t) { t.set(Pointer("/graph/blocks/0/state"), "disabled"); });
        QVERIFY(distance(header("alpha"), source) > 20);
        editor.undo(); // an input without items is not an error
        editor.edit(QStringLiteral("wrong"),
                    [](Transaction& t) { t.set(Pointer("/graph/blocks/1/parameters"), {{"a", "no number"}}); });
        QTRY_VERIFY(m_window->item(QStringLiteral("block:beta"))->property("wrong").toBool());
        QVERIFY(distance(header("beta"), QColor(0xB4, 0x23, 0x18)) < 12);
        editor.selection().set({QStringLiteral("gamma")});
        const QRectF rect = editor.scene().block(QStringLiteral("gamma"))->rect;
        const QImage image = grabCanvas();
        for (const int away : {2, 3, 4}) {
            const QPoint at = m_window->canvas()->toView(QPointF(rect.left() - away, rect.top() + 30)).toPoint();
            QVERIFY2(distance(image.pixelColor(at), QColor(0x1D, 0x5F, 0xD1)) < 12,
                     qPrintable(image.pixelColor(at).name()));
        }
    }

    void nothingChangesByItself() { QVERIFY(difference(grabCanvas(), grabCanvas()).isNull()); }

    void aRenameChangesOnlyTheTitleOfItsBlock() {
        const QImage before = grabCanvas();
        m_window->editor->edit(QStringLiteral("rename"), [](Transaction& t) {
            renameBlock(t, "gamma", "gamme");
        }); // equally long name, so that a pill next to it does not move
        const QRect changed = difference(before, grabCanvas());
        QRectF header = m_window->editor->scene().block(QStringLiteral("gamme"))->rect;
        header.setHeight(look().block.header);
        QVERIFY(!changed.isNull());
        QVERIFY2(inView(header).toAlignedRect().contains(changed), qPrintable(QStringLiteral("%1,%2 %3x%4")
                                                                                  .arg(changed.x())
                                                                                  .arg(changed.y())
                                                                                  .arg(changed.width())
                                                                                  .arg(changed.height())));
    }

    void aWireChangesOnlyItsPathAndPortsAndHasTheColourOfItsType() {
        const QImage before = grabCanvas();
        m_window->editor->edit(QStringLiteral("connect"),
                               [](Transaction& t) { addConnection(t, {"beta", "out", "gamma", "in"}); });
        const QImage after = grabCanvas();
        const auto& wires = m_window->editor->scene().wires();
        const auto wire =
            std::find_if(wires.begin(), wires.end(), [](const WireView& w) { return w.connection.target == "gamma"; });
        QVERIFY(wire != wires.end());

        constexpr double kPort = 8;
        constexpr double kLine = 4;
        const QRectF path =
            geometry::wirePath(wire->from, wire->to).boundingRect().adjusted(-kLine, -kLine, kLine, kLine);
        const QRectF ports = QRectF(wire->from, wire->to).normalized().adjusted(-kPort, -kPort, kPort, kPort);
        const QRect changed = difference(before, after);
        QVERIFY(!changed.isNull());
        QVERIFY(inView(path | ports).toAlignedRect().contains(changed));

        const QColor expected(0xB4, 0x53, 0x0A);
        const QPainterPath line = geometry::wirePath(wire->from, wire->to);
        for (const double part : {0.2, 0.35, 0.5, 0.65, 0.8}) {
            const QPoint centre = m_window->canvas()->toView(line.pointAtPercent(part)).toPoint();
            int best = 1000;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx)
                    best = std::min(best, distance(after.pixelColor(centre + QPoint(dx, dy)), expected));
            QVERIFY2(best < 40, qPrintable(QStringLiteral("at %1: off by %2").arg(part).arg(best)));
        }
    }

    void aZoomThatRestsShowsWhatIsShownAtThisZoomAtOnce_data() {
        QTest::addColumn<qreal>("zoom");
        QTest::addColumn<int>("turns");
        QTest::newRow("from shapes to names") << 0.3 << 3;
        QTest::newRow("from shapes to everything") << 0.3 << 6;
        QTest::newRow("from names to shapes") << 0.6 << -3;
        QTest::newRow("from names to everything") << 0.5 << 3;
        QTest::newRow("from everything to names") << 0.8 << -2;
    }

    void aZoomThatRestsShowsWhatIsShownAtThisZoomAtOnce() {
        QFETCH(qreal, zoom);
        QFETCH(int, turns);
        m_window.reset();
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("big.weir.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(canonicalText(bigProject(400))));
        file.close();

        WindowFixture turned(path);
        QVERIFY(turned.isReady());
        GraphView& canvas = *turned.canvas();
        canvas.zoomBy(zoom / canvas.zoom());
        canvas.centerOn(turned.editor->scene().bounds().center());
        QTest::qWait(300);
        for (int turn = std::abs(turns); turn > 0; --turn) {
            wheel(turned, turns > 0 ? 120 : -120);
            const QImage image = grabNow(turned);
            QVERIFY2(missingBlock(turned, image).isEmpty(), qPrintable(missingBlock(turned, image)));
        }
        QTRY_VERIFY(canvas.isAtRest());
        QTest::qWait(50);
        const QImage rested = grabNow(turned);

        WindowFixture fresh(path);
        QVERIFY(fresh.isReady());
        fresh.canvas()->zoomBy(canvas.zoom() / fresh.canvas()->zoom());
        fresh.canvas()->panBy(QPointF(canvas.offsetX(), canvas.offsetY()) -
                              QPointF(fresh.canvas()->offsetX(), fresh.canvas()->offsetY()));
        QTRY_VERIFY(fresh.canvas()->isAtRest());
        QTest::qWait(50);
        const QRect changed = difference(grabNow(fresh), rested);
        QVERIFY2(changed.isNull(), qPrintable(QStringLiteral("%1,%2 %3x%4")
                                                  .arg(changed.x())
                                                  .arg(changed.y())
                                                  .arg(changed.width())
                                                  .arg(changed.height())));
    }

    void theGraphIsPaintedDownToItsFootWhenThePanelBelowGoes() {
        WindowFixture& w = *m_window;
        const qreal high = w.canvas()->height();
        w.click(QStringLiteral("bottomToggle"));
        QTRY_VERIFY(w.canvas()->height() < high - 180);
        // Draw the canvas at its lower height first.
        w.canvas()->zoomBy(1.25);
        grabCanvas();
        w.click(QStringLiteral("bottomToggle"));
        QTRY_COMPARE(w.canvas()->height(), high);
        const QImage all = grabCanvas();
        const QColor empty = w.canvas()->parentItem()->property("color").value<QColor>();
        for (int y = all.height() - 60; y < all.height(); ++y)
            QVERIFY2(distance(all.pixelColor(all.width() / 2, y), empty) < 120,
                     qPrintable(QStringLiteral("at %1").arg(y)));
    }

    void selectionChangesOnlyAroundTheBlock() {
        const QImage before = grabCanvas();
        m_window->editor->selection().set({QStringLiteral("beta")});
        const QRect changed = difference(before, grabCanvas());
        QVERIFY(!changed.isNull());
        const QRectF block = m_window->editor->scene().block(QStringLiteral("beta"))->rect.adjusted(-8, -8, 8, 8);
        QVERIFY(inView(block).toAlignedRect().contains(changed));
    }
};

QTEST_MAIN(TestPixels)
#include "tst_pixels.moc"
