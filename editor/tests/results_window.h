#pragma once

#include "measured_window.h"

#include <QQuickItem>

namespace weir::editor {

/// Fixture for tests of results and comparisons in the real window.
class ResultsWindow : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { setUpApplication(); }
    void init() { WindowFixture::failOnQmlWarnings(); }

  protected:
    static bool isNear(const QColor& a, const QColor& b) {
        return std::abs(a.red() - b.red()) < 4 && std::abs(a.green() - b.green()) < 4 &&
               std::abs(a.blue() - b.blue()) < 4;
    }

    static int inkIn(const WindowFixture& w, const QString& item, const QColor& color) {
        const QQuickItem* found = w.item(item);
        if (!found) return 0;
        const QImage image = w.window->grabWindow();
        const QRect area = found->mapRectToScene(found->boundingRect()).toRect().intersected(image.rect());
        int count = 0;
        for (int y = area.top(); y <= area.bottom(); ++y)
            for (int x = area.left(); x <= area.right(); ++x) count += isNear(image.pixelColor(x, y), color);
        return count;
    }
};

} // namespace weir::editor
