#pragma once

#include "catalog.h"
#include "document.h"
#include "project_edits.h"

#include <QHash>
#include <QList>
#include <QObject>
#include <QRectF>
#include <QSet>
#include <QStringList>

#include <optional>
#include <vector>

namespace weir::editor {

struct PortView
{
    QString id;
    QString itemType; ///< empty while nothing decides it
    QStringList allowedTypes;
    bool connected = false;

    bool operator==(const PortView &) const = default;
};

struct ParameterView
{
    QString name;
    QString value;

    bool operator==(const ParameterView &) const = default;
};

enum class BlockState { Enabled, Disabled, Bypassed };

/// A block as it is drawn.
struct BlockView
{
    QString id;
    QString type;
    QString title;
    QString category;
    QString badge; ///< "× 6" for a repeated block
    BlockState state = BlockState::Enabled;
    bool ghost = false; ///< its type is not in the catalog
    bool probe = false;
    QRectF rect;
    QList<PortView> inputs;
    QList<PortView> outputs;
    QList<ParameterView> parameters;
    int moreParameters = 0;

    bool operator==(const BlockView &) const = default;
};

struct WireView
{
    Connection connection;
    int source = 0; ///< indices of blocks
    int target = 0;
    QPointF from;
    QPointF to;
    QString itemType;
};

struct GroupView
{
    QString label;
    QRectF rect;
};

struct PortRef
{
    QString block;
    QString port;
    bool output = false;

    bool operator==(const PortRef &) const = default;
};

/// Where everything is on the canvas. Follows the document and the catalog; knows nothing of pixels or gestures.
class GraphScene : public QObject
{
    Q_OBJECT

public:
    GraphScene(Document &document, QObject *parent = nullptr);

    void setCatalog(const Catalog &catalog);
    const Catalog &catalog() const { return m_catalog; }

    const std::vector<BlockView> &blocks() const { return m_blocks; }
    const std::vector<WireView> &wires() const { return m_wires; }
    const std::vector<GroupView> &groups() const { return m_groups; }
    QString pipesBadge() const { return m_pipesBadge; }
    const BlockView *block(const QString &id) const;
    QRectF bounds() const;

    QPointF portPosition(const PortRef &port) const;
    std::optional<PortRef> portAt(QPointF point, double radius) const;
    const BlockView *blockAt(QPointF point) const;
    const WireView *wireAt(QPointF point, double distance) const;

    /// Why the two ports cannot be joined; empty when they can. Order does not matter.
    QString connectionProblem(const PortRef &a, const PortRef &b) const;

    /// Blocks follow the pointer before the move becomes one step of the document.
    void setDragOffset(const QSet<QString> &blocks, QPointF offset);
    void clearDragOffset() { setDragOffset({}, {}); }
    /// Where a new block does not cover another.
    QPointF freePosition(QPointF wanted) const;

signals:
    void changed();

private:
    void rebuild();
    void buildBlocks();
    void buildWires();
    void buildGroups();
    void placeBlocks();
    QString repeatBadge(const Json *repeat) const;

    Document &m_document;
    Catalog m_catalog;
    std::vector<BlockView> m_blocks;
    std::vector<WireView> m_wires;
    std::vector<GroupView> m_groups;
    QString m_pipesBadge;
    QHash<QString, int> m_index;
    /// Automatic positions stay for the session: a new wire must not make blocks jump.
    QHash<QString, QPointF> m_automatic;
    QSet<QString> m_dragged;
    QPointF m_dragOffset;
};

} // namespace weir::editor
