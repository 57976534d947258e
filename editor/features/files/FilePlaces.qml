pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Folders to go to. Enter opens a folder, Del removes a bookmark.
ScrollList {
    id: root

    required property FileChooser chooser

    objectName: "filePlaces"
    model: chooser.places
    currentIndex: -1
    ringed: false // each place draws its own ring, below the heading
    activeFocusOnTab: true
    Accessible.name: qsTr("Places")
    Keys.onReturnPressed: if (currentItem) (currentItem as PlaceRow).go()
    Keys.onEnterPressed: if (currentItem) (currentItem as PlaceRow).go()
    Keys.onDeletePressed: if (currentItem) (currentItem as PlaceRow).forget()

    delegate: PlaceRow {
        width: root.width
        chooser: root.chooser
        focused: root.activeFocus && ListView.isCurrentItem
    }
}
