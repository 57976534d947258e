#include "screenshot.h"

#include <QGuiApplication>

#include <cstdio>

namespace {

constexpr int kLimitMs = 30000;
constexpr int kSettleMs = 200; ///< layouts and text need a few frames

} // namespace

Screenshot::Screenshot(Editor &editor, QQuickWindow &window, ScreenshotOptions options, QObject *parent)
    : QObject(parent), m_editor(editor), m_window(window), m_options(std::move(options))
{
    connect(&editor, &Editor::catalogChanged, this, &Screenshot::takeWhenReady);
    connect(&editor, &Editor::problemsChanged, this, &Screenshot::takeWhenReady);
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this, [] {
        std::fprintf(stderr, "weir-editor: no picture, the weir command did not answer\n");
        QGuiApplication::exit(3);
    });
    m_limit.start(kLimitMs);
}

void Screenshot::takeWhenReady()
{
    if (m_ready || !m_editor.isCatalogLoaded() || !m_editor.isChecked())
        return;
    m_ready = true;
    m_limit.stop();
    if (!m_options.select.isEmpty())
        m_editor.goTo(m_options.select);
    if (!m_options.run) {
        takeSoon();
        return;
    }
    connect(m_editor.runner(), &RunController::finished, this, &Screenshot::takeSoon);
    m_editor.runner()->run();
}

void Screenshot::takeSoon()
{
    QTimer::singleShot(kSettleMs, this, &Screenshot::take);
}

void Screenshot::take()
{
    const bool saved = m_window.grabWindow().save(m_options.file);
    if (!saved)
        std::fprintf(stderr, "weir-editor: %s was not written\n", qPrintable(m_options.file));
    QGuiApplication::exit(saved ? 0 : 1);
}
