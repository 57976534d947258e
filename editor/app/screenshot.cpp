#include "app/screenshot.h"

#include "features/design/filter_design.h"

#include <QGuiApplication>

#include <cstdio>

namespace weir::editor {
namespace {

constexpr int kLimitMs = 30000;
constexpr int kRunLimitMs = 600000; ///< a first run builds the runtime
constexpr int kSettleMs = 200; ///< layouts and text need a few frames

} // namespace

Screenshot::Screenshot(Editor& editor, QQuickWindow& window, ScreenshotOptions options, QObject* parent)
    : QObject(parent), m_editor(editor), m_window(window), m_options(std::move(options)) {
    connect(&editor, &Editor::catalogChanged, this, &Screenshot::takeWhenReady);
    connect(&editor, &Editor::newBlocksChanged, this, &Screenshot::takeWhenReady);
    connect(&editor, &Editor::problemsChanged, this, &Screenshot::takeWhenReady);
    connect(editor.results()->library(), &RunLibrary::listed, this, &Screenshot::takeWhenReady, Qt::QueuedConnection);
    connect(editor.comparison(), &RunComparison::answered, this, &Screenshot::takeWhenReady, Qt::QueuedConnection);
    connect(editor.code(), &CodeController::stateChanged, this, &Screenshot::takeWhenReady, Qt::QueuedConnection);
    connect(editor.sweep(), &SweepDesign::planned, this, &Screenshot::takeWhenReady, Qt::QueuedConnection);
    connect(editor.sweepRunner(), &SweepRunner::changed, this, &Screenshot::takeWhenReady, Qt::QueuedConnection);
    connect(editor.mapping(), &MappingController::changed, this, &Screenshot::takeWhenReady);
    connect(editor.exchange(), &Exchange::busyChanged, this, &Screenshot::takeWhenReady, Qt::QueuedConnection);
    connect(editor.tools()->autoLayout(), &AutoLayout::runningChanged, this, &Screenshot::takeWhenReady,
            Qt::QueuedConnection);
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this, [] {
        std::fprintf(stderr, "weir-editor: no picture, the weir command did not answer\n");
        QGuiApplication::exit(3);
    });
    m_limit.start(kLimitMs);
}

void Screenshot::takeWhenReady() {
    if (m_ready || !m_editor.isCatalogLoaded() || m_editor.isListing() || !m_editor.isChecked() ||
        m_editor.tools()->autoLayout()->isRunning() || m_editor.mapping()->isPlanning() || isWaiting())
        return;
    m_ready = true;
    m_limit.stop();
    if (!m_options.select.isEmpty()) m_editor.goTo(m_options.select);
    takeSoon();
}

bool Screenshot::isWaiting() {
    Results& results = *m_editor.results();
    if (results.library()->isReading() || m_editor.runner()->isRunning() || m_editor.comparison()->isWorking() ||
        m_editor.sweep()->isPlanning() || m_editor.sweepRunner()->isReading() || m_editor.code()->isBusy() ||
        m_editor.exchange()->isBusy() || m_editor.tools()->autoLayout()->isRunning())
        return true;
    // A picture of results shows the existing run, or makes one.
    const bool lacks = m_editor.view() == QLatin1String("results") && !results.run()->isShown();
    if (!lacks || !m_options.runs.isEmpty() || m_hasRun) return false;
    m_hasRun = true;
    m_limit.start(kRunLimitMs);
    m_editor.runner()->run();
    return true;
}

void Screenshot::takeSoon() {
    // A pointer that happens to rest over the window may have opened a hint, which does not belong in the picture.
    QEvent leave(QEvent::Leave);
    QGuiApplication::sendEvent(&m_window, &leave);
    QTimer::singleShot(kSettleMs, this, &Screenshot::take);
}

void Screenshot::take() {
    // A page that was just made may have requested its data.
    if (isWaiting()) {
        m_ready = false;
        m_limit.start(kLimitMs);
        return;
    }
    // The data of a selected block is requested only now.
    for (const auto* design : m_window.findChildren<FilterDesign*>())
        if (design->isAsking()) return takeSoon();
    const bool saved = m_window.grabWindow().save(m_options.file);
    if (!saved) std::fprintf(stderr, "weir-editor: %s was not written\n", qPrintable(m_options.file));
    QGuiApplication::exit(saved ? 0 : 1);
}

} // namespace weir::editor
