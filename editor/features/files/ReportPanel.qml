pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

/// What became of each part of a flowgraph that was imported or exported.
Popup {
    id: root

    required property ExchangeReport report

    signal blockChosen(block: string)

    objectName: "report"
    width: Math.min(520, parent.width - 48)
    enter: FadeIn {}
    height: Math.min(list.contentHeight + 76, parent.height - 160)
    padding: 0
    modal: false
    focus: true
    closePolicy: Popup.CloseOnEscape
    onClosed: report.close()

    Connections {
        target: root.report
        function onChanged() {
            if (root.report.title === "")
                root.close()
            else
                root.open()
        }
    }

    background: Rectangle {
        radius: Theme.radiusNode
        color: Theme.pane
        border.color: Theme.control
    }

    PlainText {
        x: 16
        y: 12
        width: parent.width - 64
        text: root.report.title
        elide: Text.ElideMiddle
        font.weight: Font.DemiBold
    }
    PlainText {
        x: 16
        y: 34
        text: root.report.counts
        font.pixelSize: Theme.sizeSmall
        color: Theme.text2
    }
    PushButton {
        objectName: "reportClose"
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
    ScrollList {
        id: list

        x: 1
        y: 60
        width: parent.width - Theme.space0
        height: parent.height - y - Theme.space2
        model: root.report
        activeFocusOnTab: true
        Accessible.name: root.report.title
        delegate: Item {
            id: row

            required property string outcome
            required property string heading
            required property string name
            required property string type
            required property string reason
            required property string block

            width: ListView.view.width
            height: body.y + body.height
            Accessible.role: block === "" ? Accessible.ListItem : Accessible.Button
            Accessible.name: name + (reason === "" ? "" : ": " + reason)
            Accessible.onPressAction: if (row.block !== "") root.blockChosen(row.block)

            Rectangle {
                id: section
                width: parent.width
                height: row.heading === "" ? 0 : 24
                visible: height > 0
                color: Theme.alt

                PlainText {
                    x: 16
                    width: parent.width - Theme.space6
                    anchors.verticalCenter: parent.verticalCenter
                    text: row.heading
                    elide: Text.ElideRight
                    font.pixelSize: Theme.sizeTiny
                    font.weight: Font.Medium
                    color: Theme.text2
                }
            }
            Rectangle {
                id: body
                y: section.height
                width: parent.width
                height: words.implicitHeight + Theme.space3
                color: hover.hovered && row.block !== "" ? Theme.alt : "transparent"

                Column {
                    id: words
                    x: 16
                    y: 6
                    width: parent.width - Theme.space6
                    spacing: Theme.space0

                    PlainText {
                        width: parent.width
                        text: row.type === "" ? row.name : qsTr("%1 · %2").arg(row.name).arg(row.type)
                        elide: Text.ElideMiddle
                        color: row.outcome === "dropped" || row.outcome === "stubbed" ? Theme.warning : Theme.text
                    }
                    PlainText {
                        width: parent.width
                        visible: text !== ""
                        text: row.reason
                        wrapMode: Text.Wrap
                        font.pixelSize: Theme.sizeSmall
                        color: Theme.text3
                    }
                }
            }
            HoverHandler { id: hover }
            TapHandler { onTapped: if (row.block !== "") root.blockChosen(row.block) }
        }
    }
}
