#pragma once

#include "core/json/json.h"

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace weir::editor {

/// One reversible change: an insertion (no `before`), a removal (no `after`) or a replacement at `at`.
struct Patch {
    Pointer at;
    std::size_t position = 0; ///< index in the parent, so that undo restores the order of keys, too
    std::optional<Json> before;
    std::optional<Json> after;

    void apply(Json& root) const;
    void revert(Json& root) const;
};

/// An edit that the file's structure does not allow, such as adding a block if `blocks` is not a list.
class EditRefused : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Changes a document and records how to undo each change.
class Transaction {
  public:
    explicit Transaction(Json& root) : m_root(root) {}

    const Json& json() const { return m_root; }

    /// Replaces the value, or inserts the key in the schema's order and creates missing parent objects.
    void set(const Pointer& at, Json value);
    /// Removes the value; does nothing if there is none.
    void remove(const Pointer& at);
    /// Appends to the list at `array`, which is created if missing.
    void append(const Pointer& array, Json value);

    void rollBack();
    std::vector<Patch> takePatches() { return std::move(m_patches); }

  private:
    void record(Patch patch);
    void makeParent(const Pointer& at, const Json& emptyParent);

    Json& m_root;
    std::vector<Patch> m_patches;
};

/// Joins replacements at the same place: only the first `before` and the last `after` matter.
std::vector<Patch> merged(std::vector<Patch> first, const std::vector<Patch>& second);

/// Places that a change touched, as JSON pointers; each includes everything below it.
class ChangedPaths {
  public:
    static ChangedPaths everything();
    /// `root`: the document after the change. An insertion or removal in a list moves other elements, so the place is
    /// then the list.
    ChangedPaths(const std::vector<Patch>& patches, const Json& root);

    /// Return whether all changes are at or below one of the places.
    bool isWithin(std::initializer_list<std::string_view> places) const;
    /// True if only the drawing changed, which no answer of the command line depends on.
    bool isDrawing() const {
        return isWithin({"/ui/positions", "/ui/reroutes", "/ui/frames", "/ui/notes", "/ui/colours"});
    }
    const std::vector<std::string>& places() const { return m_places; }

  private:
    ChangedPaths() = default;

    std::vector<std::string> m_places;
};

/// Return whether the place is `parent` or below it.
bool isBelow(std::string_view place, std::string_view parent);

}  // namespace weir::editor
