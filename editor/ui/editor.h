#pragma once

#include "block_model.h"
#include "cli_command.h"
#include "document.h"
#include "graph_scene.h"
#include "inspector.h"
#include "palette_model.h"
#include "problem_model.h"
#include "run_controller.h"
#include "selection.h"
#include "validator.h"

#include <QAbstractItemModel>
#include <QObject>
#include <QStringList>
#include <QUrl>
#include <QtQml/qqmlregistration.h>

/// What the window is bound to: the document, what is drawn of it, and the actions of the user.
class Editor : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by main")

    Q_PROPERTY(QAbstractItemModel *blocks READ blocks CONSTANT)
    Q_PROPERTY(QAbstractItemModel *palette READ palette CONSTANT)
    Q_PROPERTY(QAbstractItemModel *problems READ problems CONSTANT)
    Q_PROPERTY(Inspector *inspector READ inspector CONSTANT)
    Q_PROPERTY(RunController *runner READ runner CONSTANT)

    Q_PROPERTY(QString documentName READ documentName NOTIFY fileChanged)
    Q_PROPERTY(bool hasFile READ hasFile NOTIFY fileChanged)
    Q_PROPERTY(QUrl folder READ folder NOTIFY fileChanged)
    Q_PROPERTY(bool modified READ isModified NOTIFY modifiedChanged)
    Q_PROPERTY(QString undoText READ undoText NOTIFY historyChanged)
    Q_PROPERTY(QString redoText READ redoText NOTIFY historyChanged)
    Q_PROPERTY(QString notice READ notice NOTIFY noticeChanged)
    Q_PROPERTY(QString filter READ filter WRITE setFilter NOTIFY filterChanged)
    Q_PROPERTY(int problemCount READ problemCount NOTIFY problemsChanged)
    Q_PROPERTY(bool checked READ isChecked NOTIFY problemsChanged)
    Q_PROPERTY(QString summary READ summary NOTIFY summaryChanged)
    Q_PROPERTY(QString selectionSummary READ selectionSummary NOTIFY selectionChanged)
    Q_PROPERTY(QString pipesBadge READ pipesBadge NOTIFY summaryChanged)
    Q_PROPERTY(bool empty READ isEmpty NOTIFY summaryChanged)
    Q_PROPERTY(QStringList deployments READ deployments NOTIFY deploymentsChanged)
    Q_PROPERTY(int deploymentIndex READ deploymentIndex WRITE setDeploymentIndex NOTIFY deploymentsChanged)
    Q_PROPERTY(bool catalogLoaded READ isCatalogLoaded NOTIFY catalogChanged)

public:
    explicit Editor(const weir::editor::CliCommand &command, QObject *parent = nullptr);
    ~Editor() override;

    weir::editor::Document &document() { return m_document; }
    weir::editor::GraphScene &scene() { return m_scene; }
    weir::editor::Selection &selection() { return m_selection; }
    weir::editor::ProblemModel &problemModel() { return m_problems; }
    const weir::editor::CliCommand &command() const { return m_command; }

    QAbstractItemModel *blocks() { return &m_blocks; }
    QAbstractItemModel *palette() { return &m_palette; }
    QAbstractItemModel *problems() { return &m_problems; }
    Inspector *inspector() const { return m_inspector; }
    RunController *runner() const { return m_runner; }

    QString documentName() const { return m_document.displayName(); }
    bool hasFile() const { return !m_document.path().isEmpty(); }
    QUrl folder() const { return QUrl::fromLocalFile(m_document.folder()); }
    bool isModified() const { return m_document.isModified(); }
    QString undoText() const;
    QString redoText() const;
    QString notice() const { return m_notice; }
    QString filter() const { return m_palette.filter(); }
    void setFilter(const QString &filter);
    int problemCount() const { return m_problems.rowCount(); }
    bool isChecked() const { return m_validator.isUpToDate(); }
    QString summary() const;
    QString selectionSummary() const;
    QString pipesBadge() const { return m_scene.pipesBadge(); }
    bool isEmpty() const { return m_scene.blocks().empty(); }
    QStringList deployments() const;
    int deploymentIndex() const { return m_deployment; }
    void setDeploymentIndex(int index);
    /// The chosen deployment's name, empty when the project has none.
    QString deployment() const;
    bool isCatalogLoaded() const { return m_scene.catalog().isLoaded(); }

    /// Asks the command line what it knows and what it thinks of the document; done once, after the first open.
    void start();
    void setCatalog(const weir::editor::Catalog &catalog);
    bool openPath(const QString &path);

    Q_INVOKABLE void newDocument();
    Q_INVOKABLE bool open(const QUrl &file) { return openPath(file.toLocalFile()); }
    Q_INVOKABLE bool save();
    Q_INVOKABLE bool saveAs(const QUrl &file);
    Q_INVOKABLE void undo();
    Q_INVOKABLE void redo();
    Q_INVOKABLE void dismissNotice() { setNotice({}); }

    /// Adds a block of the type with its upper left corner near the point, and selects it. Returns its id.
    Q_INVOKABLE QString addBlock(const QString &type, qreal x, qreal y);
    Q_INVOKABLE QString paletteType(int row) const { return m_palette.typeAt(row); }
    Q_INVOKABLE void removeSelection();
    Q_INVOKABLE void selectAll();
    Q_INVOKABLE void goTo(const QString &block);
    Q_INVOKABLE void addDeployment();
    Q_INVOKABLE void removeDeployment();

    void moveSelection(QPointF offset, bool merge);
    void connectPorts(const weir::editor::PortRef &a, const weir::editor::PortRef &b);
    /// What the canvas shows of the scene.
    void setVisibleRegion(const QRectF &region) { m_blocks.setRegion(region); }
    void setNotice(const QString &notice);
    /// Runs an edit; a refusal becomes the notice.
    bool edit(const QString &name, const weir::editor::Document::Change &change, const QString &mergeKey = {});

signals:
    void fileChanged();
    void modifiedChanged();
    void historyChanged();
    void noticeChanged();
    void filterChanged();
    void problemsChanged();
    void summaryChanged();
    void selectionChanged();
    void deploymentsChanged();
    void catalogChanged();
    void documentReplaced();
    /// The canvas should show this block.
    void revealRequested(const QString &block);

private:
    void markBlocks();
    void keepDeployment();

    weir::editor::CliCommand m_command;
    weir::editor::Document m_document;
    weir::editor::GraphScene m_scene;
    weir::editor::Selection m_selection;
    weir::editor::BlockModel m_blocks;
    weir::editor::PaletteModel m_palette;
    weir::editor::ProblemModel m_problems;
    weir::editor::Validator m_validator;
    Inspector *m_inspector;
    RunController *m_runner;
    QString m_notice;
    int m_deployment = 0;
};
