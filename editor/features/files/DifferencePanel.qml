pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

/// Two states of the project, line by line, beside the graph.
PanePopup {
    id: root

    required property DifferenceModel difference

    objectName: "difference"
    width: Math.min(760, parent.width - 48)
    height: Math.min(list.contentHeight + 56, parent.height - 96)
    padding: 0
    closePolicy: Popup.CloseOnEscape
    onClosed: difference.close()

    Connections {
        target: root.difference
        function onTitleChanged() {
            if (root.difference.title === "")
                root.close()
            else
                root.open()
        }
    }

    PlainText {
        id: heading
        x: 16
        y: 12
        width: parent.width - 64
        text: root.difference.title
        elide: Text.ElideMiddle
        font.weight: Font.DemiBold
    }
    PushButton {
        anchors.right: parent.right
        anchors.rightMargin: Theme.space2
        y: 6
        implicitHeight: Theme.fieldControl
        implicitWidth: Theme.fieldControl
        flat: true
        icon.name: "close"
        hint: qsTr("Close")
        onClicked: root.close()
    }
    PlainText {
        x: 16
        y: 44
        visible: list.count === 0
        text: qsTr("No differences.")
        color: Theme.text3
    }
    ScrollList {
        id: list

        x: 1
        y: 44
        width: parent.width - Theme.space0
        height: parent.height - y - Theme.space2
        model: root.difference
        activeFocusOnTab: true
        Accessible.name: root.difference.title

        delegate: Rectangle {
            id: row

            required property string sign
            required property string line

            width: ListView.view.width
            height: 18
            color: sign === "+" ? Theme.okBackground : sign === "" ? "transparent" : Theme.errorBackground
            Accessible.role: Accessible.ListItem
            Accessible.name: (sign === "+" ? qsTr("added: %1") : sign === "" ? "%1" : qsTr("removed: %1")).arg(line)

            SmallText {
                x: 12
                text: row.sign
                font.family: Theme.mono
                color: row.sign === "+" ? Theme.ok : Theme.error
            }
            SmallText {
                x: 32
                width: parent.width - 40
                text: row.line
                elide: Text.ElideRight
                font.family: Theme.mono
                color: row.sign === "" ? Theme.text3 : Theme.text
            }
        }
    }
}
