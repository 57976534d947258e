#pragma once

#include "bars.h"
#include "difference_model.h"
#include "file_watch.h"
#include "recent_files.h"

#include <QObject>
#include <QQuickItem>
#include <QUrl>
#include <QtQml/qqmlregistration.h>

#include <functional>

class Editor;

/// The document and its file: opening, saving, and what happens when somebody else writes the file too.
/// Nothing that the user has not saved is lost without the user's word.
class DocumentFiles : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(Bars *bars READ bars CONSTANT)
    Q_PROPERTY(RecentFiles *recent READ recent CONSTANT)
    Q_PROPERTY(DifferenceModel *difference READ difference CONSTANT)

public:
    DocumentFiles(Editor &editor, QObject *parent);

    Bars *bars() { return &m_bars; }
    RecentFiles *recent() { return &m_recent; }
    DifferenceModel *difference() { return &m_difference; }

    /// Quitting is last on the menu, after what others put there.
    void registerQuit();
    /// Does `then` at once, or after the user decided what becomes of unsaved changes.
    void guard(std::function<void()> then);
    /// Does `then` at once, or after the user agreed to replace the file that is there.
    void replacing(const QString &path, std::function<void()> then);

    Q_INVOKABLE void newProject();
    Q_INVOKABLE void chooseProject();
    /// A project, or a flowgraph of GNU Radio Companion.
    Q_INVOKABLE void open(const QString &path);
    /// A new project with the content of a file, which stays as it is: Save asks for a name.
    void openCopy(const QString &path);
    Q_INVOKABLE void openUrl(const QUrl &url);
    Q_INVOKABLE void quit();
    Q_INVOKABLE void save();
    Q_INVOKABLE void saveAs(const QUrl &file);
    Q_INVOKABLE void reload();
    /// "save", "discard", or anything else to go on editing.
    Q_INVOKABLE void answerUnsaved(const QString &answer);
    /// No name was chosen for the file.
    Q_INVOKABLE void giveUpSaving() { m_pending = {}; }
    /// What a new file of the project would be called: as the project is, with another suffix.
    Q_INVOKABLE QString proposedName(const QString &suffix) const;
    /// In the folder of the project, or in the user's own where it has none.
    Q_INVOKABLE QUrl proposedFile(const QString &suffix) const;
    /// The field for a file's name in Qt's own dialog, which stands in where the desktop has none, while it is shown;
    /// else null. Qt 6.4 draws that dialog in the window, Qt 6.8 gives it one of its own.
    Q_INVOKABLE QQuickItem *dialogNameField() const;
    /// The window came to the front; the file may have changed on a file system that tells nothing.
    Q_INVOKABLE void look();

signals:
    /// Ask what becomes of the changes; the answer goes to answerUnsaved.
    void unsavedAsked();
    void openNameNeeded();
    void saveNameNeeded();
    void quitAccepted();
    /// The user let go of the document: its unsaved changes are not wanted.
    void abandoned();

private:
    void registerActions();
    void follow();
    void receive(weir::editor::FileWatch::State state);
    void takeOver();
    void askAboutDisk(bool saving, const QString &unreadable = {});
    void writeOrAsk();
    void write(const QString &path);
    void proceed();

    Editor &m_editor;
    Bars m_bars;
    RecentFiles m_recent;
    DifferenceModel m_difference;
    weir::editor::FileWatch m_watch;
    weir::editor::FileStamp m_accepted; ///< a state of the file that the user agreed to write over
    std::function<void()> m_pending;    ///< waits for the answer about unsaved changes
};
