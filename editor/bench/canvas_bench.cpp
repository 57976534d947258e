#include "big_project.h"

#include "app/editor.h"
#include "core/json/canonical_json.h"
#include "features/canvas/graph_view.h"
#include "shell/controls/fonts.h"

#include <QAbstractEventDispatcher>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QFile>
#include <QFont>
#include <QGuiApplication>
#include <QMouseEvent>
#include <QProcess>
#include <QQmlApplicationEngine>
#include <QQmlEngineExtensionPlugin>
#include <QQuickStyle>
#include <QQuickWindow>
#include <QSGRendererInterface>
#include <QTemporaryDir>
#include <QTimer>
#include <QWheelEvent>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <ctime>
#include <functional>
#include <vector>

Q_IMPORT_QML_PLUGIN(WeirPlugin)

using namespace weir::editor;

namespace {

constexpr int kLimitMs = 30000;

/// Elapsed time and CPU time of a measurement. Other programs hardly affect the CPU time.
struct Took {
    double wall = 0;
    double cpu = 0;
};

class Clock {
  public:
    Clock() { m_wall.start(); }
    Took took() const { return {static_cast<double>(m_wall.nsecsElapsed()) / 1e6, cpuNow() - m_cpu}; }

  private:
    static double cpuNow() {
        timespec now{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
    }

    QElapsedTimer m_wall;
    double m_cpu = cpuNow();
};

/// Window on one project, with a clock from an event to the frame that shows it.
class BenchmarkWindow {
  public:
    BenchmarkWindow() : m_editor(CliCommand::parse(QStringLiteral(WEIR_CLI_COMMAND))) {
        m_editor.start();
        m_engine.addImportPath(QStringLiteral("qrc:/qt/qml"));
        m_engine.setInitialProperties({{QStringLiteral("editor"), QVariant::fromValue(&m_editor)},
                                       {QStringLiteral("width"), 1600},
                                       {QStringLiteral("height"), 1000}});
        m_engine.load(QUrl(QStringLiteral("qrc:/qt/qml/Weir/Main.qml")));
        m_window = qobject_cast<QQuickWindow*>(m_engine.rootObjects().value(0));
        if (!m_window) qFatal("no window");
        // If there is a render thread, it emits the signal.
        const auto count = [this, dispatcher = QAbstractEventDispatcher::instance()] {
            ++m_frames;
            dispatcher->wakeUp();
        };
        QObject::connect(m_window, &QQuickWindow::frameSwapped, m_window, count, Qt::DirectConnection);
        m_tick.start(100);
        waitFor([this] { return m_editor.isCatalogLoaded() && m_frames > 0; });
        m_canvas = m_window->findChild<GraphView*>(QStringLiteral("canvas"));
    }

    bool isReady() const { return m_canvas; }
    QString renderer() const {
        return m_window->rendererInterface()->graphicsApi() == QSGRendererInterface::Software
                   ? QStringLiteral("software")
                   : QStringLiteral("OpenGL");
    }

    /// Return the time from the event to the first frame after it, in milliseconds.
    Took frameAfter(const std::function<void()>& event) {
        const int before = m_frames;
        const Clock clock;
        event();
        m_window->update();
        waitFor([this, before] { return m_frames > before; });
        return clock.took();
    }

    Took busyWith(const std::function<void()>& event) {
        const Clock clock;
        event();
        return clock.took();
    }

    Took open(const QString& path) {
        return frameAfter([&] { m_editor.openPath(path); });
    }

    void settle() {
        waitFor([this] { return m_editor.isChecked(); });
        QElapsedTimer clock;
        clock.start();
        waitFor([&clock] { return clock.elapsed() > 300; });
    }

    std::vector<Took> pan(int steps) {
        const QPointF middle(m_canvas->width() / 2, m_canvas->height() / 2);
        return drag(
            Qt::MiddleButton, middle, [middle](int step) { return middle + QPointF(-14.0 * step, -5.0 * step); },
            steps);
    }

    std::vector<Took> zoom() {
        std::vector<Took> times;
        for (const int direction : {1, -1, 1})
            for (int step = 0; step < 18; ++step)
                times.push_back(frameAfter([this, direction] { wheel(120 * direction); }));
        return times;
    }

    /// Return the frames after the wheel stops, until everything that was scaled or left out is drawn again.
    std::vector<Took> rest(int turns) {
        for (int turn = 0; turn < turns; ++turn) frameAfter([this] { wheel(120); });
        waitFor([this] { return !m_canvas->isZooming(); });
        std::vector<Took> times;
        do {
            times.push_back(frameAfter([] {}));
        } while (!m_canvas->isAtRest());
        return times;
    }

    /// Drags the block nearest to the middle, then undoes the move.
    std::vector<Took> dragBlock(int steps) {
        const QPointF middle = m_canvas->toScene({m_canvas->width() / 2, m_canvas->height() / 2});
        const auto& blocks = m_editor.scene().blocks();
        const auto nearest =
            std::min_element(blocks.begin(), blocks.end(), [middle](const BlockView& a, const BlockView& b) {
                return (a.rect.center() - middle).manhattanLength() < (b.rect.center() - middle).manhattanLength();
            });
        const QPointF from = m_canvas->toView(nearest->rect.center());
        auto times =
            drag(Qt::LeftButton, from, [from](int step) { return from + QPointF(3.0 * step, 2.0 * step); }, steps);
        m_editor.undo();
        return times;
    }

    void setZoom(double zoom) {
        m_canvas->fit();
        m_canvas->zoomBy(zoom / m_canvas->zoom());
        settle();
    }
    double zoomNow() const { return m_canvas->zoom(); }

    /// Return the whole cost of an edit until the next event can be handled.
    Took edit(int number) {
        return busyWith([&] {
            m_editor.edit(QStringLiteral("bench"), [number](Transaction& t) {
                t.set(Pointer("/graph/blocks/47/parameters/a"), 0.001 * number);
            });
        });
    }

    Took key(int key, const QString& text) {
        return busyWith([&] {
            QKeyEvent press(QEvent::KeyPress, key, {}, text);
            QCoreApplication::sendEvent(m_window, &press);
            QKeyEvent release(QEvent::KeyRelease, key, {}, text);
            QCoreApplication::sendEvent(m_window, &release);
        });
    }

    bool focusField() {
        m_editor.selection().set({QStringLiteral("b47")});
        settle();
        QQuickItem* field = find(m_window->contentItem(), QStringLiteral("field:a"));
        if (!field) return false;
        m_window->requestActivate();
        waitFor([this] { return m_window->isActive(); });
        field->forceActiveFocus();
        m_field = field;
        return field->hasActiveFocus();
    }

    /// Shows or hides the numbers of the run on the graph.
    Took showRun(bool shown) {
        return busyWith([&] { m_editor.results()->heat()->setEnabled(shown); });
    }

    /// Act as if `weir runs list` had listed a run in this folder.
    void list(const Json& row) {
        RunLibrary* library = m_editor.results()->library();
        library->list().setRuns(Json::array({row}), {});
        emit library->listed();
        settle();
        if (!m_editor.results()->heat()->isKnown()) qFatal("the run is not read");
    }

    QString fieldText() const { return m_field->property("text").toString(); }

  private:
    static QQuickItem* find(QQuickItem* root, const QString& name) {
        if (root->objectName() == name && root->isVisible()) return root;
        const auto children = root->childItems();
        for (QQuickItem* child : children)
            if (QQuickItem* found = find(child, name)) return found;
        return nullptr;
    }

    void waitFor(const std::function<bool()>& done) {
        QElapsedTimer clock;
        clock.start();
        while (!done()) {
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
            if (clock.elapsed() > kLimitMs) qFatal("nothing happened for %d s", kLimitMs / 1000);
        }
    }

    void send(QEvent::Type type, QPointF at, Qt::MouseButton button, Qt::MouseButtons buttons) {
        const QPointF inWindow = m_canvas->mapToScene(at);
        QMouseEvent event(type, inWindow, m_window->mapToGlobal(inWindow), button, buttons, {});
        QCoreApplication::sendEvent(m_window, &event);
    }

    void wheel(int delta) {
        const QPointF at = m_canvas->mapToScene({m_canvas->width() / 2, m_canvas->height() / 2});
        QWheelEvent event(at, m_window->mapToGlobal(at), {}, {0, delta}, {}, {}, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(m_window, &event);
    }

    std::vector<Took> drag(Qt::MouseButton button, QPointF from, const std::function<QPointF(int)>& place, int steps) {
        send(QEvent::MouseButtonPress, from, button, button);
        std::vector<Took> times;
        for (int step = 1; step <= steps; ++step)
            times.push_back(frameAfter([&] { send(QEvent::MouseMove, place(step), Qt::NoButton, button); }));
        send(QEvent::MouseButtonRelease, place(steps), button, Qt::NoButton);
        return times;
    }

    Editor m_editor;
    QQmlApplicationEngine m_engine;
    QQuickWindow* m_window = nullptr;
    GraphView* m_canvas = nullptr;
    QQuickItem* m_field = nullptr;
    std::atomic<int> m_frames = 0;
    QTimer m_tick; ///< ends the wait for events from time to time
};

double percentile(const std::vector<Took>& times, double Took::* which, double part) {
    std::vector<double> values;
    for (const Took& took : times) values.push_back(took.*which);
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1) + 0.5)];
}

void print(const QString& what, const std::vector<Took>& times) {
    std::printf("| %s | %.1f | %.1f | %.1f | %.1f | %.1f | %zu |\n", qPrintable(what),
                percentile(times, &Took::wall, 0.5), percentile(times, &Took::wall, 0.95),
                percentile(times, &Took::wall, 1), percentile(times, &Took::cpu, 0.5),
                percentile(times, &Took::cpu, 0.95), times.size());
    std::fflush(stdout);
}

/// Write results of a run of the project to a folder, and return its row of `weir runs list`.
Json writeRun(const QString& folder, const Json& project) {
    Json results{{"schema_version", 1},           {"status", "ok"},          {"deployment", "single_thread"},
                 {"metrics", "profile"},          {"elapsed_s", 1.0},        {"window_s", 0.9},
                 {"throughput_items_per_s", 1e6}, {"blocks", Json::array()}, {"edges", Json::array()},
                 {"threads", Json::array()}};
    int number = 0;
    for (const Json& block : project["graph"]["blocks"])
        results["blocks"].push_back({{"id", block["id"]},
                                     {"worker", ++number % 2 ? "w0" : "w1"},
                                     {"calls", 1000},
                                     {"items_in", 900000},
                                     {"items_out", 900000},
                                     {"busy_ns", 1000 * number}});
    for (const Json& wire : project["graph"]["connections"]) {
        const auto end = [&wire](int at) {
            return wire[at].get<std::string>() + "." + wire[at + 1].get<std::string>();
        };
        results["edges"].push_back({{"from", end(0)}, {"to", end(2)}, {"buffer_items", 4096}, {"fill_mean", 0.5}});
    }
    QFile file(folder + QStringLiteral("/results.json"));
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(results.dump())) < 0)
        qFatal("%s cannot be written", qPrintable(file.fileName()));
    const std::string deployments = project.contains("deployments") && !project["deployments"].empty()
                                        ? project["deployments"][0]["name"].get<std::string>()
                                        : "single_thread";
    return {{"path", folder.toStdString()},
            {"run_id", "r"},
            {"deployment", deployments},
            {"status", "ok"},
            {"throughput_items_per_s", 1e6}};
}

/// Return the times of new processes from their start until the first frame with every block.
std::vector<Took> coldStarts(const QString& project, int rounds) {
    std::vector<Took> times;
    for (int round = 0; round < rounds; ++round) {
        const Clock clock;
        QProcess process;
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process.start(
            QStringLiteral(WEIR_EDITOR_PROGRAM),
            {project, QStringLiteral("--first-frame"), QStringLiteral("--weir"), QStringLiteral(WEIR_CLI_COMMAND)});
        if (!process.waitForFinished(kLimitMs) || process.exitCode() != 0) qFatal("the editor did not start");
        times.push_back(clock.took());
    }
    return times;
}

} // namespace

int main(int argc, char* argv[]) {
    QGuiApplication app(argc, argv);
    QFont font(Fonts::sans());
    font.setPixelSize(13);
    QGuiApplication::setFont(font);
    QQuickStyle::setStyle(QStringLiteral("Basic"));

    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions({{QStringLiteral("blocks"), QStringLiteral("of the flowgraph"), QStringLiteral("count"),
                        QStringLiteral("1000")},
                       {QStringLiteral("rounds"), QStringLiteral("of opening and starting"), QStringLiteral("count"),
                        QStringLiteral("5")}});
    parser.process(app);
    const int blocks = std::max(parser.value(QStringLiteral("blocks")).toInt(), 80);
    const int rounds = std::max(parser.value(QStringLiteral("rounds")).toInt(), 1);

    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("big.weir.json"));
    const Json project = bigProject(blocks);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(canonicalText(project))) < 0)
        qFatal("%s cannot be written", qPrintable(path));
    file.close();

    const std::vector<Took> starts = coldStarts(path, rounds);
    BenchmarkWindow window;
    if (!window.isReady()) qFatal("no canvas");
    std::printf(
        "\n%d blocks, %zu wires, 1600x1000, %s\n\n| ms | median | 95th | worst | cpu median | cpu 95th | of |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n",
        blocks, project["graph"]["connections"].size(), qPrintable(window.renderer()));
    print(QStringLiteral("cold start with the project"), starts);

    std::vector<Took> opens;
    for (int round = 0; round < rounds; ++round) {
        opens.push_back(window.open(path));
        window.settle();
    }
    print(QStringLiteral("open"), opens);
    for (const double zoom : {1.0, 0.6, 0.2}) {
        window.setZoom(zoom);
        const QString at = QStringLiteral(" at %1 %").arg(qRound(100 * window.zoomNow()));
        print(QStringLiteral("pan") + at, window.pan(120));
        window.setZoom(zoom);
        print(QStringLiteral("drag a block") + at, window.dragBlock(100));
    }
    window.setZoom(0.1);
    print(QStringLiteral("zoom in, out, in"), window.zoom());
    std::vector<Took> rests;
    for (int round = 0; round < rounds; ++round) {
        window.setZoom(0.1);
        const std::vector<Took> frames = window.rest(10);
        rests.insert(rests.end(), frames.begin(), frames.end());
    }
    print(QStringLiteral("the wheel rests at %1 %").arg(qRound(100 * window.zoomNow())), rests);
    window.setZoom(1);
    if (!window.focusField()) qFatal("no field");
    std::vector<Took> keys;
    for (int number = 0; number < 60; ++number)
        keys.push_back(window.key(Qt::Key_0 + number % 10, QString::number(number % 10)));
    if (!window.fieldText().contains(QStringLiteral("0123456789"))) qFatal("the keys did not arrive");
    print(QStringLiteral("a key in a field"), keys);
    std::vector<Took> edits;
    for (int number = 1; number <= 30; ++number) edits.push_back(window.edit(number));
    print(QStringLiteral("an edit"), edits);

    window.list(writeRun(folder.path(), project));
    for (const double zoom : {1.0, 0.2}) {
        window.setZoom(zoom);
        const QString at = QStringLiteral(" at %1 %").arg(qRound(100 * window.zoomNow()));
        std::vector<Took> shows;
        for (int round = 0; round < 2 * rounds; ++round) shows.push_back(window.showRun(round % 2 == 1));
        print(QStringLiteral("a run is shown or hidden") + at, shows);
        print(QStringLiteral("pan with a run shown") + at, window.pan(60));
        edits.clear();
        for (int number = 1; number <= 10; ++number) edits.push_back(window.edit(100 + number));
        print(QStringLiteral("an edit with a run shown") + at, edits);
    }
    return 0;
}
