import QtQuick

/// A text for who looks twice.
PlainText {
    font.pixelSize: Theme.sizeTiny
    color: Theme.text3
}
