import QtQuick

/// The name of a group of blocks, with their number. A click opens or closes the group.
Rectangle {
    id: root

    required property string group
    required property string title
    required property int count
    required property bool open
    required property bool current

    signal toggled()

    height: Theme.row
    radius: Theme.radiusField
    color: current ? Theme.selectedRow : hover.hovered ? Theme.alt : "transparent"
    Accessible.role: Accessible.Button
    Accessible.name: (open ? qsTr("%1, %n block(s), open", "", count) : qsTr("%1, %n block(s), closed", "", count)).arg(title)
    Accessible.onPressAction: toggled()

    Icon {
        x: 6
        anchors.verticalCenter: parent.verticalCenter
        name: root.open ? "chevron_down" : "chevron_right"
        color: Theme.text3
    }
    PlainText {
        x: 28
        anchors.verticalCenter: parent.verticalCenter
        width: number.x - x - Theme.space1
        elide: Text.ElideRight
        text: root.title
        font.pixelSize: Theme.sizeTiny
        font.weight: Font.DemiBold
        color: Theme.text3
    }
    PlainText {
        id: number

        anchors.right: parent.right
        anchors.rightMargin: Theme.space3
        anchors.verticalCenter: parent.verticalCenter
        text: root.count
        font.pixelSize: Theme.sizeTiny
        color: Theme.text3
    }
    HoverHandler { id: hover }
    TapHandler { onTapped: root.toggled() }
}
