import QtQuick
import QtQuick.Controls.Basic

/// A page that fills its room, and scrolls where it needs more.
Flickable {
    /// The height below which something would be cut.
    property real needed: 0

    contentWidth: width
    contentHeight: Math.max(height, needed)
    boundsBehavior: Flickable.StopAtBounds
    flickableDirection: Flickable.VerticalFlick
    clip: true
    ScrollBar.vertical: SlimScrollBar {}
}
