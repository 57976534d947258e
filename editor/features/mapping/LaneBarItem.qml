import QtQuick
import Weir

/// A block, or its copies, on its worker.
Rectangle {
    id: root

    required property string title
    required property string block
    required property string type
    required property string category
    required property string worker
    required property int colour
    required property real share
    required property bool ghost
    required property bool selected
    required property real times ///< firings per call; 0: no schedule
    required property int call
    required property string text
    required property rect rect
    property bool lifted: false
    property bool stale: false

    objectName: (ghost ? "ghost:" : "bar:") + title.replace(/ /g, "")

    readonly property real nameEnd: percent.visible ? percent.x - Theme.space2 : width - Theme.space2

    x: rect.x
    y: rect.y
    width: rect.width
    height: rect.height
    radius: Theme.radiusButton
    color: ghost ? "transparent" : selected ? Theme.selectedRow : Theme.node
    border.width: ghost ? 0 : 1
    border.color: selected ? Theme.accent : Theme.nodeBorder
    opacity: lifted ? 0.4 : 1
    Accessible.role: Accessible.ListItem
    Accessible.name: ghost ? qsTr("%1 was here").arg(title) : qsTr("%1 on %2").arg(title).arg(worker)
    Accessible.description: text.replace(/\n/g, ", ")
    Accessible.selected: selected

    DashedFrame {
        anchors.fill: parent
        visible: root.ghost
        color: Theme.control
        radius: root.radius
        lineWidth: 1
    }
    Rectangle {
        anchors.fill: parent
        anchors.margins: -Theme.ringWidth
        visible: root.selected
        radius: root.radius + Theme.ringWidth
        color: "transparent"
        border.width: Theme.strokeStrong
        border.color: Theme.accent
    }
    CategoryChip {
        x: 6
        y: 5
        width: 18
        height: 18
        category: root.category
        type: root.type
        opacity: root.ghost ? 0.5 : 1
    }
    SmallText {
        id: name

        x: 30
        width: Math.min(implicitWidth, root.nameEnd - x - (firings.visible ? firings.implicitWidth + Theme.space2 : 0))
        anchors.verticalCenter: parent.verticalCenter
        text: root.title
        elide: Text.ElideMiddle
        font.weight: Font.DemiBold
        color: root.ghost ? Theme.text3 : Theme.text
    }
    TinyText {
        id: firings

        x: name.x + name.width + Theme.space2
        anchors.verticalCenter: parent.verticalCenter
        objectName: "times:" + root.title.replace(/ /g, "")
        visible: root.times > 0
        text: qsTr("× %1").arg(root.times)
        font.family: Theme.mono
        color: Theme.text2
    }
    HoverHandler { id: over }
    Hint {
        shown: over.hovered && name.truncated && root.text === "" // otherwise the lanes show it with the call
        text: root.title
    }
    TinyText {
        id: percent

        anchors.right: parent.right
        anchors.rightMargin: Theme.space2
        anchors.verticalCenter: parent.verticalCenter
        visible: root.share >= 0 && root.width >= 100
        text: qsTr("%1 %").arg((root.share * 100).toFixed(root.share < 0.1 ? 1 : 0))
        font.family: Theme.mono
        color: root.stale ? Theme.text3 : Theme.text2
    }
}
