import QtQuick
import Weir

/// Fix for a run that was too short for one of its numbers.
SmallButton {
    required property Editor editor

    text: qsTr("Use more items")
    framed: true
    hint: qsTr("Go to the number of items of the block that ends the stream, or else of the run. Then run again.")
    onClicked: editor.problemGuide.goToItems()
}
