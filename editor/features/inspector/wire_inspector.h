#pragma once

#include "core/graph/graph_scene.h"
#include "core/rows/fact.h"
#include "shell/fields/parameter_model.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QObject>
#include <QPointF>

namespace weir::editor {

class MappingController;
class Results;
class Session;

/// Inspector of a selected connection, and the chips on wires.
class WireInspector : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(bool shown READ isShown NOTIFY changed)
    Q_PROPERTY(QString key READ key NOTIFY changed)
    /// Source and its port, then target and its port.
    Q_PROPERTY(QStringList ends READ ends NOTIFY changed)
    Q_PROPERTY(QString itemType READ itemType NOTIFY changed)
    Q_PROPERTY(QString rate READ rate NOTIFY changed)
    Q_PROPERTY(QString deployment READ deployment NOTIFY changed)
    Q_PROPERTY(QString waiting READ waiting NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* buffers READ buffers CONSTANT)
    Q_PROPERTY(QAbstractItemModel* measured READ measured CONSTANT)
    Q_PROPERTY(int points READ points NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* fields READ fields CONSTANT)
    Q_PROPERTY(QAbstractItemModel* probes READ probes CONSTANT)

  public:
    WireInspector(Session& session, MappingController& mapping, Results& results, QObject* parent = nullptr);

    /// True if one connection and no block is selected.
    bool isShown() const { return wire() != nullptr; }
    QString key() const { return QString::fromStdString(m_key); }
    QStringList ends() const;
    QString itemType() const;
    /// Items per firing at both ends.
    QString rate() const;
    QString deployment() const;
    /// Reason why buffer sizes are missing; empty if they are known.
    QString waiting() const;
    QAbstractItemModel* buffers() { return &m_buffers; }
    QAbstractItemModel* measured() { return &m_measured; }
    int points() const;
    QAbstractItemModel* fields() { return &m_fields; }
    QAbstractItemModel* probes() { return &m_probes; }

    Q_INVOKABLE void removePoints();
    /// Text of the chip on a wire, such as "c64 · 1 : 4 · 2.4 Mitems/s".
    Q_INVOKABLE QString chip(const QString& key) const;
    /// Place of that chip on the scene.
    Q_INVOKABLE QPointF middle(const QString& key) const;

  signals:
    void changed();

  private:
    void update();
    void refresh();
    const WireView* wire() const { return wireOf(m_key); }
    const WireView* wireOf(const std::string& key) const;

    Session& m_session;
    MappingController& m_mapping;
    Results& m_results;
    std::string m_key;
    ParameterModel m_fields;
    ParameterModel m_probes;
    FactModel m_buffers;
    FactModel m_measured;
};

} // namespace weir::editor
