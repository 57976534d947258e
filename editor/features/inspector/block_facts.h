#pragma once

#include "catalog.h"
#include "checked_values.h"
#include "graph_scene.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace weir::editor {

/// A port as the tab Ports shows it.
struct PortFacts
{
    QString name;
    bool output = false;
    QString itemType; ///< empty while nothing decides it
    QStringList allowedTypes;
    QString rate; ///< items a firing: worked out, else as the descriptor says it
    std::vector<PortRef> peers;
};

/// `values`: null while they are not known.
std::vector<PortFacts> portFacts(const GraphScene &scene, const QString &block, const CheckedValues *values);

/// A short line of the tab Docs: what it is about, and what is so.
struct Fact
{
    QString label;
    QString text;
};
std::vector<Fact> blockFacts(const BlockType &type);

/// What a run measured of one instance of the block.
struct InstanceFacts
{
    QString name; ///< `stage[2]@p3`
    std::vector<Fact> facts;
};
/// `result`: a results object. Empty where it does not speak of the block.
std::vector<InstanceFacts> runtimeFacts(const Json &result, const QString &block);

} // namespace weir::editor
