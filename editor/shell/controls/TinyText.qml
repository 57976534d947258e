import QtQuick

/// The smallest text: labels and asides.
PlainText {
    font.pixelSize: Theme.sizeTiny
    color: Theme.text3
}
