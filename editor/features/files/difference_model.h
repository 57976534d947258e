#pragma once

#include "core/text/line_difference.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractListModel>
#include <QString>

namespace weir::editor {

/// Two states of a project, line by line as saved; empty if none are shown.
class DifferenceModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of DocumentFiles")
    Q_PROPERTY(QString title READ title NOTIFY titleChanged)

  public:
    enum Role { SignRole = Qt::UserRole + 1, LineRole };

    using QAbstractListModel::QAbstractListModel;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    QString title() const { return m_title; }
    void show(const QString& title, const QString& before, const QString& after);
    Q_INVOKABLE void close() { show({}, {}, {}); }

  signals:
    void titleChanged();

  private:
    std::vector<DifferenceLine> m_lines;
    QString m_title;
};

} // namespace weir::editor
