#pragma once

#include "core/rows/row_model.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QObject>

namespace weir::editor {

/// Project that the first page offers.
struct Example {
    Q_GADGET
    Q_PROPERTY(QString title MEMBER title)
    Q_PROPERTY(QString description MEMBER description)
    Q_PROPERTY(QString path MEMBER path)

  public:
    QString title;
    QString description;
    QString path;

    bool operator==(const Example&) const = default;
};

/// Return the *.weir.json files of `folder`, by name, without files that are no projects. `first` is the file name of
/// the first example for new users.
std::vector<Example> examplesIn(const QString& folder, const QString& first);

class DocumentFiles;
class Session;

/// First steps of a new user: the examples and the tour.
class Welcome : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(QAbstractItemModel* examples READ examples CONSTANT)
    /// True if the project is empty and unchanged.
    Q_PROPERTY(bool fresh READ isFresh NOTIFY freshChanged)

  public:
    Welcome(Session& session, DocumentFiles& files, QObject* parent = nullptr);

    QAbstractItemModel* examples() { return &m_examples; }
    void setExampleFolder(const QString& folder);

    bool isFresh() const;

    Q_INVOKABLE void openExample(const QString& path);
    /// Return true once for each user: the window then shows the tour unasked.
    Q_INVOKABLE bool takeFirstStart();

  signals:
    void freshChanged();

  private:
    Session& m_session;
    DocumentFiles& m_files;
    RowModel<Example> m_examples;
};

}  // namespace weir::editor
