#pragma once

#include "results_fixture.h"
#include "window_fixture.h"

#include <QQuickItem>

#include <functional>

namespace weir::editor {

/// What tests of results and of comparisons in the real window share.
class ResultsWindow : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { setUpApplication(); }
    void init() { WindowFixture::failOnQmlWarnings(); }

  protected:
    static constexpr int kAnswerMs = 30000;

    static bool copyFolder(const QString& from, const QString& to) {
        QDir().mkpath(to);
        for (const QFileInfo& entry : QDir(from).entryInfoList(QDir::AllEntries | QDir::NoDotAndDotDot))
            if (!(entry.isDir() ? copyFolder(entry.filePath(), to + u'/' + entry.fileName())
                                : QFile::copy(entry.filePath(), to + u'/' + entry.fileName())))
                return false;
        return true;
    }

    /// Replaces results.json of a run by what `change` makes of it.
    static bool change(const QString& run, const std::function<void(Json&)>& change) {
        QFile file(run + QStringLiteral("/results.json"));
        Json results = parse(readAll(file.fileName()));
        change(results);
        const QByteArray text = QByteArray::fromStdString(results.dump());
        return file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write(text) == text.size();
    }

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
