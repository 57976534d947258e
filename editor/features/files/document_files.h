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

/// The document and its file: opening, saving, and what happens when somebody else writes the file too.
/// Nothing that the user has not saved is lost without the user's word.
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

    /// Quitting is last on the menu, after what others put there.
    void registerQuit();
    /// Does `then` at once, or after the user decided what becomes of unsaved changes.
    void guard(std::function<void()> then, bool quits = false);
    /// From here on, other editors of the user are told which project is open.
    void remember(const QString& lockFolder);

    Q_INVOKABLE void newProject();
    Q_INVOKABLE void chooseProject();
    /// A project, or a flowgraph of GNU Radio Companion.
    Q_INVOKABLE void open(const QString& path);
    /// A new project with the content of a file, which stays as it is: Save asks for a name.
    void openCopy(const QString& path);
    Q_INVOKABLE void openUrl(const QUrl& url);
    Q_INVOKABLE void quit();
    Q_INVOKABLE void save();
    /// Replaces what is there: who was asked for a name was asked about that too.
    Q_INVOKABLE void saveAs(const QUrl& file);
    Q_INVOKABLE void reload();
    /// "save", "discard", or anything else to go on editing.
    Q_INVOKABLE void answerUnsaved(const QString& answer);
    /// Drops the action that waited for a file to be saved: no name was chosen, for example.
    Q_INVOKABLE void giveUp();
    /// Return the name of a new file of the project: the project's name with another suffix.
    Q_INVOKABLE QString proposedName(const QString& suffix) const;
    /// Return a file in the folder of the project, else in the folder that was used last, or where the editor was
    /// started.
    Q_INVOKABLE QUrl proposedFile(const QString& suffix) const;
    /// The row of the list of recent files that one would open next: not of what is open; -1: none.
    Q_INVOKABLE int nextRecent() const;
    Q_INVOKABLE void askFile(QObject* ask) { emit fileAsked(ask); }
    /// The window came to the front; the file may have changed on a file system that tells nothing.
    Q_INVOKABLE void look();

  signals:
    /// Ask what becomes of the changes; the answer goes to answerUnsaved. `quits`: then the program ends.
    void unsavedAsked(bool quits);
    /// A flowgraph of GNU Radio Companion is to be opened, which is an import; changes were not asked about yet.
    void flowgraphChosen(const QString& path);
    void openNameNeeded();
    void saveNameNeeded();
    void quitAccepted();
    /// Show this FileAsk in the window's file dialog.
    void fileAsked(QObject* ask);
    /// The program ends, and the unsaved changes are not wanted. Who lets go of them for another document keeps them
    /// safe until that is there: no file may be chosen, or none that can be read.
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
    FileStamp m_accepted;  ///< a state of the file that the user agreed to write over
    QString m_lastFolder;  ///< of a file that was opened or saved, as a project or a picture; empty: none yet
    std::function<void()> m_pending;  ///< waits for the answer about unsaved changes
    std::deque<std::function<void()>> m_waiting;  ///< for their own question about them
    int m_left = -1;  ///< the revision that the user has let go of, to quit
    QString m_lockedPath;
    bool m_editsAnyway = false;  ///< although another editor has the project open
};

}  // namespace weir::editor
