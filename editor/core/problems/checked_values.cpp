#include "core/problems/checked_values.h"

namespace weir::editor {
namespace {

std::map<std::string, CheckedValues::Port> ports(const Json* value) {
    std::map<std::string, CheckedValues::Port> result;
    for (const auto& item : object(value).items()) {
        const Json* rate = member(item.value(), "rate");
        result[item.key()] = {text(member(item.value(), "item_type")),
                              rate && rate->is_number_integer() ? rate->get<std::int64_t>() : 0};
    }
    return result;
}

} // namespace

CheckedValues CheckedValues::from(const Json& answer) {
    CheckedValues result;
    for (const auto& item : object(member(answer, "values")).items())
        if (item.value().is_number()) result.values[item.key()] = item.value().get<double>();
    for (const auto& item : object(member(answer, "blocks")).items())
        result.blocks[item.key()] = {text(member(item.value(), "item_type")), ports(member(item.value(), "inputs")),
                                     ports(member(item.value(), "outputs"))};
    for (const auto& item : object(member(answer, "refused_schedulers")).items())
        result.refusedSchedulers[item.key()] = text(&item.value());
    for (const auto& item : object(member(answer, "hidden")).items())
        for (const Json& parameter : list(&item.value())) result.hidden[item.key()].insert(text(&parameter));
    return result;
}

const double* CheckedValues::value(const Pointer& pointer) const {
    const auto it = values.find(pointer.to_string());
    return it == values.end() ? nullptr : &it->second;
}

const CheckedValues::Block* CheckedValues::block(const std::string& id) const {
    const auto it = blocks.find(id);
    return it == blocks.end() ? nullptr : &it->second;
}

} // namespace weir::editor
