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
    /// Grows with every change except those of the drawing, which no answer of the command line depends on. Answers
    /// carry this number.
    int meaning() const { return m_meaning; }
    QUndoStack& undoStack() { return m_undoStack; }

    QString path() const { return m_path; }
    /// Original file of an unsaved copy, which never writes to the original; otherwise empty.
    QString origin() const { return m_origin; }
    QString displayName() const;
    /// Folder that the project's relative paths start from.
    QString folder() const;
    /// Return whether closing would lose something: edits, or a file that is no longer what was opened.
    bool isModified() const { return m_detached || !m_undoStack.isClean(); }
    /// Return whether this is a new document without any change.
    bool isUntouched() const;
    /// Stamp of the file when it was last opened, reloaded or saved.
    const FileStamp& stamp() const { return m_stamp; }

    void startNew();
    /// Starts with content that is in no file. `path`: where Save would write it; may be empty.
    void startWith(Json json, const QString& path = {});
    /// Returns an empty string, or why the file cannot be read; then the present document stays.
    QString open(const QString& path);
    /// Opens a file as a template for a document that is saved elsewhere.
    QString openCopy(const QString& path);
    /// Reads the file again, as an undo step. Returns why it cannot, or an empty string.
    QString reload();
    /// Saves atomically: the old file stays whole until the new one is complete. Returns why it failed, or an empty
    /// string. An unnamed project takes the name of its first file, which is no undo step.
    QString save(const QString& path);
    /// Replaces the whole content, as an undo step.
    void replaceContent(const QString& name, Json json);
    /// Sets whether the file differs from what was opened or saved, because another program changed or deleted it.
    void setDetached(bool detached);
    /// While look-only, the document refuses edits, undo and redo; it can still be reloaded. Opening another document
    /// or saving ends this mode.
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
    /// Runs `change` as a part of the last undo step, of which it is a consequence. Does nothing after an undo.
    void amend(const Change& change);
    /// Makes the next edit a new undo step, whatever its merge key.
    void endMerge() { ++m_mergeGeneration; }

  signals:
    void changed(const weir::editor::ChangedPaths& paths);
    /// Another document replaced the previous one.
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
