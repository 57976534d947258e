#include "core/edits/rename_keys.h"

namespace weir::editor {

void renameKeys(Transaction& transaction, const Pointer& at,
                const std::function<std::string(const std::string&)>& rewrite) {
    const Json* object = find(transaction.json(), at);
    if (!object || !object->is_object()) return;
    Json renamed = Json::object();
    for (const auto& item : object->items()) renamed[rewrite(item.key())] = item.value();
    if (renamed != *object) transaction.set(at, std::move(renamed));
}

} // namespace weir::editor
