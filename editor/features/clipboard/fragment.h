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
    std::map<std::string, QPointF> positions; ///< where the blocks are drawn, including blocks without a position in
                                              ///< the file
};

/// Return a part of a project in the project's own format, so that text editors, mail and other windows accept it:
/// blocks, the connections between them, complete groups, and the parameters that they use.
Json copyFragment(const Json& project, const Cutting& cutting);

/// Return the project's parameters that expressions in `parts` use, directly or through other parameters.
Json parametersFor(const Json& parts, const Json& parameters);

inline constexpr qsizetype kMaximumFragmentBytes = qsizetype{4} << 20;
inline constexpr std::size_t kMaximumFragmentBlocks = 5000;

/// Return a fragment that can be pasted, or the reason why the text is none. Accepts a whole project or its `graph`,
/// too.
std::variant<Json, QString> readFragment(const QByteArray& text);

/// Return the centre of the drawing of a fragment.
QPointF middleOf(const Json& fragment);

/// Parts that a paste added, by their new names.
struct Pasted {
    std::vector<std::string> blocks;
    std::vector<std::string> frames;
    std::vector<std::string> notes;
};

/// Paste a fragment into the project, moved by `offset`, under free names.
Pasted pasteFragment(Transaction& transaction, const Json& fragment, QPointF offset);

/// Turn `wanted` into a valid name of the project file. A taken name gets a number: `stage_2` gives `stage_3`.
std::string freeName(const std::string& wanted, const std::set<std::string>& taken);

} // namespace weir::editor
