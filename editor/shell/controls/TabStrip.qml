pragma ComponentBehavior: Bound

import QtQuick

Row {
    id: root

    property var labels: []
    property int current: 0
    /// Whether the current one is marked: not while nothing of it is seen.
    property bool marked: true

    signal chosen(int index)

    spacing: 24
    height: 32

    Repeater {
        model: root.labels

        Item {
            id: tab

            required property string modelData
            required property int index

            readonly property bool active: root.marked && index === root.current

            objectName: "tab:" + modelData.split(" ")[0]
            width: label.implicitWidth
            height: 32
            activeFocusOnTab: true
            Accessible.role: Accessible.PageTab
            Accessible.name: modelData
            Accessible.onPressAction: root.chosen(index)
            Keys.onSpacePressed: root.chosen(index)
            Keys.onReturnPressed: root.chosen(index)

            PlainText {
                id: label
                y: 7
                text: tab.modelData
                font.weight: Font.DemiBold
                color: tab.active ? Theme.text : hover.hovered ? Theme.text : Theme.text2
            }
            Rectangle {
                y: 30
                width: parent.width
                height: 2
                visible: tab.active
                color: Theme.accent
            }
            FocusRing { shown: tab.activeFocus }
            HoverHandler { id: hover }
            TapHandler { onTapped: root.chosen(tab.index) }
        }
    }
}
