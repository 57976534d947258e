import QtQuick
import Weir

/// Message of an empty page, with buttons below it.
Column {
    id: root

    required property string title
    property string text

    width: 440
    spacing: Theme.space3

    PlainText {
        width: parent.width
        horizontalAlignment: Text.AlignHCenter
        wrapMode: Text.Wrap
        text: root.title
        font.pixelSize: Theme.sizeTitle
        font.weight: Font.DemiBold
    }
    PlainText {
        width: parent.width
        visible: text !== ""
        horizontalAlignment: Text.AlignHCenter
        wrapMode: Text.Wrap
        text: root.text
        color: Theme.text2
    }
}
