pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Row of a DataTable.
Rectangle {
    id: root

    required property var table ///< the DataTable, whose type would be a circular reference
    required property bool current
    required property int index
    required property var cells
    required property var hints
    required property string block
    required property real share
    required property int heat
    required property string tone

    readonly property bool marked: block !== "" && table.highlighted === block

    objectName: "row:" + (cells[0] ?? index)
    width: ListView.view.width
    height: table.rowHeight
    color: current || marked ? Theme.selectedRow : hover.hovered ? Theme.alt : "transparent"
    Accessible.role: Accessible.Row
    Accessible.name: cells.join(", ")
    Accessible.description: Array.from(hints).filter(hint => hint !== "").join(" ")
    Accessible.onPressAction: if (block !== "") table.blockChosen(block)

    Repeater {
        model: root.cells

        Item {
            id: cell

            required property string modelData
            required property int index

            // A table can get other columns before its old cells are deleted.
            readonly property var column: root.table?.columns[index] ?? ({ width: 0, number: false, bar: false })
            readonly property bool known: root.table !== undefined && root.table !== null
                && index < root.table.columns.length
            readonly property bool bar: column.bar && root.share >= 0

            /// Hint of a cell: why it is empty, the meaning of its number, or a cut text in full.
            readonly property string hint: root.hints[index] || (words.truncated ? modelData : "")

            objectName: "cell:" + index
            x: known ? root.table.placeOf(index) : 0
            width: known ? root.table.widthOf(index) : 0
            height: root.height

            Rectangle {
                y: (parent.height - height) / 2
                width: parent.width - 56
                height: Theme.space2
                radius: height / 2
                visible: cell.bar
                color: Theme.line

                Rectangle {
                    readonly property bool pale: root.heat >= 0 && root.heat < 2

                    width: Math.max(Math.round(parent.width * root.share), root.share > 0 ? 2 : 0)
                    height: parent.height
                    radius: Math.min(height, width) / 2
                    color: root.heat < 0 ? Theme.fillLines[3] : Theme.heatFills[root.heat]
                    border.width: pale ? Theme.stroke : 0
                    border.color: Theme.control
                }
            }
            PlainText {
                id: words

                anchors.fill: parent
                verticalAlignment: Text.AlignVCenter
                horizontalAlignment: cell.column.number ? Text.AlignRight : Text.AlignLeft
                text: cell.modelData
                elide: Text.ElideRight
                font.family: cell.column.number ? Theme.mono : Theme.sans
                font.pixelSize: Theme.sizeSmall
                font.weight: cell.index === 0 && root.block !== "" ? Font.Medium : Font.Normal
                color: root.tone === "error" ? Theme.error : root.tone === "warning" ? Theme.warning
                     : cell.modelData === "—" ? Theme.text3 : Theme.text
            }
            Repeater {
                model: cell.hint === "" ? 0 : 1

                Item {
                    anchors.fill: parent

                    HoverHandler { id: overReason }
                    Hint {
                        objectName: "hint"
                        shown: overReason.hovered
                        text: cell.hint
                    }
                }
            }
        }
    }
    HoverHandler {
        id: hover
        onHoveredChanged: root.table.blockHovered(hovered ? root.block : "")
    }
    TapHandler { onTapped: if (root.block !== "") root.table.blockChosen(root.block) }
}
