// In-place editing of text on the canvas: titles of frames, notes, comments, names of groups.
#include "features/decor/decor_controller.h"

#include "core/decor/decor_edits.h"
#include "core/document/project_places.h"
#include "core/graph/graph_edits.h"
#include "core/text/texts.h"
#include "shell/session/session.h"

namespace weir::editor {
namespace {

constexpr qreal kCommentGap = 6, kCommentHeight = 60;

} // namespace

const GroupView* DecorController::chosenGroup() const {
    return m_session.scene().groupOf(m_session.selection().blocks());
}

void DecorController::editChosen() {
    if (const auto parts = chosenParts(); parts.size() == 1) beginEditing(parts.front());
    else if (const GroupView* group = chosenGroup()) editGroup(group->id);
}

void DecorController::editComment() {
    const QString block = m_session.selection().onlyBlock();
    if (!block.isEmpty()) edit({Edited::Comment, block.toStdString()});
}

void DecorController::beginEditing(const DecorId& part) {
    if (part.kind != DecorKind::Point) edit({part.kind == DecorKind::Frame ? Edited::Frame : Edited::Note, part.key});
}

void DecorController::editGroup(const QString& group) { edit({Edited::Group, group.toStdString()}); }

void DecorController::edit(const Edited& edited) {
    m_edited = edited;
    emit editedChanged();
}

bool DecorController::isThere(const Edited& edited) const {
    const GraphScene& scene = m_session.scene();
    switch (edited.kind) {
        case Edited::Frame: return scene.frame(edited.key);
        case Edited::Note: return scene.note(edited.key);
        case Edited::Comment: return scene.block(QString::fromStdString(edited.key));
        case Edited::Group: return scene.group(QString::fromStdString(edited.key));
    }
    return false;
}

QString DecorController::editedKind() const {
    static constexpr const char* kKinds[] = {"frame", "note", "comment", "group"};
    return m_edited ? QLatin1String(kKinds[m_edited->kind]) : QString();
}

QString DecorController::editedText() const {
    if (!m_edited || !isThere(*m_edited)) return {};
    const GraphScene& scene = m_session.scene();
    const QString key = QString::fromStdString(m_edited->key);
    return m_edited->kind == Edited::Frame   ? scene.frame(m_edited->key)->title
           : m_edited->kind == Edited::Note  ? scene.note(m_edited->key)->text
           : m_edited->kind == Edited::Group ? key
                                             : scene.block(key)->comment;
}

QRectF DecorController::editedRect() const {
    if (!m_edited || !isThere(*m_edited)) return {};
    const GraphScene& scene = m_session.scene();
    const QString key = QString::fromStdString(m_edited->key);
    switch (m_edited->kind) {
        case Edited::Frame: return scene.frame(m_edited->key)->rect;
        case Edited::Note: return scene.note(m_edited->key)->rect;
        case Edited::Group: return scene.group(key)->rect;
        case Edited::Comment: break;
    }
    const QRectF block = scene.block(key)->rect;
    return {block.bottomLeft() + QPointF(0, kCommentGap), QSizeF(block.width(), kCommentHeight)};
}

QString DecorController::nameProblem(const std::string& group, const std::string& name) const {
    const QString shown = QString::fromStdString(name);
    if (!isValidName(name)) return NameText::refused(shown);
    if (name != group && freeGroupId(m_session.document().json(), name) != name)
        return tr("A block or group named %1 already exists").arg(shown);
    return {};
}

bool DecorController::commit(const QString& text) {
    if (!m_edited) return true;
    const QString problem =
        m_edited->kind == Edited::Group ? nameProblem(m_edited->key, text.trimmed().toStdString()) : QString();
    if (!problem.isEmpty()) {
        m_session.setNotice(problem);
        return false;
    }
    write(*std::exchange(m_edited, std::nullopt), text);
    m_session.document().endMerge();
    emit editedChanged();
    return true;
}

void DecorController::write(const Edited& edited, const QString& text) {
    const std::string& key = edited.key;
    const std::string name = text.trimmed().toStdString();
    switch (edited.kind) {
        case Edited::Frame:
            m_session.edit(tr("Rename frame"), [&](Transaction& t) { decor::setTitle(t, key, text); }, edited.mergeKey);
            break;
        case Edited::Note:
            m_session.edit(tr("Edit note"), [&](Transaction& t) { decor::setText(t, key, text); }, edited.mergeKey);
            break;
        case Edited::Comment:
            m_session.edit(tr("Comment on %1").arg(QString::fromStdString(key)),
                           [&](Transaction& t) { decor::setComment(t, key, text); });
            break;
        case Edited::Group:
            if (name != key)
                m_session.edit(tr("Rename %1 to %2").arg(QString::fromStdString(key), QString::fromStdString(name)),
                               [&](Transaction& t) { renameGroup(t, key, name); });
            break;
    }
}

void DecorController::cancelEditing() {
    m_edited.reset();
    m_session.document().endMerge();
    emit editedChanged();
}

} // namespace weir::editor
