#include "core/decor/decor_edits.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace weir::editor::decor {
namespace {

const Pointer kFrames{"/ui/frames"};
const Pointer kNotes{"/ui/notes"};
const Pointer kReroutes{"/ui/reroutes"};

Json whole(double value) { return static_cast<std::int64_t>(std::lround(value)); }

Json rectangle(QRectF rect) {
    return Json::array({whole(rect.x()), whole(rect.y()), whole(std::max(rect.width(), kMinimumWidth)),
                        whole(std::max(rect.height(), kMinimumHeight))});
}

Pointer place(const DecorId& part) {
    return (part.kind == DecorKind::Frame ? kFrames : part.kind == DecorKind::Note ? kNotes : kReroutes) / part.key;
}

std::string freeKey(const Json& project, const Pointer& parts, const std::string& wanted) {
    std::string key = wanted;
    for (int number = 2; member(object(find(project, parts)), key); ++number)
        key = wanted + "_" + std::to_string(number);
    return key;
}

void requirePart(const Transaction& transaction, const Pointer& at) {
    const Json* part = find(transaction.json(), at);
    if (!part || !part->is_object()) throw EditRefused(at.to_string() + " does not exist");
}

void setWords(Transaction& transaction, const Pointer& part, const char* key, const QString& words) {
    requirePart(transaction, part);
    transaction.set(part / key, words.toStdString());
}

void removeWithEmptyParent(Transaction& transaction, const Pointer& at) {
    if (!find(transaction.json(), at)) return;
    transaction.remove(at);
    const Pointer parent = at.parent_pointer();
    if (object(find(transaction.json(), parent)).empty()) transaction.remove(parent);
}

} // namespace

std::string addFrame(Transaction& transaction, const QString& title, QRectF rect) {
    const std::string key = freeKey(transaction.json(), kFrames, "frame");
    transaction.set(kFrames / key, {{"title", title.toStdString()}, {"rect", rectangle(rect)}});
    return key;
}

std::string addNote(Transaction& transaction, const QString& text, QRectF rect) {
    const std::string key = freeKey(transaction.json(), kNotes, "note");
    transaction.set(kNotes / key, {{"text", text.toStdString()}, {"rect", rectangle(rect)}});
    return key;
}

void setTitle(Transaction& transaction, const std::string& frame, const QString& title) {
    setWords(transaction, kFrames / frame, "title", title);
}

void setText(Transaction& transaction, const std::string& note, const QString& text) {
    setWords(transaction, kNotes / note, "text", text);
}

void setColour(Transaction& transaction, const DecorId& part, const QString& colour) {
    const Pointer at = place(part);
    requirePart(transaction, at);
    if (colour == colours().front()) transaction.remove(at / "colour");
    else transaction.set(at / "colour", colour.toStdString());
}

void setRect(Transaction& transaction, const DecorId& part, QRectF rect) {
    const Pointer at = place(part);
    requirePart(transaction, at);
    transaction.set(at / "rect", rectangle(rect));
}

void setPoints(Transaction& transaction, const std::string& wire, const QList<QPointF>& points) {
    if (points.isEmpty()) {
        removeWithEmptyParent(transaction, kReroutes / wire);
        return;
    }
    Json list = Json::array();
    for (const QPointF& point : points) list.push_back(Json::array({whole(point.x()), whole(point.y())}));
    transaction.set(kReroutes / wire, std::move(list));
}

void remove(Transaction& transaction, const std::set<DecorId>& parts) {
    const auto points = reroutes(transaction.json());
    // Remove from the last to the first, so that the remaining indices stay valid.
    std::map<std::string, QList<QPointF>> left;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        if (part->kind != DecorKind::Point) {
            removeWithEmptyParent(transaction, place(*part));
            continue;
        }
        const auto wire = points.find(part->key);
        if (wire == points.end() || part->index < 0 || part->index >= wire->second.size()) continue;
        left.emplace(part->key, wire->second).first->second.removeAt(part->index);
    }
    for (const auto& [wire, rest] : left) setPoints(transaction, wire, rest);
}

void removePoints(Transaction& transaction, const std::vector<Connection>& connections) {
    for (const Connection& connection : connections) setPoints(transaction, wireKey(connection), {});
}

void move(Transaction& transaction, const std::set<DecorId>& parts, QPointF offset) {
    for (const FrameView& frame : frames(transaction.json()))
        if (const DecorId id{DecorKind::Frame, frame.key}; parts.contains(id))
            setRect(transaction, id, frame.rect.translated(offset));
    for (const NoteView& note : notes(transaction.json()))
        if (const DecorId id{DecorKind::Note, note.key}; parts.contains(id))
            setRect(transaction, id, note.rect.translated(offset));
    for (auto& [wire, points] : reroutes(transaction.json())) {
        QList<QPointF> moved = points;
        for (qsizetype index = 0; index < moved.size(); ++index)
            if (parts.contains({DecorKind::Point, wire, static_cast<int>(index)})) moved[index] += offset;
        if (moved != points) setPoints(transaction, wire, moved);
    }
}

void setComment(Transaction& transaction, const std::string& block, const QString& comment) {
    const auto at = blockPointer(transaction.json(), block);
    if (!at) throw EditRefused("block " + block + " does not exist");
    if (comment.isEmpty()) transaction.remove(*at / "comment");
    else transaction.set(*at / "comment", comment.toStdString());
}

} // namespace weir::editor::decor
