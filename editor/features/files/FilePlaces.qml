pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Folders to go to. Enter goes there, Del takes a bookmark away.
ScrollList {
    id: root

    required property FileChooser chooser

    objectName: "filePlaces"
    model: chooser.places
    currentIndex: -1
    activeFocusOnTab: true
    Accessible.name: qsTr("Places")
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
