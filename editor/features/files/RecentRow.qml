import QtQuick
import Weir

/// Recently opened project.
Rectangle {
    id: root

    required property int index
    required property string path
    required property string name
    required property string folder
    required property bool missing

    signal chosen()

    objectName: "recent:" + index
    height: Theme.bar
    radius: Theme.radiusField
    color: ListView.isCurrentItem ? Theme.selectedRow : hover.hovered ? Theme.alt : "transparent"
    Accessible.role: Accessible.Button
    Accessible.name: missing ? qsTr("%1, missing").arg(name) : name
    Accessible.onPressAction: chosen()

    PlainText {
        x: 12
        y: 5
        width: parent.width - Theme.space5 - (lost.visible ? lost.width + Theme.space2 : 0)
        text: root.name
        elide: Text.ElideMiddle
        color: root.missing ? Theme.text3 : Theme.text
        font.weight: Font.DemiBold
        font.strikeout: root.missing
    }
    TinyText {
        x: 12
        y: 24
        width: parent.width - Theme.space5
        text: root.folder
        elide: Text.ElideMiddle
    }
    Pill {
        id: lost
        anchors.right: parent.right
        anchors.rightMargin: Theme.space3
        y: 6
        visible: root.missing
        text: qsTr("missing")
        foreground: Theme.warning
        background: Theme.warningBackground
    }
    HoverHandler { id: hover }
    TapHandler { onTapped: root.chosen() }
}
