import QtQuick
import QtQuick.Controls.Basic
import Weir

/// An example to open.
AbstractButton {
    id: root

    required property Editor editor
    required property string title
    required property string description
    required property string path

    objectName: "example:" + title
    width: 260
    height: 196
    hoverEnabled: true
    Accessible.name: qsTr("Open the example %1").arg(title)
    Accessible.description: description
    Keys.onReturnPressed: clicked()
    Keys.onEnterPressed: clicked()
    onClicked: editor.welcome.openExample(path)

    background: Rectangle {
        radius: Theme.radiusNode
        color: Theme.node
        border.width: 1
        border.color: root.hovered ? Theme.text3 : Theme.nodeBorder

        FocusRing { shown: root.visualFocus }
    }
    contentItem: Item {
        GraphPicture {
            x: 1
            y: 1
            width: parent.width - 2
            height: 88
            session: root.editor
            path: visible ? root.path : "" // a page that nobody sees reads no file
            blockColor: Theme.node
            borderColor: Theme.nodeBorder
            wireColor: Theme.unknownType
            categoryColors: Theme.categoryColors
            typeColors: Theme.typeColors
        }
        Divider {
            y: 89
            width: parent.width
        }
        PlainText {
            x: 12
            y: 98
            width: parent.width - 24
            text: root.title
            font.weight: Font.DemiBold
            elide: Text.ElideRight
        }
        PlainText {
            x: 12
            y: 118
            width: parent.width - 24
            height: 66
            text: root.description
            font.pixelSize: Theme.sizeSmall
            wrapMode: Text.Wrap
            elide: Text.ElideRight
            color: Theme.text2
        }
    }
}
