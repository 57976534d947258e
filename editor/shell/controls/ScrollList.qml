import QtQuick
import QtQuick.Controls.Basic
import Weir

/// A list of rows that scrolls, as every list of the window does.
ListView {
    clip: true
    boundsBehavior: Flickable.StopAtBounds
    // Rows that are made ahead of their turn are cancelled, with a warning, when the model grows shorter meanwhile.
    cacheBuffer: 0
    Accessible.role: Accessible.List
    ScrollBar.vertical: SlimScrollBar {}
}
