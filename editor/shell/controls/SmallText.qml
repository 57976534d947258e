import QtQuick

/// A text that is read after what it stands beside.
PlainText {
    font.pixelSize: Theme.sizeSmall
    color: Theme.text2
}
