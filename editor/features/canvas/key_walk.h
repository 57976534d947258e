#pragma once

#include <QObject>
#include <QSet>

namespace weir::editor {

class Session;

/// Going from block to block along the signal, and selecting on the way, without a pointer.
class KeyWalk : public QObject {
    Q_OBJECT

  public:
    /// Effect on the selection: it becomes the block that is reached, it grows or shrinks to it, or it stays.
    enum class Selecting { Only, Extend, Keep };

    KeyWalk(Session& session, QObject* parent);

    static Selecting selectingWith(Qt::KeyboardModifiers modifiers);

    /// The block that the keys are at, selected or not; empty where they are at none.
    QString at() const { return m_at; }
    /// To the next (1) or previous (-1) block; with none to go from, to the first or last. False at the end.
    bool step(int direction, Selecting selecting);
    bool hasNext() const;
    /// To the first (-1) or last (1) block.
    void toEnd(int direction, Selecting selecting);
    /// Adds the block that the keys are at to the selection, or takes it out.
    void toggle();
    /// The keys are at no block any more.
    void leave();

  signals:
    /// The keys are at another block, or at none.
    void moved();

  private:
    void follow();
    void goTo(const QString& block, Selecting selecting);
    QSet<QString> reach() const;

    Session& m_session;
    QString m_at;
    QString m_anchor; ///< where extending began
    bool m_going = false;
};

} // namespace weir::editor
