#pragma once

#include "core/ask/ask.h"
#include "core/runs/run_list.h"
#include "core/text/prose.h"
#include "features/runs/run_groups.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QObject>

namespace weir::editor {

class RunController;
class Session;

/// The runs in the project's folder of runs and in the folder that `weir run` uses, including earlier sessions, with
/// actions on a run.
class RunLibrary : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Results")

    Q_PROPERTY(QAbstractItemModel* runs READ runs CONSTANT)
    Q_PROPERTY(QString filter READ filter WRITE setFilter NOTIFY filterChanged)
    Q_PROPERTY(bool reading READ isReading NOTIFY stateChanged)
    Q_PROPERTY(QString failure READ failure NOTIFY stateChanged)
    Q_PROPERTY(int total READ total NOTIFY stateChanged)
    Q_PROPERTY(QString busy READ busy NOTIFY stateChanged)
    /// Reason why the first run of the list has no p99; empty: it has one.
    Q_PROPERTY(QString lacking READ lacking NOTIFY listed)

  public:
    RunLibrary(Session& session, RunController& runner, QObject* parent);

    QAbstractItemModel* runs() { return &m_groups; }
    RunListModel& list() { return m_runs; }
    const RunListModel& list() const { return m_runs; }
    QString filter() const { return m_runs.filter(); }
    void setFilter(const QString& filter);
    bool isReading() const { return m_ask.isBusy(); }
    QString failure() const { return m_failure; }
    int total() const { return m_runs.total(); }
    QString lacking() const;
    /// Return the action in progress on a run, in words.
    QString busy() const { return m_busy; }

    /// List only the runs in this folder, to which runs go from now on.
    void setFolder(const QString& folder);
    /// Set the folder where the program was started: `weir run` writes runs there, so they are listed too.
    void setStartedIn(const QString& folder) { m_startedIn = folder; }

    /// Also list the runs in this folder, such as that of a sweep, while the project is shown.
    void include(const QString& folder);

    Q_INVOKABLE void refresh();
    /// List the runs again if they have changed, since some may have been made outside the window.
    Q_INVOKABLE void look();
    /// Return the row of a run on the page; -1: it is not shown.
    Q_INVOKABLE int rowOf(const QString& path) const;
    /// Return the id shared by the runs of one command; empty: a single run.
    Q_INVOKABLE QString groupOf(const QString& path) const;
    /// Return the start of a warning, for a place with little room.
    Q_INVOKABLE QString firstWords(const QString& sentence) const { return weir::editor::firstWords(sentence); }
    Q_INVOKABLE void toggle(const QString& group) { m_groups.toggle(group); }
    Q_INVOKABLE void setNote(const QString& path, const QString& note);
    Q_INVOKABLE void remove(const QString& path);
    Q_INVOKABLE void openFolder(const QString& path);
    Q_INVOKABLE void openReport(const QString& path);

  signals:
    /// Emitted when runs have moved to another folder.
    void moved(const QString& from, const QString& to);
    void filterChanged();
    void stateChanged();
    /// Emitted when the list was read again.
    void listed();
    void removed(const QString& path);

  private:
    QString projectName() const;
    /// Return the folder of this project's runs.
    QString folder() const;
    /// Return the listed folders, which may not exist.
    QStringList folders() const;
    QStringList names() const;
    void follow();
    Json ownOf(const Json& rows) const;
    void receive(const CliAnswer& answer);
    void act(const QString& what, const QStringList& verb, std::function<void(const CliAnswer&)> done);

    Session& m_session;
    RunController& m_runner;
    RunListModel m_runs;
    RunGroups m_groups{m_runs};
    Ask m_ask;
    QString m_startedIn;
    QStringList m_included;  ///< additional folders
    QStringList m_names;  ///< entries of the folders when they were listed
    QString m_place;  ///< present folder for runs of this document; empty: the document is new
    QString m_failure;
    QString m_busy;
};

}  // namespace weir::editor
