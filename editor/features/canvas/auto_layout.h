#pragma once

#include "core/ask/ask.h"
#include "core/graph/alignment.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>
#include <QSizeF>
#include <QStringList>

namespace weir::editor {

class Session;

/// Asks the command line for positions of blocks. The later answer is one step of the document.
class AutoLayout : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by Editor")

    Q_PROPERTY(bool running READ isRunning NOTIFY runningChanged)

  public:
    explicit AutoLayout(Session& session);

    bool isRunning() const { return m_ask.isBusy(); }
    /// Set the size of the canvas: a longer flowgraph is laid out in rows.
    void setRoom(QSizeF room);
    void layOutAll();
    /// Lay out the selected blocks around their present position.
    void layOutSelection();
    /// Move all blocks to known positions, as one step.
    void takeAll(const Placement& placement);

  signals:
    void runningChanged();
    void finished();
    void roomChanged(QSizeF room);
    /// Emitted when all blocks have new positions.
    void arranged();

  private:
    /// Lay out a file that has no positions. This is no step, as the user did nothing.
    void arrangeUnplaced();
    void ask(const QStringList& blocks, bool isStep);
    void late();
    void receive(const CliAnswer& answer);
    void place(const QByteArray& output);
    void take(const QString& step, const Placement& placement);
    QStringList allBlocks() const;
    /// Return whether the question is about the whole graph.
    bool isWhole() const;

    Session& m_session;
    // Pending question.
    QStringList m_blocks;
    bool m_isStep = false;
    QSizeF m_room;
    Ask m_ask;
};

} // namespace weir::editor
