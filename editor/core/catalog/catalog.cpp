#include "core/catalog/catalog.h"

#include "core/text/prose.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace weir::editor {
namespace {

std::vector<std::string> words(const Json* value) {
    std::vector<std::string> result;
    for (const Json& entry : list(value)) result.push_back(text(&entry));
    return result;
}

NamesOf namesOf(const Json* value) {
    NamesOf result;
    for (const auto& [key, names] : object(value).items()) result[key] = words(&names);
    return result;
}

std::string rate(const Json* value) {
    if (value && value->is_number_integer()) return std::to_string(value->get<std::int64_t>());
    return value ? text(member(*value, "expr")) : "1";
}

std::vector<PortType> ports(const Json* value) {
    std::vector<PortType> result;
    for (const Json& port : list(value))
        result.push_back({text(member(port, "id")), text(member(port, "type")), rate(member(port, "rate"))});
    return result;
}

std::optional<double> number(const Json* value) {
    return value && value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
}

std::vector<ParameterType> parameters(const Json* value) {
    std::vector<ParameterType> result;
    for (const Json& entry : list(value)) {
        ParameterType parameter;
        parameter.id = text(member(entry, "id"));
        parameter.title = text(member(entry, "title"));
        if (parameter.title.empty()) parameter.title = parameter.id;
        parameter.type = text(member(entry, "type"));
        parameter.unit = text(member(entry, "unit"));
        parameter.documentation = prose(entry, "documentation").toStdString();
        parameter.options = words(member(entry, "options"));
        const Json* fallback = member(entry, "default");
        parameter.defaultValue = fallback ? *fallback : Json(Json::value_t::discarded);
        parameter.defaultText = text(member(entry, "default_text"));
        parameter.minimum = number(member(entry, "minimum"));
        parameter.maximum = number(member(entry, "maximum"));
        parameter.access = text(member(entry, "access"));
        parameter.design = text(member(entry, "design"));
        parameter.structural = isTrue(entry, "structural");
        result.push_back(std::move(parameter));
    }
    return result;
}

std::string categoryOf(const BlockType& block) {
    if (block.inputs.empty()) return "source";
    if (block.outputs.empty()) return "sink";
    static constexpr std::array<std::pair<const char*, const char*>, 4> kFamilies{
        {{"filter", "filter"}, {"math", "math"}, {"arith", "math"}, {"sync", "sync"}}};
    for (const auto& [prefix, category] : kFamilies)
        if (block.family.rfind(prefix, 0) == 0) return category;
    return "control";
}

BlockType blockType(const Json& entry) {
    BlockType block;
    block.id = text(member(entry, "id"));
    block.family = text(member(entry, "family"));
    block.title = text(member(entry, "title"));
    block.documentation = prose(entry, "documentation").toStdString();
    block.itemTypes = words(member(entry, "item_types"));
    block.inputs = ports(member(entry, "inputs"));
    block.outputs = ports(member(entry, "outputs"));
    block.parameters = parameters(member(entry, "parameters"));
    block.behaviour = object(member(entry, "behaviour"));
    block.accuracy = object(member(entry, "accuracy"));
    block.source = text(member(entry, "source"));
    block.icon = text(member(entry, "icon"));
    block.keywords = words(member(entry, "keywords"));
    block.gnuradio = words(member(entry, "gnuradio"));
    for (const auto& [type, count] : object(member(entry, "followed_by")).items())
        block.followers[type] = count.is_number_integer() ? count.get<int>() : 0;
    block.kernels = namesOf(member(entry, "kernels"));
    block.category = categoryOf(block);
    return block;
}

std::vector<PortType> gnuradioPorts(const Json& entry, const char* side) {
    std::vector<PortType> result;
    for (const Json& port : list(member(object(member(entry, "gnuradio")), side)))
        result.push_back({text(member(port, "id")), text(member(port, "type"))});
    return result;
}

BlockType gnuradioType(const Json& answer) {
    BlockType block;
    block.entry = object(member(answer, "entry"));
    block.id = text(member(block.entry, "type"));
    block.family = text(member(answer, "category"));
    block.title = text(member(answer, "label"));
    block.documentation = text(member(answer, "documentation"));
    block.inputs = gnuradioPorts(block.entry, "inputs");
    block.outputs = gnuradioPorts(block.entry, "outputs");
    block.gnuradio = {text(member(answer, "id"))};
    block.category = block.inputs.empty() ? "source" : block.outputs.empty() ? "sink" : "filter";
    for (const Json& entry : list(member(answer, "parameters"))) {
        if (text(member(entry, "hide")) == "all") continue;
        ParameterType parameter;
        parameter.id = text(member(entry, "key"));
        parameter.title = text(member(entry, "label"));
        if (parameter.title.empty()) parameter.title = parameter.id;
        parameter.options = words(member(entry, "options"));
        parameter.optionTitles = words(member(entry, "option_labels"));
        // Companion also accepts an expression in the other fields with options.
        parameter.type = text(member(entry, "dtype")) == "enum" ? "enum" : "string";
        parameter.defaultValue = text(member(entry, "default"));
        block.parameters.push_back(std::move(parameter));
    }
    return block;
}

SchedulerType schedulerType(const Json& entry) {
    const Json* placement = member(entry, "placement");
    const Json* maxWorkers = member(entry, "max_workers");
    return {text(member(entry, "id")),
            text(member(entry, "title")),
            prose(entry, "documentation").toStdString(),
            text(member(entry, "workers")),
            words(member(entry, "wait")),
            parameters(member(entry, "parameters")),
            text(member(entry, "source")),
            text(member(entry, "jobs")),
            placement && *placement == true,
            maxWorkers && maxWorkers->is_number_integer() ? maxWorkers->get<int>() : 1,
            words(member(entry, "targets")),
            text(member(entry, "runtime")),
            text(member(entry, "lacks"))};
}

template <typename Type> const Type* named(const std::vector<Type>& all, const std::string& name) {
    const auto it = std::find_if(all.begin(), all.end(), [&name](const Type& one) { return one.id == name; });
    return it == all.end() ? nullptr : &*it;
}

} // namespace

const ParameterType* BlockType::parameter(const std::string& name) const { return named(parameters, name); }

const PortType* BlockType::input(const std::string& port) const { return named(inputs, port); }

const PortType* BlockType::output(const std::string& port) const { return named(outputs, port); }

const ParameterType* SchedulerType::parameter(const std::string& name) const { return named(parameters, name); }

Catalog::Catalog(const Json& answer) : m_loaded(true) {
    for (const Json& entry : list(member(answer, "blocks"))) m_blocks.push_back(blockType(entry));
    for (const Json& entry : list(member(answer, "schedulers"))) m_schedulers.push_back(schedulerType(entry));
    for (const Json& entry : list(member(answer, "targets")))
        m_targets.push_back(
            {text(member(entry, "id")), text(member(entry, "title")), prose(entry, "documentation").toStdString()});
    m_hasGnuradio = member(answer, "gnuradio");
    for (const Json& entry : list(member(answer, "gnuradio"))) m_gnuradio.push_back(gnuradioType(entry));
    for (std::size_t index = 0; index < m_gnuradio.size(); ++index)
        m_gnuradioIndex.emplace(m_gnuradio[index].id, index);
    m_defaults = object(member(answer, "defaults"));
    m_volk = namesOf(member(answer, "volk"));
    for (std::size_t index = 0; index < m_blocks.size(); ++index) m_blockIndex.emplace(m_blocks[index].id, index);
}

const BlockType* Catalog::block(const std::string& id) const {
    const auto it = m_blockIndex.find(id);
    return it == m_blockIndex.end() ? nullptr : &m_blocks[it->second];
}

const BlockType* Catalog::gnuradioBlock(const std::string& id) const {
    const auto it = m_gnuradioIndex.find(id);
    return it == m_gnuradioIndex.end() ? nullptr : &m_gnuradio[it->second];
}

std::vector<const BlockType*> Catalog::gnuradioInOrder() const {
    std::vector<const BlockType*> all;
    for (const BlockType& type : m_gnuradio) all.push_back(&type);
    std::sort(all.begin(), all.end(), [](const BlockType* a, const BlockType* b) {
        return std::tie(a->family, a->title, a->id) < std::tie(b->family, b->title, b->id);
    });
    return all;
}

const BlockType* Catalog::typeOf(const Json& entry) const {
    const std::string type = text(member(entry, "type"));
    return member(entry, "gnuradio") ? gnuradioBlock(type) : block(type);
}

const BlockType* Catalog::anyBlock(const std::string& id) const {
    const BlockType* own = block(id);
    return own ? own : gnuradioBlock(id);
}

std::vector<const BlockType*> Catalog::blocksInOrder() const {
    static constexpr std::array<const char*, 6> kCategories{"source", "filter", "math", "sync", "control", "sink"};
    const auto key = [](const BlockType& type) {
        const auto category = std::find(kCategories.begin(), kCategories.end(), type.category) - kCategories.begin();
        const int end = type.family.rfind("source", 0) == 0 ? -1 : type.family.rfind("sink", 0) == 0 ? 1 : 0;
        return std::tuple(end, type.family, category, type.title);
    };
    std::vector<const BlockType*> all;
    for (const BlockType& type : m_blocks) all.push_back(&type);
    std::sort(all.begin(), all.end(), [&key](const BlockType* a, const BlockType* b) { return key(*a) < key(*b); });
    return all;
}

const SchedulerType* Catalog::scheduler(const std::string& id) const {
    const auto it = std::find_if(m_schedulers.begin(), m_schedulers.end(), [&](const auto& s) { return s.id == id; });
    return it == m_schedulers.end() ? nullptr : &*it;
}

const TargetType* Catalog::target(const std::string& id) const {
    const auto it = std::find_if(m_targets.begin(), m_targets.end(), [&](const auto& t) { return t.id == id; });
    return it == m_targets.end() ? nullptr : &*it;
}

} // namespace weir::editor
