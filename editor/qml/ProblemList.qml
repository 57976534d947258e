pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

ListView {
    id: root

    required property Editor editor

    objectName: "problems"
    clip: true
    model: editor.problems
    boundsBehavior: Flickable.StopAtBounds
    ScrollBar.vertical: ScrollBar { policy: ScrollBar.AsNeeded }

    delegate: Rectangle {
        id: row

        required property int index
        required property string code
        required property string severity
        required property string message
        required property string hint
        required property string pointer
        required property string block

        objectName: "problem:" + index
        width: ListView.view.width
        height: text.implicitHeight + 10
        color: hover.hovered ? Theme.alt : "transparent"
        Accessible.role: Accessible.ListItem
        Accessible.name: qsTr("%1: %2").arg(severity).arg(message)
        Accessible.onPressAction: root.editor.goTo(block)

        Rectangle {
            x: 16
            y: 10
            width: 8
            height: 8
            radius: row.severity === "error" ? 4 : 1
            color: Theme.severityColor(row.severity)
        }
        PlainText {
            x: 36
            y: 5
            width: 120
            text: row.block
            elide: Text.ElideRight
            font.pixelSize: Theme.sizeSmall
            font.weight: Font.DemiBold
        }
        PlainText {
            id: text
            x: 164
            y: 5
            width: parent.width - x - 220
            text: row.hint === "" ? row.message : row.message + " — " + row.hint
            wrapMode: Text.Wrap
            font.pixelSize: Theme.sizeSmall
        }
        PlainText {
            anchors.right: parent.right
            anchors.rightMargin: 16
            y: 5
            width: 196
            horizontalAlignment: Text.AlignRight
            text: row.code
            elide: Text.ElideRight
            font.family: Theme.mono
            font.pixelSize: Theme.sizeTiny
            color: Theme.text3
        }
        HoverHandler { id: hover }
        TapHandler { onTapped: root.editor.goTo(row.block) }
    }
    PlainText {
        x: 16
        y: 12
        visible: root.count === 0
        color: Theme.text3
        text: root.editor.checked ? qsTr("No problems. This project can run.") : qsTr("Checking …")
    }
}
