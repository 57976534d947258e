#pragma once

#include "core/json/json.h"
#include "core/rows/row_model.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>
#include <QString>

#include <vector>

namespace weir::editor {

/// Result for one part of a flowgraph.
struct ReportLine {
    Q_GADGET
    Q_PROPERTY(QString outcome MEMBER outcome)
    Q_PROPERTY(QString heading MEMBER heading)
    Q_PROPERTY(QString name MEMBER name)
    Q_PROPERTY(QString type MEMBER type)
    Q_PROPERTY(QString reason MEMBER reason)
    Q_PROPERTY(QString block MEMBER block)

  public:
    QString outcome;
    QString heading; ///< of this line and the next ones; empty: unchanged
    QString name;
    QString type;
    QString reason;
    QString block; ///< block that a click selects, if any

    bool operator==(const ReportLine&) const = default;
};

/// Report on an imported or exported flowgraph; empty if none is shown.
class ExchangeReport : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Exchange")
    Q_PROPERTY(QString title READ title NOTIFY changed)
    Q_PROPERTY(QString counts READ counts NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* lines READ lines CONSTANT)

  public:
    using QObject::QObject;

    QString title() const { return m_title; }
    QString counts() const { return m_counts; }
    QAbstractItemModel* lines() { return &m_lines; }
    const std::vector<ReportLine>& rows() const { return m_lines.rows(); }
    /// Show the report from `answer`, the output of `weir import --json` or `weir export --json`. `isHosted`: GNU Radio
    /// runs the project.
    void show(const QString& title, const Json& answer, bool isHosted = false);
    Q_INVOKABLE void close() { show({}, {}); }

  signals:
    void changed();

  private:
    RowModel<ReportLine> m_lines;
    QString m_title;
    QString m_counts;
};

}  // namespace weir::editor
