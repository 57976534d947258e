pragma ComponentBehavior: Bound

import QtQuick

Row {
    id: root

    property var labels: []
    property int current: 0
    /// Available width: if labels are long, first the gaps shrink, then the font, then labels are elided.
    property real room: Infinity
    property int gap: Theme.space5
    /// True if the current tab is marked: false while its content is hidden.
    property bool marked: true
    property int tabHeight: Theme.barControl

    /// Width with the usual font and gaps.
    readonly property real natural: Math.ceil(metrics.advanceWidth(labels.join(""))) + labels.length + (labels.length - 1) * gap
    readonly property bool narrow: metrics.advanceWidth(labels.join("")) + (labels.length - 1) * Theme.space3 > room
    readonly property real wanted: {
        let sum = 0
        for (let index = 0; index < children.length; ++index)
            sum += children[index]["wanted"] ?? 0
        return sum
    }

    signal chosen(int index)

    /// Chooses a tab by key, and gives it the focus.
    function walk(index: int) {
        const to = Math.max(0, Math.min(labels.length - 1, index))
        if (to !== current)
            chosen(to)
        tabs.itemAt(current)?.forceActiveFocus(Qt.TabFocusReason)
    }

    spacing: Math.max(Theme.space2, Math.min(gap, (room - wanted) / Math.max(1, labels.length - 1)))
    height: tabHeight

    FontMetrics {
        id: metrics
        font.family: Theme.sans
        font.pixelSize: Theme.sizeBody
        font.weight: Font.DemiBold
    }
    Repeater {
        id: tabs

        model: root.labels.length // an integer: a changed label, such as a count, keeps the delegate and its focus

        Item {
            id: tab

            required property int index

            readonly property string title: root.labels[index] ?? ""
            readonly property bool active: root.marked && index === root.current
            /// Width of the tab as the current one, so that choosing a tab moves nothing.
            readonly property real wanted: Math.ceil(widest.advanceWidth)

            objectName: "tab:" + title.split(" ")[0]
            width: Math.min(wanted, Math.floor(wanted * (root.room - root.spacing * (root.labels.length - 1)) / root.wanted))
            height: root.tabHeight
            activeFocusOnTab: index === root.current || activeFocus
            Accessible.role: Accessible.PageTab
            Accessible.name: title
            Accessible.onPressAction: root.chosen(index)
            Keys.onSpacePressed: root.chosen(index)
            Keys.onReturnPressed: root.chosen(index)
            Keys.onLeftPressed: root.walk(index - 1)
            Keys.onRightPressed: root.walk(index + 1)
            Keys.onPressed: event => {
                event.accepted = event.key === Qt.Key_Home || event.key === Qt.Key_End
                if (event.accepted)
                    root.walk(event.key === Qt.Key_Home ? 0 : root.labels.length - 1)
            }

            TextMetrics {
                id: widest
                text: tab.title
                font.family: Theme.sans
                font.pixelSize: label.font.pixelSize
                font.weight: Font.DemiBold
            }
            PlainText {
                id: label
                anchors.verticalCenter: parent.verticalCenter
                width: parent.width
                elide: Text.ElideRight
                text: tab.title
                font.pixelSize: root.narrow ? Theme.sizeSmall : Theme.sizeBody
                font.weight: tab.active ? Font.DemiBold : Font.Medium
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
            Hint {
                shown: label.truncated && hover.hovered
                text: tab.title
            }
            HoverHandler { id: hover }
            TapHandler { onTapped: root.chosen(tab.index) }
        }
    }
}
