#pragma once

#include "core/document/file_watch.h"
#include "core/document/project_lock.h"
#include "features/files/bars.h"
#include "features/files/difference_model.h"
#include "features/files/file_chooser.h"
#include "features/files/recent_files.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>
#include <QUrl>

#include <deque>
#include <functional>

namespace weir::editor {

class RunController;
class Session;

/// The document and its file: opening, saving, and changes of the file by other programs. Unsaved changes are lost only
/// if the user agrees.
class DocumentFiles : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(weir::editor::Bars* bars READ bars CONSTANT)
    Q_PROPERTY(weir::editor::RecentFiles* recent READ recent CONSTANT)
    Q_PROPERTY(weir::editor::DifferenceModel* difference READ difference CONSTANT)
    Q_PROPERTY(weir::editor::FileChooser* chooser READ chooser CONSTANT)

  public:
    DocumentFiles(Session& session, RunController& runner, QObject* parent = nullptr);

    Bars* bars() { return &m_bars; }
    RecentFiles* recent() { return &m_recent; }
    DifferenceModel* difference() { return &m_difference; }
    FileChooser* chooser() { return &m_chooser; }

    /// Register Quit last, so that it is the last entry of the menu.
    void registerQuit();
    /// Call `then` at once, or after the user has decided about unsaved changes.
    void guard(std::function<void()> then, bool quits = false);
    /// From now on, tell the user's other editors which project is open.
    void remember(const QString& lockFolder);

    Q_INVOKABLE void newProject();
    Q_INVOKABLE void chooseProject();
    /// Open a project, or import a flowgraph of GNU Radio Companion.
    Q_INVOKABLE void open(const QString& path);
    /// Open the content of a file as a new project. The file is not changed: Save asks for a name.
    void openCopy(const QString& path);
    Q_INVOKABLE void openUrl(const QUrl& url);
    Q_INVOKABLE void quit();
    Q_INVOKABLE void save();
    /// Save, and replace an existing file: the dialog for the name has asked about that.
    Q_INVOKABLE void saveAs(const QUrl& file);
    Q_INVOKABLE void reload();
    /// Answer the question: "save", "discard", or anything else to continue editing.
    Q_INVOKABLE void answerUnsaved(const QString& answer);
    /// Drop the action that waited for a save, for example because the user chose no name.
    Q_INVOKABLE void giveUp();
    /// Return the name of a new file for the project: the project's name with another suffix.
    Q_INVOKABLE QString proposedName(const QString& suffix) const;
    /// Return a file in the project's folder, else in the last used folder, else in the folder where the editor was
    /// started.
    Q_INVOKABLE QUrl proposedFile(const QString& suffix) const;
    /// Return the row of the recent file to open next, skipping the open project; -1: none.
    Q_INVOKABLE int nextRecent() const;
    Q_INVOKABLE void askFile(QObject* ask) { emit fileNeeded(ask); }
    /// Check the file when the window comes to the front: some file systems report no changes.
    Q_INVOKABLE void look();

  signals:
    /// Emitted to ask about unsaved changes; the answer goes to answerUnsaved. `quits`: the program ends afterwards.
    void saveDecisionNeeded(bool quits);
    /// Emitted to import a flowgraph of GNU Radio Companion. Nothing has asked about unsaved changes yet.
    void flowgraphChosen(const QString& path);
    void openNameNeeded();
    void saveNameNeeded();
    void quitAccepted();
    /// Emitted to show this FileAsk in the window's file dialog.
    void fileNeeded(QObject* ask);
    /// Emitted when the program ends and the user has discarded the changes. If the user discards them to open another
    /// document, they are kept until it is open: the user may choose no file, or an unreadable one.
    void abandoned();

  private:
    void registerActions();
    void follow();
    void receive(FileWatch::State state);
    void takeOver();
    void askAboutDisk(bool saving, const QString& unreadable = {});
    void writeOrAsk();
    void write(const QString& path);
    void proceed();
    void askNext();
    void lock();
    void askAboutLock(bool isDecided);
    void edit();
    void leave();
    void acceptQuit();

    Session& m_session;
    RunController& m_runner;
    Bars m_bars;
    RecentFiles m_recent;
    DifferenceModel m_difference;
    FileChooser m_chooser;
    FileWatch m_watch;
    ProjectLock m_lock;
    FileStamp m_accepted;  ///< state of the file that the user agreed to overwrite
    QString m_lastFolder;  ///< of the last opened or saved file, project or picture; empty: none yet
    std::function<void()> m_pending;  ///< waits for the answer about unsaved changes
    std::deque<std::function<void()>> m_waiting;  ///< actions that wait to ask about unsaved changes
    int m_left = -1;  ///< revision whose changes the user discarded in order to quit
    QString m_lockedPath;
    bool m_editsAnyway = false;  ///< although another editor has the project open
};

}  // namespace weir::editor
