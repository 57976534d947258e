pragma ComponentBehavior: Bound

import QtQuick

/// Captions of a table: `columns` is a list of {caption, x, width, right, hint}.
Item {
    id: root

    required property var columns

    implicitHeight: Theme.smallControl

    Repeater {
        model: root.columns

        PlainText {
            id: title

            required property var modelData

            x: modelData.x
            height: parent.height
            visible: width > 0
            verticalAlignment: Text.AlignVCenter
            width: modelData.width
            horizontalAlignment: modelData.right ? Text.AlignRight : Text.AlignLeft
            text: modelData.caption
            elide: Text.ElideRight
            font.pixelSize: Theme.sizeTiny
            font.weight: Font.Medium
            color: Theme.text3

            HoverHandler { id: over }
            Hint {
                objectName: "hint"
                shown: over.hovered
                text: title.modelData.hint ?? ""
            }
        }
    }
}
