#include "core/document/document.h"

#include "core/json/canonical_json.h"

#include <QDir>
#include <QFileInfo>
#include <QUndoCommand>

#include <algorithm>

namespace weir::editor {
namespace {

constexpr const char* kNewName = "untitled";
const Pointer kNameAt("/name");
/// Items of a new project: a chain of a few blocks then runs for more than 0.2 s; shorter runs give uncertain numbers.
constexpr int kNewItems = 50'000'000;
constexpr int kEditCommandId = 1;

Json emptyProject() {
    return {{"schema_version", 1},
            {"name", kNewName},
            {"title", ""},
            {"description", ""},
            {"parameters", Json::object()},
            {"graph", {{"blocks", Json::array()}, {"connections", Json::array()}}},
            {"deployments", Json::array()},
            {"run", {{"items", kNewItems}}},
            {"ui", {{"positions", Json::object()}}}};
}

} // namespace

/// Edit that was applied while it was recorded, so QUndoStack's first redo does nothing.
class EditCommand final : public QUndoCommand {
  public:
    EditCommand(Document& document, const QString& name, std::vector<Patch> patches, QString mergeKey)
        : QUndoCommand(name), m_document(document), m_patches(std::move(patches)), m_mergeKey(std::move(mergeKey)) {}

    void undo() override {
        for (auto patch = m_patches.rbegin(); patch != m_patches.rend(); ++patch) patch->revert(m_document.m_json);
        m_document.notifyChanged({m_patches, m_document.m_json});
    }

    void redo() override {
        if (std::exchange(m_done, false)) return;
        for (const Patch& patch : m_patches) patch.apply(m_document.m_json);
        m_document.notifyChanged({m_patches, m_document.m_json});
    }

    int id() const override { return m_mergeKey.isEmpty() ? -1 : kEditCommandId; }

    bool touches(const Pointer& place) const {
        return std::any_of(m_patches.begin(), m_patches.end(),
                           [&](const Patch& patch) { return isBelow(place.to_string(), patch.at.to_string()); });
    }

    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = static_cast<const EditCommand*>(other);
        if (next->m_mergeKey != m_mergeKey) return false;
        m_patches = merged(std::move(m_patches), next->m_patches);
        return true;
    }

    void append(const std::vector<Patch>& patches) { m_patches = merged(std::move(m_patches), patches); }

  private:
    Document& m_document;
    std::vector<Patch> m_patches;
    QString m_mergeKey;
    bool m_done = true;
};

Document::Document(QObject* parent) : QObject(parent), m_json(emptyProject()) {
    connect(&m_undoStack, &QUndoStack::cleanChanged, this, &Document::modifiedChanged);
}

QString Document::displayName() const {
    if (!m_path.isEmpty()) return projectStem(m_path);
    if (!m_origin.isEmpty()) return tr("%1 (copy)").arg(projectStem(m_origin));
    // An imported or recovered project has a name before it has a file.
    const QString name = string(m_json, "name");
    return name.isEmpty() || name == QLatin1String(kNewName) ? tr("untitled") : name;
}

QString Document::folder() const {
    const QString file = m_path.isEmpty() ? m_origin : m_path;
    return file.isEmpty() ? QDir::currentPath() : QFileInfo(file).absolutePath();
}

bool Document::isUntouched() const {
    return m_path.isEmpty() && m_origin.isEmpty() && !m_detached && m_undoStack.count() == 0;
}

void Document::startNew() { replace(emptyProject(), {}, {}, false); }

void Document::startWith(Json json, const QString& path) { replace(std::move(json), path, {}, true); }

QString Document::open(const QString& path) {
    auto result = readProject(path);
    if (const QString* failure = std::get_if<QString>(&result)) return *failure;
    ProjectFile& file = std::get<ProjectFile>(result);
    replace(std::move(file.json), QFileInfo(path).absoluteFilePath(), file.stamp, false);
    return {};
}

QString Document::openCopy(const QString& path) {
    auto result = readProject(path);
    if (const QString* failure = std::get_if<QString>(&result)) return *failure;
    replace(std::move(std::get<ProjectFile>(result).json), {}, {}, false, QFileInfo(path).absoluteFilePath());
    return {};
}

QString Document::reload() {
    auto result = readProject(m_path);
    if (const QString* failure = std::get_if<QString>(&result)) return *failure;
    ProjectFile& file = std::get<ProjectFile>(result);
    m_stamp = file.stamp;
    replaceContent(tr("Reload %1").arg(displayName()), std::move(file.json));
    m_undoStack.setClean();
    setDetached(false);
    return {};
}

QString Document::save(const QString& path) {
    const std::optional<Patch> naming = namingAfter(path);
    if (naming) naming->apply(m_json);
    const QByteArray bytes = QByteArray::fromStdString(canonicalText());
    if (const QString failure = writeWhole(path, bytes); !failure.isEmpty()) {
        if (naming) naming->revert(m_json);
        return tr("%1 was not saved: %2").arg(path, failure);
    }
    m_path = QFileInfo(path).absoluteFilePath();
    m_origin.clear();
    setLookOnly(false);
    m_stamp = FileStamp::ofBytes(bytes);
    m_undoStack.setClean();
    setDetached(false);
    endMerge();
    if (naming) notifyChanged({{*naming}, m_json});
    emit pathChanged();
    return {};
}

/// A change of the name in the history, even if undone, means that the user chose a name. Renaming would not fit it.
std::optional<Patch> Document::namingAfter(const QString& path) const {
    if (!m_path.isEmpty() || string(m_json, "name") != QLatin1String(kNewName)) return {};
    for (int step = 0; step < m_undoStack.count(); ++step)
        if (static_cast<const EditCommand*>(m_undoStack.command(step))->touches(kNameAt)) return {};
    const QString name = projectNameOf(path);
    return name.isEmpty() ? std::optional<Patch>() : Patch{kNameAt, 0, m_json.at(kNameAt), name.toStdString()};
}

void Document::replaceContent(const QString& name, Json json) {
    if (json.dump() == m_json.dump()) return;
    const Patch whole{Pointer(), 0, m_json, std::move(json)};
    whole.apply(m_json);
    endMerge();
    m_undoStack.push(new EditCommand(*this, name, {whole}, {}));
    endMerge();
    notifyChanged(ChangedPaths::everything());
}

void Document::setDetached(bool detached) {
    if (std::exchange(m_detached, detached) != detached) emit modifiedChanged();
}

void Document::setLookOnly(bool lookOnly) {
    if (std::exchange(m_lookOnly, lookOnly) != lookOnly) emit lookOnlyChanged();
}

void Document::undo() {
    if (canUndo()) m_undoStack.undo();
    endMerge();
}

void Document::redo() {
    if (canRedo()) m_undoStack.redo();
    endMerge();
}

std::string Document::canonicalText() const { return editor::canonicalText(m_json); }

QString Document::edit(const QString& name, const Change& change, const QString& mergeKey) {
    if (m_lookOnly) return tr("%1 is not possible: %2 is read-only").arg(name, displayName());
    Transaction transaction(m_json);
    try {
        change(transaction);
    } catch (const EditRefused& refused) {
        transaction.rollBack();
        return tr("%1 is not possible: %2").arg(name, QString::fromUtf8(refused.what()));
    } catch (const Json::exception& error) {
        transaction.rollBack();
        return tr("%1 is not possible: %2").arg(name, QString::fromUtf8(error.what()));
    }
    auto patches = transaction.takePatches();
    if (patches.empty()) return {};
    const QString key = mergeKey.isEmpty() ? QString() : QStringLiteral("%1#%2").arg(mergeKey).arg(m_mergeGeneration);
    const ChangedPaths changedNow(patches, m_json);
    m_undoStack.push(new EditCommand(*this, name, std::move(patches), key));
    notifyChanged(changedNow);
    return {};
}

void Document::amend(const Change& change) {
    const int last = m_undoStack.index() - 1;
    if (m_lookOnly || last < 0 || m_undoStack.canRedo()) return;
    // The file already has the last step, so the consequence is a step of its own.
    if (m_undoStack.isClean()) {
        edit(m_undoStack.text(last), change);
        return;
    }
    Transaction transaction(m_json);
    try {
        change(transaction);
    } catch (const std::exception&) {
        transaction.rollBack();
        return;
    }
    auto patches = transaction.takePatches();
    if (patches.empty()) return;
    // Every command of the stack is one.
    const_cast<EditCommand*>(static_cast<const EditCommand*>(m_undoStack.command(last)))->append(patches);
    notifyChanged({patches, m_json});
}

void Document::notifyChanged(const ChangedPaths& paths) {
    ++m_revision;
    if (!paths.isDrawing()) ++m_meaning;
    emit changed(paths);
}

void Document::replace(Json json, const QString& path, FileStamp stamp, bool detached, const QString& origin) {
    m_json = std::move(json);
    m_path = path;
    m_origin = origin;
    m_stamp = std::move(stamp);
    m_detached = detached;
    m_undoStack.clear();
    setLookOnly(false);
    endMerge();
    ++m_revision;
    ++m_meaning;
    emit replaced();
    emit pathChanged();
    emit modifiedChanged();
}

} // namespace weir::editor
