import QtQuick
import Weir

/// Marks over the blocks and wires of the graph. Each `…Overlay.qml` of a feature is one; all are made with the canvas.
/// Marks on a block are a role of the block model. The canvas itself reads `heat` (of the header, a step of
/// `Theme.heatFills`), `pill`, `brief` (of the pill, if space is short) and `facts` (it leaves room for them below the
/// block). `block` draws the rest.
QtObject {
    required property Editor editor
    required property string role
    /// Item on each block that has marks in the role; its parent is the BlockItem.
    property Component block
    /// Legend, an item in the canvas.
    property Component legend
    property real covered: 0 ///< pixels at the bottom of the canvas that the legend covers
    /// Colours of blocks that are too small for other marks, and in the map: block -> colour.
    property var blockColors: ({})
    /// Band along a wire: "src.out->dst.in" -> {color, width}.
    property var wireMarks: ({})
    property bool plain: false ///< its colours are also those of item types, so item types get none while it is active

    /// Text for the pointer on a wire.
    function wireWords(key: string): string {
        return ""
    }
}
