#pragma once

#include "core/document/document.h"
#include "features/files/folder_model.h"
#include "features/files/places.h"

#include <QtQml/qqmlregistration.h>
#include <QFileInfo>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QUrl>

namespace weir::editor {

class Memory;

/// State of the file dialog: the shown folder, and the handling of typed names.
class FileChooser : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of DocumentFiles")

    Q_PROPERTY(weir::editor::FolderModel* entries READ entries CONSTANT)
    Q_PROPERTY(QAbstractItemModel* places READ places CONSTANT)
    /// Shown folder: the current one, or the one being typed.
    Q_PROPERTY(QString folder READ folder NOTIFY folderChanged)
    /// The shown folder and its parents, root first.
    Q_PROPERTY(QStringList way READ way NOTIFY folderChanged)
    Q_PROPERTY(bool bookmarked READ isBookmarked NOTIFY bookmarkedChanged)
    Q_PROPERTY(int filter READ filter WRITE setFilter NOTIFY filterChanged)
    /// The typed file, if it exists; else empty.
    Q_PROPERTY(QString typedFile READ typedFile NOTIFY typedFileChanged)
    /// Reason why the entered name is not possible.
    Q_PROPERTY(QString problem READ problem NOTIFY questionChanged)
    /// File to replace if the user agrees; else empty.
    Q_PROPERTY(QString replaced READ replaced NOTIFY questionChanged)
    /// File in a missing folder, which is created if the user agrees; else empty.
    Q_PROPERTY(QString absent READ absent NOTIFY questionChanged)

  public:
    enum Mode { OpenFile, SaveFile };
    Q_ENUM(Mode)

    FileChooser(Memory& memory, Document& document, QObject* parent = nullptr);

    FolderModel* entries() { return &m_entries; }
    QAbstractItemModel* places() { return m_places.model(); }
    QString folder() const { return m_entries.folder(); }
    QStringList way() const;
    bool isBookmarked() const { return m_places.isBookmark(folder()); }
    int filter() const { return m_filter; }
    void setFilter(int filter);
    QString typedFile() const { return m_typedFile; }
    QString problem() const { return m_problem; }
    QString replaced() const { return m_replaced; }
    QString absent() const { return m_absent.isEmpty() ? QString() : QFileInfo(m_absent).path(); }

    Mode mode() const { return m_mode; }
    /// Begin a request. `filters`: each like `Pictures (*.svg *.png)`. A missing folder becomes its nearest existing
    /// parent.
    Q_INVOKABLE void begin(FileChooser::Mode mode, const QStringList& filters, const QUrl& folder);
    /// End the request, with or without an answer.
    Q_INVOKABLE void end();
    /// Update the list for the typed text: its folder, and names with this prefix.
    Q_INVOKABLE void follow(const QString& text);
    /// Complete the text like Tab in a shell.
    Q_INVOKABLE QString complete(const QString& text) const;
    /// Act on the text: enter a folder, choose the file, or report the problem.
    Q_INVOKABLE void enter(const QString& text);
    Q_INVOKABLE void goTo(const QString& folder);
    Q_INVOKABLE void goUp();
    /// Handle the user's consent to replace the file.
    Q_INVOKABLE void replace();
    Q_INVOKABLE void makeAbsent();
    /// Clear the question, also because the file is to have another name.
    Q_INVOKABLE void clear();
    /// Create a folder in the shown one and enter it. Returns false with the reason in `problem`.
    Q_INVOKABLE bool makeFolder(const QString& name);
    Q_INVOKABLE void setBookmark(const QString& folder, bool bookmark);
    /// Return the name with the suffix of the filter, replacing the suffix of another filter.
    Q_INVOKABLE QString withSuffix(const QString& name) const;
    /// Return the length of a name without the suffix.
    Q_INVOKABLE int stemLength(const QString& name) const;

  signals:
    void folderChanged();
    void bookmarkedChanged();
    void filterChanged();
    void typedFileChanged();
    void questionChanged();
    /// Emitted when the folder changes: the typed text has been handled.
    void moved();
    void chosen(const QUrl& file);

  private:
    void show(const QString& folder);
    void setTypedFile(const QString& file);
    void ask(const QString& problem, const QString& replaced);
    void take(const QString& path);
    void open(const QString& path);
    void save(const QString& path);
    QString meant(const QString& path) const;
    QString named(const QString& name) const;
    QString missing(const QString& path, bool isFolder) const;
    QString projectFolder() const;
    QStringList suffixes() const;

    Memory& m_memory;
    Document& m_document;
    FolderModel m_entries;
    Places m_places;
    Mode m_mode = OpenFile;
    QStringList m_filters;
    int m_filter = 0;
    QString m_base;  ///< current folder, to which relative paths refer
    QString m_typedFile;
    QString m_problem;
    QString m_replaced;
    QString m_absent;  ///< file in the missing folder
};

}  // namespace weir::editor
