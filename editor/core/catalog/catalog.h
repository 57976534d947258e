#pragma once

#include "core/json/json.h"

#include <QPointF>
#include <QString>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weir::editor {

struct PortType {
    std::string id;
    std::string type; ///< an item type, or "T"
    std::string rate = {}; ///< items a firing: a number or an expression
};

struct ParameterType {
    std::string id;
    std::string title;
    std::string type;
    std::string unit;
    std::string documentation;
    std::vector<std::string> options;
    Json defaultValue; ///< discarded when the parameter is required
    std::string defaultText; ///< what the default stands for, shown in its place; empty where it stands for itself
    std::optional<double> minimum;
    std::optional<double> maximum;
    std::string access; ///< of a path: read or write
    std::string design; ///< of a list of numbers: what designs them, `fir`; empty where nothing does
    bool structural = false;

    bool isRequired() const { return defaultValue.is_discarded(); }
};

using NamesOf = std::map<std::string, std::vector<std::string>>;

struct BlockType {
    std::string id;
    std::string family;
    std::string title;
    std::string documentation;
    std::string
        category; ///< source, sink, filter, math, sync or control: its colour, and its icon where it has no own
    std::vector<std::string> itemTypes;
    std::vector<PortType> inputs;
    std::vector<PortType> outputs;
    std::vector<ParameterType> parameters;
    Json behaviour;
    Json accuracy;
    std::string source; ///< path of its code
    std::string icon;   ///< SVG, empty where it has none of its own
    std::vector<std::string> keywords = {}; ///< what it is for
    std::vector<std::string> gnuradio = {}; ///< what GNU Radio calls it; * for any letters
    std::map<std::string, int> followers = {}; ///< what its outputs lead to in the examples, and how often
    NamesOf kernels =
        {}; ///< of VOLK, that it calls, each with the item types with which it does; none: whatever they are

    const ParameterType* parameter(const std::string& name) const;
    const PortType* input(const std::string& port) const;
    const PortType* output(const std::string& port) const;
};

struct SchedulerType {
    std::string id;
    std::string title;
    std::string documentation;
    std::string workers;
    std::vector<std::string> waitPolicies;
    std::vector<ParameterType> parameters;
    std::string source; ///< path of its code
    std::string jobs;       ///< what moves between its workers: instance, list, or empty where nothing does
    bool placement = false; ///< whether a deployment says which worker runs a block
    int maxWorkers = 1;
    std::vector<std::string> targets =
        {}; ///< those that can run it; the first is that of a deployment that names none
    std::string runtime = {}; ///< of another project, whose scheduler it is; empty: Weir's own
    std::string lacks = {};   ///< what of that is not installed here, and how it is; empty where all is there

    const ParameterType* parameter(const std::string& name) const;
};

struct TargetType {
    std::string id;
    std::string title;
    std::string documentation;
};

/// Content of `weir catalog --json`. Empty until the command line has answered.
class Catalog {
  public:
    Catalog() = default;
    explicit Catalog(const Json& answer);

    bool isLoaded() const { return m_loaded; }
    const std::vector<BlockType>& blocks() const { return m_blocks; }
    const std::vector<SchedulerType>& schedulers() const { return m_schedulers; }
    const std::vector<TargetType>& targets() const { return m_targets; }
    /// Defaults of settings by their places: `/deployment/wait`, `/run/items`.
    const Json& defaults() const { return m_defaults; }
    /// Kernels of VOLK that blocks call, with their implementations on this machine; empty where VOLK is not there.
    const NamesOf& volk() const { return m_volk; }
    const BlockType* block(const std::string& id) const;
    /// By family, those first whose blocks a signal meets first, then by title.
    std::vector<const BlockType*> blocksInOrder() const;
    const SchedulerType* scheduler(const std::string& id) const;
    const TargetType* target(const std::string& id) const;

  private:
    std::vector<BlockType> m_blocks;
    std::vector<SchedulerType> m_schedulers;
    std::vector<TargetType> m_targets;
    Json m_defaults;
    NamesOf m_volk;
    std::map<std::string, std::size_t> m_blockIndex;
    bool m_loaded = false;
};

}  // namespace weir::editor
