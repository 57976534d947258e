#include "apply_fix.h"

#include "rename_keys.h"

namespace weir::editor {

void applyFix(Transaction &transaction, const std::string &pointer, const Json &fix)
{
    const Pointer place(pointer);
    if (!find(transaction.json(), place) || place.empty())
        throw EditRefused("what was to be corrected is not there any more");
    const Json *value = member(fix, "value");
    const std::string key = text(member(fix, "key"));
    if (value) {
        transaction.set(place, *value);
        return;
    }
    const Pointer parent = place.parent_pointer();
    if (key.empty() || find(transaction.json(), parent / key))
        throw EditRefused(key.empty() ? "there is no correction" : key + " is there already");
    renameKeys(transaction, parent, [&](const std::string &name) { return name == place.back() ? key : name; });
}

} // namespace weir::editor
