#pragma once

#include "alignment.h"
#include "exchange_report.h"

#include <QObject>
#include <QSizeF>
#include <QString>
#include <QUrl>
#include <QtQml/qqmlregistration.h>

#include <functional>

class DocumentFiles;
class Session;

namespace weir::editor {
struct CliAnswer;
}

/// The flowgraph for other programs: pictures of it, and files of GNU Radio Companion. The command line does the work.
class Exchange : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")
    Q_PROPERTY(bool busy READ isBusy NOTIFY busyChanged)
    Q_PROPERTY(ExchangeReport *report READ report CONSTANT)

public:
    Exchange(Session &session, DocumentFiles &files, QObject *parent = nullptr);

    bool isBusy() const { return m_running > 0 || !m_waiting.isEmpty(); }
    ExchangeReport *report() { return &m_report; }

    // What is written replaces what is there.
    /// The suffix says what is written: .svg, .png or .pdf.
    Q_INVOKABLE void exportPicture(const QUrl &file);
    Q_INVOKABLE void exportFlowgraph(const QUrl &file);
    /// The content becomes a new project that is in no file yet; where its blocks would lie on each other, their being laid
    /// out is its first step.
    void importFlowgraph(const QString &path);
    /// Of the canvas that shows what is imported: a flowgraph that is laid out fills it.
    void setRoom(QSizeF room);

signals:
    void busyChanged();
    /// An import gives its blocks, which are where their author drew them, places where they have room.
    void laidOut(const weir::editor::Placement &places);

private:
    void choose(const QString &path);
    void importWaiting();
    void take(const weir::editor::Json &answer, weir::editor::Json project);
    void call(const QStringList &arguments, bool withProject, std::function<void(const weir::editor::CliAnswer &)> done);

    Session &m_session;
    DocumentFiles &m_files;
    ExchangeReport m_report;
    QSizeF m_room;
    QString m_waiting; ///< is imported once the window has a size
    int m_running = 0;
    int m_projects = 0; ///< opened so far
};
