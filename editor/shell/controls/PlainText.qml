import QtQuick

Text {
    color: Theme.text
    font.family: Theme.sans
    font.pixelSize: Theme.sizeBody
    renderType: Text.NativeRendering
    textFormat: Text.PlainText
}
