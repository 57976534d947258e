#include "window_fixture.h"

#include "core/edits/project_edits.h"
#include "drawn_window.h"
#include "features/design/filter_design.h"
#include "pictures.h"

#include <QDir>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QThread>

#include <atomic>
#include <map>

using namespace weir::editor;

namespace {

const QString kProject = QStringLiteral(WEIR_TEST_DATA "/looks.weir.json");
constexpr int kPatienceMs = 30000; ///< allows for other tests on the same CPUs
constexpr QSize kWindow(1440, 900);
constexpr QSize kLaptop(960, 600); ///< a screen of 1440 x 900 pixels at a scale of 150 %
/// Pictures are compared at a sixth of their size. Renderers then agree on letters and edges, but missing or moved
/// parts still differ.
constexpr int kSmaller = 6;
constexpr double kMeanBound = 3.5;  ///< limit of the mean `distance`; the largest measured mean was 2.8
constexpr int kPixelBound = 130;  ///< limit for a single pixel; the largest measured value was 96

/// At a distance of 2 m, a sixtieth of a degree covers 2.3 pixels of a usual screen. A third of the size shows what is
/// visible from there.
constexpr int kFromAfar = 3;
constexpr int kOther = 60;  ///< `distance` (0 to 765) from which a pixel counts as different
constexpr int kLeastDifferentPixels = 20;  ///< least number of different pixels; the smallest measured number was 24
constexpr double kLegible = 3;  ///< contrast that WCAG requires of icons and edges
constexpr int kSigns = 70;  ///< least pixels that set a state apart from a plain block; the smallest measured was 88

/// Full size, the smallest zoom with all details, and a zoom at which blocks are painted.
constexpr double kZooms[] = {1, 0.5, 0.3};
const QString kBlock = QStringLiteral("beta");

/// Block in one state, drawn in every theme and at every zoom.
struct Appearance {
    QString state;
    std::vector<QImage> images;
};

/// Return the real command line with two exceptions: a run goes on until it is stopped, and the doctor finds nothing,
/// since its findings vary.
CliCommand command(const QTemporaryDir& folder) {
    QFile file(folder.filePath(QStringLiteral("cli.py")));
    if (!file.open(QIODevice::WriteOnly)) qFatal("cli.py was not written");
    file.write(
        "import signal, sys\nsys.path.insert(0, '" WEIR_ROOT
        "/codegen')\n"
        "if sys.argv[1] == 'doctor':\n"
        "    print('{\"machine\": {}, \"project\": \"-\", \"deployments\": [], \"findings\": []}')\n    sys.exit(0)\n"
        "if sys.argv[1] == 'run':\n    signal.signal(signal.SIGINT, signal.SIG_DFL)\n"
        "    print('{\"phase\": \"run\", \"done\": 0, \"total\": null, \"eta_s\": null}', file=sys.stderr, "
        "flush=True)\n"
        "    signal.pause()\n"
        "from weir.cli import main\nsys.exit(main(sys.argv[1:]))\n");
    return {QStringLiteral("/usr/bin/python3"), {file.fileName()}};
}

}  // namespace

/// Tests of pictures of the window: they agree at every scale and with every renderer, and each state of a block looks
/// unique.
class TestLooks : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::map<std::string, DrawnWindow> m_drawings;

    /// Writes a picture of the window and its layout.
    static void write(const WindowFixture& w, const QString& path) {
        // A pointer resting over the window may have opened a hint.
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(w.window, &leave);
        QTRY_VERIFY_WITH_TIMEOUT(w.canvas() == nullptr || w.canvas()->isAtRest(), kPatienceMs);
        const auto designs = w.window->findChildren<FilterDesign*>();
        const auto asks = [](const FilterDesign* design) { return design->isAsking(); };
        QTRY_VERIFY_WITH_TIMEOUT(std::none_of(designs.begin(), designs.end(), asks), kPatienceMs);
        QTest::qWait(200);
        QJsonArray layout;
        pictures::collectLayout(w.window->contentItem(), QRectF(QPointF(), w.window->size()), layout);
        QFile file(path + QStringLiteral(".json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QJsonDocument(layout).toJson());
        QVERIFY(w.window->grabWindow().save(path + QStringLiteral(".png")));
    }

    /// Return the width of the first wire, in pixels of the window.
    static double wireWidth(const WindowFixture& w) {
        const QImage image = w.window->grabWindow();
        const qreal ratio = qreal(image.width()) / w.window->width();
        const QPointF middle = w.editor->scene().wires().front().path.pointAtPercent(0.5);
        const QPoint at = (w.canvas()->mapToScene(w.canvas()->toView(middle)) * ratio).toPoint();
        const QRgb ground = image.pixel(at - QPoint(0, 8));
        int ink = 0;
        for (int y = -7; y < 8; ++y) ink += pictures::distance(image.pixel(at + QPoint(0, y)), ground);
        return ink / ratio / pictures::distance(qRgb(0x0A, 0x6F, 0xB8), ground);
    }

    static QJsonArray layoutOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).array() : QJsonArray();
    }

    static void compareLayouts(const QString& one, const QString& other) {
        const QJsonArray a = layoutOf(one);
        const QJsonArray b = layoutOf(other);
        QVERIFY(a.size() > 200);
        for (int row = 0; row < std::min(a.size(), b.size()); ++row)
            for (int part = 0; part < 7; ++part) {
                const QJsonValue was = a[row][part];
                const QJsonValue is = b[row][part];
                QVERIFY2(part < 3 ? was == is : std::abs(was.toDouble() - is.toDouble()) <= 1,
                         QJsonDocument(QJsonArray{one, a[row], b[row]}).toJson().constData());
            }
        QCOMPARE(a.size(), b.size());
    }

    static void comparePictures(const QString& one, const QString& other, QSize size, qreal scale) {
        const QImage a(one);
        const QImage b(other);
        QCOMPARE(a.size(), size);
        QCOMPARE(b.size(), size * scale);
        const QImage small = pictures::smaller(a, size / kSmaller);
        const QImage same = pictures::smaller(b, size / kSmaller);
        double sum = 0;
        for (int y = 0; y < small.height(); ++y)
            for (int x = 0; x < small.width(); ++x) {
                const int off = pictures::distance(small.pixel(x, y), same.pixel(x, y));
                sum += off;
                QVERIFY2(off <= kPixelBound, qPrintable(QStringLiteral("%1 at %2,%3: off by %4")
                                                            .arg(other)
                                                            .arg(x * kSmaller)
                                                            .arg(y * kSmaller)
                                                            .arg(off)));
            }
        const double mean = sum / small.width() / small.height();
        QVERIFY2(mean <= kMeanBound, qPrintable(QStringLiteral("%1: %2").arg(other).arg(mean)));
    }

    /// Return a picture of the block and the area around it.
    static QImage picture(WindowFixture& w, double zoom, bool pointedAt) {
        GraphView& canvas = *w.canvas();
        canvas.zoomBy(zoom / canvas.zoom());
        const QRectF block = w.editor->scene().block(kBlock)->rect;
        canvas.centerOn(block.center());
        const QPoint middle = canvas.mapToScene(QPointF(canvas.width(), canvas.height()) / 2).toPoint();
        QTest::mouseMove(w.window, pointedAt ? middle : middle + QPoint(0, 200));
        QTest::qWait(canvas.isAtRest() ? 30 : 120);
        QRect area(QPoint(), (block.size() * zoom).toSize() + QSize(18, 56));
        area.setSize(area.size() / kFromAfar * kFromAfar);
        area.moveCenter(middle);
        return w.window->grabWindow().copy(area);
    }

    static void compareStates(const Appearance& a, const Appearance& b, std::size_t i) {
        const QString theme = i < std::size(kZooms) ? QStringLiteral("light") : QStringLiteral("dark");
        const QString what =
            QStringLiteral("%1 and %2, %3 at %4").arg(a.state, b.state, theme).arg(kZooms[i % std::size(kZooms)]);
        const QSize size = a.images[i].size() / kFromAfar;
        const int seen = pictures::count(pictures::smaller(a.images[i], size), pictures::smaller(b.images[i], size),
                                         [](QRgb x, QRgb y) { return pictures::distance(x, y) > kOther; });
        const int legible = pictures::count(a.images[i], b.images[i],
                                            [](QRgb x, QRgb y) { return pictures::contrast(x, y) >= kLegible; });
        QVERIFY2(seen >= kLeastDifferentPixels,
                 qPrintable(QStringLiteral("%1: %2 look otherwise from afar").arg(what).arg(seen)));
        const bool plain = a.state == QLatin1String("plain") || b.state == QLatin1String("plain");
        QVERIFY2(!plain || legible >= kSigns, qPrintable(QStringLiteral("%1: %2 stand out").arg(what).arg(legible)));
    }

    static Appearance look(WindowFixture& w, const QString& state) {
        Appearance look{state, {}};
        for (int theme = 0; theme < 2; ++theme) {
            for (const double zoom : kZooms) look.images.push_back(picture(w, zoom, state == QLatin1String("hovered")));
            w.editor->actions().trigger(QStringLiteral("view.theme"));
        }
        return look;
    }

  private slots:
    void initTestCase() {
        setUpApplication();
        WindowFixture::failOnQmlWarnings();
    }

    /// Draws in this process. The next test starts this test again for other scales and renderers.
    void theWindowIsDrawn() {
        const QDir out(qEnvironmentVariable("WEIR_PICTURES", m_folder.path()));
        WindowFixture w(kProject, command(m_folder));
        std::atomic<QThread*> renderer = nullptr;
        connect(
            w.window, &QQuickWindow::beforeRendering, w.window, [&renderer] { renderer = QThread::currentThread(); },
            Qt::DirectConnection);
        w.window->resize(kWindow);
        QVERIFY(w.isReady());
        w.editor->goTo(QStringLiteral("channel"));
        write(w, out.filePath(QStringLiteral("graph")));
        w.editor->setView(QStringLiteral("lanes"));
        QTRY_VERIFY_WITH_TIMEOUT(!w.editor->mapping()->isPlanning(), kPatienceMs);
        write(w, out.filePath(QStringLiteral("mapping")));
        w.editor->setView(QStringLiteral("canvas"));
        w.canvas()->zoomBy(0.3 / w.canvas()->zoom());
        write(w, out.filePath(QStringLiteral("far")));
        QVERIFY2(std::abs(wireWidth(w) - 1) < 0.2, qPrintable(QString::number(wireWidth(w))));
        w.window->resize(kLaptop);
        w.canvas()->fit();
        write(w, out.filePath(QStringLiteral("laptop")));
        QStringList cut;
        pictures::collectCut(w.window->contentItem(), QRectF(QPointF(), kLaptop), cut);
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join(u'\n')));
        if (qEnvironmentVariable("QSG_RENDER_LOOP") == QLatin1String("threaded")) {
            QVERIFY(renderer != nullptr && renderer != QThread::currentThread());
            QCOMPARE(w.window->rendererInterface()->graphicsApi(), QSGRendererInterface::OpenGL);
        }
    }

    void theWindowLooksTheSame_data() {
        QTest::addColumn<qreal>("scale");
        QTest::addColumn<bool>("program");  // the program draws with --screenshot
        const CliCommand sound = command(m_folder);
        const QString commandLine = sound.program + u' ' + sound.arguments.join(u' ');
        const auto row = [this, commandLine](const char* name, qreal scale, bool threaded, bool program) {
            QTest::newRow(name) << scale << program;
            // Run the processes in parallel, since they mostly wait.
            if (program)
                m_drawings[name].start(QStringLiteral(WEIR_EDITOR_BINARY),
                                       {kProject, QStringLiteral("--weir"), commandLine, QStringLiteral("--select"),
                                        QStringLiteral("channel"), QStringLiteral("--size"), QStringLiteral("1440x900"),
                                        QStringLiteral("--screenshot"), QStringLiteral("graph.png")},
                                       scale, threaded);
            else
                m_drawings[name].start(QCoreApplication::applicationFilePath(), {QStringLiteral("theWindowIsDrawn")},
                                       scale, threaded);
        };
        row("150 %", 1.5, false, false);
        row("200 %", 2, false, false);
        row("threaded GL", 1, true, false);
        row("threaded GL, 150 %, --screenshot", 1.5, true, true);
    }

    void theWindowLooksTheSame() {
        QFETCH(qreal, scale);
        QFETCH(bool, program);
        DrawnWindow& drawing = m_drawings[QTest::currentDataTag()];
        if (!drawing.lacks.isEmpty()) QSKIP(qPrintable(drawing.lacks));
        QVERIFY(drawing.process.state() == QProcess::NotRunning || drawing.process.waitForFinished(4 * kPatienceMs));
        QVERIFY2(drawing.process.exitCode() == 0, drawing.process.readAll().constData());
        const QStringList names{QStringLiteral("graph"), QStringLiteral("mapping"), QStringLiteral("far"),
                                QStringLiteral("laptop")};
        for (const QString& name : program ? names.first(1) : names) {
            const QString one = m_folder.filePath(name);
            const QString other = drawing.folder.filePath(name);
            if (!program) compareLayouts(one + QStringLiteral(".json"), other + QStringLiteral(".json"));
            comparePictures(one + QStringLiteral(".png"), other + QStringLiteral(".png"),
                            name == names.last() ? kLaptop : kWindow, scale);
        }
    }

    void everyStateOfABlockIsSeenAndUnlikeTheOthers() {
        ReadyWindow w(QStringLiteral(WEIR_TEST_DATA "/states.weir.json"), command(m_folder));
        Editor& editor = *w.editor;
        w.window->resize(kLaptop);
        for (const char* pane : {"view.palette", "view.inspector"})  // opening or closing a pane takes several frames
            editor.actions().trigger(QLatin1String(pane));
        std::vector<Appearance> looks;
        const auto edit = [&editor](auto change) { editor.edit(QStringLiteral("change"), change); };
        const auto severity = [&editor] {
            const auto& problems = editor.problemModel().problems();
            const auto found = std::find_if(problems.begin(), problems.end(),
                                            [](const Problem& problem) { return problem.block == kBlock; });
            return found == problems.end() ? QString() : found->severity;
        };

        edit([](Transaction& t) {
            addBlock(t, "beta", "fir_filter", {240, 0});
            t.set(Pointer("/graph/blocks/2/parameters"), {{"taps", {1, 2, 3}}});
        });
        QTRY_COMPARE_WITH_TIMEOUT(severity(), kUnfinished, kPatienceMs);
        looks.push_back(look(w, QStringLiteral("unfinished")));
        edit([](Transaction& t) {
            addConnection(t, {"alpha", "out", "beta", "in"});
            addConnection(t, {"beta", "out", "gamma", "in"});
        });
        QTRY_COMPARE_WITH_TIMEOUT(severity(), QString(), kPatienceMs);
        looks.push_back(look(w, QStringLiteral("plain")));
        looks.push_back(look(w, QStringLiteral("hovered")));
        editor.selection().set({kBlock});
        looks.push_back(look(w, QStringLiteral("selected")));
        editor.selection().clear();
        for (const char* state : {"disabled", "bypassed"}) {
            edit([state](Transaction& t) { t.set(Pointer("/graph/blocks/2/state"), state); });
            looks.push_back(look(w, QLatin1String(state)));
            editor.undo();
        }
        edit([](Transaction& t) { t.set(Pointer("/graph/blocks/2/parameters/taps"), "none"); });
        QTRY_COMPARE_WITH_TIMEOUT(severity(), QStringLiteral("error"), kPatienceMs);
        looks.push_back(look(w, QStringLiteral("error")));
        editor.undo();
        edit([](Transaction& t) {
            t.set(Pointer("/ui/designs"), {{"beta.taps",
                                            {{"kind", "low_pass"},
                                             {"sample_rate", 48000},
                                             {"cutoff", 4000},
                                             {"transition", 4000},
                                             {"window", "hamming"}}}});
        });
        QTRY_COMPARE_WITH_TIMEOUT(severity(), QStringLiteral("warning"), kPatienceMs);
        looks.push_back(look(w, QStringLiteral("warning")));
        editor.undo();
        QTRY_COMPARE_WITH_TIMEOUT(severity(), QString(), kPatienceMs);
        editor.runner()->run();
        QTRY_VERIFY_WITH_TIMEOUT(editor.runner()->isMeasuring(), kPatienceMs);
        looks.push_back(look(w, QStringLiteral("running")));
        QVERIFY(editor.runner()->isRunning());
        editor.runner()->cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!editor.runner()->isRunning(), kPatienceMs);

        for (const Appearance& a : looks)
            for (const Appearance& b : looks)
                if (&a < &b)
                    for (std::size_t i = 0; i < a.images.size(); ++i) compareStates(a, b, i);
    }
};

QTEST_MAIN(TestLooks)
#include "tst_looks.moc"
