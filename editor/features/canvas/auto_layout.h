#pragma once

#include "core/ask/ask.h"
#include "core/graph/alignment.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>
#include <QSizeF>
#include <QStringList>

namespace weir::editor {

class Session;

/// Asks the command line where blocks should go. The answer comes later and is one step of the document.
class AutoLayout : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by Editor")

    Q_PROPERTY(bool running READ isRunning NOTIFY runningChanged)

  public:
    explicit AutoLayout(Session& session);

    bool isRunning() const { return m_ask.isBusy(); }
    /// Width of the canvas: a flowgraph that is too long for it is laid out in rows.
    void setRoom(QSizeF room);
    void layOutAll();
    /// The selected blocks take their new places around where they were.
    void layOutSelection();
    /// Places of every block that are known already, as one step.
    void takeAll(const Placement& placement);

  signals:
    void runningChanged();
    void finished();
    void roomChanged(QSizeF room);
    /// Every block has a new place.
    void arranged();

  private:
    /// Positions of a file without any come from the command line too; they are no step, as nothing was done.
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
    // Present question.
    QStringList m_asked;
    bool m_isStep = false;
    QSizeF m_room;
    Ask m_ask;
};

} // namespace weir::editor
