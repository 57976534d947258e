#pragma once

#include "results_fixture.h"
#include "window_fixture.h"

#include "core/text/value_text.h"

#include <QDir>
#include <QQuickItem>
#include <QTemporaryDir>

namespace weir::editor {

constexpr int kAnswerMs = 30000;

/// The window with a project and the runs of a folder.
struct MeasuredWindow : WindowFixture {
    explicit MeasuredWindow(const QString& project, const QString& runs = kMeasured,
                            const CliCommand& command = realCommand())
        : WindowFixture(project, command), results(*editor->results()), heat(*results.heat()) {
        results.library()->setFolder(runs);
    }

    /// The graph has the numbers of the run that the page shows.
    bool isOnGraph() const { return heat.isEnabled() && heat.path() == results.run()->path(); }
    /// The newest run is read, and the graph has the numbers of the chosen deployment.
    bool isMeasured() {
        return isReady() &&
               QTest::qWaitFor([this] { return results.run()->isShown() && item(QStringLiteral("heatLegend")); },
                               kAnswerMs);
    }

    void choose(const QString& deployment) {
        editor->setDeploymentIndex(static_cast<int>(editor->deployments().indexOf(deployment)));
    }

    Results& results;
    HeatMap& heat;
};

/// What tests of a real run on the canvas share.
class HeatFixture : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { setUpApplication(); }
    void init() { WindowFixture::failOnQmlWarnings(); }

  protected:
    /// Of the light theme.
    static QColor fill(int step) {
        static constexpr QRgb kFills[] = {0xFFDDE9F3, 0xFFF9E3A2, 0xFFF5A94A, 0xFFC9401A, 0xFF8E1030};
        return QColor::fromRgb(kFills[step]);
    }

    /// Of wires: neither that of heat nor that of errors.
    static QColor fillLine(int step) {
        static constexpr QRgb kLines[] = {0xFF6F8699, 0xFF7F78B8, 0xFF7559C0, 0xFF5F38B8, 0xFF431F94};
        return QColor::fromRgb(kLines[step]);
    }

    /// Half of it on the canvas.
    static QColor band(int step) {
        const QColor of = fillLine(step);
        return QColor((of.red() + 0xF4) / 2, (of.green() + 0xF6) / 2, (of.blue() + 0xF8) / 2);
    }

    /// The project and one of its runs in a folder, with other results.
    static void copyRun(const QTemporaryDir& folder, const char* name,
                        const std::function<QByteArray(QByteArray)>& changed) {
        const QString run = QDir(kMeasured).entryList({QLatin1String(name)}, QDir::Dirs).constFirst();
        QVERIFY(QDir(folder.path()).mkpath(run));
        for (const QString& file : {QStringLiteral("pipes.weir.json"), run + QStringLiteral("/project.json"),
                                    run + QStringLiteral("/plan.json"), run + QStringLiteral("/run.json"),
                                    run + QStringLiteral("/results.json"), run + QStringLiteral("/latency.hgrm")}) {
            QFile copy(folder.filePath(file));
            const QByteArray text = readAll(kMeasured + u'/' + file);
            QVERIFY(copy.open(QIODevice::WriteOnly));
            copy.write(file.endsWith(QStringLiteral("results.json")) ? changed(text) : text);
        }
    }

    static constexpr QRgb kFloat = 0xFFB4530A; ///< of the item type, in the light theme

    static bool isNear(const QColor& a, const QColor& b) {
        return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) < 40;
    }

    /// Within some pixels above or below.
    static bool hasNear(const QImage& image, QPoint place, const QColor& color) {
        for (int dy = -6; dy <= 6; ++dy)
            if (isNear(image.pixelColor(place + QPoint(0, dy)), color)) return true;
        return false;
    }

    /// The line of numbers below a block, as it is drawn.
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

    /// The real command line, but for `run`, which notes its words and measures nothing.
    static CliCommand noting(const QTemporaryDir& folder) {
        QFile file(folder.filePath(QStringLiteral("cli.py")));
        if (!file.open(QIODevice::WriteOnly)) qFatal("no command");
        file.write("import os, sys\nsys.path.insert(0, '" WEIR_ROOT
                   "/codegen')\n"
                   "if sys.argv[1] == 'run':\n"
                   "    open(os.path.dirname(sys.argv[0]) + '/words', 'w').write(' '.join(sys.argv[1:]))\n"
                   "    print('[]')\n    sys.exit(0)\n"
                   "from weir.cli import main\nsys.exit(main(sys.argv[1:]))\n");
        return {QStringLiteral("/usr/bin/python3"), {file.fileName()}};
    }

    /// As the command line would print it.
    static QString throughputOf(Results& results) {
        return throughputText(numberOf(results.run()->record().results, "throughput_items_per_s"));
    }

    static QImage picture(const WindowFixture& w) {
        QTest::qWait(60);
        return w.window->grabWindow();
    }
};

} // namespace weir::editor
