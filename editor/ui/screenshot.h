#pragma once

#include "editor.h"

#include <QObject>
#include <QQuickWindow>
#include <QString>
#include <QTimer>

struct ScreenshotOptions
{
    QString file;
    QString select;   ///< a block, or empty
    bool run = false; ///< run the project first, and show the results
};

/// Saves a picture of the window once blocks and problems are known, then ends the program: 0 only if it was saved.
class Screenshot : public QObject
{
    Q_OBJECT

public:
    Screenshot(Editor &editor, QQuickWindow &window, ScreenshotOptions options, QObject *parent);

private:
    void takeWhenReady();
    void takeSoon();
    void take();

    Editor &m_editor;
    QQuickWindow &m_window;
    const ScreenshotOptions m_options;
    QTimer m_limit;
    bool m_ready = false;
};
