#pragma once

#include "child_process.h"

#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QtQml/qqmlregistration.h>

class Editor;

/// Asks the command line where blocks should go. The answer comes later and is one step of the document.
class AutoLayout : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by Editor")

    Q_PROPERTY(bool running READ isRunning NOTIFY runningChanged)

public:
    explicit AutoLayout(Editor &editor);

    bool isRunning() const { return m_process; }
    void layOutAll();
    /// The selected blocks take their new places around where they were.
    void layOutSelection();

signals:
    void runningChanged();
    void finished();
    /// Every block has a new place.
    void arranged();

private:
    /// Positions of a file without any come from the command line too; they are no step, as nothing was done.
    void arrangeUnplaced();
    void ask(const QStringList &blocks, bool isStep);
    void receive(const QByteArray &output, const QStringList &blocks, bool isStep);
    QStringList allBlocks() const;

    Editor &m_editor;
    QPointer<weir::editor::ChildProcess> m_process;
    bool m_isStep = false; ///< of what is asked
};
