pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

/// A project parameter: name and value, a slider if it has a range, and on request its range and description.
Item {
    id: root

    required property ProjectParameters parameters
    required property Fields fields
    required property SweepDesign sweep
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

    readonly property bool varied: Array.from(fields.varied).includes("/parameters/" + name + "/value")
    property bool expanded: false

    function takeFocus(field: string) {
        expanded = expanded || field === "minimum" || field === "maximum" || field === "description"
        const box = field === "minimum" ? minimumBox : field === "maximum" ? maximumBox
                    : field === "description" ? descriptionBox : valueBox
        box.forceActiveFocus(Qt.TabFocusReason)
    }

    implicitHeight: column.height
    Keys.onPressed: event => {
        event.accepted = event.key === Qt.Key_V && event.modifiers === (Qt.ControlModifier | Qt.ShiftModifier)
        if (event.accepted)
            sweep.toggleParameter(name)
    }

    Column {
        id: column

        width: root.width

        Item {
            width: parent.width
            height: Theme.barControl

            HoverHandler { id: over }
            QuietBox {
                id: nameBox

                objectName: "parameterName:" + root.name
                y: Theme.strokeStrong
                width: Theme.fieldLabel - Theme.space1 - (vary.visible ? vary.width : 0)
                text: root.name
                Accessible.name: qsTr("Name of the parameter %1").arg(root.name)
                onEditingFinished: if (!root.parameters.rename(root.index, text)) text = Qt.binding(() => root.name)
                Keys.onEscapePressed: event => {
                    event.accepted = text !== root.name
                    text = Qt.binding(() => root.name)
                }

                Hint {
                    shown: nameBox.hovered && !nameBox.activeFocus
                    text: root.description
                }
            }
            VaryButton {
                id: vary

                objectName: "vary:" + root.name
                x: Theme.fieldLabel - width - Theme.space1
                y: (Theme.barControl - height) / 2
                visible: root.varied || over.hovered || valueBox.activeFocus
                varied: root.varied
                onClicked: root.sweep.toggleParameter(root.name)
            }
            ExpressionBox {
                id: valueBox

                objectName: "parameter:" + root.name
                x: Theme.fieldLabel
                y: Theme.strokeStrong
                width: parent.width - x - Theme.space5
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
                x: parent.width - width
                y: Theme.strokeStrong
                width: Theme.smallControl
                icon.name: root.expanded ? "chevron_up" : "chevron_down"
                hint: root.expanded ? qsTr("Less") : qsTr("Range and description")
                onClicked: root.expanded = !root.expanded
            }
        }
        FieldNote {
            x: Theme.fieldLabel
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
            x: Theme.fieldLabel
            width: parent.width - x - Theme.space5
            height: Theme.smallControl
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
                width: knob.availableWidth - Theme.space0
                height: 4
                radius: height / 2
                color: Theme.line

                Rectangle {
                    width: knob.visualPosition * parent.width
                    height: 4
                    radius: height / 2
                    color: Theme.accent
                }
            }
            handle: Rectangle {
                x: knob.visualPosition * (knob.width - width)
                y: 5
                width: 14
                height: 14
                radius: height / 2
                color: Theme.pane
                border.width: Theme.strokeStrong
                border.color: Theme.accent

                FocusRing { shown: knob.visualFocus }
            }
        }
        Column {
            width: parent.width
            visible: root.expanded
            spacing: Theme.space1
            bottomPadding: Theme.space2

            Row {
                x: Theme.fieldLabel
                spacing: Theme.space2

                TextBox {
                    id: minimumBox

                    objectName: "minimum:" + root.name
                    width: (root.width - Theme.fieldLabel - Theme.space5 - Theme.space2) / 2
                    text: root.minimum
                    placeholderText: qsTr("minimum")
                    wrong: root.rangeProblem !== ""
                    Accessible.name: qsTr("Minimum of %1").arg(root.name)
                    onEditingFinished: if (text !== root.minimum) root.parameters.commit(root.index, "minimum", text)
                    Keys.onEscapePressed: event => {
                        event.accepted = text !== root.minimum
                        text = Qt.binding(() => root.minimum)
                    }
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
                    Keys.onEscapePressed: event => {
                        event.accepted = text !== root.maximum
                        text = Qt.binding(() => root.maximum)
                    }
                }
            }
            TinyText {
                x: Theme.fieldLabel
                width: parent.width - x
                visible: text !== ""
                text: root.rangeProblem
                wrapMode: Text.Wrap
                color: Theme.error
            }
            TextBox {
                id: descriptionBox

                objectName: "description:" + root.name
                x: Theme.fieldLabel
                width: parent.width - x - Theme.space5
                font.family: Theme.sans
                text: root.description
                placeholderText: qsTr("description")
                Accessible.name: qsTr("Description of %1").arg(root.name)
                onEditingFinished: if (text !== root.description) root.parameters.commit(root.index, "description", text)
                Keys.onEscapePressed: event => {
                    event.accepted = text !== root.description
                    text = Qt.binding(() => root.description)
                }
            }
            Item {
                x: Theme.fieldLabel
                width: parent.width - x - Theme.space5
                height: Theme.smallControl

                TinyText {
                    anchors.verticalCenter: parent.verticalCenter
                    text: root.uses === 0 ? qsTr("not used") : qsTr("used %n time(s)", "", root.uses)
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
