#include "features/files/folder_model.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QMutex>

#include <algorithm>

namespace weir::editor {
namespace {

constexpr int kListings = 4; ///< parallel listings: one that hangs on a dead disk does not block the next
constexpr int kQuietMs = 200;
constexpr int kPatienceMs = 200; ///< a closing window does not wait longer

} // namespace

/// Receiver of a listing. It outlives the model if a listing does.
struct FolderModel::Letterbox {
    QMutex mutex;
    FolderModel* owner; ///< null after its destruction
};

FolderModel::FolderModel(QObject* parent, Reader reader)
    : QAbstractListModel(parent), m_reader(std::move(reader)), m_pool(std::make_unique<QThreadPool>()),
      m_letterbox(std::make_shared<Letterbox>()) {
    m_letterbox->owner = this;
    m_pool->setMaxThreadCount(kListings);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kQuietMs);
    connect(&m_soon, &QTimer::timeout, this, [this] { show(m_folder); });
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_soon, qOverload<>(&QTimer::start));
}

FolderModel::~FolderModel() {
    {
        const QMutexLocker locked(&m_letterbox->mutex);
        m_letterbox->owner = nullptr;
    }
    m_pool->clear();
    if (!m_pool->waitForDone(kPatienceMs))
        static_cast<void>(m_pool.release()); // its destructor would wait; a thread that hangs ends with the program
}

int FolderModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant FolderModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Entry& entry = *entryAt(index.row());
    switch (role) {
        case Qt::DisplayRole:
        case NameRole: return entry.name;
        case PathRole: return pathAt(index.row());
        case FolderRole: return entry.isFolder;
        case SizeRole:
            return entry.isFolder ? QString() : QLocale().formattedDataSize(entry.size, 1, QLocale::DataSizeSIFormat);
        case ChangedRole: return entry.changed.toString(QStringLiteral("yyyy-MM-dd HH:mm"));
        default: return {};
    }
}

QHash<int, QByteArray> FolderModel::roleNames() const {
    return {
        {NameRole, "name"}, {PathRole, "path"}, {FolderRole, "folder"}, {SizeRole, "size"}, {ChangedRole, "changed"}};
}

FolderModel::Listing FolderModel::listingOf(const QString& folder) {
    const QFileInfo info(folder);
    if (!info.isDir()) return {{}, tr("The folder %1 does not exist").arg(folder)};
    if (!info.isReadable()) return {{}, tr("The folder %1 cannot be read").arg(folder)};
    Listing listing;
    const auto found = QDir(folder).entryInfoList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::NoSort);
    for (const QFileInfo& one : found)
        listing.entries.push_back({one.fileName(), one.isDir(), one.isHidden(), one.size(), one.lastModified()});
    return listing;
}

void FolderModel::show(const QString& folder) {
    const int requested = ++m_requested;
    if (folder != m_folder) {
        stopWatching();
        m_folder = folder;
        receive(m_answered, {}); // clear the previous folder
        if (QFileInfo(folder).isDir()) m_watcher.addPath(folder);
    }
    m_pool->start([letterbox = m_letterbox, read = m_reader, folder, requested] {
        const Listing listing = read(folder);
        const QMutexLocker locked(&letterbox->mutex);
        FolderModel* model = letterbox->owner;
        if (!model) return;
        QMetaObject::invokeMethod(
            model,
            [model, requested, listing] {
                if (requested == model->m_requested) model->receive(requested, listing);
            },
            Qt::QueuedConnection);
    });
    emit countChanged();
}

void FolderModel::rest() {
    m_soon.stop();
    m_answered = ++m_requested;
    stopWatching();
    m_folder.clear();
}

void FolderModel::stopWatching() {
    if (!m_watcher.directories().isEmpty()) m_watcher.removePaths(m_watcher.directories());
}

void FolderModel::receive(int requested, Listing listing) {
    m_answered = requested;
    m_all = std::move(listing.entries);
    m_failure = listing.failure;
    arrange();
}

void FolderModel::arrange() {
    beginResetModel();
    m_rows.clear();
    for (std::size_t i = 0; i < m_all.size(); ++i)
        if (isShown(m_all[i])) m_rows.push_back(static_cast<int>(i));
    std::sort(m_rows.begin(), m_rows.end(), [this](int left, int right) {
        const Entry& a = m_all[static_cast<std::size_t>(left)];
        const Entry& b = m_all[static_cast<std::size_t>(right)];
        if (a.isFolder != b.isFolder) return a.isFolder;
        if (m_byDate && a.changed != b.changed) return m_backwards ? a.changed < b.changed : a.changed > b.changed;
        const int order = QString::compare(a.name, b.name, Qt::CaseInsensitive);
        const int decided = order == 0 ? QString::compare(a.name, b.name) : order;
        return !m_byDate && m_backwards ? decided > 0 : decided < 0;
    });
    endResetModel();
    emit countChanged();
}

bool FolderModel::isShown(const Entry& entry) const {
    if (entry.isHidden && !m_hidden && !m_prefix.startsWith(u'.')) return false;
    if (!entry.name.startsWith(m_prefix, Qt::CaseInsensitive)) return false;
    return entry.isFolder || m_suffixes.isEmpty() ||
           std::any_of(m_suffixes.begin(), m_suffixes.end(),
                       [&](const QString& suffix) { return entry.name.endsWith(suffix, Qt::CaseInsensitive); });
}

void FolderModel::setSuffixes(const QStringList& suffixes) {
    m_suffixes = suffixes;
    arrange();
}

void FolderModel::setPrefix(const QString& prefix) {
    if (std::exchange(m_prefix, prefix) != prefix) arrange();
}

void FolderModel::setShowsHidden(bool hidden) {
    if (std::exchange(m_hidden, hidden) == hidden) return;
    arrange();
    emit orderChanged();
}

void FolderModel::orderBy(bool date) {
    m_backwards = date == m_byDate && !m_backwards;
    m_byDate = date;
    arrange();
    emit orderChanged();
}

const FolderModel::Entry* FolderModel::entryAt(int row) const {
    return row < 0 || row >= rowCount() ? nullptr
                                        : &m_all[static_cast<std::size_t>(m_rows[static_cast<std::size_t>(row)])];
}

int FolderModel::rowOf(const QString& path) const {
    for (int row = 0; row < rowCount(); ++row)
        if (pathAt(row) == path) return row;
    return -1;
}

QString FolderModel::pathAt(int row) const {
    const Entry* entry = entryAt(row);
    return entry ? QDir(m_folder).filePath(entry->name) : QString();
}

QString FolderModel::nameAt(int row) const {
    const Entry* entry = entryAt(row);
    return entry ? entry->name : QString();
}

bool FolderModel::isFolder(int row) const {
    const Entry* entry = entryAt(row);
    return entry && entry->isFolder;
}

} // namespace weir::editor
