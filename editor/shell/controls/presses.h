#pragma once

#include <QtQml/qqmlregistration.h>
#include <QObject>

namespace weir::editor {

/// Reports every press of a button or key in the application, whichever item takes it.
class Presses : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
    /// True if the last press was a key: then show the keyboard focus.
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
