#pragma once

#include "core/catalog/catalog.h"
#include "core/graph/graph_scene.h"
#include "core/problems/checked_values.h"
#include "core/rows/fact.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace weir::editor {

/// A port in the Ports tab.
struct PortFacts {
    Q_GADGET
    Q_PROPERTY(QString name MEMBER name)
    Q_PROPERTY(bool output MEMBER output)
    Q_PROPERTY(QString itemType MEMBER itemType)
    Q_PROPERTY(QStringList allowedTypes MEMBER allowedTypes)
    Q_PROPERTY(QString rate MEMBER rate)
    Q_PROPERTY(QStringList peers MEMBER peers)

  public:
    QString name;
    bool output = false;
    QString itemType; ///< empty while undecided
    QStringList allowedTypes;
    QString rate; ///< items per firing: the evaluated number, else the expression of the descriptor
    QStringList peers; ///< `block.port` at the other end of each connection

    bool operator==(const PortFacts&) const = default;
};

/// Return the ports of a block. `values` is null while unknown.
std::vector<PortFacts> portFacts(const GraphScene& scene, const QString& block, const CheckedValues* values);

/// Return the short lines of the Docs tab.
Facts blockFacts(const BlockType& type);
/// Return the numbers of each instance of the block, below its name (`stage[2]@p3`) if there are several. `result` is a
/// results object. Empty without numbers of the block.
Facts runtimeFacts(const Json& result, const QString& block);

}  // namespace weir::editor
