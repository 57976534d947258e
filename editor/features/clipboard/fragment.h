#pragma once

#include "core/document/patch.h"
#include "core/json/json.h"

#include <QByteArray>
#include <QPointF>
#include <QString>

#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace weir::editor {

/// Copied part of a project: blocks, and the drawings beside them under `ui`.
struct Cutting {
    std::set<std::string> blocks;
    std::set<std::string> frames;
    std::set<std::string> notes;
    std::map<std::string, QPointF> positions; ///< where the blocks are drawn, also those without a place in the file
};

/// A piece of a project in the project's own format, so that any text editor, mail or other window takes it:
/// the blocks, the connections between them, groups of which all is there, and the parameters that they name.
Json copyFragment(const Json& project, const Cutting& cutting);

/// The project's parameters that expressions in `parts` name, and those that these name in turn.
Json parametersFor(const Json& parts, const Json& parameters);

inline constexpr qsizetype kMaximumFragmentBytes = qsizetype{4} << 20;
inline constexpr std::size_t kMaximumFragmentBlocks = 5000;

/// A piece that can be pasted, or why the text is none. Takes a whole project, or only its `graph`, too.
std::variant<Json, QString> readFragment(const QByteArray& text);

/// The middle of what a piece that was read draws.
QPointF middleOf(const Json& fragment);

/// Parts that pasting added, by their present names.
struct Pasted {
    std::vector<std::string> blocks;
    std::vector<std::string> frames;
    std::vector<std::string> notes;
};

/// Puts a piece that was read into the project, moved by `offset`, under names that are free.
Pasted pasteFragment(Transaction& transaction, const Json& fragment, QPointF offset);

/// `wanted` made a name as the project file has them, with a number where it is taken: `stage_2` gives `stage_3`.
std::string freeName(const std::string& wanted, const std::set<std::string>& taken);

} // namespace weir::editor
