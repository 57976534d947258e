#pragma once

#include "features/inspector/block_facts.h"
#include "shell/fields/parameter_model.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QObject>
#include <QStringList>
#include <QUrl>

namespace weir::editor {

class DeploymentRun;
class Fields;
class Session;

/// Problem of the selected block.
struct BlockProblem {
    Q_GADGET
    QML_VALUE_TYPE(blockProblem)
    Q_PROPERTY(QString message MEMBER message)
    Q_PROPERTY(QString hint MEMBER hint)
    Q_PROPERTY(QString severity MEMBER severity)
    Q_PROPERTY(QStringList fixes MEMBER fixes)
    Q_PROPERTY(int index MEMBER index)

  public:
    QString message; ///< empty without a problem
    QString hint;
    QString severity;
    QStringList fixes; ///< fixes that no field offers
    int index = -1;    ///< index among the problems
};

/// The fields for the selection: one block or several; without a selection, the project.
class Inspector : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(bool hasBlock READ hasBlock NOTIFY changed)
    Q_PROPERTY(QString blockId READ blockId NOTIFY blockIdChanged)
    Q_PROPERTY(QString blockType READ blockType NOTIFY changed)
    Q_PROPERTY(QString itemType READ itemType NOTIFY changed)
    Q_PROPERTY(QString category READ category NOTIFY changed)
    /// Title of the block's type; empty if it has none.
    Q_PROPERTY(QString title READ title NOTIFY changed)
    Q_PROPERTY(QString documentation READ documentation NOTIFY changed)
    Q_PROPERTY(weir::editor::BlockProblem problem READ problem NOTIFY changed)
    Q_PROPERTY(int selectedCount READ selectedCount NOTIFY changed)
    Q_PROPERTY(QStringList selectedBlocks READ selectedBlocks NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* parameters READ parameters CONSTANT)
    Q_PROPERTY(QAbstractItemModel* properties READ properties CONSTANT)
    /// Thread settings of the workers of the selected blocks, under the chosen deployment.
    Q_PROPERTY(QAbstractItemModel* threads READ threads CONSTANT)
    Q_PROPERTY(QString threadsTitle READ threadsTitle NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* project READ project CONSTANT)
    /// Title or name of the project, regardless of the name of its file.
    Q_PROPERTY(QString projectName READ projectName NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* ports READ ports CONSTANT)
    Q_PROPERTY(QAbstractItemModel* facts READ facts CONSTANT)
    Q_PROPERTY(QUrl source READ source NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* runtime READ runtime CONSTANT)
    Q_PROPERTY(QString runtimeRun READ runtimeRun NOTIFY runtimeChanged)
    Q_PROPERTY(int tab READ tab WRITE setTab NOTIFY tabChanged)

  public:
    enum Tab { Parameters, Ports, Runtime, Docs };
    Q_ENUM(Tab)

    Inspector(Session& session, Fields& fields, DeploymentRun& shown, QObject* parent = nullptr);

    bool hasBlock() const { return !m_blockId.isEmpty(); }
    QString blockId() const { return m_blockId; }
    QString blockType() const;
    QString itemType() const;
    QString category() const;
    QString documentation() const;
    QString title() const;
    BlockProblem problem() const;
    int selectedCount() const { return static_cast<int>(m_blocks.size()); }
    QStringList selectedBlocks() const { return m_blocks; }
    QAbstractItemModel* parameters() { return &m_parameters; }
    QAbstractItemModel* properties() { return &m_properties; }
    QAbstractItemModel* threads() { return &m_threads; }
    QString threadsTitle() const;
    QAbstractItemModel* project() { return &m_project; }
    QString projectName() const;
    QAbstractItemModel* ports() { return &m_ports; }
    QAbstractItemModel* facts() { return &m_facts; }
    QUrl source() const;
    /// Numbers of each instance in the shown run.
    QAbstractItemModel* runtime() { return &m_runtime; }
    QString runtimeRun() const;
    int tab() const { return m_tab; }
    void setTab(int tab);

    /// Focus the first field of the selected block, or the field with this name.
    void goToFirstField();
    void goToField(const QString& field);
    /// Focus this field of the project.
    void goToProjectField(const QString& field);
    /// Select the block at the other end of a connection.
    Q_INVOKABLE void goToBlock(const QString& block);
    /// Rename the block. Return whether it has the new name.
    Q_INVOKABLE bool renameBlock(const QString& name);

  signals:
    void changed();
    void blockIdChanged();
    void runtimeChanged();
    void tabChanged();

  private:
    void update();
    void updateRuntime();
    const BlockType* shownType() const;

    std::map<std::string, std::set<std::string>> m_hidden; ///< as in CheckedValues, of the last answer
    Session& m_session;
    Fields& m_fields;
    DeploymentRun& m_shown;
    QString m_blockId;
    QStringList m_blocks;
    ParameterModel m_parameters;
    ParameterModel m_properties;
    ParameterModel m_threads;
    ParameterModel m_project;
    RowModel<PortFacts> m_ports;
    FactModel m_facts;
    FactModel m_runtime;
    int m_tab = Parameters;
};

} // namespace weir::editor
