import QtQuick
import Weir

/// Preview of the marked project: its flowgraph, title and description.
Item {
    id: root

    required property Editor editor
    required property string path

    Rectangle {
        id: frame
        width: parent.width
        height: 150
        radius: Theme.radiusField
        color: Theme.canvas
        border.color: Theme.line

        GraphPicture {
            id: picture

            objectName: "filePicture"
            anchors.fill: parent
            anchors.margins: 1
            session: root.editor
            path: root.path
            colors: Theme.canvasColors
        }
        NoteText {
            anchors.centerIn: parent
            width: parent.width - Theme.space6
            visible: !picture.shown
            horizontalAlignment: Text.AlignHCenter
            text: root.path === "" ? qsTr("Select a project to see its flowgraph.") : qsTr("This file contains no flowgraph.")
            color: Theme.text3
        }
    }
    PlainText {
        id: title
        y: frame.height + Theme.space3
        width: parent.width
        visible: picture.shown
        text: picture.title
        elide: Text.ElideRight
        font.weight: Font.DemiBold
    }
    NoteText {
        y: title.y + title.height + Theme.space1
        width: parent.width
        height: Math.max(0, parent.height - y)
        visible: picture.shown
        text: picture.description
        elide: Text.ElideRight
    }
}
