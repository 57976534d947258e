#pragma once

#include <QtQml/qqmlregistration.h>
#include <QObject>

namespace weir::editor {

/// Tells of every press of a button or key in the application, whoever takes it.
class Presses : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
    /// The last one was of a key: whoever works by keys wants to see where they go.
    Q_PROPERTY(bool byKey READ isByKey NOTIFY pressed)

  public:
    explicit Presses(QObject* parent = nullptr);

    bool isByKey() const { return m_byKey; }

  signals:
    void pressed();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    bool m_byKey = true;
};

} // namespace weir::editor
