import QtQuick
import Weir

/// Something that is said of the blocks and wires over the graph. Each `…Overlay.qml` of a feature is one, and all are made
/// with the canvas. What it says of a block is a role of the block model, of which the canvas itself knows `heat` (of the
/// header, a step of `Theme.heatFills`), `pill`, `brief` (of the pill, where it has less room) and `facts` (for
/// which it leaves room below the block); the rest is for `block` to draw.
QtObject {
    required property Editor editor
    required property string role
    /// An item on each block of which the role says something; its parent is the BlockItem.
    property Component block
    /// An item in the canvas that explains it.
    property Component legend
    property real covered: 0 ///< pixels of the canvas that the legend takes, from below
    /// Colours of blocks that are too small for more, and in the map: block -> colour.
    property var blockColors: ({})
    /// The band along a wire: "src.out->dst.in" -> {color, width}.
    property var wireMarks: ({})
    property bool plain: false ///< its colours are those of item types, too: these have none for now

    /// Words for the pointer on a wire.
    function wireWords(key: string): string {
        return ""
    }
}
