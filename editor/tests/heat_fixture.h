#pragma once

#include "measured_window.h"

#include "core/text/value_text.h"

#include <QQuickItem>

namespace weir::editor {

/// Fixture for tests of a real run on the canvas.
class HeatFixture : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { setUpApplication(); }
    void init() { WindowFixture::failOnQmlWarnings(); }

  protected:
    /// Fill colour of a heat step in the light theme.
    static QColor fill(int step) {
        static constexpr QRgb kFills[] = {0xFFDDE9F3, 0xFFF9E3A2, 0xFFF5A94A, 0xFFC9401A, 0xFF8E1030};
        return QColor::fromRgb(kFills[step]);
    }

    /// Heat colour of wires, different from the heat colours of blocks and from the error colour.
    static QColor fillLine(int step) {
        static constexpr QRgb kLines[] = {0xFF6F8699, 0xFF7F78B8, 0xFF7559C0, 0xFF5F38B8, 0xFF431F94};
        return QColor::fromRgb(kLines[step]);
    }

    /// Colour of the wire's band on the canvas: half opaque.
    static QColor band(int step) {
        const QColor of = fillLine(step);
        return QColor((of.red() + 0xF4) / 2, (of.green() + 0xF6) / 2, (of.blue() + 0xF8) / 2);
    }

    /// Copies of the runs with changed results.
    struct ChangedRuns : RunsFolder {
        ChangedRuns(const QStringList& patterns, const std::function<QByteArray(QByteArray)>& changed)
            : RunsFolder(patterns) {
            for (const QString& run : runs("*Z-*"))
                if (!changeText(run + QStringLiteral("/results.json"), changed)) qFatal("a run cannot be changed");
        }
    };

    static constexpr QRgb kFloat = 0xFFB4530A; ///< colour of the item type f32 in the light theme

    static bool isNear(const QColor& a, const QColor& b) {
        return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) < 40;
    }

    /// Return whether a pixel at most 6 px above or below `place` has the colour.
    static bool hasNear(const QImage& image, QPoint place, const QColor& color) {
        for (int dy = -6; dy <= 6; ++dy)
            if (isNear(image.pixelColor(place + QPoint(0, dy)), color)) return true;
        return false;
    }

    /// Return the drawn line of numbers below a block.
    static QQuickItem* numbersOf(const WindowFixture& w, const QString& block) {
        for (const QQuickItem* part : w.item(QStringLiteral("block:") + block)->childItems())
            for (QQuickItem* child : part->childItems())
                if (child->objectName() == QLatin1String("heatLine")) return child;
        return nullptr;
    }

    static QRectF wordsOf(const WindowFixture& w, const QQuickItem* line) {
        return line->mapRectToItem(w.canvas(), QRectF(0, 0, line->property("contentWidth").toReal(),
                                                      line->property("contentHeight").toReal()));
    }

    static QByteArray withoutProfile(QByteArray text) {
        text.replace("\"metrics\": \"profile\"", "\"metrics\": \"counters\"");
        return QString::fromUtf8(text)
            .replace(QRegularExpression(QStringLiteral("\"busy_ns\": [0-9]+")), QStringLiteral("\"busy_ns\": null"))
            .toUtf8();
    }

    /// Return the throughput as the command line prints it.
    static QString throughputOf(Results& results) {
        return throughputText(numberOf(results.run()->record().results, "throughput_items_per_s"));
    }

    static QImage picture(const WindowFixture& w) {
        QTest::qWait(60);
        return w.window->grabWindow();
    }
};

} // namespace weir::editor
