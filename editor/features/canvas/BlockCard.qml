pragma ComponentBehavior: Bound

import QtQuick

/// Body of a block: its state and the pointer decide shadow, border and header. The copies of a stack are behind it.
Item {
    id: root

    required property real zoom
    required property int headerHeight
    required property color fill
    required property color header
    required property color edge
    required property int edgeWidth
    required property bool raised ///< casts a shadow
    required property bool lifted ///< under the pointer
    required property bool selected
    required property bool stacked

    /// Whole pixels, as all layout depends on it: text must not blur at fractional zooms.
    readonly property int radius: Math.round(Theme.radiusNode * Math.min(1, zoom))

    Repeater {
        model: root.stacked ? 2 : 0

        Rectangle {
            required property int index

            x: (Theme.space0 - index) * Theme.copyOffset * root.zoom
            y: (index - Theme.space0) * Theme.copyOffset * root.zoom
            width: root.width
            height: root.height
            radius: root.radius
            color: root.fill
            border.color: root.edge
        }
    }
    Rectangle {
        anchors.fill: parent
        anchors.topMargin: Theme.space0
        anchors.leftMargin: -1
        anchors.rightMargin: -1
        anchors.bottomMargin: -(root.lifted ? Theme.mark : Theme.space1)
        visible: root.raised
        radius: root.radius + Theme.strokeStrong
        color: Theme.shadow
    }
    Rectangle {
        anchors.fill: parent
        anchors.margins: -(Theme.ringWidth + 1)
        visible: root.selected
        radius: root.radius + Theme.ringWidth + 1
        color: "transparent"
        border.width: Theme.ringWidth
        border.color: Theme.accent
    }
    Rectangle {
        anchors.fill: parent
        radius: root.radius
        color: root.fill
        border.width: root.edgeWidth
        border.color: root.edge
    }
    Rectangle {
        x: Math.max(1, root.edgeWidth)
        y: x
        width: root.width - 2 * x
        height: root.headerHeight - y
        radius: Math.max(0, root.radius - x)
        color: root.header

        Rectangle {
            y: parent.height - height
            width: parent.width
            height: parent.radius
            color: parent.color
        }
    }
}
