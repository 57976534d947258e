import QtQuick

/// Smallest text, for labels and asides.
PlainText {
    font.pixelSize: Theme.sizeTiny
    color: Theme.text3
}
