#pragma once

#include "core/ask/ask.h"
#include "core/rows/row_model.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QObject>
#include <QRectF>

namespace weir::editor {

class Session;

/// One instance of a block as a cell of a table: a row for each block and pipe, a column for each copy.
struct InstanceCell {
    Q_GADGET
    Q_PROPERTY(QString name MEMBER name)
    Q_PROPERTY(QString worker MEMBER worker)
    Q_PROPERTY(int row MEMBER row)
    Q_PROPERTY(int column MEMBER column)
    Q_PROPERTY(bool firstInRow READ isFirstInRow)

  public:
    QString name;   ///< `stage[2]@p3` is copy 2 of `stage` in pipe 3
    QString worker; ///< empty if the scheduler binds none
    int row;
    int column;

    bool isFirstInRow() const { return column == 0; }
    bool operator==(const InstanceCell&) const = default;
};

/// Unfolded stack: the instances of a repeated block, a group, or a part that runs in several pipes, as the command
/// line plans them. It is not stored.
class Unfolding : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by Editor")

    Q_PROPERTY(bool open READ isOpen NOTIFY changed)
    Q_PROPERTY(bool waiting READ isWaiting NOTIFY changed)
    Q_PROPERTY(QString title READ title NOTIFY changed)
    Q_PROPERTY(QRectF place READ place NOTIFY changed)
    Q_PROPERTY(int rows READ rows NOTIFY changed)
    Q_PROPERTY(int columns READ columns NOTIFY changed)
    Q_PROPERTY(int hidden READ hidden NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* instances READ instances CONSTANT)

  public:
    explicit Unfolding(Session& session);

    bool isOpen() const { return !m_blocks.isEmpty(); }
    bool isWaiting() const { return m_ask.isBusy(); }
    QString title() const { return m_title; }
    /// Return the bounds of the unfolded stack, in the scene.
    QRectF place() const { return m_place; }
    int rows() const { return m_rows; }
    int columns() const { return m_columns; }
    /// Return the number of hidden instances: a large stack shows only the first ones.
    int hidden() const { return m_hidden; }
    QAbstractItemModel* instances() { return &m_model; }

    /// Unfold the block, or the repeated group that contains it.
    Q_INVOKABLE void unfold(const QString& block);
    Q_INVOKABLE void fold();
    /// Return whether a block stands for more than one instance.
    bool isStack(const QString& block) const;

  signals:
    void changed();

  private:
    const Json* repeatedGroupOf(const QString& block) const;
    QString key() const;
    CliRequest request() const;
    void receive(const CliAnswer& answer);
    void askSoon();
    void update();
    /// Show the cells of an answer of `weir plan --json`, in the order of the stream.
    void show(const Json& plan);

    Session& m_session;
    RowModel<InstanceCell> m_model;
    int m_rows = 0;
    int m_columns = 0;
    int m_hidden = 0;
    QStringList m_blocks;
    QString m_title;
    QRectF m_place;
    Ask m_ask;
};

}  // namespace weir::editor
