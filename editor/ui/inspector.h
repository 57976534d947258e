#pragma once

#include "parameter_model.h"

#include <QAbstractItemModel>
#include <QObject>
#include <QtQml/qqmlregistration.h>

class Editor;

/// The fields for what is selected: one block, or the project.
class Inspector : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(bool hasBlock READ hasBlock NOTIFY changed)
    Q_PROPERTY(QString blockId READ blockId NOTIFY changed)
    Q_PROPERTY(QString blockType READ blockType NOTIFY changed)
    Q_PROPERTY(QString blockTitle READ blockTitle NOTIFY changed)
    Q_PROPERTY(QString category READ category NOTIFY changed)
    Q_PROPERTY(QString documentation READ documentation NOTIFY changed)
    Q_PROPERTY(QString problem READ problem NOTIFY changed)
    Q_PROPERTY(int selectedCount READ selectedCount NOTIFY changed)
    Q_PROPERTY(QString schedulerDocumentation READ schedulerDocumentation NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel *parameters READ parameters CONSTANT)
    Q_PROPERTY(QAbstractItemModel *properties READ properties CONSTANT)
    Q_PROPERTY(QAbstractItemModel *projectParameters READ projectParameters CONSTANT)
    Q_PROPERTY(QAbstractItemModel *deployment READ deployment CONSTANT)
    Q_PROPERTY(QAbstractItemModel *run READ run CONSTANT)

public:
    Inspector(Editor &editor, QObject *parent);

    bool hasBlock() const { return !m_blockId.isEmpty(); }
    QString blockId() const { return m_blockId; }
    QString blockType() const;
    QString blockTitle() const;
    QString category() const;
    QString documentation() const;
    QString problem() const;
    int selectedCount() const;
    QString schedulerDocumentation() const;
    QAbstractItemModel *parameters() { return &m_parameters; }
    QAbstractItemModel *properties() { return &m_properties; }
    QAbstractItemModel *projectParameters() { return &m_projectParameters; }
    QAbstractItemModel *deployment() { return &m_deployment; }
    QAbstractItemModel *run() { return &m_run; }

    /// Writes the typed text of row `row` of one of the models above.
    Q_INVOKABLE void commit(QAbstractItemModel *model, int row, const QString &typed);
    /// Returns whether the block has the new name now.
    Q_INVOKABLE bool renameBlock(const QString &name);
    Q_INVOKABLE bool addProjectParameter(const QString &name);
    Q_INVOKABLE void removeProjectParameter(const QString &name);

signals:
    void changed();

private:
    void update();

    Editor &m_editor;
    QString m_blockId;
    weir::editor::ParameterModel m_parameters;
    weir::editor::ParameterModel m_properties;
    weir::editor::ParameterModel m_projectParameters;
    weir::editor::ParameterModel m_deployment;
    weir::editor::ParameterModel m_run;
};
