pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

/// The projects that were open lately.
Popup {
    id: root

    required property DocumentFiles files

    objectName: "recentFiles"
    width: 520
    enter: FadeIn {}
    height: Math.min(52 + Math.max(list.contentHeight, 40) + Theme.space2, 480)
    padding: 0
    modal: false
    focus: true
    closePolicy: Popup.CloseOnEscape | Popup.CloseOnPressOutside
    onAboutToShow: {
        files.recent.refresh()
        // What is open already is not what one wants to open.
        list.currentIndex = Math.max(0, files.nextRecent())
        list.forceActiveFocus()
    }

    function choose(path: string, missing: bool) {
        if (missing)
            return
        close()
        files.open(path)
    }

    background: Rectangle {
        radius: Theme.radiusNode
        color: Theme.pane
        border.color: Theme.control
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
        visible: list.count > 0
        text: qsTr("Clear the list")
        onClicked: root.files.recent.clear()
    }
    PlainText {
        x: 16
        y: 52
        visible: list.count === 0
        text: qsTr("Projects that you open or save are listed here.")
        color: Theme.text3
    }
    ScrollList {
        id: list

        x: 4
        y: 48
        width: parent.width - Theme.space2
        height: parent.height - y - Theme.space1
        model: root.files.recent
        Accessible.name: qsTr("Recent projects")
        Keys.onReturnPressed: if (currentItem) root.choose(model.pathAt(currentIndex), model.isMissing(currentIndex))
        Keys.onDeletePressed: if (currentItem) model.forget(model.pathAt(currentIndex))

        delegate: Rectangle {
            id: row

            required property int index
            required property string path
            required property string name
            required property string folder
            required property bool missing

            objectName: "recent:" + index
            width: ListView.view.width
            height: Theme.bar
            radius: Theme.radiusField
            color: ListView.isCurrentItem ? Theme.selectedRow : hover.hovered ? Theme.alt : "transparent"
            Accessible.role: Accessible.Button
            Accessible.name: missing ? qsTr("%1, missing").arg(name) : name
            Accessible.onPressAction: root.choose(path, missing)

            PlainText {
                x: 12
                y: 5
                width: parent.width - Theme.space5 - (lost.visible ? lost.width + Theme.space2 : 0)
                text: row.name
                elide: Text.ElideMiddle
                color: row.missing ? Theme.text3 : Theme.text
                font.weight: Font.DemiBold
                font.strikeout: row.missing
            }
            PlainText {
                x: 12
                y: 24
                width: parent.width - Theme.space5
                text: row.folder
                elide: Text.ElideMiddle
                font.pixelSize: Theme.sizeTiny
                color: Theme.text3
            }
            Pill {
                id: lost
                anchors.right: parent.right
                anchors.rightMargin: Theme.space3
                y: 6
                visible: row.missing
                text: qsTr("missing")
                foreground: Theme.warning
                background: Theme.warningBackground
            }
            HoverHandler { id: hover }
            TapHandler { onTapped: root.choose(row.path, row.missing) }
        }
    }
}
