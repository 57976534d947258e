#pragma once

#include "features/clipboard/fragment.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>
#include <QPointF>

#include <optional>

namespace weir::editor {

class Session;

/// Copies and pastes parts of the flowgraph as text in the system's clipboard.
class Clipboard : public QObject {
    Q_OBJECT

  public:
    explicit Clipboard(Session& session, QObject* parent = nullptr);

    /// Position of the pointer over the canvas, in coordinates of the drawing; nothing if it is elsewhere.
    void setPointer(std::optional<QPointF> pointer) { m_pointer = pointer; }

    bool canCopy() const;
    bool copy();
    void cut();
    void paste();
    void duplicate();

  private:
    Json selected() const;
    void insert(const QString& name, const Json& fragment, QPointF offset);
    QPointF clearOffset(const Json& fragment, QPointF offset) const;
    /// Return "gain" for a single block, else the number of blocks.
    QString nameOf(const Json& fragment) const;

    Session& m_session;
    std::optional<QPointF> m_pointer;
};

} // namespace weir::editor
