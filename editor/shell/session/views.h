#pragma once

#include <QAbstractListModel>
#include <QStringList>
#include <QtQml/qqmlregistration.h>

#include <vector>

/// One way to look at the project: a tab in the middle of the window.
struct View
{
    QString name;   ///< as `--view` and the settings call it
    QString title;  ///< of its tab
    QString action; ///< what showing it is called in menus
    QString page;   ///< a QML file whose item takes the editor; made when it is first shown
};

/// Every view but the graph, which is always there and comes first. Tabs, pages, actions, keys (Alt+1…) and `--view` are
/// made of this list.
class Views : public QAbstractListModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")
    Q_PROPERTY(QStringList titles READ titles CONSTANT)

public:
    enum Role { NameRole = Qt::UserRole + 1, PageRole };

    using QAbstractListModel::QAbstractListModel;

    /// Every view in order, the graph too.
    static std::vector<View> all();
    static QStringList names();
    static QStringList titles();

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;
};
