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

/// State of the file dialog: the folder that it shows, and the handling of typed names.
class FileChooser : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of DocumentFiles")

    Q_PROPERTY(weir::editor::FolderModel* entries READ entries CONSTANT)
    Q_PROPERTY(QAbstractItemModel* places READ places CONSTANT)
    /// The folder that is shown: where one is, or the one that is being typed.
    Q_PROPERTY(QString folder READ folder NOTIFY folderChanged)
    /// It and the folders above it, the root first.
    Q_PROPERTY(QStringList way READ way NOTIFY folderChanged)
    Q_PROPERTY(bool bookmarked READ isBookmarked NOTIFY bookmarkedChanged)
    Q_PROPERTY(int filter READ filter WRITE setFilter NOTIFY filterChanged)
    /// The file that is typed, if there is one; else empty.
    Q_PROPERTY(QString typedFile READ typedFile NOTIFY typedFileChanged)
    /// Reason why the entered name is not possible.
    Q_PROPERTY(QString problem READ problem NOTIFY asked)
    /// The file that would be replaced, if the user agrees; else empty.
    Q_PROPERTY(QString replaced READ replaced NOTIFY asked)
    /// The folder that is not there and would be made for the file, if the user agrees; else empty.
    Q_PROPERTY(QString absent READ absent NOTIFY asked)

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
    /// A new question. `filters`: each as in `Pictures (*.svg *.png)`. A folder that is not there becomes the next one above.
    Q_INVOKABLE void begin(FileChooser::Mode mode, const QStringList& filters, const QUrl& folder);
    /// The question is over, with an answer or without.
    Q_INVOKABLE void end();
    /// The list follows what is typed: into its folder, to the names that begin like it.
    Q_INVOKABLE void follow(const QString& text);
    /// Goes on as Tab does in a shell.
    Q_INVOKABLE QString complete(const QString& text) const;
    /// Does what the text says: goes into a folder, takes the file, or says why not.
    Q_INVOKABLE void enter(const QString& text);
    Q_INVOKABLE void goTo(const QString& folder);
    Q_INVOKABLE void goUp();
    /// The user agreed.
    Q_INVOKABLE void replace();
    Q_INVOKABLE void makeAbsent();
    /// The file is to have another name; also: no question any more.
    Q_INVOKABLE void clear();
    /// Creates a folder in the shown one and enters it. False: `problem` says why not.
    Q_INVOKABLE bool makeFolder(const QString& name);
    Q_INVOKABLE void setBookmark(const QString& folder, bool bookmark);
    /// The name with the suffix of the filter, in the place of one that another filter asks for.
    Q_INVOKABLE QString withSuffix(const QString& name) const;
    /// The length of a name without the suffix.
    Q_INVOKABLE int stemLength(const QString& name) const;

  signals:
    void folderChanged();
    void bookmarkedChanged();
    void filterChanged();
    void typedFileChanged();
    void asked();
    /// One is elsewhere: what was typed is done.
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
    QString m_base;  ///< where one is: relative paths begin there
    QString m_typedFile;
    QString m_problem;
    QString m_replaced;
    QString m_absent;  ///< the file
};

}  // namespace weir::editor
