pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Instances of a stack, shown over the stack; read-only.
Rectangle {
    id: root

    required property Unfolding unfolding
    required property GraphView view

    readonly property int cellWidth: 104
    readonly property int cellHeight: 40
    readonly property int gap: 16

    objectName: "unfolded"
    visible: unfolding.open
    // Keep it fully in view if it fits: the stack may be at the edge.
    x: Math.max(Theme.space2, Math.min(Math.round(unfolding.place.x * view.zoom + view.offsetX) - Theme.space2, parent.width - width - Theme.space2))
    y: Math.max(Theme.space2, Math.min(Math.round(unfolding.place.y * view.zoom + view.offsetY) - Theme.space2, parent.height - height - Theme.space2))
    width: Math.max(grid.width, caption.implicitWidth + 60) + Theme.space5
    height: grid.y + grid.height + (more.visible ? 28 : 12)
    radius: Theme.radiusNode + Theme.strokeStrong
    color: Theme.pane
    border.color: Theme.accent
    Accessible.role: Accessible.Pane
    Accessible.name: qsTr("Instances of %1").arg(unfolding.title)

    PlainText {
        id: caption

        x: 12
        y: 10
        text: root.unfolding.waiting ? qsTr("%1 — loading the instances…").arg(root.unfolding.title)
                                     : qsTr("%1 · as planned").arg(root.unfolding.title)
        font.pixelSize: Theme.sizeSmall
        font.weight: Font.DemiBold
    }
    PushButton {
        objectName: "foldStack"
        anchors.right: parent.right
        anchors.rightMargin: Theme.space2
        y: 5
        implicitWidth: 26
        implicitHeight: Theme.tableRow
        icon.name: "chevron_up"
        hint: qsTr("Fold (Esc)")
        onClicked: root.unfolding.fold()
    }
    Item {
        id: grid

        x: 12
        y: 38
        width: Math.max(root.unfolding.columns * (root.cellWidth + root.gap) - root.gap, 0)
        height: Math.max(root.unfolding.rows * (root.cellHeight + Theme.space2) - Theme.space2, 0)

        Repeater {
            model: root.unfolding.instances

            Rectangle {
                id: cell

                required property string name
                required property string worker
                required property int row
                required property int column
                required property bool firstInRow

                objectName: "instance:" + name
                x: column * (root.cellWidth + root.gap)
                y: row * (root.cellHeight + Theme.space2)
                width: root.cellWidth
                height: root.cellHeight
                radius: Theme.radiusButton
                color: Theme.node
                border.color: Theme.nodeBorder
                Accessible.role: Accessible.StaticText
                Accessible.name: worker === "" ? name : qsTr("%1 on %2").arg(name).arg(worker)

                Rectangle {
                    x: -root.gap
                    y: parent.height / 2 - 1
                    width: root.gap
                    height: Theme.strokeStrong
                    visible: !cell.firstInRow
                    color: Theme.unknownType
                }
                PlainText {
                    x: 8
                    y: cell.worker === "" ? (parent.height - height) / 2 : Theme.space1
                    width: parent.width - Theme.space4
                    elide: Text.ElideMiddle
                    text: cell.name
                    font.family: Theme.mono
                    font.pixelSize: Theme.sizeSmall
                }
                PlainText {
                    x: 8
                    y: 22
                    width: parent.width - Theme.space4
                    elide: Text.ElideRight
                    text: cell.worker
                    font.pixelSize: Theme.sizeTiny
                    color: Theme.text3
                }
            }
        }
    }
    PlainText {
        id: more

        x: 12
        y: grid.y + grid.height + 6
        visible: root.unfolding.hidden > 0
        text: qsTr("and %n more", "", root.unfolding.hidden)
        font.pixelSize: Theme.sizeSmall
        color: Theme.text3
    }
}
