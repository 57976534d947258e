pragma ComponentBehavior: Bound

import QtQuick

Row {
    id: root

    property var labels: []
    property int current: 0
    /// Whether the current one is marked: not while nothing of it is seen.
    property bool marked: true
    /// For all of it: where letters of the usual size do not fit, they are smaller.
    property real room: Infinity
    readonly property bool narrow: metrics.advanceWidth(labels.join("")) + (labels.length - 1) * Theme.space3 > room

    signal chosen(int index)

    spacing: Theme.space5
    height: Theme.barControl

    FontMetrics {
        id: metrics
        font.family: Theme.sans
        font.pixelSize: Theme.sizeBody
        font.weight: Font.DemiBold
    }
    Repeater {
        model: root.labels

        Item {
            id: tab

            required property string modelData
            required property int index

            readonly property bool active: root.marked && index === root.current

            objectName: "tab:" + modelData.split(" ")[0]
            width: label.implicitWidth
            height: Theme.barControl
            activeFocusOnTab: true
            Accessible.role: Accessible.PageTab
            Accessible.name: modelData
            Accessible.onPressAction: root.chosen(index)
            Keys.onSpacePressed: root.chosen(index)
            Keys.onReturnPressed: root.chosen(index)

            PlainText {
                id: label
                anchors.verticalCenter: parent.verticalCenter
                text: tab.modelData
                font.pixelSize: root.narrow ? Theme.sizeSmall : Theme.sizeBody
                font.weight: Font.DemiBold
                color: tab.active ? Theme.text : hover.hovered ? Theme.text : Theme.text2
            }
            Rectangle {
                anchors.bottom: parent.bottom
                width: parent.width
                height: Theme.strokeStrong
                visible: tab.active
                color: Theme.accent
            }
            FocusRing { shown: tab.activeFocus }
            HoverHandler { id: hover }
            TapHandler { onTapped: root.chosen(tab.index) }
        }
    }
}
