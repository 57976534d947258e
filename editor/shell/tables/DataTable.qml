pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

/// Table that a click on a header sorts. A click on a row about a block shows the block.
Item {
    id: root

    /// A TableModel, whose type qmllint does not know.
    required property var table
    property string caption
    /// Block under the pointer on the canvas or in another table.
    property string highlighted

    signal blockChosen(block: string)
    signal blockHovered(block: string)

    readonly property var columns: table.columns
    readonly property real minimum: columns.reduce((sum, column) => sum + column.width + gap, 2 * Theme.space4 - gap)
    readonly property real content: Math.max(width, minimum)
    readonly property int gap: Theme.space2
    readonly property int rowHeight: Theme.tableRow
    readonly property int sortMark: 14
    readonly property int step: 80 ///< pixels that an arrow key scrolls a table wider than its room

    function widthOf(index: int): real {
        return (columns[index]?.width ?? 0) + (index === stretched ? content - minimum : 0)
    }
    /// Return the left edge of a column.
    function placeOf(index: int): real {
        let x = Theme.space4
        for (let before = 0; before < index; ++before)
            x += widthOf(before) + gap
        return x
    }
    function scrollBy(pixels: int) {
        wide.contentX = Math.max(0, Math.min(wide.contentX + pixels, content - width))
    }
    /// Column that takes the remaining width: the last one if it has text and the table has fewer than five columns,
    /// else the first.
    readonly property int stretched: columns.length > 0 && !columns[columns.length - 1].number && columns.length < 5
                                     ? columns.length - 1 : 0

    Accessible.role: Accessible.Table
    Accessible.name: caption

    Flickable {
        id: wide

        objectName: "wideTable"
        anchors.fill: parent
        contentWidth: root.content
        contentHeight: height
        boundsBehavior: Flickable.StopAtBounds
        flickableDirection: Flickable.HorizontalFlick
        clip: true
        visible: root.table.count > 0
        ScrollBar.horizontal: SlimScrollBar {}

        Repeater {
            model: root.columns

            Item {
                id: header

                required property var modelData
                required property int index

                readonly property bool sorted: root.table.sortColumn === index

                objectName: "header:" + modelData.title
                x: root.placeOf(index)
                width: root.widthOf(index)
                height: Theme.smallControl
                activeFocusOnTab: true
                Accessible.role: Accessible.ColumnHeader
                Accessible.name: modelData.unit === "" ? modelData.title : modelData.title + ", " + modelData.unit
                Accessible.description: modelData.hint
                Accessible.onPressAction: root.table.sortBy(index)
                Keys.onSpacePressed: root.table.sortBy(index)
                Keys.onReturnPressed: root.table.sortBy(index)

                Icon {
                    x: header.modelData.number ? header.width - width
                                               : Math.min(caption.implicitWidth, header.width - width)
                    anchors.verticalCenter: parent.verticalCenter
                    visible: header.sorted
                    name: root.table.descending ? "chevron_down" : "chevron_up"
                    size: root.sortMark
                    color: Theme.text
                }
                PlainText {
                    id: caption

                    width: parent.width - (header.sorted ? root.sortMark : 0)
                    height: parent.height
                    verticalAlignment: Text.AlignVCenter
                    horizontalAlignment: header.modelData.number ? Text.AlignRight : Text.AlignLeft
                    text: (header.modelData.unit === "" ? header.modelData.title
                                                        : header.modelData.title + " (" + header.modelData.unit + ")")
                    elide: Text.ElideRight
                    font.pixelSize: Theme.sizeTiny
                    font.weight: header.sorted ? Font.DemiBold : Font.Medium
                    color: header.sorted || over.hovered ? Theme.text : Theme.text3
                }
                FocusRing {
                    anchors.margins: 0
                    shown: header.activeFocus
                }
                Hint {
                    shown: over.hovered
                    text: header.modelData.hint === "" && caption.truncated ? caption.text : header.modelData.hint
                }
                HoverHandler { id: over }
                TapHandler { onTapped: root.table.sortBy(header.index) }
            }
        }
        Divider {
            y: Theme.smallControl
            width: parent.width
        }
        ScrollList {
            id: rows

            y: Theme.smallControl + Theme.stroke
            width: root.content
            readonly property real room: root.height - y - (remark.visible ? remark.height + 14 : 0)

            // Whole rows: half a row looks like an error.
            height: Math.floor(room / root.rowHeight) * root.rowHeight
            model: root.table
            activeFocusOnTab: true
            keyNavigationEnabled: true
            currentIndex: -1
            Keys.onReturnPressed: if (currentItem) root.blockChosen((currentItem as DataRow).block)
            Keys.onLeftPressed: root.scrollBy(-root.step)
            Keys.onRightPressed: root.scrollBy(root.step)
            // At the visible edge of a table wider than its room.
            ScrollBar.vertical: SlimScrollBar {
                objectName: "tableBar"
                parent: root
                x: root.width - width
                y: rows.y
                height: rows.height
            }

            delegate: DataRow {
                table: root
                current: ListView.isCurrentItem && rows.activeFocus
            }
        }
    }
    PlainText {
        id: remark

        x: Theme.space4
        y: root.table.count > 0 ? root.height - height - Theme.space2 : Theme.space3
        width: Math.min(root.width - Theme.space6, 720)
        visible: text !== ""
        wrapMode: Text.Wrap
        text: root.table.count > 0 && root.table.columns.length < 5 ? "" : root.table.remark
        font.pixelSize: Theme.sizeSmall
        color: Theme.text3
    }
}
