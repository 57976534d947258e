pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// A setting in the deployment bar: label and field on one line.
Row {
    id: root

    required property int index
    required property string name
    required property string title
    required property string widget
    required property string unit
    required property string value
    required property string placeholder
    required property var options
    required property string documentation
    required property string problem
    required property string severity
    required property string evaluated
    required property bool isSet
    required property Inspector inspector

    signal committed(typed: string)
    signal reverted()

    function takeFocus() {
        if (widget === "choice")
            choice.forceActiveFocus(Qt.TabFocusReason)
        else
            box.forceActiveFocus(Qt.TabFocusReason)
    }

    spacing: 6

    HoverHandler { id: hover }
    Hint {
        shown: hover.hovered && !box.activeFocus && !choice.popup.visible
        text: (root.problem === "" ? "" : root.problem + "\n") + (root.evaluated === "" ? "" : root.evaluated + "\n")
              + root.documentation
    }
    PlainText {
        anchors.verticalCenter: parent.verticalCenter
        text: root.title
        font.pixelSize: Theme.sizeSmall
        font.weight: root.isSet ? Font.Medium : Font.Normal
        color: root.isSet ? Theme.text : Theme.text2

        Rectangle {
            x: -9
            y: 5
            width: 6
            height: 6
            radius: 3
            visible: root.isSet
            color: Theme.accent
        }
    }
    ExpressionBox {
        id: box

        objectName: visible ? "field:" + root.name : ""
        width: root.unit === "" ? 60 : 100
        visible: root.widget !== "choice"
        enabled: visible
        wrong: root.problem !== "" && root.severity === "error"
        inspector: root.inspector
        unit: root.unit
        placeholderText: root.placeholder
        Accessible.name: root.title
        Accessible.description: root.problem
        onEditingFinished: if (text !== root.value) root.committed(text)
        onEscaped: {
            root.reverted()
            text = root.value
        }

        Binding on text {
            value: root.value
            when: !box.activeFocus
            restoreMode: Binding.RestoreNone
        }
        Connections {
            target: root
            function onValueChanged() { box.text = root.value }
        }
    }
    ChoiceBox {
        id: choice

        objectName: visible ? "field:" + root.name : ""
        width: 84
        visible: root.widget === "choice"
        enabled: visible
        wrong: root.problem !== "" && root.severity === "error"
        unset: root.value === ""
        placeholder: root.placeholder
        displayText: root.value
        model: root.options
        currentIndex: root.options.indexOf(root.value)
        Accessible.name: root.title
        Accessible.description: root.problem
        onActivated: choice => root.committed(root.options[choice])
    }
    IconButton {
        objectName: "reset:" + root.name
        width: 20
        visible: root.isSet
        icon.name: "reset"
        hint: qsTr("Reset to default: %1").arg(root.placeholder)
        onClicked: {
            root.reverted()
            root.committed("")
        }
    }
}
