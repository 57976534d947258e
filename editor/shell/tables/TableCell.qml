import QtQuick

PlainText {
    property bool number: true

    y: 5
    elide: Text.ElideRight
    horizontalAlignment: number ? Text.AlignRight : Text.AlignLeft
    font.family: number ? Theme.mono : Theme.sans
    font.pixelSize: Theme.sizeSmall
}
