pragma ComponentBehavior: Bound

import QtQuick
import Weir

Rectangle {
    id: root

    required property Editor editor

    signal problemsRequested()

    implicitHeight: Theme.smallControl
    color: Theme.alt

    Row {
        x: Theme.space4
        anchors.verticalCenter: parent.verticalCenter
        spacing: Theme.space5

        PlainText {
            text: root.editor.summary
            font.pixelSize: Theme.sizeSmall
            color: Theme.text2
        }
        PlainText {
            text: root.editor.selectionSummary
            visible: text !== ""
            font.pixelSize: Theme.sizeSmall
            color: Theme.text2
        }
        PlainText {
            id: problems

            objectName: "problemSummary"
            text: !root.editor.checked ? qsTr("Checking…")
                : root.editor.problemCount === 0 ? qsTr("No problems") : root.editor.problemSummary
            font.pixelSize: Theme.sizeSmall
            color: root.editor.checked && root.editor.problemCount > 0 ? Theme.severityColor(root.editor.worstSeverity)
                                                                        : Theme.text2

            activeFocusOnTab: true
            Accessible.role: Accessible.Button
            Accessible.name: text
            Accessible.onPressAction: root.problemsRequested()
            Keys.onReturnPressed: root.problemsRequested()
            Keys.onSpacePressed: root.problemsRequested()

            FocusRing { shown: problems.activeFocus }
            TapHandler { onTapped: root.problemsRequested() }
        }
        ElidedText {
            objectName: "onlyProblem"
            width: Math.min(implicitWidth, Math.max(0, root.width - x - 160)) // leaves room for the types at the right
            text: root.editor.checked ? root.editor.onlyProblem : ""
            visible: text !== ""
            font.pixelSize: Theme.sizeSmall
            color: Theme.text2
        }
    }
    Row {
        anchors.right: parent.right
        anchors.rightMargin: Theme.space4
        anchors.verticalCenter: parent.verticalCenter
        spacing: Theme.space3
        visible: root.width > 900
        Accessible.role: Accessible.Grouping
        Accessible.name: qsTr("Item types of the wires")

        Repeater {
            model: root.editor.decor.itemTypes
            delegate: Row {
                id: entry

                required property string modelData

                spacing: Theme.space1

                PortMark {
                    anchors.verticalCenter: parent.verticalCenter
                    width: 14
                    height: 14
                    ring: 1
                    type: entry.modelData
                    color: Theme.typeColor(entry.modelData)
                    fill: root.color
                }
                PlainText {
                    text: entry.modelData
                    font.pixelSize: Theme.sizeSmall
                    color: Theme.text2
                }
            }
        }
    }
    Divider { width: parent.width }
}
