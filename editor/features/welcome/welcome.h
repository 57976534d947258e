#pragma once

#include "features/welcome/example_model.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QObject>

namespace weir::editor {

class DocumentFiles;
class Session;

/// How a newcomer begins: the examples, and the tour.
class Welcome : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(QAbstractItemModel* examples READ examples CONSTANT)
    /// Whether nothing was done with the project yet, and there is nothing in it.
    Q_PROPERTY(bool fresh READ isFresh NOTIFY freshChanged)

  public:
    Welcome(Session& session, DocumentFiles& files, QObject* parent = nullptr);

    QAbstractItemModel* examples() { return &m_examples; }
    void setExampleFolder(const QString& folder);

    bool isFresh() const;

    Q_INVOKABLE void openExample(const QString& path);
    /// True once for each user: the window then shows the tour by itself.
    Q_INVOKABLE bool takeFirstStart();

  signals:
    void freshChanged();

  private:
    Session& m_session;
    DocumentFiles& m_files;
    ExampleModel m_examples;
};

} // namespace weir::editor
