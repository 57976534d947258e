import QtQuick

/// Text on the canvas, never too small to read.
Text {
    property real size: Theme.sizeTiny

    textFormat: Text.PlainText
    font.family: Theme.sans
    font.pixelSize: Math.max(Theme.sizeTiny, Math.round(size))
    color: Theme.text2
}
