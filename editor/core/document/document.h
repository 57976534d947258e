#pragma once

#include "core/document/patch.h"
#include "core/document/project_file.h"
#include "core/json/json.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <functional>
#include <optional>

namespace weir::editor {

/// The open project: its JSON, its file and its history. Every change is one undoable step.
class Document : public QObject {
    Q_OBJECT

  public:
    explicit Document(QObject* parent = nullptr);

    const Json& json() const { return m_json; }
    /// Grows with every change, undo and redo.
    int revision() const { return m_revision; }
    /// Grows with every change but those of how the graph is drawn, of which nothing depends that the command line says;
    /// its answers carry it.
    int meaning() const { return m_meaning; }
    QUndoStack& undoStack() { return m_undoStack; }

    QString path() const { return m_path; }
    /// The file that this is a copy of, until it is saved: its own file is not touched. Else empty.
    QString origin() const { return m_origin; }
    QString displayName() const;
    /// Folder that relative paths of the project are relative to.
    QString folder() const;
    /// Return whether closing would lose something: edits, or a file that is no longer what was opened.
    bool isModified() const { return m_detached || !m_undoStack.isClean(); }
    /// Return whether this is a new document without any change.
    bool isUntouched() const;
    /// The file as it was when it was last opened, reloaded or saved.
    const FileStamp& stamp() const { return m_stamp; }

    void startNew();
    /// A document that is in no file as it stands; `path`: where Save would write it, or empty.
    void startWith(Json json, const QString& path = {});
    /// Leaves the present document as it is when the file cannot be read; returns why, or an empty string.
    QString open(const QString& path);
    /// Opens a file as the start of a document that is to be saved elsewhere.
    QString openCopy(const QString& path);
    /// Takes over what is in the file now, as an undo step. Returns why it cannot, or an empty string.
    QString reload();
    /// Atomic: the old file stays whole until the new one is complete. Returns why it failed, or an empty string. A project
    /// that nobody has called anything is called as its first file, which is no step: there is nothing to go back to.
    QString save(const QString& path);
    /// Puts a whole other content in the place of the present one, as an undo step.
    void replaceContent(const QString& name, Json json);
    /// Says that the file no longer holds what was opened or saved (gone, or changed by somebody else), or does again.
    void setDetached(bool detached);
    /// While it is only looked at, nothing changes it: edits, undo and redo are refused. Another document, or saving, ends
    /// that. What is in the file can be read again.
    void setLookOnly(bool lookOnly);
    bool isLookOnly() const { return m_lookOnly; }
    std::string canonicalText() const;

    bool canUndo() const { return !m_lookOnly && m_undoStack.canUndo(); }
    bool canRedo() const { return !m_lookOnly && m_undoStack.canRedo(); }
    void undo();
    void redo();

    using Change = std::function<void(Transaction&)>;
    /// Runs `change` as one undo step named `name`; steps in a row with the same non-empty `mergeKey` become one.
    /// Returns why the change was refused, or an empty string.
    QString edit(const QString& name, const Change& change, const QString& mergeKey = {});
    /// The next edit starts a new undo step, whatever its merge key.
    void endMerge() { ++m_mergeGeneration; }

  signals:
    void changed(const weir::editor::ChangedPaths& paths);
    /// Another document took the place of the previous one.
    void replaced();
    void pathChanged();
    void modifiedChanged();
    void lookOnlyChanged();

  private:
    friend class EditCommand;

    std::optional<Patch> namingAfter(const QString& path) const;
    void notifyChanged(const ChangedPaths& paths);
    void replace(Json json, const QString& path, FileStamp stamp, bool detached, const QString& origin = {});

    Json m_json;
    QUndoStack m_undoStack;
    QString m_path;
    QString m_origin;
    FileStamp m_stamp;
    bool m_detached = false;
    bool m_lookOnly = false;
    int m_revision = 0;
    int m_meaning = 0;
    int m_mergeGeneration = 0;
};

}  // namespace weir::editor
