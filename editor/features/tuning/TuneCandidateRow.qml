import QtQuick
import Weir

/// A measured deployment: its settings on the left, its results on the right.
Rectangle {
    id: root

    required property int index
    required property string name
    required property string scheduler
    required property string placement
    required property string sizes
    required property string measured
    required property string predicted
    required property string p99
    required property string best
    required property bool front
    required property string own
    required property bool chosen

    signal pressed()

    objectName: "tuned:" + name
    height: Math.max(left.height, right.height) + Theme.space3
    color: chosen ? Theme.selectedRow : hover.hovered ? Theme.alt : "transparent"
    Accessible.role: Accessible.ListItem
    Accessible.name: Array.of(name, best, measured, predicted, p99, scheduler, placement, sizes).filter(word => word !== "").join(", ")
    Accessible.selected: chosen
    Accessible.onPressAction: pressed()

    Column {
        id: left

        x: Theme.space4
        y: Theme.space2
        width: parent.width - right.width - Theme.space6 - Theme.space2
        spacing: Theme.space0

        ElidedText {
            width: parent.width
            text: root.own === "" ? root.name : qsTr("%1, of the project").arg(root.own)
            font.pixelSize: Theme.sizeSmall
            font.weight: Font.DemiBold
        }
        ElidedText {
            width: parent.width
            text: root.scheduler
            font.pixelSize: Theme.sizeTiny
            color: Theme.text2
        }
        ElidedText {
            width: parent.width
            text: root.sizes === "" ? root.placement : qsTr("%1 · %2").arg(root.placement).arg(root.sizes)
            font.pixelSize: Theme.sizeTiny
            color: Theme.text2
        }
        ElidedText {
            width: parent.width
            visible: text !== ""
            text: root.best
            font.pixelSize: Theme.sizeTiny
            font.weight: root.front ? Font.DemiBold : Font.Normal
            color: root.front ? Theme.ok : Theme.text3
        }
    }
    Column {
        id: right

        anchors.right: parent.right
        anchors.rightMargin: Theme.space4
        y: Theme.space2
        spacing: Theme.space0

        PlainText {
            anchors.right: parent.right
            text: root.measured
            font.pixelSize: Theme.sizeSmall
            font.weight: Font.DemiBold
        }
        TinyText {
            anchors.right: parent.right
            text: root.predicted
            color: Theme.text2
        }
        TinyText {
            anchors.right: parent.right
            text: root.p99
            color: Theme.text2
        }
    }
    HoverHandler { id: hover }
    TapHandler { onTapped: root.pressed() }
}
