#pragma once

#include "features/canvas/auto_layout.h"
#include "features/canvas/block_inserter.h"
#include "features/canvas/graph_commands.h"
#include "features/canvas/graph_finder.h"
#include "features/canvas/unfolding.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>
#include <QStringList>

#include <functional>

namespace weir::editor {

class BlockPalette;
class Clipboard;
class DecorController;
class Session;

/// Tools of the canvas for mouse, keys, menu and drops.
class CanvasTools : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(weir::editor::BlockInserter* inserter READ inserter CONSTANT)
    Q_PROPERTY(weir::editor::GraphCommands* graph READ graph CONSTANT)
    Q_PROPERTY(weir::editor::GraphFinder* finder READ finder CONSTANT)
    Q_PROPERTY(weir::editor::AutoLayout* autoLayout READ autoLayout CONSTANT)
    Q_PROPERTY(weir::editor::Unfolding* unfolding READ unfolding CONSTANT)

  public:
    CanvasTools(Session& session, BlockPalette& palette, DecorController& decor, Clipboard& clipboard,
                QObject* parent = nullptr);

    Session& session() const { return m_session; }
    DecorController& decor() const { return m_decor; }
    Clipboard& clipboard() const { return m_clipboard; }
    BlockInserter* inserter() { return &m_inserter; }
    GraphCommands* graph() { return &m_graph; }
    GraphFinder* finder() { return &m_finder; }
    AutoLayout* autoLayout() { return &m_autoLayout; }
    Unfolding* unfolding() { return &m_unfolding; }

  private:
    void registerActions();
    void add(const char* id, const QString& title, const QStringList& shortcuts, std::function<bool()> enabled,
             std::function<void()> run, const QString& hint = {});
    /// Return a condition that is true if at least this many blocks are selected.
    std::function<bool()> atLeast(int blocks) const;
    void registerChanges();
    void registerStates();
    void registerPlaces();
    void tellKeys();

    Session& m_session;
    DecorController& m_decor;
    Clipboard& m_clipboard;
    BlockInserter m_inserter;
    GraphCommands m_graph;
    GraphFinder m_finder;
    AutoLayout m_autoLayout;
    Unfolding m_unfolding;
};

} // namespace weir::editor
