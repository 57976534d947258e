#pragma once

#include "core/graph/graph_scene.h"
#include "core/graph/selection.h"
#include "core/rows/row_model.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>
#include <QStringList>

#include <optional>

namespace weir::editor {

class Session;

/// A frame or note, for screen readers and for editing in place. The canvas paints it.
struct DecorRow {
    Q_GADGET
    Q_PROPERTY(QString kind MEMBER kind)
    Q_PROPERTY(QString key MEMBER key)
    Q_PROPERTY(QString words MEMBER words)
    Q_PROPERTY(QRectF sceneRect MEMBER sceneRect)
    Q_PROPERTY(bool selected MEMBER selected)

  public:
    QString kind; ///< "frame" or "note"
    QString key;
    QString words;
    QRectF sceneRect;
    bool selected;

    bool operator==(const DecorRow&) const = default;
};

/// Edits frames, notes, points of wires and comments. Each edit is one undo step.
class DecorController : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by Editor")

    Q_PROPERTY(QAbstractItemModel* parts READ parts CONSTANT)
    Q_PROPERTY(QStringList colours READ colours CONSTANT)
    /// Colour of the chosen frames and notes; empty if they differ or none is chosen.
    Q_PROPERTY(QString colour READ colour NOTIFY chosenChanged)
    /// Rectangle around the chosen frame or note in the scene, if a single one is chosen.
    Q_PROPERTY(QRectF chosenRect READ chosenRect NOTIFY chosenChanged)
    /// "frame" or "note" if one is chosen, "several" for more, else empty.
    Q_PROPERTY(QString chosenKind READ chosenKind NOTIFY chosenChanged)
    /// Kind of the part that is edited in place: "frame", "note", "comment", "group", or empty.
    Q_PROPERTY(QString editedKind READ editedKind NOTIFY editedChanged)
    Q_PROPERTY(QString editedText READ editedText NOTIFY editedChanged)
    Q_PROPERTY(QRectF editedRect READ editedRect NOTIFY editedChanged)
    Q_PROPERTY(bool minimap MEMBER m_minimap NOTIFY minimapChanged)
    /// Item types of the flowgraph's wires, for the legend.
    Q_PROPERTY(QStringList itemTypes READ itemTypes NOTIFY itemTypesChanged)

  public:
    explicit DecorController(Session& session, QObject* parent = nullptr);

    QAbstractItemModel* parts() { return &m_parts; }
    QStringList colours() const { return decor::colours(); }
    QString colour() const;
    QRectF chosenRect() const;
    QString chosenKind() const;
    QString editedKind() const;
    QString editedText() const;
    QRectF editedRect() const;
    QStringList itemTypes() const { return m_itemTypes; }
    /// Place for a new part: the middle of the visible canvas.
    QPointF place() const { return m_place; }
    void setPlace(QPointF place) { m_place = place; }

    /// Add a frame around the chosen blocks and notes; if none is chosen, an empty frame around `place`.
    Q_INVOKABLE void frameSelection(QPointF place);
    Q_INVOKABLE void addNote(QPointF place);
    Q_INVOKABLE void setColour(const QString& colour);
    Q_INVOKABLE void editChosen();
    Q_INVOKABLE void editComment();
    /// End editing in place. The text becomes its own undo step, or joins the step that made the frame or note. Return
    /// false if a group cannot have this name: a notice says why, and editing continues.
    Q_INVOKABLE bool commit(const QString& text);
    Q_INVOKABLE void cancelEditing();

    void beginEditing(const DecorId& part);
    /// Edit the name of a group.
    void editGroup(const QString& group);
    void resize(const DecorId& part, QRectF rect);
    /// Add a point where the wire is nearest to `place`, and choose it.
    void addPoint(const WireView& wire, QPointF place);
    /// Move a point, or remove it if the wire looks the same without it.
    void movePoint(const DecorId& point, QPointF offset);

  signals:
    void chosenChanged();
    void editedChanged();
    void minimapChanged();
    void itemTypesChanged();

  private:
    struct Edited {
        enum Kind { Frame, Note, Comment, Group } kind;
        std::string key;  ///< for a comment, the block
        QString mergeKey = {};
    };

    void registerActions();
    std::vector<DecorId> chosenParts() const;
    void edit(const Edited& edited);
    bool isThere(const Edited& edited) const;
    /// Return why the group cannot have this name; empty if it can.
    QString nameProblem(const std::string& group, const std::string& name) const;
    void write(const Edited& edited, const QString& text);
    /// Return the group that the selection refers to.
    const GroupView* chosenGroup() const;
    void collectItemTypes();
    void updateParts();

    Session& m_session;
    RowModel<DecorRow> m_parts;
    std::optional<Edited> m_edited;
    int m_made = 0;
    bool m_minimap = true;
    QPointF m_place;
    QStringList m_itemTypes;
};

}  // namespace weir::editor
