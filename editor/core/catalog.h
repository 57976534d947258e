#pragma once

#include "json.h"

#include <QPointF>
#include <QString>

#include <map>
#include <string>
#include <vector>

namespace weir::editor {

struct PortType
{
    std::string id;
    std::string type; ///< an item type, or "T"
};

struct ParameterType
{
    std::string id;
    std::string title;
    std::string type;
    std::string unit;
    std::string documentation;
    std::vector<std::string> options;
    Json defaultValue; ///< discarded when the parameter is required
    bool structural = false;

    bool isRequired() const { return defaultValue.is_discarded(); }
};

struct BlockType
{
    std::string id;
    std::string family;
    std::string title;
    std::string documentation;
    std::string category; ///< source, sink, filter, math, sync or control: its colour and glyph
    std::vector<std::string> itemTypes;
    std::vector<PortType> inputs;
    std::vector<PortType> outputs;
    std::vector<ParameterType> parameters;

    const ParameterType *parameter(const std::string &name) const;
};

struct SchedulerType
{
    std::string id;
    std::string title;
    std::string documentation;
    std::string workers;
    std::vector<std::string> waitPolicies;
    std::vector<ParameterType> parameters;
};

/// What `weir catalog --json` knows. Empty until the command line has answered.
class Catalog
{
public:
    Catalog() = default;
    explicit Catalog(const Json &answer);

    bool isLoaded() const { return m_loaded; }
    const std::vector<BlockType> &blocks() const { return m_blocks; }
    const std::vector<SchedulerType> &schedulers() const { return m_schedulers; }
    const BlockType *block(const std::string &id) const;
    const SchedulerType *scheduler(const std::string &id) const;

private:
    std::vector<BlockType> m_blocks;
    std::vector<SchedulerType> m_schedulers;
    std::map<std::string, std::size_t> m_blockIndex;
    bool m_loaded = false;
};

} // namespace weir::editor
