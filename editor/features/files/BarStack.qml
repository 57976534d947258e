pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Weir

/// Bars with questions about the document, stacked above the graph.
Column {
    id: root

    required property DocumentFiles files

    objectName: "bars"

    Repeater {
        model: root.files.bars

        delegate: Rectangle {
            id: bar

            required property string barId
            required property bool warning
            required property string message
            required property list<string> choiceIds
            required property list<string> choiceTitles
            required property bool dismissible

            objectName: "bar:" + barId
            width: root.width
            implicitHeight: Math.max(40, words.implicitHeight + Theme.space4)
            color: warning ? Theme.warningBackground : Theme.selectedRow
            Accessible.role: Accessible.AlertMessage
            Accessible.name: message

            RowLayout {
                anchors.fill: parent
                anchors.leftMargin: Theme.space4
                anchors.rightMargin: Theme.space2
                spacing: Theme.space2

                Icon {
                    name: bar.warning ? "warning" : "reload"
                    size: Theme.iconLarge
                    color: bar.warning ? Theme.warning : Theme.accent
                }
                PlainText {
                    id: words
                    objectName: "barText:" + bar.barId
                    Layout.fillWidth: true
                    text: bar.message
                    wrapMode: Text.Wrap
                    maximumLineCount: 3
                    elide: Text.ElideRight
                    color: bar.warning ? Theme.warning : Theme.text
                }
                Repeater {
                    model: bar.choiceTitles

                    delegate: PushButton {
                        required property int index
                        required property string modelData

                        objectName: "bar:" + bar.barId + ":" + bar.choiceIds[index]
                        implicitHeight: Theme.fieldControl
                        text: modelData
                        primary: index === 0
                        onClicked: root.files.bars.choose(bar.barId, bar.choiceIds[index])
                    }
                }
                PushButton {
                    objectName: "bar:" + bar.barId + ":dismiss"
                    visible: bar.dismissible
                    implicitHeight: Theme.fieldControl
                    implicitWidth: Theme.fieldControl
                    flat: true
                    icon.name: "close"
                    hint: qsTr("Dismiss")
                    onClicked: root.files.bars.dismiss(bar.barId)
                }
            }
            Divider {
                anchors.bottom: parent.bottom
                width: parent.width
            }
        }
    }
}
