#pragma once

#include <QtQml/qqmlregistration.h>
#include <QAbstractListModel>
#include <QStringList>

#include <vector>

namespace weir::editor {

/// One way to look at the project: a tab in the middle of the window.
struct View {
    int place;      ///< among the tabs
    QString name;   ///< as `--view` and the settings call it
    QString title;  ///< of its tab
    QString action; ///< what showing it is called in menus
    QString
        page;  ///< a QML file whose item takes the editor, made when it is first shown; none: it is there from the start
};

/// The views that have a page of their own, for the window; tabs, actions, keys (Alt+1…) and `--view` are made of all.
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
