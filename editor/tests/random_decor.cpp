#include "core/decor/decor_edits.h"
#include "random_chooser.h"

namespace weir::editor {
namespace {

std::optional<DecorId> anyFrame(Chooser& c) {
    const auto frames = decor::frames(c.json());
    return frames.empty() ? std::nullopt : std::optional(DecorId{DecorKind::Frame, c.oneOf(frames).key});
}

std::optional<DecorId> anyNote(Chooser& c) {
    const auto notes = decor::notes(c.json());
    return notes.empty() ? std::nullopt : std::optional(DecorId{DecorKind::Note, c.oneOf(notes).key});
}

std::optional<DecorId> anyPoint(Chooser& c) {
    const auto wires = decor::reroutes(c.json());
    if (wires.empty()) return {};
    const auto& [key, points] = *std::next(wires.begin(), c.below(static_cast<int>(wires.size())));
    return points.isEmpty() ? std::nullopt
                            : std::optional(DecorId{DecorKind::Point, key, c.below(static_cast<int>(points.size()))});
}

/// Choose some frames, notes and points of wires.
std::set<DecorId> anyParts(Chooser& c) {
    std::set<DecorId> chosen;
    for (const auto& part : {anyFrame(c), anyNote(c), anyPoint(c)})
        if (part && c.below(2)) chosen.insert(*part);
    return chosen;
}

void addFrame(Chooser& c) {
    if (decor::frames(c.json()).size() > 12) return;
    // The title is typed right after, so both edits merge into one step.
    const QString key = QStringLiteral("frame-made-%1").arg(c.below(1000));
    std::string made;
    c.edit([&](Transaction& t) { made = decor::addFrame(t, QStringLiteral("Frame"), c.rect()); }, key);
    if (c.below(2) && !made.empty()) c.edit([&](Transaction& t) { decor::setTitle(t, made, c.words()); }, key);
    c.document.endMerge();
}

void addNote(Chooser& c) {
    if (decor::notes(c.json()).size() < 12) c.edit([&](Transaction& t) { decor::addNote(t, c.words(), c.rect()); });
}

void renameFrame(Chooser& c) {
    if (const auto part = anyFrame(c)) c.edit([&](Transaction& t) { decor::setTitle(t, part->key, c.words()); });
}

void writeNote(Chooser& c) {
    if (const auto part = anyNote(c)) c.edit([&](Transaction& t) { decor::setText(t, part->key, c.words()); });
}

void chooseColour(Chooser& c) {
    const auto part = c.below(2) ? anyFrame(c) : anyNote(c);
    if (part) c.edit([&](Transaction& t) { decor::setColour(t, *part, c.oneOf(decor::colours())); });
}

void resizeDecor(Chooser& c) {
    const auto part = c.below(2) ? anyFrame(c) : anyNote(c);
    if (part) c.edit([&](Transaction& t) { decor::setRect(t, *part, c.rect()); });
}

void addPoint(Chooser& c) {
    const auto wire = c.wire();
    if (!wire) return;
    const std::string key = decor::wireKey(*wire);
    auto wires = decor::reroutes(c.json());
    QList<QPointF> points = wires[key];
    points.insert(c.below(static_cast<int>(points.size()) + 1), c.place());
    c.edit([&](Transaction& t) { decor::setPoints(t, key, points); });
}

void movePoint(Chooser& c) {
    const auto part = anyPoint(c);
    if (!part) return;
    QList<QPointF> points = decor::reroutes(c.json())[part->key];
    if (c.below(2)) points[part->index] = c.place();
    else points.removeAt(part->index);
    c.edit([&](Transaction& t) { decor::setPoints(t, part->key, points); });
}

void moveParts(Chooser& c) {
    const auto chosen = anyParts(c);
    if (!chosen.empty()) c.edit([&](Transaction& t) { decor::move(t, chosen, c.place()); });
}

void removeDecor(Chooser& c) {
    const auto chosen = anyParts(c);
    if (!chosen.empty()) c.edit([&](Transaction& t) { decor::remove(t, chosen); });
}

void writeComment(Chooser& c) {
    c.edit([&](Transaction& t) { decor::setComment(t, c.block(), c.words()); });
}

} // namespace

std::vector<RandomKind> decorKinds() {
    return {{"add frame", addFrame},       {"add note", addNote},     {"rename frame", renameFrame},
            {"write note", writeNote},     {"colour", chooseColour},  {"resize", resizeDecor},
            {"add point", addPoint},       {"move point", movePoint}, {"move decor", moveParts},
            {"remove decor", removeDecor}, {"comment", writeComment}};
}

} // namespace weir::editor
