#include "features/canvas/graph_commands.h"

#include "core/decor/decor_edits.h"
#include "core/document/project_places.h"
#include "core/text/value_text.h"
#include "shell/session/session.h"

#include <algorithm>

namespace weir::editor {
namespace {

int count(const std::vector<BlockView>& blocks) { return static_cast<int>(blocks.size()); }

/// Return `ofOne` with the id of the only block, else `ofMany`.
QString stepName(const std::vector<BlockView>& blocks, const QString& ofOne, const QString& ofMany) {
    return blocks.size() == 1 ? ofOne.arg(blocks.front().id) : ofMany;
}

} // namespace

GraphCommands::GraphCommands(Session& session) : QObject(&session), m_session(session) {}

std::vector<BlockView> GraphCommands::selectedViews() const {
    std::vector<BlockView> views;
    for (const BlockView& block : m_session.scene().blocks())
        if (m_session.selection().blocks().contains(block.id)) views.push_back(block);
    return views;
}

void GraphCommands::reconnect(const Connection& wire, const PortRef& fixed, const PortRef& end) {
    const PortRef& source = fixed.output ? fixed : end;
    const PortRef& target = fixed.output ? end : fixed;
    const Connection next{source.block.toStdString(), source.port.toStdString(), target.block.toStdString(),
                          target.port.toStdString()};
    if (next == wire) return;
    const QString problem = m_session.scene().connectionProblem(fixed, end, &wire);
    if (!problem.isEmpty()) {
        m_session.setNotice(problem);
        return;
    }
    m_session.edit(tr("Reconnect %1").arg(fixed.block), [&](Transaction& t) { replaceConnection(t, wire, next); });
}

void GraphCommands::removeAndHeal() {
    const std::set<std::string> ids = m_session.selection().ids();
    if (ids.empty()) {
        m_session.removeSelection();
        return;
    }
    const std::vector<BlockView> blocks = selectedViews();
    const QString name =
        stepName(blocks, tr("Delete %1 and join"), tr("Delete %n block(s) and join", nullptr, count(blocks)));
    const Healing healing = healingWithout(m_session.document().json(), m_session.scene().catalog(), ids);
    const auto wires = m_session.selection().wires();
    const auto parts = m_session.selection().decor();
    const bool done = m_session.edit(name, [&](Transaction& t) {
        decor::remove(t, parts);
        removeParts(t, {}, wires);
        weir::editor::removeAndHeal(t, ids, healing);
    });
    if (done && !healing.lost.empty()) {
        const Connection& first = healing.lost.front();
        m_session.setNotice(tr("%1.%2 is now open: no stream before the deleted blocks has its type")
                                .arg(QString::fromStdString(first.target), QString::fromStdString(first.targetPort)));
    }
}

QString GraphCommands::bypassProblem(const BlockView& block) const {
    const BlockType* type = m_session.scene().catalog().block(block.type.toStdString());
    if (!type) return tr("%1 cannot be bypassed: its type is unknown").arg(block.id);
    if (type->inputs.size() != 1 || type->outputs.size() != 1)
        return tr("%1 cannot be bypassed: only a block with one input and one output can become a wire").arg(block.id);
    if (type->inputs.front().type != type->outputs.front().type)
        return tr("%1 cannot be bypassed: its input is %2 and its output %3")
            .arg(block.id, block.inputs.front().itemType, block.outputs.front().itemType);
    return {};
}

bool GraphCommands::canSetState(BlockState state) const {
    const std::vector<BlockView> blocks = selectedViews();
    return std::any_of(blocks.begin(), blocks.end(), [state](const BlockView& block) { return block.state != state; });
}

void GraphCommands::setState(BlockState state) {
    const std::vector<BlockView> blocks = selectedViews();
    if (blocks.empty()) return;
    if (state == BlockState::Bypassed)
        for (const BlockView& block : blocks)
            if (const QString problem = bypassProblem(block); !problem.isEmpty()) {
                m_session.setNotice(problem);
                return;
            }
    const int n = count(blocks);
    const QString name =
        state == BlockState::Enabled    ? stepName(blocks, tr("Enable %1"), tr("Enable %n block(s)", nullptr, n))
        : state == BlockState::Disabled ? stepName(blocks, tr("Disable %1"), tr("Disable %n block(s)", nullptr, n))
                                        : stepName(blocks, tr("Bypass %1"), tr("Bypass %n block(s)", nullptr, n));
    m_session.edit(name, [&](Transaction& t) {
        for (const BlockView& block : blocks) setBlockState(t, block.id.toStdString(), stateName(state).toStdString());
    });
}

void GraphCommands::place(const QString& name, const Placement& moved) {
    if (!moved.empty()) m_session.edit(name, [&](Transaction& t) { placeBlocks(t, moved); });
}

void GraphCommands::align(Alignment alignment) {
    const std::vector<BlockView> blocks = selectedViews();
    place(tr("Align %n block(s)", nullptr, count(blocks)), aligned(blocks, alignment));
}

void GraphCommands::distribute(Direction direction) {
    const std::vector<BlockView> blocks = selectedViews();
    place(tr("Distribute %n block(s)", nullptr, count(blocks)), distributed(blocks, direction));
}

void GraphCommands::group() {
    const std::vector<BlockView> blocks = selectedViews();
    if (blocks.empty()) return;
    std::vector<std::string> ids;
    for (const BlockView& block : blocks) ids.push_back(block.id.toStdString());
    m_session.edit(stepName(blocks, tr("Group %1"), tr("Group %n block(s)", nullptr, count(blocks))),
                   [&](Transaction& t) { groupBlocks(t, freeGroupId(t.json(), "group"), ids); });
}

bool GraphCommands::canUngroup() const {
    const std::vector<GroupView>& groups = m_session.scene().groups();
    return std::any_of(groups.begin(), groups.end(), [this](const GroupView& group) {
        return group.blocks.intersects(m_session.selection().blocks());
    });
}

void GraphCommands::ungroup() {
    m_session.edit(tr("Ungroup"), [&](Transaction& t) { ungroupBlocks(t, m_session.selection().ids()); });
}

std::optional<Pointer> GraphCommands::repeatedPart() const {
    if (const GroupView* group = m_session.scene().groupOf(m_session.selection().blocks()))
        return kGraph.groups / group->fileIndex;
    const std::set<std::string> ids = m_session.selection().ids();
    return ids.size() == 1 ? blockPointer(m_session.document().json(), *ids.begin()) : std::nullopt;
}

QString GraphCommands::repeatTarget() const {
    const auto part = repeatedPart();
    return part ? QString::fromStdString(text(find(m_session.document().json(), *part / "id"))) : QString();
}

QString GraphCommands::repeatText() const {
    const auto part = repeatedPart();
    const Json* value = part ? find(m_session.document().json(), *part / "repeat") : nullptr;
    return value ? fieldText(*value) : QString();
}

void GraphCommands::setRepeat(const QString& typed) {
    const auto part = repeatedPart();
    if (!part) return;
    m_session.edit(tr("Repeat %1").arg(repeatTarget()), [&](Transaction& t) {
        if (typed.trimmed().isEmpty()) t.remove(*part / "repeat");
        else t.set(*part / "repeat", fieldValue(typed, "i64"));
    });
}

QRectF GraphCommands::selectionRect() const {
    QRectF all;
    for (const BlockView& block : selectedViews()) all |= block.rect;
    return all;
}

} // namespace weir::editor
