import QtQuick
import QtQuick.Controls.Basic
import Weir

/// Card of an example, which opens it.
AbstractButton {
    id: root

    required property Editor editor
    required property string title
    required property string description
    required property string path

    readonly property int pictureHeight: 108

    objectName: "example:" + title
    width: 260
    height: implicitContentHeight
    Accessible.name: qsTr("Open the example %1").arg(title)
    Accessible.description: description
    Keys.onReturnPressed: clicked()
    Keys.onEnterPressed: clicked()
    onClicked: editor.welcome.openExample(path)

    /// A pointer that rests where the window opens selects nothing.
    HoverHandler {
        id: pointer

        property point came
        readonly property bool moved: hovered && point.position !== came

        onHoveredChanged: came = point.position
    }

    background: Rectangle {
        radius: Theme.radiusNode
        color: Theme.node
        border.width: pointer.moved ? Theme.strokeStrong : Theme.stroke
        border.color: pointer.moved ? Theme.accent : Theme.line

        FocusRing { shown: root.visualFocus }
    }
    contentItem: Item {
        implicitHeight: childrenRect.y + childrenRect.height + Theme.space3

        Rectangle {
            x: Theme.strokeStrong
            y: Theme.strokeStrong
            width: parent.width - 2 * x
            height: root.pictureHeight - y
            radius: Theme.radiusNode - x
            color: Theme.canvas

            GraphPicture {
                anchors.fill: parent
                anchors.margins: Theme.space1
                session: root.editor
                path: visible ? root.path : "" // do not read the file for a hidden page
                colors: Theme.canvasColors
            }
        }
        Column {
            x: Theme.space3
            y: root.pictureHeight + Theme.space3
            width: parent.width - 2 * x
            spacing: Theme.space1

            PlainText {
                width: parent.width
                text: root.title
                font.weight: Font.DemiBold
                elide: Text.ElideRight
            }
            PlainText {
                width: parent.width
                // Same height in every card.
                height: 2 * Theme.lineSmall
                text: root.description
                font.pixelSize: Theme.sizeSmall
                wrapMode: Text.Wrap
                elide: Text.ElideRight
                color: Theme.text2
            }
        }
    }
}
