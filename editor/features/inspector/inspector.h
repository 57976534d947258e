#pragma once

#include "parameter_model.h"

#include <QAbstractItemModel>
#include <QObject>
#include <QStringList>
#include <QUrl>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

class Editor;

/// What is wrong with the selected block.
struct BlockProblem
{
    Q_GADGET
    QML_VALUE_TYPE(blockProblem)
    Q_PROPERTY(QString message MEMBER message)
    Q_PROPERTY(QString hint MEMBER hint)
    Q_PROPERTY(QString severity MEMBER severity)
    Q_PROPERTY(QStringList fixes MEMBER fixes)
    Q_PROPERTY(int index MEMBER index)

public:
    QString message; ///< empty where nothing is
    QString hint;
    QString severity;
    QStringList fixes; ///< that no field offers
    int index = -1;    ///< among the problems
};

/// The fields for what is selected: one block, several, or none: then the project.
class Inspector : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(bool hasBlock READ hasBlock NOTIFY changed)
    Q_PROPERTY(QString blockId READ blockId NOTIFY blockIdChanged)
    Q_PROPERTY(QString blockType READ blockType NOTIFY changed)
    Q_PROPERTY(QString blockTitle READ blockTitle NOTIFY changed)
    Q_PROPERTY(QString itemType READ itemType NOTIFY changed)
    Q_PROPERTY(QString category READ category NOTIFY changed)
    Q_PROPERTY(QString documentation READ documentation NOTIFY changed)
    Q_PROPERTY(BlockProblem problem READ problem NOTIFY changed)
    Q_PROPERTY(int selectedCount READ selectedCount NOTIFY changed)
    Q_PROPERTY(QStringList selectedBlocks READ selectedBlocks NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel *parameters READ parameters CONSTANT)
    Q_PROPERTY(QAbstractItemModel *properties READ properties CONSTANT)
    Q_PROPERTY(QAbstractItemModel *project READ project CONSTANT)
    Q_PROPERTY(QVariantList ports READ ports NOTIFY changed)
    Q_PROPERTY(QVariantList facts READ facts NOTIFY changed)
    Q_PROPERTY(QUrl source READ source NOTIFY changed)
    Q_PROPERTY(QVariantList runtime READ runtime NOTIFY runtimeChanged)
    Q_PROPERTY(QString runtimeRun READ runtimeRun NOTIFY runtimeChanged)
    Q_PROPERTY(int tab READ tab WRITE setTab NOTIFY tabChanged)

public:
    enum Tab { Parameters, Ports, Runtime, Docs };
    Q_ENUM(Tab)

    Inspector(Editor &editor, QObject *parent);

    bool hasBlock() const { return !m_blockId.isEmpty(); }
    QString blockId() const { return m_blockId; }
    QString blockType() const;
    QString blockTitle() const;
    QString itemType() const;
    QString category() const;
    QString documentation() const;
    BlockProblem problem() const;
    int selectedCount() const { return static_cast<int>(m_blocks.size()); }
    QStringList selectedBlocks() const { return m_blocks; }
    QAbstractItemModel *parameters() { return &m_parameters; }
    QAbstractItemModel *properties() { return &m_properties; }
    QAbstractItemModel *project() { return &m_project; }
    QVariantList ports() const;
    QVariantList facts() const;
    QUrl source() const;
    QVariantList runtime() const;
    QString runtimeRun() const;
    int tab() const { return m_tab; }
    void setTab(int tab);

    /// Writes the typed text of row `row` of a model of fields, here or of the deployment panel.
    Q_INVOKABLE void commit(QAbstractItemModel *model, int row, const QString &typed);
    /// Forgets text that was refused.
    Q_INVOKABLE void revert(QAbstractItemModel *model, int row);
    /// Does the `fix`-th thing that the problem of the row offers.
    Q_INVOKABLE void applyFix(QAbstractItemModel *model, int row, int fix);
    /// The same for row `problem` of the problems.
    Q_INVOKABLE void applyProblemFix(int problem, int fix);
    /// Shows the place that row `problem` of the problems is about: selects, opens, focuses.
    Q_INVOKABLE void goToProblem(int problem);
    /// The first field of the selected block should have the keyboard.
    void goToFirstField();
    /// Selects the block at the other end of a connection.
    Q_INVOKABLE void goToBlock(const QString &block);
    /// Returns whether the block has the new name now.
    Q_INVOKABLE bool renameBlock(const QString &name);
    /// Has the window ask for a file for the field of this row.
    Q_INVOKABLE void requestFile(QAbstractItemModel *model, int row);
    /// The file that was asked for, into the field that it was asked for, whatever is shown by now.
    Q_INVOKABLE void takeFile(const QUrl &file);
    /// How the project names a file: relative to its own folder where that holds the file.
    QString pathOf(const QUrl &file) const;
    Q_INVOKABLE QStringList completions(const QString &field, int cursor) const;
    /// {text, cursor} with the word at the cursor replaced.
    Q_INVOKABLE QVariantMap complete(const QString &field, int cursor, const QString &word) const;

signals:
    void changed();
    void blockIdChanged();
    void runtimeChanged();
    void tabChanged();
    /// The field of row `row` should have the keyboard.
    void focusRequested(QAbstractItemModel *model, int row);
    /// The window should ask for a file.
    void fileRequested();
    /// A row of the project's parameters should: `field` is value, minimum, maximum or description.
    void parameterFocusRequested(const QString &name, const QString &field);

private:
    void update();
    void focusField(weir::editor::ParameterModel &model, const QString &field);

    Editor &m_editor;
    QString m_blockId;
    QStringList m_blocks;
    weir::editor::ParameterModel m_parameters;
    weir::editor::ParameterModel m_properties;
    weir::editor::ParameterModel m_project;
    int m_tab = Parameters;
    weir::editor::ParameterRow m_fileField; ///< that a file is asked for
    weir::editor::PartNames m_fileNames;    ///< of the project that it was a field of
};
