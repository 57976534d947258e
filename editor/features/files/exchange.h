#pragma once

#include "core/ask/cli_command.h"
#include "core/graph/alignment.h"
#include "features/files/exchange_report.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>
#include <QPointer>
#include <QSizeF>
#include <QString>
#include <QTimer>
#include <QUrl>

#include <functional>
#include <map>

namespace weir::editor {

class DocumentFiles;
class Session;
struct CliAnswer;

/// Exchange with other programs: pictures of the flowgraph, and files of GNU Radio Companion. The command line does the
/// work.
class Exchange : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")
    Q_PROPERTY(bool busy READ isBusy NOTIFY busyChanged)
    /// Slow action in progress: `Importing tone.grc…`; empty if there is none.
    Q_PROPERTY(QString doing READ doing NOTIFY busyChanged)
    Q_PROPERTY(bool importing READ isImporting NOTIFY busyChanged)
    Q_PROPERTY(weir::editor::ExchangeReport* report READ report CONSTANT)

  public:
    Exchange(Session& session, DocumentFiles& files, QObject* parent = nullptr);

    bool isBusy() const { return !m_running.empty() || !m_waiting.isEmpty(); }
    QString doing() const;
    bool isImporting() const { return m_running.contains(m_import); }
    ExchangeReport* report() { return &m_report; }

    // Exports overwrite existing files.
    /// Export a picture; the suffix gives the format: .svg, .png or .pdf.
    Q_INVOKABLE void exportPicture(const QUrl& file);
    Q_INVOKABLE void exportFlowgraph(const QUrl& file);
    /// Import a file as a new project without a file. If its blocks would overlap, their layout is its first step.
    /// Imports run one at a time: the last requested one counts.
    void importFlowgraph(const QString& path);
    /// Set the size of the canvas for an import, which a new layout fills.
    void setRoom(QSizeF room);
    /// Cancel the import; the project stays unchanged.
    Q_INVOKABLE void cancelImport();

  signals:
    void busyChanged();
    /// Emitted when an import moves blocks from their author's positions to ones with enough room.
    void laidOut(const Placement& places);

  private:
    struct Call {
        QString what;
        QPointer<ChildProcess> process;
    };

    void choose(const QString& path);
    void importWaiting();
    /// Start a command. `what` describes it to the user; its number is the next one.
    void call(const QString& what, const QStringList& arguments, bool withProject,
              std::function<void(const CliAnswer&)> done);
    void take(const QString& name, const CliAnswer& answer);
    void begin(const Json& answer, Json project);

    Session& m_session;
    DocumentFiles& m_files;
    ExchangeReport m_report;
    QSizeF m_room;
    QString m_waiting;  ///< imported once the window has its size
    QTimer m_sizing;  ///< runs until it has
    std::map<int, Call> m_running;
    int m_last = 0;  ///< number of the last call
    int m_import = 0;  ///< number of the last import
    int m_projects = 0;  ///< number of projects opened so far
};

}  // namespace weir::editor
