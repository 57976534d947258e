#pragma once

#include "results_model.h"
#include "run_process.h"

#include <QAbstractItemModel>
#include <QElapsedTimer>
#include <QObject>
#include <QStringListModel>
#include <QTemporaryFile>
#include <QtQml/qqmlregistration.h>

#include <memory>

class Editor;

/// Runs the project as it is now, saved or not, and keeps what came back.
class RunController : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(bool running READ isRunning NOTIFY stateChanged)
    Q_PROPERTY(QString status READ status NOTIFY stateChanged)
    Q_PROPERTY(qreal progress READ progress NOTIFY stateChanged)
    Q_PROPERTY(QString failure READ failure NOTIFY stateChanged)
    Q_PROPERTY(QAbstractItemModel *log READ log CONSTANT)
    Q_PROPERTY(QAbstractItemModel *results READ results CONSTANT)
    Q_PROPERTY(QAbstractItemModel *latency READ latency CONSTANT)
    Q_PROPERTY(int currentResult READ currentResult WRITE setCurrentResult NOTIFY currentResultChanged)

public:
    RunController(Editor &editor, QObject *parent);

    bool isRunning() const { return m_process.isRunning(); }
    QString status() const { return m_status; }
    /// 0 to 1, negative while unknown.
    qreal progress() const { return m_progress; }
    QString failure() const { return m_failure; }
    QAbstractItemModel *log() { return &m_log; }
    QAbstractItemModel *results() { return &m_results; }
    QAbstractItemModel *latency() { return &m_latency; }
    int currentResult() const { return m_currentResult; }
    void setCurrentResult(int row);

    Q_INVOKABLE void run();
    Q_INVOKABLE void cancel();
    /// Compiles only, as F5 does in GNU Radio Companion.
    Q_INVOKABLE void build();

signals:
    void stateChanged();
    void currentResultChanged();
    void started();
    void finished();

private:
    void start(const QString &verb, const QStringList &options);
    QString fileToRun();
    void showProgress(const weir::editor::RunProgress &progress);
    void receive(const weir::editor::Json &results, const QString &failure);
    void addLog(const QString &line);
    std::size_t fingerprint() const;

    Editor &m_editor;
    weir::editor::RunProcess m_process;
    weir::editor::ResultsModel m_results;
    weir::editor::LatencyModel m_latency;
    QStringListModel m_log;
    std::unique_ptr<QTemporaryFile> m_unsaved;
    QElapsedTimer m_elapsed;
    QString m_status;
    QString m_failure;
    qreal m_progress = -1;
    std::size_t m_fingerprint = 0;
    int m_currentResult = -1;
};
