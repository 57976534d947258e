#include "features/canvas/graph_accessible.h"

#include "features/canvas/graph_reader.h"

#include <QAccessibleObject>
#include <QQuickWindow>

namespace weir::editor {
namespace {

class ReaderAccessible : public QAccessibleObject {
  public:
    explicit ReaderAccessible(GraphReader* reader) : QAccessibleObject(reader), m_reader(reader) {}

    QWindow* window() const override { return m_reader->window(); }
    QAccessibleInterface* parent() const override {
        return QAccessible::queryAccessibleInterface(m_reader->parentItem());
    }
    int childCount() const override { return static_cast<int>(m_reader->keys().size()); }
    QAccessibleInterface* child(int index) const override {
        return index >= 0 && index < childCount() ? m_reader->part(m_reader->keys().at(index)) : nullptr;
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        for (int index = 0; index < childCount(); ++index)
            if (this->child(index) == child) return index;
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        for (int index = 0; index < childCount(); ++index)
            if (child(index)->rect().contains(x, y)) return child(index);
        return nullptr;
    }
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Name ? GraphReader::tr("Blocks along their streams, and wires") : QString();
    }
    QRect rect() const override { return QRectF(m_reader->mapToGlobal(QPointF()), m_reader->size()).toRect(); }
    QAccessible::Role role() const override { return QAccessible::List; }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.invisible = !m_reader->isVisible();
        return state;
    }

  private:
    GraphReader* m_reader; ///< same as object(), which becomes null earlier
};

class PartAccessible : public QAccessibleInterface, public QAccessibleActionInterface {
  public:
    PartAccessible(GraphReader& reader, const QString& key) : m_reader(&reader), m_key(key) {}

    bool isValid() const override { return m_reader && m_reader->has(m_key); }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_reader ? m_reader->window() : nullptr; }
    QAccessibleInterface* parent() const override {
        return m_reader ? QAccessible::queryAccessibleInterface(m_reader) : nullptr;
    }
    int childCount() const override { return 0; }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text kind) const override {
        return !m_reader                          ? QString()
               : kind == QAccessible::Name        ? m_reader->nameOf(m_key)
               : kind == QAccessible::Description ? m_reader->problemOf(m_key)
                                                  : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override { return m_reader ? m_reader->placeOf(m_key) : QRect(); }
    QAccessible::Role role() const override {
        return m_key.isEmpty() ? QAccessible::Notification : QAccessible::ListItem;
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        if (!m_reader || m_key.isEmpty()) return state;
        state.selectable = state.focusable = true;
        state.selected = m_reader->isChosen(m_key);
        state.focused = m_reader->isFocused(m_key);
        state.invisible = !m_reader->isVisible();
        return state;
    }

    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    }
    QStringList actionNames() const override {
        return m_key.isEmpty() ? QStringList() : QStringList{pressAction(), setFocusAction()};
    }
    void doAction(const QString& action) override {
        if (!m_reader || !actionNames().contains(action)) return;
        m_reader->view()->forceActiveFocus(Qt::OtherFocusReason);
        m_reader->choose(m_key);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

  private:
    QPointer<GraphReader> m_reader;
    QString m_key;
};

} // namespace

QAccessibleInterface* graphAccessible(const QString&, QObject* object) {
    auto* reader = qobject_cast<GraphReader*>(object);
    return reader ? new ReaderAccessible(reader) : nullptr;
}

QAccessibleInterface* partAccessible(GraphReader& reader, const QString& key) {
    return new PartAccessible(reader, key);
}

} // namespace weir::editor
