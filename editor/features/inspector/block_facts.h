#pragma once

#include "core/catalog/catalog.h"
#include "core/graph/graph_scene.h"
#include "core/problems/checked_values.h"
#include "core/rows/fact.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace weir::editor {

/// A port as the tab Ports shows it.
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
    QString itemType; ///< empty while nothing decides it
    QStringList allowedTypes;
    QString rate; ///< items a firing: worked out, else as the descriptor says it
    QStringList peers; ///< `block.port` at the other end of each connection

    bool operator==(const PortFacts&) const = default;
};

/// `values`: null while they are not known.
std::vector<PortFacts> portFacts(const GraphScene& scene, const QString& block, const CheckedValues* values);

/// The short lines of the tab Docs.
Facts blockFacts(const BlockType& type);
/// Return the numbers of each instance of the block, below its name, `stage[2]@p3`, if there are several. `result`: a
/// results object. Empty if it has no numbers of the block.
Facts runtimeFacts(const Json& result, const QString& block);

} // namespace weir::editor
