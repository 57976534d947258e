pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

/// A project parameter: name and value, a slider where it has a range, and on request its range and description.
Item {
    id: root

    required property ProjectParameters parameters
    required property Fields fields
    required property int index
    required property string name
    required property string value
    required property string shown
    required property string minimum
    required property string maximum
    required property string description
    required property string evaluated
    required property string problem
    required property string severity
    required property var fixes
    required property string rangeProblem
    required property bool slider
    required property real from
    required property real to
    required property real position
    required property int uses

    property bool expanded: false

    function takeFocus(field: string) {
        expanded = expanded || field === "minimum" || field === "maximum" || field === "description"
        const box = field === "minimum" ? minimumBox : field === "maximum" ? maximumBox
                    : field === "description" ? descriptionBox : valueBox
        box.forceActiveFocus(Qt.TabFocusReason)
    }

    implicitHeight: column.height

    Column {
        id: column

        width: root.width

        Item {
            width: parent.width
            height: 32

            QuietBox {
                id: nameBox

                objectName: "parameterName:" + root.name
                y: 2
                width: 100
                text: root.name
                Accessible.name: qsTr("Name of the parameter %1").arg(root.name)
                onEditingFinished: if (!root.parameters.rename(root.index, text)) text = Qt.binding(() => root.name)
                Keys.onEscapePressed: text = Qt.binding(() => root.name)

                Hint {
                    shown: nameBox.hovered && !nameBox.activeFocus
                    text: root.description
                }
            }
            ExpressionBox {
                id: valueBox

                objectName: "parameter:" + root.name
                x: 104
                y: 2
                width: parent.width - x - 24
                wrong: root.problem !== "" && root.severity === "error"
                fields: root.fields
                Accessible.name: qsTr("Value of %1").arg(root.name)
                Accessible.description: root.problem
                value: root.value
                shown: root.shown
                onCommitted: typed => root.parameters.commit(root.index, "value", typed)
                onReverted: root.parameters.revert(root.index)
            }
            IconButton {
                objectName: "expand:" + root.name
                x: parent.width - 24
                y: 2
                width: 24
                icon.name: root.expanded ? "chevron_up" : "chevron_down"
                hint: root.expanded ? qsTr("Less") : qsTr("Range and description")
                onClicked: root.expanded = !root.expanded
            }
        }
        FieldNote {
            x: 104
            width: parent.width - x
            evaluated: root.evaluated
            problem: root.problem
            severity: root.severity
            fixes: root.fixes
            onFixRequested: fix => root.parameters.applyFix(root.index, fix)
        }
        Slider {
            id: knob

            objectName: "slider:" + root.name
            x: 104
            width: parent.width - x - 24
            height: 24
            visible: root.slider
            from: root.from
            to: root.to
            value: root.position
            Accessible.name: qsTr("Slider of %1").arg(root.name)
            onMoved: {
                root.parameters.slide(root.index, value)
                if (!pressed)
                    root.parameters.endSlide()
            }
            onPressedChanged: if (!pressed) root.parameters.endSlide()

            Binding on value {
                value: root.position
                when: !knob.pressed
                restoreMode: Binding.RestoreNone
            }
            background: Rectangle {
                x: 7
                y: 10
                width: knob.availableWidth - 2
                height: 4
                radius: 2
                color: Theme.line

                Rectangle {
                    width: knob.visualPosition * parent.width
                    height: 4
                    radius: 2
                    color: Theme.accent
                }
            }
            handle: Rectangle {
                x: knob.visualPosition * (knob.width - width)
                y: 5
                width: 14
                height: 14
                radius: 7
                color: Theme.pane
                border.width: 2
                border.color: Theme.accent

                FocusRing { shown: knob.visualFocus }
            }
        }
        Column {
            width: parent.width
            visible: root.expanded
            spacing: 4
            bottomPadding: 8

            Row {
                x: 104
                spacing: 8

                TextBox {
                    id: minimumBox

                    objectName: "minimum:" + root.name
                    width: (root.width - 104 - 24 - 8) / 2
                    text: root.minimum
                    placeholderText: qsTr("minimum")
                    wrong: root.rangeProblem !== ""
                    Accessible.name: qsTr("Minimum of %1").arg(root.name)
                    onEditingFinished: if (text !== root.minimum) root.parameters.commit(root.index, "minimum", text)
                    Keys.onEscapePressed: text = Qt.binding(() => root.minimum)
                }
                TextBox {
                    id: maximumBox

                    objectName: "maximum:" + root.name
                    width: minimumBox.width
                    text: root.maximum
                    placeholderText: qsTr("maximum")
                    wrong: root.rangeProblem !== ""
                    Accessible.name: qsTr("Maximum of %1").arg(root.name)
                    onEditingFinished: if (text !== root.maximum) root.parameters.commit(root.index, "maximum", text)
                    Keys.onEscapePressed: text = Qt.binding(() => root.maximum)
                }
            }
            PlainText {
                x: 104
                width: parent.width - x
                visible: text !== ""
                text: root.rangeProblem
                wrapMode: Text.Wrap
                font.pixelSize: Theme.sizeTiny
                color: Theme.error
            }
            TextBox {
                id: descriptionBox

                objectName: "description:" + root.name
                x: 104
                width: parent.width - x - 24
                font.family: Theme.sans
                text: root.description
                placeholderText: qsTr("description")
                Accessible.name: qsTr("Description of %1").arg(root.name)
                onEditingFinished: if (text !== root.description) root.parameters.commit(root.index, "description", text)
                Keys.onEscapePressed: text = Qt.binding(() => root.description)
            }
            Item {
                x: 104
                width: parent.width - x - 24
                height: 24

                PlainText {
                    anchors.verticalCenter: parent.verticalCenter
                    text: root.uses === 0 ? qsTr("not used") : qsTr("used %n time(s)", "", root.uses)
                    font.pixelSize: Theme.sizeTiny
                    color: Theme.text3
                }
                LinkText {
                    objectName: "remove:" + root.name
                    anchors.right: parent.right
                    anchors.verticalCenter: parent.verticalCenter
                    text: qsTr("Delete")
                    Accessible.name: qsTr("Delete the parameter %1").arg(root.name)
                    onActivated: root.parameters.remove(root.index)
                }
            }
        }
    }
}
