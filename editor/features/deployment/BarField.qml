pragma ComponentBehavior: Bound

import QtQuick
import Weir

/// Setting in the deployment bar: label and field on one line.
Row {
    id: root

    required property int index
    required property string name
    required property string title
    required property string widget
    required property string unit
    required property string value
    required property string shown
    required property string placeholder
    required property var options
    required property var refused
    required property string documentation
    required property string problem
    required property string severity
    required property string evaluated
    required property bool isSet
    required property string place
    required property Fields fields

    readonly property bool variable: fields.canVary(place)
    readonly property bool varied: variable && Array.from(fields.varied).includes(place)

    signal committed(typed: string)
    signal reverted()
    signal varyRequested()

    function reset() {
        reverted()
        if (isSet)
            committed("")
    }

    function takeFocus() {
        if (widget === "choice")
            choice.forceActiveFocus(Qt.TabFocusReason)
        else
            box.forceActiveFocus(Qt.TabFocusReason)
    }

    spacing: Theme.space2
    Keys.onPressed: event => {
        const both = event.modifiers === (Qt.ControlModifier | Qt.ShiftModifier)
        event.accepted = both && (event.key === Qt.Key_Backspace || event.key === Qt.Key_V && variable)
        if (event.accepted && event.key === Qt.Key_V)
            varyRequested()
        else if (event.accepted)
            reset()
    }

    HoverHandler { id: hover }
    HoverHandler {
        id: near
        margin: Theme.iconLarge
    }
    Hint {
        shown: hover.hovered && !box.activeFocus && !choice.popup.visible
        text: (root.problem === "" ? "" : root.problem + "\n") + (root.evaluated === "" ? "" : root.evaluated + "\n")
              + root.documentation
    }
    TapHandler {
        acceptedButtons: Qt.RightButton
        enabled: root.variable
        onTapped: menu.popup()
    }
    VaryMenu {
        id: menu

        varied: root.varied
        onChosen: root.varyRequested()
    }
    SmallText {
        anchors.verticalCenter: parent.verticalCenter
        text: root.title
        font.weight: root.isSet ? Font.Medium : Font.Normal
        color: root.isSet ? Theme.text : Theme.text2

        Rectangle {
            x: -Theme.mark - Theme.space1
            anchors.verticalCenter: parent.verticalCenter
            width: Theme.mark
            height: width
            radius: width / 2
            visible: root.isSet && !back.visible
            color: Theme.accent
        }
        // In place of the mark of a set value, to save room in the bar.
        ResetButton {
            id: back

            objectName: "reset:" + root.name
            anchors.right: parent.left
            anchors.verticalCenter: parent.verticalCenter
            width: Theme.iconLarge
            visible: root.isSet && (near.hovered || box.activeFocus || choice.activeFocus)
            defaultValue: root.placeholder
            onClicked: root.reset()
        }
    }
    ExpressionBox {
        id: box

        objectName: visible ? "field:" + root.name : ""
        width: root.unit === "" ? 48 : 104
        visible: root.widget !== "choice"
        enabled: visible
        wrong: root.problem !== "" && root.severity === "error"
        fields: root.fields
        unit: root.unit
        placeholderText: root.placeholder
        Accessible.name: root.title
        Accessible.description: root.problem
        value: root.value
        shown: root.shown
        onCommitted: typed => root.committed(typed)
        onReverted: root.reverted()
        onResetRequested: root.reset()
    }
    ChoiceBox {
        id: choice

        objectName: visible ? "field:" + root.name : ""
        width: 76
        visible: root.widget === "choice"
        enabled: visible
        wrong: root.problem !== "" && root.severity === "error"
        unset: root.value === ""
        placeholder: root.placeholder
        displayText: root.value
        model: root.options
        refused: root.refused
        currentIndex: root.options.indexOf(root.value)
        Accessible.name: root.title
        Accessible.description: root.problem
        onActivated: choice => root.committed(root.options[choice])
    }
    VaryButton {
        objectName: "vary:" + root.name
        anchors.verticalCenter: parent.verticalCenter
        visible: root.varied
        varied: true
        onClicked: root.varyRequested()
    }
}
