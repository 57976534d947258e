import QtQuick
import Weir

/// Field of the inspector; it commits typed text on Enter or when it loses the focus.
FocusScope {
    id: root

    required property int index
    required property string name
    required property string title
    required property string type
    required property string widget
    required property string unit
    required property string value
    required property string shown
    required property string placeholder
    required property var options
    required property var choices
    required property var refused
    required property string documentation
    required property string problem
    required property bool isSet
    required property string range
    required property string evaluated
    required property string severity
    required property var fixes
    required property bool mixed
    required property string place
    property Fields fields: null
    property int labelWidth: Theme.fieldLabel

    readonly property bool typed: widget === "text" || widget === "file"
    readonly property real fieldHeight: widget === "note" ? longBox.y + longBox.height + Theme.space1 : Theme.barControl
    readonly property bool variable: fields !== null && fields.canVary(place)
    readonly property bool varied: variable && Array.from(fields.varied).includes(place)
    readonly property bool wrong: problem !== "" && severity === "error"

    signal committed(typed: string)
    signal reverted()
    signal fixRequested(fix: int)
    signal fileRequested()
    signal varyRequested()

    function reset() {
        reverted()
        if (isSet)
            committed("")
    }

    function takeFocus() {
        if (typed)
            box.forceActiveFocus(Qt.TabFocusReason)
        else if (widget === "choice")
            choice.forceActiveFocus(Qt.TabFocusReason)
        else if (widget === "note")
            longBox.forceActiveFocus(Qt.TabFocusReason)
        else
            toggle.forceActiveFocus(Qt.TabFocusReason)
    }

    implicitHeight: fieldHeight + (note.height > 0 ? note.height + Theme.space1 : 0)

    Keys.onPressed: event => {
        const both = event.modifiers === (Qt.ControlModifier | Qt.ShiftModifier)
        event.accepted = both && (event.key === Qt.Key_Backspace || event.key === Qt.Key_V && variable)
        if (event.accepted && event.key === Qt.Key_V)
            varyRequested()
        else if (event.accepted)
            reset()
    }

    HoverHandler { id: hover }
    Rectangle {
        x: -width - Theme.space1
        y: (Theme.barControl - height) / 2
        width: Theme.mark
        height: width
        radius: width / 2
        visible: root.isSet
        color: Theme.accent
    }
    PlainText {
        id: label

        y: (Theme.barControl - height) / 2
        width: root.labelWidth - Theme.space2 - (vary.visible ? vary.width : 0)
        text: root.title
        elide: Text.ElideRight
        font.pixelSize: Theme.sizeSmall
        font.weight: root.isSet ? Font.Medium : Font.Normal
        color: root.isSet ? Theme.text : Theme.text2

        HoverHandler { id: labelHover }
        Hint {
            shown: labelHover.hovered
            text: Array.of(root.documentation, root.range === "" ? "" : qsTr("Range: %1").arg(root.range),
                           root.placeholder === "" || root.mixed ? "" : qsTr("Default: %1").arg(root.placeholder))
                .filter(line => line !== "").join("\n")
        }
    }
    VaryButton {
        id: vary

        objectName: "vary:" + root.name
        x: root.labelWidth - width - Theme.space1
        y: (Theme.barControl - height) / 2
        visible: root.variable && (root.varied || hover.hovered || root.activeFocus)
        varied: root.varied
        onClicked: root.varyRequested()
    }
    ExpressionBox {
        id: box

        objectName: root.typed ? "field:" + root.name : ""
        x: root.labelWidth
        y: Theme.strokeStrong
        width: root.width - root.labelWidth - Theme.space5
        visible: root.typed
        enabled: visible
        wrong: root.wrong
        fields: root.fields
        unit: root.unit
        value: root.value
        shown: root.shown
        mixed: root.mixed
        placeholderText: root.placeholder
        Accessible.name: root.title
        Accessible.description: root.problem
        font.family: root.type === "string" || root.type === "path" ? Theme.sans : Theme.mono
        onCommitted: typed => root.committed(typed)
        onReverted: root.reverted()
        onResetRequested: root.reset()
    }
    NoteBox {
        id: longBox

        // A note takes the whole width, below its name.
        objectName: root.widget === "note" ? "field:" + root.name : ""
        y: Theme.barControl - Theme.space1
        width: root.width - Theme.space5
        visible: root.widget === "note"
        enabled: visible
        placeholderText: root.placeholder
        Accessible.name: root.title
        onFinished: if (text !== root.value) root.committed(text)
        onEscaped: text = root.value

        Binding on text {
            value: root.value
            when: !longBox.activeFocus
            restoreMode: Binding.RestoreNone
        }
    }
    ChoiceBox {
        id: choice

        objectName: root.widget === "choice" ? "field:" + root.name : ""
        x: root.labelWidth
        y: Theme.strokeStrong
        width: box.width
        visible: root.widget === "choice"
        enabled: visible
        wrong: root.wrong
        unset: root.value === ""
        placeholder: root.choices[root.options.indexOf(root.placeholder)] ?? root.placeholder
        displayText: root.choices[root.options.indexOf(root.value)] ?? root.value
        model: root.choices
        refused: root.refused
        // A new model resets the index, so that must follow it; an empty value is the default.
        currentIndex: root.choices.length > 0 ? root.options.indexOf(root.value === "" ? root.placeholder : root.value) : -1
        Accessible.name: root.title
        Accessible.description: root.problem
        onActivated: choice => root.committed(root.options[choice])
    }
    ToggleSwitch {
        id: toggle

        objectName: root.widget === "switch" ? "field:" + root.name : ""
        x: root.labelWidth
        y: (Theme.barControl - height) / 2
        visible: root.widget === "switch"
        enabled: visible
        checked: root.value === "" ? root.placeholder === "true" : root.value === "true"
        Accessible.name: root.title
        onToggled: root.committed(checked ? "true" : "false")
    }
    PlainText {
        x: root.labelWidth + toggle.width + Theme.space2
        y: label.y
        visible: root.widget === "switch" && root.mixed
        text: root.placeholder
        font.pixelSize: Theme.sizeSmall
        color: Theme.text3
    }
    IconButton {
        objectName: "choose:" + root.name
        x: root.width - width
        y: Theme.strokeStrong
        width: Theme.smallControl
        visible: root.widget === "file"
        icon.name: "open"
        hint: qsTr("Choose a file")
        onClicked: root.fileRequested()
    }
    ResetButton {
        objectName: "reset:" + root.name
        x: root.width - width
        y: Theme.strokeStrong
        visible: root.isSet && root.widget !== "file" && (hover.hovered || root.activeFocus)
        defaultValue: root.mixed ? "" : root.placeholder
        onClicked: root.reset()
    }
    FieldNote {
        id: note

        x: root.labelWidth
        y: root.fieldHeight
        width: root.width - x
        evaluated: root.evaluated
        problem: root.problem
        severity: root.severity
        fixes: root.fixes
        onFixRequested: fix => root.fixRequested(fix)
    }
}
