#include "features/canvas/canvas_tools.h"

#include "features/palette/block_palette.h"
#include "shell/session/session.h"

namespace weir::editor {

CanvasTools::CanvasTools(Session& session, BlockPalette& palette, DecorController& decor, Clipboard& clipboard,
                         QObject* parent)
    : QObject(parent), m_session(session), m_decor(decor), m_clipboard(clipboard),
      m_inserter(session, palette.habits()), m_graph(session), m_finder(session), m_autoLayout(session),
      m_unfolding(session) {
    registerActions();
}

} // namespace weir::editor
