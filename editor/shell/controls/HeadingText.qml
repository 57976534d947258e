import QtQuick

/// Heading of a pane or a dialog.
PlainText {
    font.pixelSize: Theme.sizeHeading
    font.weight: Font.DemiBold
}
