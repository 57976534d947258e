#pragma once

#include "app/editor.h"

#include <QObject>
#include <QQuickWindow>
#include <QString>
#include <QTimer>

namespace weir::editor {

struct ScreenshotOptions {
    QString file;
    QString select; ///< a block; may be empty
    QString runs;   ///< the folder of runs from the command line; may be empty
};

/// Saves a picture of the window once its view has all its data, then ends the program. The exit code is 0 only if it
/// was saved.
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
