#pragma once

#include "editor.h"

#include <QObject>
#include <QQuickWindow>
#include <QString>
#include <QTimer>

/// Saves a picture of the window once blocks and problems are known, then ends the program: 0 only if it was saved.
class Screenshot : public QObject
{
    Q_OBJECT

public:
    Screenshot(Editor &editor, QQuickWindow &window, QString file, QString select, QObject *parent);

private:
    void takeWhenReady();
    void take();

    Editor &m_editor;
    QQuickWindow &m_window;
    QString m_file;
    QString m_select;
    QTimer m_limit;
    bool m_ready = false;
};
