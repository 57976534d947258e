import QtQuick

/// Chip, name and type of a block. A name too long for one line takes two before it is cut, and the header grows with
/// it.
Item {
    id: root

    required property string blockId
    required property string title
    required property string type
    required property string category
    required property color ink
    required property color faint ///< of the type
    required property bool muted
    required property bool struck
    required property real zoom
    required property real letters
    required property real taken ///< pixels at the right end, taken by other parts
    /// Pixels left if name and type each have a line.
    readonly property real spare: width - name.x - 4 - Math.max(oneLine.advanceWidth, mayBeTyped ? kind.implicitWidth : 0)

    readonly property int nameSize: zoom >= 1 ? Math.round(Theme.sizeName * zoom) : zoom >= 0.8 ? Theme.sizeBody : Theme.sizeSmall
    readonly property int lineStep: nameSize + Math.round(3 * letters)
    readonly property int least: Math.round(Theme.headerHeight * zoom)
    readonly property bool mayBeTyped: title !== blockId && most >= lineStep + kind.height + 3
    readonly property bool typed: mayBeTyped && name.lineCount === 1
    readonly property int most: Math.round((Theme.portsTop + Theme.space0) * zoom) ///< down to the first port

    implicitHeight: Math.max(least, name.lineCount > 1 ? 2 * lineStep + 3 : typed ? lineStep + kind.height + 3 : 0)

    CategoryChip {
        id: chip

        x: Math.round(Math.max(5, 10 * Math.min(1, root.zoom * root.zoom)) * root.letters)
        y: (root.height - height) / 2
        width: Math.max(16, Math.round(Theme.chipSize * root.zoom))
        height: width
        category: root.category
        type: root.type
        opacity: root.muted ? 0.5 : 1
    }
    // Measures the text itself: the size of its item depends on this.
    TextMetrics {
        id: oneLine

        font: name.font
        text: name.text
    }
    BlockText {
        id: name

        objectName: "name:" + root.blockId
        x: chip.x + chip.width + Math.round(Math.max(5, 8 * Math.min(1, root.zoom * root.zoom)) * root.letters)
        y: (root.height - lineCount * root.lineStep - (root.typed ? kind.height : 0)) / 2
        width: root.width - x - Theme.space1 - root.taken
        // Allow a line break at an underscore, since names have no spaces; but keep a number at the end attached.
        text: root.blockId.replace(/_(?!.{1,2}$)/g, "_\u200b")
        wrapMode: Text.Wrap
        maximumLineCount: 2
        elide: Text.ElideRight
        lineHeightMode: Text.FixedHeight
        lineHeight: root.lineStep
        size: root.nameSize
        font.weight: Font.DemiBold
        font.strikeout: root.struck
        color: root.ink
    }
    BlockText {
        id: kind

        objectName: "type:" + root.blockId
        x: name.x
        y: name.y + root.lineStep
        width: root.width - x - Theme.space2
        visible: root.typed
        text: root.title
        elide: Text.ElideRight
        size: Theme.sizeTiny * root.letters
        color: root.faint
    }
}
