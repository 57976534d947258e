#pragma once

#include "features/canvas/graph_view.h"

#include <QtQml/qqmlregistration.h>
#include <QAccessible>
#include <QHash>
#include <QPointer>
#include <QQuickItem>

namespace weir::editor {

/// Graph for screen readers: a list of its blocks, along their streams, and of its wires. It announces another selected
/// block, or a move. Nothing is built while no screen reader runs.
class GraphReader : public QQuickItem, private QAccessible::ActivationObserver {
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(weir::editor::GraphView* view MEMBER m_view REQUIRED)

  public:
    explicit GraphReader(QQuickItem* parent = nullptr);
    ~GraphReader() override;

    GraphView* view() const { return m_view; }

    /// Return the parts: ids of blocks along the streams, keys of wires, and an empty one for announcements.
    const QStringList& keys() const;
    QAccessibleInterface* part(const QString& key);

    bool has(const QString& key) const;
    QString nameOf(const QString& key) const;
    /// Return the problem of a part.
    QString problemOf(const QString& key) const;
    /// Return the part's bounds on the screen.
    QRect placeOf(const QString& key) const;
    bool isChosen(const QString& key) const;
    bool isFocused(const QString& key) const;
    void choose(const QString& key);

  signals:
    /// Emitted when a screen reader was notified of an event, with the text that it reads.
    void announced(QAccessible::Event event, const QString& words);

  protected:
    void componentComplete() override;

  private:
    void accessibilityActiveChanged(bool active) override { m_active = active; }
    void follow();
    void followParts();
    void followMove();
    void followPlace();
    void say(const QString& text);
    void tell(QAccessible::Event type, const QString& key);
    /// Return the only selected block or wire; else an empty key.
    QString chosenKey() const;

    QPointer<GraphView> m_view;
    mutable QStringList m_keys;  ///< empty: not listed since the graph changed
    QHash<QString, QAccessible::Id> m_parts;  ///< parts requested so far
    bool m_active;  ///< a screen reader is active
    QPointF m_place;  ///< last announced place of the only selected block
    QString m_said;
    QString m_connecting;
};

}  // namespace weir::editor
