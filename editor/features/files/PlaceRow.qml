import QtQuick
import Weir

/// Folder to go to, below the heading of its kind if it is the first.
Item {
    id: root

    required property FileChooser chooser
    required property string title
    required property string path
    required property bool bookmark
    required property string heading
    property bool focused: false

    function go() {
        chooser.goTo(path)
    }

    function forget() {
        if (bookmark)
            chooser.setBookmark(path, false)
    }

    height: body.y + body.height

    TinyText {
        height: Theme.smallControl
        visible: root.heading !== ""
        verticalAlignment: Text.AlignBottom
        text: root.heading
        font.weight: Font.Medium
    }
    Rectangle {
        id: body

        objectName: "filePlace:" + root.path
        y: root.heading === "" ? 0 : 28
        width: root.width
        height: Theme.row
        radius: Theme.radiusField
        color: root.path === root.chooser.folder ? Theme.selectedRow : hover.hovered ? Theme.alt : "transparent"
        Accessible.role: Accessible.Button
        Accessible.name: root.bookmark ? qsTr("%1, a bookmark").arg(root.title) : root.title
        Accessible.description: root.path
        Accessible.onPressAction: root.go()

        PlainText {
            x: 8
            width: parent.width - Theme.space4
            anchors.verticalCenter: parent.verticalCenter
            text: root.title
            elide: Text.ElideMiddle
        }
        FocusRing {
            anchors.margins: 1
            shown: root.focused
        }
        HoverHandler { id: hover }
        Hint {
            shown: hover.hovered
            text: root.path
        }
        TapHandler { onTapped: root.go() }
    }
}
