pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Recently opened projects.
PanePopup {
    id: root

    required property DocumentFiles files

    objectName: "recentFiles"
    width: 520
    height: Math.min(list.y + Math.max(list.contentHeight, 40) + Theme.space2, 480)
    padding: 0
    onAboutToShow: {
        files.recent.refresh()
        field.text = ""
        // Skip the project that is already open.
        list.currentIndex = Math.max(0, files.nextRecent())
        field.forceActiveFocus()
    }

    function chooseCurrent() {
        const row = list.currentItem as RecentRow
        if (row)
            choose(row.path, row.missing)
    }

    function choose(path: string, missing: bool) {
        if (missing)
            return
        close()
        files.open(path)
    }

    PlainText {
        x: 16
        y: 14
        text: qsTr("Recent projects")
        font.weight: Font.DemiBold
    }
    PushButton {
        objectName: "recentClear"
        anchors.right: parent.right
        anchors.rightMargin: Theme.space2
        y: 8
        implicitHeight: Theme.fieldControl
        visible: root.files.recent.count > 0
        text: qsTr("Clear the list")
        onClicked: root.files.recent.clear()
    }
    RecentFilter {
        id: filter
        sourceModel: root.files.recent
        typed: field.text
    }
    TextBox {
        id: field

        objectName: "recentFilter"
        x: 12
        y: 44
        width: parent.width - Theme.space5
        visible: root.files.recent.count > 0
        font.family: Theme.sans
        placeholderText: qsTr("Name or folder")
        Accessible.name: placeholderText
        onTextEdited: list.currentIndex = 0
        onAccepted: root.chooseCurrent()
        Keys.onDownPressed: list.incrementCurrentIndex()
        Keys.onUpPressed: list.decrementCurrentIndex()
        Keys.onDeletePressed: event => {
            event.accepted = text === "" && list.currentItem !== null
            if (event.accepted)
                root.files.recent.forget((list.currentItem as RecentRow).path)
        }
    }
    PlainText {
        x: 16
        y: list.y + Theme.space1
        visible: list.count === 0
        text: field.text === "" ? qsTr("Projects that you open or save are listed here.")
                                : qsTr("No recent project matches.")
        color: Theme.text3
    }
    ScrollList {
        id: list

        x: 4
        y: field.visible ? field.y + field.height + Theme.space2 : 48
        width: parent.width - Theme.space2
        height: parent.height - y - Theme.space1
        model: filter
        Accessible.name: qsTr("Recent projects")

        delegate: RecentRow {
            width: list.width
            onChosen: root.choose(path, missing)
        }
    }
}
