#pragma once

#include <QAbstractListModel>
#include <QString>

#include <vector>

namespace weir::editor {

/// The projects of a folder, as the first page offers them.
class ExampleModel : public QAbstractListModel {
    Q_OBJECT

  public:
    enum Role { TitleRole = Qt::UserRole + 1, DescriptionRole, PathRole };

    using QAbstractListModel::QAbstractListModel;

    /// Reads the titles of `folder`'s *.weir.json; what is no project is left out. `first` is the name of the file that
    /// newcomers should begin with.
    void setFolder(const QString& folder, const QString& first);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

  private:
    struct Example {
        QString title;
        QString description;
        QString path;
    };

    std::vector<Example> m_examples;
};

}  // namespace weir::editor
