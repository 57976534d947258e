import QtQuick
import Weir

/// One side of a comparison: its letter in its colour, and a choice of runs.
Row {
    id: root

    required property string name
    required property color colour
    required property var choices
    required property int index

    signal chosen(index: int)

    spacing: Theme.space2
    height: Theme.barControl

    Rectangle {
        anchors.verticalCenter: parent.verticalCenter
        width: 22
        height: Theme.pill
        radius: Theme.radiusChip
        color: root.colour

        PlainText {
            anchors.centerIn: parent
            text: root.name
            font.weight: Font.DemiBold
            color: Theme.chipText
        }
    }
    ChoiceBox {
        objectName: "side" + root.name
        anchors.verticalCenter: parent.verticalCenter
        width: root.width - 28
        font.family: Theme.sans
        model: root.choices
        currentIndex: root.index
        onModelChanged: currentIndex = Qt.binding(() => root.index) // a new list resets it to its first entry
        Accessible.name: qsTr("Side %1").arg(root.name)
        onActivated: index => root.chosen(index)
    }
}
