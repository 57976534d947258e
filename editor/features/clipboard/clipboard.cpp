#include "features/clipboard/clipboard.h"

#include "core/decor/decor_edits.h"
#include "core/edits/project_edits.h"
#include "core/graph/node_geometry.h"
#include "core/json/canonical_json.h"
#include "shell/session/session.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

const QString kMimeType = QStringLiteral("application/x-weir-graph+json");
const double kStep = 2 * geometry::kGrid;

QPointF onGrid(QPointF offset) {
    return {std::round(offset.x() / geometry::kGrid) * geometry::kGrid,
            std::round(offset.y() / geometry::kGrid) * geometry::kGrid};
}

} // namespace

Clipboard::Clipboard(Session& session, QObject* parent) : QObject(parent), m_session(session) {
    const auto add = [&](const char* id, const QString& title, const QString& key, auto run, bool copies = true) {
        session.actions().add({.id = QLatin1String(id),
                               .group = ActionGroup::Edit,
                               .title = title,
                               .shortcuts = {key},
                               .enabled = copies ? [this] { return canCopy(); } : std::function<bool()>(),
                               .run = run,
                               .canvas = true});
    };
    add("edit.cut", tr("Cut"), QStringLiteral("Ctrl+X"), [this] { cut(); });
    add("edit.copy", tr("Copy"), QStringLiteral("Ctrl+C"), [this] { copy(); });
    add("edit.paste", tr("Paste"), QStringLiteral("Ctrl+V"), [this] { paste(); }, false);
    add("edit.duplicate", tr("Duplicate"), QStringLiteral("Ctrl+D"), [this] { duplicate(); });
}

bool Clipboard::canCopy() const {
    const auto& parts = m_session.selection().decor();
    return !m_session.selection().blocks().isEmpty() ||
           std::any_of(parts.begin(), parts.end(), [](const DecorId& part) { return part.kind != DecorKind::Point; });
}

Json Clipboard::selected() const {
    Cutting cutting;
    for (const QString& id : m_session.selection().blocks()) {
        cutting.blocks.insert(id.toStdString());
        if (const BlockView* block = m_session.scene().block(id))
            cutting.positions[id.toStdString()] = block->rect.topLeft();
    }
    for (const DecorId& part : m_session.selection().decor())
        if (part.kind != DecorKind::Point)
            (part.kind == DecorKind::Frame ? cutting.frames : cutting.notes).insert(part.key);
    return copyFragment(m_session.document().json(), cutting);
}

bool Clipboard::copy() {
    if (!canCopy()) return false;
    const QByteArray text = QByteArray::fromStdString(canonicalText(selected()));
    auto* data = new QMimeData;
    data->setText(QString::fromUtf8(text));
    data->setData(kMimeType, text);
    QGuiApplication::clipboard()->setMimeData(data);
    return true;
}

void Clipboard::cut() {
    if (!copy()) return;
    const std::set<std::string> blocks = m_session.selection().ids();
    const auto wires = m_session.selection().wires();
    const auto parts = m_session.selection().decor();
    m_session.edit(tr("Cut %1").arg(nameOf(selected())), [&](Transaction& t) {
        decor::remove(t, parts);
        removeParts(t, blocks, wires);
    });
}

QString Clipboard::nameOf(const Json& fragment) const {
    const Json& blocks = fragment["graph"]["blocks"];
    const auto count = [&fragment](const char* kind) { return object(member(fragment["ui"], kind)).size(); };
    const std::size_t frames = count("frames"), notes = count("notes");
    if (frames + notes == 0)
        return blocks.size() == 1 ? string(blocks[0], "id")
                                  : tr("%n block(s)", nullptr, static_cast<int>(blocks.size()));
    if (blocks.empty() && frames + notes == 1) return frames == 1 ? tr("frame") : tr("note");
    return tr("%n part(s)", nullptr, static_cast<int>(blocks.size() + frames + notes));
}

void Clipboard::paste() {
    const QMimeData* data = QGuiApplication::clipboard()->mimeData();
    const QByteArray text = !data                        ? QByteArray()
                            : data->hasFormat(kMimeType) ? data->data(kMimeType)
                                                         : data->text().toUtf8();
    const auto read = readFragment(text);
    if (const QString* refusal = std::get_if<QString>(&read)) {
        m_session.setNotice(*refusal);
        return;
    }
    const Json& fragment = std::get<Json>(read);
    insert(tr("Paste %1").arg(nameOf(fragment)), fragment, m_pointer ? *m_pointer - middleOf(fragment) : QPointF());
}

void Clipboard::duplicate() {
    if (!canCopy()) return;
    const auto read = readFragment(QByteArray::fromStdString(canonicalText(selected())));
    if (const Json* fragment = std::get_if<Json>(&read))
        insert(tr("Duplicate %1").arg(nameOf(*fragment)), *fragment, {kStep, kStep});
    else m_session.setNotice(std::get<QString>(read));
}

QPointF Clipboard::clearOffset(const Json& fragment, QPointF offset) const {
    // Shift a paste that would lie exactly on its original, where it would be invisible.
    std::set<std::pair<double, double>> corners;
    const auto taken = [&corners](const auto& drawn) {
        for (const auto& part : drawn) corners.emplace(part.rect.x(), part.rect.y());
    };
    taken(m_session.scene().blocks());
    taken(m_session.scene().frames());
    taken(m_session.scene().notes());
    const Json& picture = fragment["ui"];
    const auto covers = [&](QPointF by) {
        const auto isTaken = [&](const Json& place) {
            return corners.contains({place[0].get<double>() + by.x(), place[1].get<double>() + by.y()});
        };
        const auto partIsTaken = [&](const Json& part) { return isTaken(part["rect"]); };
        const auto any = [](const Json& parts, const auto& test) {
            return std::any_of(parts.begin(), parts.end(), test);
        };
        return any(picture["positions"], isTaken) || any(picture["frames"], partIsTaken) ||
               any(picture["notes"], partIsTaken);
    };
    offset = onGrid(offset);
    for (int step = 0; step < 200 && covers(offset); ++step) offset += QPointF(kStep, kStep);
    return offset;
}

void Clipboard::insert(const QString& name, const Json& fragment, QPointF offset) {
    const QPointF by = clearOffset(fragment, offset);
    Pasted added;
    if (!m_session.edit(name, [&](Transaction& t) { added = pasteFragment(t, fragment, by); })) return;
    QSet<QString> blocks;
    for (const std::string& id : added.blocks) blocks.insert(QString::fromStdString(id));
    std::set<DecorId> parts;
    for (const std::string& key : added.frames) parts.insert({DecorKind::Frame, key});
    for (const std::string& key : added.notes) parts.insert({DecorKind::Note, key});
    m_session.selection().set(blocks, {}, parts);
    if (!m_pointer && !added.blocks.empty())
        emit m_session.revealRequested(QString::fromStdString(added.blocks.front()));
}

} // namespace weir::editor
