#pragma once

#include <QtQml/qqmlregistration.h>
#include <QAbstractListModel>
#include <QStringList>

#include <vector>

namespace weir::editor {

/// A view of the project: a tab in the middle of the window.
struct View {
    int place;      ///< position among the tabs
    QString name;   ///< name in `--view` and in the settings
    QString title;  ///< title of its tab
    QString action; ///< text of its menu entry
    QString
        page;  ///< QML file whose item takes the editor, made when it is first shown; empty: it exists from the start
};

/// Views with their own page, for the window. Tabs, actions, keys (Alt+1…) and `--view` include all views.
class Views : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")
    Q_PROPERTY(QStringList titles READ titles CONSTANT)

  public:
    enum Role { NameRole = Qt::UserRole + 1, PageRole };

    explicit Views(std::vector<View> views, QObject* parent = nullptr);

    const std::vector<View>& all() const { return m_all; }
    QStringList names() const;
    QStringList titles() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

  private:
    std::vector<View> m_all;
    std::vector<View> m_paged;
};

}  // namespace weir::editor
