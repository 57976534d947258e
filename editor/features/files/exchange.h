#pragma once

#include "core/ask/cli_command.h"
#include "core/graph/alignment.h"
#include "features/files/exchange_report.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>
#include <QPointer>
#include <QSizeF>
#include <QString>
#include <QUrl>

#include <functional>
#include <map>

namespace weir::editor {

class DocumentFiles;
class Session;
struct CliAnswer;

/// The flowgraph for other programs: pictures of it, and files of GNU Radio Companion. The command line does the work.
class Exchange : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")
    Q_PROPERTY(bool busy READ isBusy NOTIFY busyChanged)
    /// Action that takes time: `Importing tone.grc…`; empty if there is none.
    Q_PROPERTY(QString doing READ doing NOTIFY busyChanged)
    Q_PROPERTY(bool importing READ isImporting NOTIFY busyChanged)
    Q_PROPERTY(weir::editor::ExchangeReport* report READ report CONSTANT)

  public:
    Exchange(Session& session, DocumentFiles& files, QObject* parent = nullptr);

    bool isBusy() const { return !m_running.empty() || !m_waiting.isEmpty(); }
    QString doing() const;
    bool isImporting() const { return m_running.contains(m_import); }
    ExchangeReport* report() { return &m_report; }

    // What is written replaces what is there.
    /// The suffix says what is written: .svg, .png or .pdf.
    Q_INVOKABLE void exportPicture(const QUrl& file);
    Q_INVOKABLE void exportFlowgraph(const QUrl& file);
    /// The content becomes a new project that is in no file yet; where its blocks would lie on each other, their being laid
    /// out is its first step. One at a time: the last one that was asked for.
    void importFlowgraph(const QString& path);
    /// Size of the canvas for an import: a flowgraph that is laid out fills it.
    void setRoom(QSizeF room);
    /// The project stays as it is.
    Q_INVOKABLE void cancelImport();

  signals:
    void busyChanged();
    /// An import gives its blocks, which are where their author drew them, places where they have room.
    void laidOut(const Placement& places);

  private:
    struct Call {
        QString what;
        QPointer<ChildProcess> process;
    };

    void choose(const QString& path);
    void importWaiting();
    /// `what` is done, for the user to read; its number is the next one.
    void call(const QString& what, const QStringList& arguments, bool withProject,
              std::function<void(const CliAnswer&)> done);
    void take(const QString& name, const CliAnswer& answer);
    void begin(const Json& answer, Json project);

    Session& m_session;
    DocumentFiles& m_files;
    ExchangeReport m_report;
    QSizeF m_room;
    QString m_waiting;  ///< is imported once the window has a size
    std::map<int, Call> m_running;
    int m_last = 0;  ///< number of the last call
    int m_import = 0;  ///< number of the last import
    int m_projects = 0;  ///< opened so far
};

}  // namespace weir::editor
