#include "clipboard.h"

#include "canonical_json.h"
#include "editor.h"
#include "node_geometry.h"
#include "project_edits.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>

#include <algorithm>
#include <cmath>

using namespace weir::editor;

namespace {

const QString kMimeType = QStringLiteral("application/x-weir-graph+json");
constexpr double kStep = 2 * geometry::kGrid;

QPointF onGrid(QPointF offset)
{
    return {std::round(offset.x() / geometry::kGrid) * geometry::kGrid, std::round(offset.y() / geometry::kGrid) * geometry::kGrid};
}

} // namespace

Clipboard::Clipboard(Editor &editor, QObject *parent) : QObject(parent), m_editor(editor)
{
    const auto copies = [this] { return canCopy(); };
    Actions &actions = editor.actions();
    actions.add({.id = QStringLiteral("edit.cut"), .group = ActionGroup::Edit, .title = tr("Cut"),
                 .shortcuts = {QStringLiteral("Ctrl+X")}, .enabled = copies, .run = [this] { cut(); }, .canvas = true});
    actions.add({.id = QStringLiteral("edit.copy"), .group = ActionGroup::Edit, .title = tr("Copy"),
                 .shortcuts = {QStringLiteral("Ctrl+C")}, .enabled = copies, .run = [this] { copy(); }, .canvas = true});
    actions.add({.id = QStringLiteral("edit.paste"), .group = ActionGroup::Edit, .title = tr("Paste"),
                 .shortcuts = {QStringLiteral("Ctrl+V")}, .run = [this] { paste(); }, .canvas = true});
    actions.add({.id = QStringLiteral("edit.duplicate"), .group = ActionGroup::Edit, .title = tr("Duplicate"),
                 .shortcuts = {QStringLiteral("Ctrl+D")}, .enabled = copies, .run = [this] { duplicate(); }, .canvas = true});
}

bool Clipboard::canCopy() const
{
    return !m_editor.selection().blocks().isEmpty();
}

Json Clipboard::selected() const
{
    Cutting cutting;
    for (const QString &id : m_editor.selection().blocks()) {
        cutting.blocks.insert(id.toStdString());
        if (const BlockView *block = m_editor.scene().block(id))
            cutting.positions[id.toStdString()] = block->rect.topLeft();
    }
    return copyFragment(m_editor.document().json(), cutting);
}

bool Clipboard::copy()
{
    if (!canCopy())
        return false;
    const QByteArray text = QByteArray::fromStdString(canonicalText(selected()));
    auto *data = new QMimeData;
    data->setText(QString::fromUtf8(text));
    data->setData(kMimeType, text);
    QGuiApplication::clipboard()->setMimeData(data);
    return true;
}

void Clipboard::cut()
{
    if (!copy())
        return;
    std::set<std::string> blocks;
    for (const QString &id : m_editor.selection().blocks())
        blocks.insert(id.toStdString());
    const QString name = blocks.size() == 1 ? tr("Cut %1").arg(*m_editor.selection().blocks().begin())
                                            : tr("Cut %1 blocks").arg(blocks.size());
    m_editor.edit(name, [&](Transaction &t) { removeParts(t, blocks, m_editor.selection().wires()); });
}

void Clipboard::paste()
{
    const QMimeData *data = QGuiApplication::clipboard()->mimeData();
    const QByteArray text = !data                         ? QByteArray()
                            : data->hasFormat(kMimeType) ? data->data(kMimeType)
                                                          : data->text().toUtf8();
    const auto read = readFragment(text);
    if (const QString *refusal = std::get_if<QString>(&read)) {
        m_editor.setNotice(*refusal);
        return;
    }
    const Json &fragment = std::get<Json>(read);
    insert(tr("Paste"), fragment, m_pointer ? *m_pointer - middleOf(fragment) : QPointF());
}

void Clipboard::duplicate()
{
    if (!canCopy())
        return;
    const auto read = readFragment(QByteArray::fromStdString(canonicalText(selected())));
    if (const Json *fragment = std::get_if<Json>(&read))
        insert(tr("Duplicate"), *fragment, {kStep, kStep});
    else
        m_editor.setNotice(std::get<QString>(read));
}

QPointF Clipboard::clearOffset(const Json &fragment, QPointF offset) const
{
    // A copy exactly on its original looks as if nothing had happened.
    std::set<std::pair<double, double>> corners;
    for (const BlockView &block : m_editor.scene().blocks())
        corners.emplace(block.rect.x(), block.rect.y());
    const Json &positions = fragment["ui"]["positions"];
    const auto covers = [&](QPointF by) {
        return std::any_of(positions.begin(), positions.end(), [&](const Json &place) {
            return corners.contains({place[0].get<double>() + by.x(), place[1].get<double>() + by.y()});
        });
    };
    offset = onGrid(offset);
    for (int step = 0; step < 200 && covers(offset); ++step)
        offset += QPointF(kStep, kStep);
    return offset;
}

void Clipboard::insert(const QString &verb, const Json &fragment, QPointF offset)
{
    const Json &blocks = fragment["graph"]["blocks"];
    const QString name = blocks.size() == 1 ? tr("%1 %2").arg(verb, string(blocks[0], "id"))
                                            : tr("%1 %2 blocks").arg(verb).arg(blocks.size());
    const QPointF by = clearOffset(fragment, offset);
    std::vector<std::string> added;
    if (!m_editor.edit(name, [&](Transaction &t) { added = pasteFragment(t, fragment, by); }) || added.empty())
        return;
    QSet<QString> selection;
    for (const std::string &id : added)
        selection.insert(QString::fromStdString(id));
    m_editor.selection().set(selection);
    if (!m_pointer)
        emit m_editor.revealRequested(QString::fromStdString(added.front()));
}
