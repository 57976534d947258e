#pragma once

#include <QtQml/qqmlregistration.h>
#include <QObject>
#include <QPointer>
#include <QQuickWindow>

namespace weir::editor {

/// Passes the keys of Undo and Redo to the document if the focused text field has nothing to undo; Qt's fields take
/// these keys in any case.
class FieldUndo : public QObject {
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(QQuickWindow* window READ window WRITE setWindow NOTIFY windowChanged REQUIRED)

  public:
    explicit FieldUndo(QObject* parent = nullptr) : QObject(parent) {}

    QQuickWindow* window() const { return m_window; }
    void setWindow(QQuickWindow* window);

  signals:
    void windowChanged();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QPointer<QQuickWindow> m_window;
};

} // namespace weir::editor
