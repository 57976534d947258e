pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

/// Bar over a chosen frame or note: colours, text, delete.
Rectangle {
    id: root

    required property Editor editor
    required property GraphView view

    readonly property rect place: editor.decor.chosenRect
    readonly property real wantedX: place.x * view.zoom + view.offsetX
    readonly property real wantedY: place.y * view.zoom + view.offsetY - height - 8

    objectName: "decorBar"
    x: Math.round(Math.max(Theme.space2, Math.min(wantedX, view.width - width - Theme.space2)))
    y: Math.round(Math.max(Theme.space2, Math.min(wantedY, view.height - height - Theme.space2)))
    width: row.width + Theme.space3
    height: Theme.barControl
    visible: place.width > 0 && editor.decor.editedKind === ""
    radius: Theme.radiusButton
    color: Theme.pane
    border.color: Theme.nodeBorder

    // Presses beside the buttons must not reach the canvas.
    MouseArea { anchors.fill: parent }
    Row {
        id: row

        anchors.centerIn: parent
        spacing: Theme.space0

        Repeater {
            model: root.editor.decor.colours

            delegate: AbstractButton {
                id: swatch

                required property string modelData
                readonly property var names: ({
                    "grey": qsTr("grey"), "blue": qsTr("blue"), "green": qsTr("green"), "amber": qsTr("amber"),
                    "violet": qsTr("violet"), "rose": qsTr("rose")
                })

                objectName: "decorColour:" + modelData
                implicitWidth: 26
                implicitHeight: Theme.tableRow
                checked: root.editor.decor.colour === modelData
                Accessible.role: Accessible.RadioButton
                Accessible.name: names[modelData] ?? modelData
                onClicked: root.editor.decor.setColour(modelData)

                contentItem: ButtonFace {
                    icon: swatch.checked ? "check" : ""
                    color: Theme.chipText
                }
                background: Item {
                    Rectangle {
                        anchors.centerIn: parent
                        width: swatch.hovered ? 20 : 18
                        height: width
                        radius: width / 2
                        color: Theme.decorColors[swatch.modelData]
                    }
                    FocusRing {
                        anchors.margins: 0
                        shown: swatch.visualFocus
                    }
                }
                Hint {
                    shown: swatch.hovered
                    text: swatch.names[swatch.modelData] ?? ""
                }
            }
        }
        Rectangle {
            anchors.verticalCenter: parent.verticalCenter
            width: 1
            height: 18
            color: Theme.line
        }
        PushButton {
            objectName: "decorEdit"
            implicitWidth: Theme.fieldControl
            implicitHeight: Theme.tableRow
            flat: true
            icon.name: "edit"
            hint: qsTr("Edit text")
            onClicked: root.editor.decor.editChosen()
        }
        PushButton {
            objectName: "decorDelete"
            implicitWidth: Theme.fieldControl
            implicitHeight: Theme.tableRow
            flat: true
            icon.name: "trash"
            hint: qsTr("Delete")
            onClicked: root.editor.removeSelection()
        }
    }
}
