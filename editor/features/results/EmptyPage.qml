import QtQuick
import Weir

/// What a page says that has nothing to show yet; below that stands what can be done about it.
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
