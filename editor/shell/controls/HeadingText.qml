import QtQuick

/// What a pane or a dialog is about.
PlainText {
    font.pixelSize: Theme.sizeHeading
    font.weight: Font.DemiBold
}
