#include "core/document/key_order.h"

#include "core/document/project_schema.h"

namespace weir::editor {
namespace {

bool comesBefore(const Json& order, const std::string& one, const std::string& other) {
    for (const auto& item : order.items())
        if (item.key() == one || item.key() == other) return item.key() == one;
    return false;
}

} // namespace

std::size_t insertionPosition(const Json& object, const Pointer& parent, const std::string& key) {
    const Json& order = schemaProperties(parent);
    if (!order.contains(key)) return object.size();
    std::size_t position = 0;
    std::size_t after = 0;
    for (const auto& item : object.items()) {
        ++position;
        if (comesBefore(order, item.key(), key)) after = position;
    }
    return after;
}

} // namespace weir::editor
