#include "core/document/recovery_journal.h"

#include "core/document/recovered_changes.h"
#include "core/json/canonical_json.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QUuid>

namespace weir::editor {
namespace {

constexpr int kQuietMs = 800;   ///< after the last edit
constexpr int kLatestMs = 4000; ///< after the first one, while edits go on

} // namespace

RecoveryJournal::RecoveryJournal(Document& document, QObject* parent) : QObject(parent), m_document(document) {
    m_pool.setMaxThreadCount(1);
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(kQuietMs);
    m_latest.setSingleShot(true);
    m_latest.setInterval(kLatestMs);
    connect(&m_quiet, &QTimer::timeout, this, &RecoveryJournal::write);
    connect(&m_latest, &QTimer::timeout, this, &RecoveryJournal::write);
    connect(&document, &Document::changed, this, &RecoveryJournal::schedule);
    connect(&document, &Document::modifiedChanged, this, &RecoveryJournal::schedule);
    connect(&document, &Document::replaced, this, &RecoveryJournal::discard);
}

RecoveryJournal::~RecoveryJournal() { flush(); }

void RecoveryJournal::start(const QString& folder) {
    m_folder = folder;
    schedule();
}

void RecoveryJournal::keepRuns(const QStringList& runs) {
    if (m_runs == runs) return;
    m_runs = runs;
    m_writtenRevision = -1;
    schedule();
}

void RecoveryJournal::schedule() {
    if (m_folder.isEmpty()) return;
    if (!m_document.isModified()) {
        discard();
        return;
    }
    m_quiet.start();
    if (!m_latest.isActive()) m_latest.start();
}

bool RecoveryJournal::isNeeded() const {
    return !m_folder.isEmpty() && m_document.isModified() && m_document.revision() != m_abandonedRevision;
}

QString RecoveryJournal::prepare() {
    if (m_lock) return {};
    const QFileDevice::Permissions onlyMine = QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner;
    if (!QDir(m_folder).exists() && !QDir().mkpath(m_folder))
        return tr("the folder %1 cannot be created").arg(m_folder);
    QFile::setPermissions(m_folder, onlyMine);
    const QString name = m_folder + u'/' + QUuid::createUuid().toString(QUuid::WithoutBraces);
    auto lock = std::make_unique<QLockFile>(name + QStringLiteral(".lock"));
    lock->setStaleLockTime(0);
    if (!lock->tryLock(0)) return tr("no file can be written to the folder %1").arg(m_folder);
    m_lock = std::move(lock);
    m_file = name + kRecoverySuffix;
    return {};
}

QByteArray RecoveryJournal::content() const {
    Json runs = Json::array();
    for (const QString& run : m_runs) runs.push_back(run.toStdString());
    const Json about{{"weir_recovery", 1},
                     {"runs", runs},
                     {"path", m_document.path().toStdString()},
                     {"base_hash", m_document.stamp().hash.toStdString()},
                     {"written", QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString()},
                     {"process", QCoreApplication::applicationPid()}};
    // One line of metadata, then the document as it would be saved, so that a person can extract it by hand.
    return QByteArray::fromStdString(inlineText(about) + '\n' + m_document.canonicalText());
}

void RecoveryJournal::write() {
    m_quiet.stop();
    m_latest.stop();
    if (!isNeeded() || m_writtenRevision == m_document.revision()) return;
    if (const QString failure = prepare(); !failure.isEmpty()) {
        settle(failure);
        return;
    }
    m_writtenRevision = m_document.revision();
    m_pool.start([this, file = m_file, bytes = content()] {
        const QString failure = writeWhole(file, bytes);
        QMetaObject::invokeMethod(this, [this, file, failure] {
            if (file == m_file) settle(failure);
        });
    });
}

void RecoveryJournal::settle(const QString& failure) {
    if (!failure.isEmpty()) m_writtenRevision = -1;
    if (std::exchange(m_failure, failure) != failure) emit failureChanged(failure);
    if (failure.isEmpty()) emit written();
}

QString RecoveryJournal::flush() {
    m_pool.waitForDone();
    if (!isNeeded()) return {};
    QString failure = prepare();
    if (failure.isEmpty()) failure = writeWhole(m_file, content());
    m_quiet.stop();
    m_latest.stop();
    if (failure.isEmpty()) m_writtenRevision = m_document.revision();
    settle(failure);
    return failure;
}

void RecoveryJournal::abandon() {
    discard();
    m_abandonedRevision = m_document.revision();
}

void RecoveryJournal::discard() {
    m_quiet.stop();
    m_latest.stop();
    m_pool.waitForDone();
    if (!m_file.isEmpty()) QFile::remove(m_file);
    m_file.clear();
    m_lock.reset();
    m_writtenRevision = -1;
    settle({});
}

} // namespace weir::editor
