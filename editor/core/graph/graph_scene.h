#pragma once

#include "core/catalog/catalog.h"
#include "core/decor/decor.h"
#include "core/document/document.h"
#include "core/edits/project_edits.h"

#include <QHash>
#include <QList>
#include <QObject>
#include <QPainterPath>
#include <QRectF>
#include <QSet>
#include <QStringList>

#include <optional>
#include <vector>

namespace weir::editor {

/// Item type of the ports of GNU Radio's blocks that pass messages.
inline const QString kMessage = QStringLiteral("message");

struct PortView {
    QString id;
    QString itemType; ///< empty while undecided; kMessage: it passes messages
    QStringList allowedTypes;
    bool connected = false;

    bool operator==(const PortView&) const = default;
};

struct ParameterView {
    QString name;
    QString value;
    bool isDefault = false; ///< not set in the file

    bool operator==(const ParameterView&) const = default;
};

enum class BlockState { Enabled, Disabled, Bypassed };
/// Return the state as the file writes it.
QString stateName(BlockState state);

/// Drawing data of a block.
struct BlockView {
    QString id;
    QString type;
    QString title;
    QString category;
    QString badge; ///< "× 6" for a repeated block
    BlockState state = BlockState::Enabled;
    bool ghost = false; ///< its type is not in the catalog
    bool probe = false;
    QString comment;
    QRectF rect;
    QList<PortView> inputs;
    QList<PortView> outputs;
    QList<ParameterView> parameters;
    int moreParameters = 0;

    bool operator==(const BlockView&) const = default;
};

struct WireView {
    Connection connection;
    int source = 0; ///< index of the block
    int target = 0;
    int sourcePort = 0; ///< index of its port
    int targetPort = 0;
    int fileIndex = 0;
    QString itemType; ///< kMessage: it passes messages
    bool dead = false;   ///< no items flow: an end or a block upstream is disabled
    bool shared = false; ///< the output feeds other inputs, too
    QList<QPointF> via;
    QPointF from;
    QPointF to;
    QPainterPath path;
    QRectF bounds;
};

struct GroupView {
    QString id;
    QString label; ///< includes the repetition count
    QSet<QString> blocks;
    std::size_t fileIndex = 0;
    QRectF rect;
};

/// Parts that move together.
struct MoveSet {
    QSet<QString> blocks;
    std::set<DecorId> decor;

    bool isEmpty() const { return blocks.isEmpty() && decor.empty(); }
    qsizetype size() const { return blocks.size() + static_cast<qsizetype>(decor.size()); }
    bool operator==(const MoveSet&) const = default;
};

struct PortRef {
    QString block;
    QString port;
    bool output = false;

    bool operator==(const PortRef&) const = default;
};

class Fitting;

/// Model of the drawn flowgraph. Follows the document and the catalog, independently of pixels and gestures.
class GraphScene : public QObject {
    Q_OBJECT

  public:
    GraphScene(Document& document, QObject* parent = nullptr);

    void setCatalog(const Catalog& catalog);
    const Catalog& catalog() const { return m_catalog; }

    const std::vector<BlockView>& blocks() const { return m_blocks; }
    const std::vector<WireView>& wires() const { return m_wires; }
    const std::vector<GroupView>& groups() const { return m_groups; }
    const std::vector<FrameView>& frames() const { return m_frames; }
    const std::vector<NoteView>& notes() const { return m_notes; }
    QString pipesBadge() const { return m_pipesBadge; }
    const BlockView* block(const QString& id) const;
    const WireView* wire(const std::string& key) const;
    const FrameView* frame(const std::string& key) const;
    const NoteView* note(const std::string& key) const;
    const GroupView* group(const QString& id) const;
    /// Return the group that contains all of the blocks.
    const GroupView* groupOf(const QSet<QString>& blocks) const;
    bool has(const DecorId& part) const;
    QRectF bounds() const;

    QPointF portPosition(const PortRef& port) const;
    std::optional<PortRef> portAt(QPointF point, double radius) const;
    const BlockView* blockAt(QPointF point) const;
    const WireView* wireAt(QPointF point, double distance) const;
    /// Return the frame whose title or edge is at the point; its inside stays free for its contents.
    const FrameView* frameAt(QPointF point, double edge) const;
    const NoteView* noteAt(QPointF point) const;
    /// Return the group whose title is at the point; titles are at least `least` high.
    const GroupView* groupAt(QPointF point, double least) const;
    std::optional<DecorId> rerouteAt(QPointF point, double distance) const;
    /// Return the part whose lower right corner is at the point.
    std::optional<DecorId> resizeAt(QPointF point, double distance) const;
    std::optional<QRectF> rectOf(const DecorId& part) const;

    /// Return why the two ports, in either order, cannot be connected; empty if they can. `without`: a wire to be
    /// replaced.
    QString connectionProblem(const PortRef& a, const PortRef& b, const Connection* without = nullptr) const;
    /// Return the ports that can be connected to the port.
    QList<PortRef> portsThatAccept(const PortRef& port, const Connection* without = nullptr) const;

    /// Return the chosen parts, the contents of chosen frames, and the points of wires whose two blocks move.
    MoveSet movedWith(const QSet<QString>& blocks, const std::set<DecorId>& decor) const;
    /// Moves parts with the pointer; the finished move becomes one step of the document.
    void setDrag(const MoveSet& parts, QPointF offset);
    void clearDragOffset() { setDrag({}, {}); }
    const MoveSet& dragged() const { return m_dragged; }
    /// Shows a frame or note in another size while the pointer drags its corner.
    void setResized(const std::optional<DecorId>& part, QRectF rect);
    /// Sets positions for blocks without one in the file, until the document is replaced.
    void setAutomaticPlaces(const QHash<QString, QPointF>& places);
    /// True if no block has a position in the file.
    bool isUnplaced() const;
    /// Return a place where a new block does not cover another.
    QPointF freePosition(QPointF wanted, QSizeF size = {200, 120}) const;

  signals:
    void changed();
    /// Parts moved; nothing else changed.
    void moved();

  private:
    QString mismatch(const PortRef& source, const PortRef& target, const Connection* without,
                     const Fitting* fitting) const;
    void follow(const ChangedPaths& changed);
    /// Updates parameters, comment, probe and repetition of changed blocks; false: there are other changes.
    bool followValues(const ChangedPaths& changed);
    void rebuild();
    void buildBlocks();
    void readValues(BlockView& view, const Json& block) const;
    void buildWires();
    void buildGroups();
    void markDeadWires();
    void findHomes();
    void placeAll();
    void placeDecor();
    void placeWire(WireView& wire);
    QString repeatBadge(const Json* repeat) const;

    Document& m_document;
    Catalog m_catalog;
    std::vector<BlockView> m_blocks;
    std::vector<QPointF> m_homes;  ///< positions of the blocks before the drag
    std::vector<WireView> m_wires;
    std::vector<GroupView> m_groups;
    std::vector<FrameView> m_frames;
    std::vector<NoteView> m_notes;
    std::map<std::string, QList<QPointF>> m_reroutes;
    QString m_pipesBadge;
    QHash<QString, int> m_index;
    /// Automatic positions stay for the session: a new wire must not make blocks jump.
    QHash<QString, QPointF> m_automatic;
    MoveSet m_dragged;
    QPointF m_dragOffset;
    std::optional<DecorId> m_resized;
    QRectF m_resizedRect;
};

}  // namespace weir::editor
