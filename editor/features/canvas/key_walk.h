#pragma once

#include <QObject>
#include <QSet>

namespace weir::editor {

class Session;

/// Moves the keyboard focus from block to block along the signal, and selects on the way.
class KeyWalk : public QObject {
    Q_OBJECT

  public:
    /// Effect on the selection: select only the reached block, extend to it, or keep the selection.
    enum class Selecting { Only, Extend, Keep };

    KeyWalk(Session& session, QObject* parent);

    static Selecting selectingWith(Qt::KeyboardModifiers modifiers);

    /// Return the focused block, selected or not; empty if none.
    QString at() const { return m_at; }
    /// Go to the next (1) or previous (-1) block; without a focused block, to the first or last. Returns false at the
    /// end.
    bool step(int direction, Selecting selecting);
    bool hasNext() const;
    /// Go to the first (-1) or last (1) block.
    void toEnd(int direction, Selecting selecting);
    /// Add the focused block to the selection, or remove it.
    void toggle();
    /// Give up the focus.
    void leave();

  signals:
    /// Emitted when another block, or none, is focused.
    void moved();

  private:
    void follow();
    void goTo(const QString& block, Selecting selecting);
    QSet<QString> reach() const;

    Session& m_session;
    QString m_at;
    QString m_anchor;  ///< start of the extension
    bool m_going = false;
};

}  // namespace weir::editor
