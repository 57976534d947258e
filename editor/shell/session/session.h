#pragma once

#include "core/ask/cli_command.h"
#include "core/document/document.h"
#include "core/graph/block_model.h"
#include "core/graph/graph_scene.h"
#include "core/graph/selection.h"
#include "core/problems/problem_model.h"
#include "core/problems/validator.h"
#include "shell/actions/actions.h"
#include "shell/session/memory.h"
#include "shell/session/trust_question.h"
#include "shell/session/views.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QObject>
#include <QStringList>
#include <QUrl>

namespace weir::editor {

/// State that all features share: the document, its drawing, the selection, the problems, and the actions. It depends
/// on no feature.
class Session : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Editor is one")

    Q_PROPERTY(weir::editor::Actions* actions READ actionList CONSTANT)
    Q_PROPERTY(weir::editor::Views* views READ views CONSTANT)
    Q_PROPERTY(QString view READ view WRITE setView NOTIFY viewChanged)
    Q_PROPERTY(int viewIndex READ viewIndex WRITE setViewIndex NOTIFY viewChanged)
    Q_PROPERTY(QAbstractItemModel* blocks READ blocks CONSTANT)
    Q_PROPERTY(QAbstractItemModel* problems READ problems CONSTANT)
    Q_PROPERTY(weir::editor::Memory* memory READ memory CONSTANT)
    Q_PROPERTY(weir::editor::TrustQuestion* trust READ trust CONSTANT)

    Q_PROPERTY(QString documentName READ documentName NOTIFY fileChanged)
    /// Title of the project; empty if it has none.
    Q_PROPERTY(QString projectTitle READ projectTitle NOTIFY projectTitleChanged)
    Q_PROPERTY(bool hasFile READ hasFile NOTIFY fileChanged)
    Q_PROPERTY(QUrl folder READ folder NOTIFY fileChanged)
    Q_PROPERTY(bool modified READ isModified NOTIFY modifiedChanged)
    /// True if another window has the file open: this one only shows it.
    Q_PROPERTY(bool lookOnly READ isLookOnly NOTIFY historyChanged)
    Q_PROPERTY(QString undoText READ undoText NOTIFY historyChanged)
    Q_PROPERTY(QString redoText READ redoText NOTIFY historyChanged)
    Q_PROPERTY(QString notice READ notice NOTIFY noticeChanged)
    Q_PROPERTY(bool noticeIsGood READ isNoticeGood NOTIFY noticeChanged)
    Q_PROPERTY(int problemCount READ problemCount NOTIFY problemsChanged)
    Q_PROPERTY(QString problemSummary READ problemSummary NOTIFY problemsChanged)
    /// Message of the only problem; empty if there are several.
    Q_PROPERTY(QString onlyProblem READ onlyProblem NOTIFY problemsChanged)
    Q_PROPERTY(QString hindrances READ hindrances NOTIFY problemsChanged)
    Q_PROPERTY(int unfinishedCount READ unfinishedCount NOTIFY problemsChanged)
    Q_PROPERTY(QString worstSeverity READ worstSeverity NOTIFY problemsChanged)
    Q_PROPERTY(bool checked READ isChecked NOTIFY problemsChanged)
    Q_PROPERTY(QString summary READ summary NOTIFY summaryChanged)
    Q_PROPERTY(int selectedBlocks READ selectedBlocks NOTIFY selectionChanged)
    Q_PROPERTY(int selectedWires READ selectedWires NOTIFY selectionChanged)
    Q_PROPERTY(QString selectionSummary READ selectionSummary NOTIFY selectionChanged)
    Q_PROPERTY(QString pipesBadge READ pipesBadge NOTIFY summaryChanged)
    Q_PROPERTY(bool empty READ isEmpty NOTIFY summaryChanged)
    Q_PROPERTY(QStringList deployments READ deployments NOTIFY deploymentsChanged)
    Q_PROPERTY(int deploymentIndex READ deploymentIndex WRITE setDeploymentIndex NOTIFY deploymentsChanged)
    Q_PROPERTY(bool catalogLoaded READ isCatalogLoaded NOTIFY catalogChanged)
    /// True until the blocks that the project can have are known.
    Q_PROPERTY(bool listing READ isListing NOTIFY newBlocksChanged)
    Q_PROPERTY(bool hosted READ isHosted NOTIFY newBlocksChanged)

  public:
    /// `views`: all views of the middle of the window, in order.
    Session(const CliCommand& command, std::vector<View> views, QObject* parent = nullptr);

    Document& document() { return m_document; }
    GraphScene& scene() { return m_scene; }
    Selection& selection() { return m_selection; }
    ProblemModel& problemModel() { return m_problems; }
    /// Return whether the problem concerns the graph, the run or the chosen deployment, not another deployment.
    bool isOfShown(const Problem& problem) const;
    /// Return the values of the expressions of the present revision; null while they are unknown.
    const CheckedValues* checkedValues() const { return m_validator.values(); }
    /// Return the essence of the project, which its runs have, too, as long as it is unchanged.
    QString essence() const { return m_validator.essence(); }
    const CliCommand& command() const { return m_command; }
    Actions& actions() { return m_actions; }
    Actions* actionList() { return &m_actions; }

    Views* views() { return &m_views; }
    /// Return the name of the view in the middle of the window; setting an unknown name does nothing.
    QString view() const { return m_view; }
    void setView(const QString& view);
    int viewIndex() const { return static_cast<int>(m_views.names().indexOf(m_view)); }
    void setViewIndex(int index) { setView(m_views.names().value(index)); }

    QAbstractItemModel* blocks() { return &m_blocks; }
    BlockModel& blockModel() { return m_blocks; }
    QAbstractItemModel* problems() { return &m_problems; }
    Memory* memory() { return &m_memory; }
    TrustQuestion* trust() { return &m_trust; }

    QString documentName() const { return m_document.displayName(); }
    QString projectTitle() const { return string(m_document.json(), "title"); }
    bool hasFile() const { return !m_document.path().isEmpty(); }
    QUrl folder() const { return QUrl::fromLocalFile(m_document.folder()); }
    bool isModified() const { return m_document.isModified(); }
    bool isLookOnly() const { return m_document.isLookOnly(); }
    QString undoText() const;
    QString redoText() const;
    QString notice() const { return m_notice; }
    bool isNoticeGood() const { return m_noticeIsGood; }
    int problemCount() const { return m_problems.rowCount(); }
    /// Return the number of steps that are merely not done yet.
    int unfinishedCount() const { return m_problems.count(kUnfinished); }
    /// Return `2 errors · 1 thing to finish · 1 warning`.
    QString problemSummary() const;
    QString onlyProblem() const;
    /// Return the summary of the problems that prevent a run, without warnings.
    QString hindrances() const;
    QString worstSeverity() const;
    bool isChecked() const { return m_validator.isUpToDate(); }
    QString summary() const;
    int selectedBlocks() const { return static_cast<int>(m_selection.blocks().size()); }
    int selectedWires() const { return static_cast<int>(m_selection.wires().size()); }
    QString selectionSummary() const;
    QString pipesBadge() const { return m_scene.pipesBadge(); }
    bool isEmpty() const { return m_scene.blocks().empty(); }
    QStringList deployments() const;
    int deploymentIndex() const { return m_deployment; }
    void setDeploymentIndex(int index);
    /// Return the chosen deployment's name; empty if the project has none.
    QString deployment() const;
    /// Return whether GNU Radio runs the project: its blocks are GNU Radio's own.
    bool isHosted() const;
    /// Return the types of new blocks in the order of the palette.
    std::vector<const BlockType*> newBlocks() const;
    bool isListing() const { return m_listings > 0; }
    bool isCatalogLoaded() const { return m_scene.catalog().isLoaded(); }

    /// Requests the catalog and the check of the document; called once, after the first open.
    void start();
    void setCatalog(const Catalog& catalog);
    // These do not ask about unsaved changes; `files` does.
    bool openPath(const QString& path);
    void newDocument();

    Q_INVOKABLE void undo();
    Q_INVOKABLE void redo();
    Q_INVOKABLE void dismissNotice() { setNotice({}); }
    Q_INVOKABLE void showNotice(const QString& notice) { setNotice(notice); }

    Q_INVOKABLE void removeSelection();
    Q_INVOKABLE void selectAll();
    Q_INVOKABLE void goTo(const QString& block);

    void moveSelection(QPointF offset, bool merge);
    void connectPorts(const PortRef& a, const PortRef& b);
    /// `good`: an action succeeded, rather than was refused.
    void setNotice(const QString& notice, bool good = false);
    /// Runs an edit, and shows a refusal as the notice.
    bool edit(const QString& name, const Document::Change& change, const QString& mergeKey = {});

  signals:
    void viewChanged();
    /// A command chose the view that is already shown: it should take the keyboard focus.
    void viewChosenAgain();
    void fileChanged();
    void projectTitleChanged();
    void modifiedChanged();
    void historyChanged();
    void noticeChanged();
    void problemsChanged();
    void summaryChanged();
    void selectionChanged();
    /// The fields of the selection should take the keyboard focus.
    void fieldsRequested();
    /// Fields will show another selection: they must commit typed text first.
    void aboutToShowOther();
    void deploymentsChanged();
    void catalogChanged();
    /// The blocks that can be added changed, or whether they are being listed.
    void newBlocksChanged();
    void documentReplaced();
    /// The canvas should scroll to this block.
    void revealRequested(const QString& block);

  private:
    void registerActions();
    void markBlocks();
    void askForGnuradio();
    void followPorts();
    void keepDeployment();
    void stepInHistory(void (Document::*step)());

    struct Chosen {
        QSet<QString> blocks;
        QString deployment;
    };
    CliCommand m_command;
    Memory m_memory;
    Actions m_actions;
    Views m_views;
    Document m_document;
    TrustQuestion m_trust;
    GraphScene m_scene;
    Selection m_selection;
    QHash<int, Chosen> m_chosenBefore;  ///< step of the history -> selection when it was made
    BlockModel m_blocks;
    ProblemModel m_problems;
    Validator m_validator;
    QString m_notice;
    bool m_noticeIsGood = false;
    QString m_view;
    int m_deployment = 0;
    bool m_askedForGnuradio = false;
    int m_listings = 0;  ///< requests for blocks that have no answer yet
    std::vector<std::string> m_lastChange;  ///< places that edits touched since the last answer
};

}  // namespace weir::editor
