pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

/// Folders to go to. Enter goes there, Del takes a bookmark away.
ListView {
    id: root

    required property FileChooser chooser

    objectName: "filePlaces"
    clip: true
    model: chooser.places
    currentIndex: -1
    boundsBehavior: Flickable.StopAtBounds
    activeFocusOnTab: true
    Accessible.role: Accessible.List
    Accessible.name: qsTr("Places")
    ScrollBar.vertical: SlimScrollBar {}
    onActiveFocusChanged: if (activeFocus && currentIndex < 0) currentIndex = 0
    Keys.onReturnPressed: if (currentItem) (currentItem as PlaceRow).go()
    Keys.onEnterPressed: if (currentItem) (currentItem as PlaceRow).go()
    Keys.onDeletePressed: if (currentItem) (currentItem as PlaceRow).forget()

    delegate: PlaceRow {
        width: root.width
        chooser: root.chooser
        focused: root.activeFocus && ListView.isCurrentItem
    }
}
