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
    std::string rate = {}; ///< items per firing: a number or an expression
};

struct ParameterType {
    std::string id;
    std::string title;
    std::string type;
    std::string unit;
    std::string documentation;
    std::vector<std::string> options;
    std::vector<std::string> optionTitles = {}; ///< of `options`; empty: the options themselves
    Json defaultValue; ///< discarded if the parameter is required
    std::string defaultText; ///< the effect of the default, shown instead of it; empty: show the value
    std::optional<double> minimum;
    std::optional<double> maximum;
    std::string access; ///< of a path: `read` or `write`
    std::string design; ///< designer of a list of numbers, such as `fir`; empty: none
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
        category; ///< source, sink, filter, math, sync or control: gives its colour, and its icon unless it has one
    std::vector<std::string> itemTypes;
    std::vector<PortType> inputs;
    std::vector<PortType> outputs;
    std::vector<ParameterType> parameters;
    Json behaviour;
    Json accuracy;
    std::string source; ///< path of its source code
    std::string icon;   ///< SVG; empty: none
    std::vector<std::string> keywords = {}; ///< search words for its purpose
    std::vector<std::string> gnuradio = {}; ///< names in GNU Radio; * matches any letters
    std::map<std::string, int> followers = {}; ///< blocks that follow its outputs in the examples, with counts
    Json entry = {};  ///< of a block of GNU Radio: its block entry in a project, without `id` and `gnuradio/name`
    NamesOf kernels =
        {}; ///< VOLK kernels that it calls, each with the item types that use it; an empty list: all types

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
    std::string source; ///< path of its source code
    std::string jobs;       ///< unit that moves between its workers: `instance`, `list`, or empty if nothing moves
    bool placement = false; ///< true if a deployment can place blocks on workers
    int maxWorkers = 1;
    std::vector<std::string> targets = {}; ///< targets that can run it; the first is the default of a deployment
    std::string runtime = {}; ///< peer runtime that it belongs to; empty: Weir
    std::string lacks = {};   ///< what is not installed for the runtime, and how to install it; empty: nothing

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
    /// Defaults of settings by JSON pointer: `/deployment/wait`, `/run/items`.
    const Json& defaults() const { return m_defaults; }
    /// VOLK kernels that blocks call, with their implementations on this machine; empty without VOLK.
    const NamesOf& volk() const { return m_volk; }
    const BlockType* block(const std::string& id) const;
    /// Return the blocks by family, in the order in which a signal passes the families, then by title.
    std::vector<const BlockType*> blocksInOrder() const;
    /// Return whether GNU Radio's blocks are known. Only a project that GNU Radio runs needs them.
    bool hasGnuradio() const { return m_hasGnuradio; }
    /// Return GNU Radio's blocks. Their ids are the types of the entries in a project; their families are GNU Radio's
    /// categories.
    const std::vector<BlockType>& gnuradioBlocks() const { return m_gnuradio; }
    const BlockType* gnuradioBlock(const std::string& id) const;
    /// Return GNU Radio's blocks by category, then by title.
    std::vector<const BlockType*> gnuradioInOrder() const;
    /// Return the type of a block entry of a project; null if unknown.
    const BlockType* typeOf(const Json& entry) const;
    /// Return the type of a new block, of Weir or else of GNU Radio.
    const BlockType* anyBlock(const std::string& id) const;
    const SchedulerType* scheduler(const std::string& id) const;
    const TargetType* target(const std::string& id) const;

  private:
    std::vector<BlockType> m_blocks;
    std::vector<SchedulerType> m_schedulers;
    std::vector<TargetType> m_targets;
    Json m_defaults;
    NamesOf m_volk;
    std::vector<BlockType> m_gnuradio;
    std::map<std::string, std::size_t> m_blockIndex;
    std::map<std::string, std::size_t> m_gnuradioIndex;
    bool m_loaded = false;
    bool m_hasGnuradio = false;
};

}  // namespace weir::editor
