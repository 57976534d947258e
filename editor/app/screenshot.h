#pragma once

#include "app/editor.h"

#include <QObject>
#include <QQuickWindow>
#include <QString>
#include <QTimer>

namespace weir::editor {

struct ScreenshotOptions {
    QString file;
    QString select; ///< a block, or empty
    QString runs;   ///< the folder of runs that was given, or empty
};

/// Saves a picture of the window once everything that its view shows is known, then ends the program: 0 only if it was saved.
class Screenshot : public QObject {
    Q_OBJECT

  public:
    Screenshot(Editor& editor, QQuickWindow& window, ScreenshotOptions options, QObject* parent);

  private:
    void takeWhenReady();
    bool isWaiting();
    void takeSoon();
    void take();

    Editor& m_editor;
    QQuickWindow& m_window;
    const ScreenshotOptions m_options;
    QTimer m_limit;
    bool m_ready = false;
    bool m_hasRun = false;
};

}  // namespace weir::editor
