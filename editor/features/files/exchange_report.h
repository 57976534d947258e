#pragma once

#include "core/json/json.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractListModel>
#include <QString>

#include <vector>

namespace weir::editor {

/// What became of each part of a flowgraph that came from, or went to, another program; empty while none is shown.
class ExchangeReport : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Exchange")
    Q_PROPERTY(QString title READ title NOTIFY changed)
    Q_PROPERTY(QString counts READ counts NOTIFY changed)

  public:
    enum Role { OutcomeRole = Qt::UserRole + 1, HeadingRole, NameRole, TypeRole, ReasonRole, BlockRole };

    using QAbstractListModel::QAbstractListModel;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    QString title() const { return m_title; }
    QString counts() const { return m_counts; }
    /// `answer`: of `weir import --json` or `weir export --json`.
    void show(const QString& title, const Json& answer);
    Q_INVOKABLE void close() { show({}, {}); }

  signals:
    void changed();

  private:
    struct Row {
        QString outcome;
        QString name;
        QString type;
        QString reason;
        QString block; ///< where a click leads, if to a block
    };

    std::vector<Row> m_rows;
    QString m_title;
    QString m_counts;
};

} // namespace weir::editor
