#pragma once

#include "core/ask/ask.h"
#include "core/graph/instance_model.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QObject>
#include <QRectF>

namespace weir::editor {

class Session;

/// Looking into a stack: the instances of a repeated block, of a group, or of what runs in several pipes, as the command
/// line plans them. Nothing of it is stored.
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
    /// Of what is unfolded, in the scene.
    QRectF place() const { return m_place; }
    int rows() const { return m_model.rows(); }
    int columns() const { return m_model.columns(); }
    int hidden() const { return m_model.hidden(); }
    QAbstractItemModel* instances() { return &m_model; }

    /// The block, or the repeated group that it is in.
    Q_INVOKABLE void unfold(const QString& block);
    Q_INVOKABLE void fold();
    /// Whether a block stands for more than one instance.
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

    Session& m_session;
    InstanceModel m_model;
    QStringList m_blocks;
    QString m_title;
    QRectF m_place;
    Ask m_ask;
};

}  // namespace weir::editor
