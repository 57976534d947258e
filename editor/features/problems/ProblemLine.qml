import QtQuick

/// Problem in the inspector; a click leads to its place.
Rectangle {
    id: root

    required property int index
    required property string severity
    required property string message
    required property string place

    signal activated()

    objectName: "problemLine:" + index
    height: visible ? words.height + Theme.space3 : 0
    radius: Theme.radiusField
    color: hover.hovered ? Theme.alt : "transparent"
    activeFocusOnTab: true
    Accessible.role: Accessible.Link
    Accessible.name: qsTr("%1 at %2: %3").arg(Theme.severityName(severity)).arg(place).arg(message)
    Accessible.onPressAction: activated()
    Keys.onReturnPressed: activated()
    Keys.onSpacePressed: activated()

    Rectangle {
        x: 2
        y: 11
        width: Theme.space2
        height: Theme.space2
        radius: root.severity === "error" ? height / 2 : Theme.stroke
        color: Theme.severityColor(root.severity)
    }
    PlainText {
        id: words

        x: 18
        y: 6
        width: parent.width - x - Theme.space1
        text: root.place === "" ? root.message : root.place + ": " + root.message
        wrapMode: Text.Wrap
        maximumLineCount: 3
        elide: Text.ElideRight
        font.pixelSize: Theme.sizeSmall
    }
    FocusRing { shown: root.activeFocus }
    HoverHandler {
        id: hover
        cursorShape: Qt.PointingHandCursor
    }
    TapHandler { onTapped: root.activated() }
}
