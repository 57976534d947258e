#pragma once

#include "core/document/project_places.h"
#include "core/look/look.h"

#include <QList>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <compare>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace weir::editor {

/// Drawings around a flowgraph, under `ui`, which never change the generated code.
enum class DecorKind { Frame, Note, Point };

/// Identifies a frame or note by its key, and a point of a wire by the wire's key and the point's index.
struct DecorId {
    DecorKind kind = DecorKind::Frame;
    std::string key;
    int index = 0;

    bool operator==(const DecorId&) const = default;
    auto operator<=>(const DecorId&) const = default;
};

struct FrameView {
    std::string key;
    QString title;
    QString colour;
    QRectF rect;

    bool operator==(const FrameView&) const = default;
};

struct NoteView {
    std::string key;
    QString text;
    QString colour;
    QRectF rect;

    bool operator==(const NoteView&) const = default;
};

namespace decor {

inline const double kFrameHeader = look().frame.header;
inline constexpr double kMinimumWidth = 80;
inline constexpr double kMinimumHeight = 40;

/// Return the colour names that a file may hold; the first is the default, which the file leaves out.
const QStringList& colours();

/// Return the name of an edge as in `buffers` of a deployment: "src.out->dst.in".
std::string wireKey(const Connection& connection);

// Content of the file. Malformed parts are skipped and stay in the file.
std::vector<FrameView> frames(const Json& project);
std::vector<NoteView> notes(const Json& project);
std::map<std::string, QList<QPointF>> reroutes(const Json& project);

} // namespace decor
} // namespace weir::editor
