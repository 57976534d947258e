import QtQuick
import QtQuick.Controls.Basic

/// One field of the inspector; what is typed goes to the document on Enter or when the focus leaves.
Item {
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
    required property bool isSet
    property int labelWidth: 104
    property bool removable: false

    signal committed(typed: string)
    signal removeRequested()

    implicitHeight: 32 + (problem === "" ? 0 : message.implicitHeight + 4)

    Rectangle {
        x: -10
        y: 13
        width: 6
        height: 6
        radius: 3
        visible: root.isSet
        color: Theme.accent
    }
    PlainText {
        y: 8
        width: root.labelWidth - 8
        text: root.title
        elide: Text.ElideRight
        font.pixelSize: Theme.sizeSmall
        color: Theme.text2

        HoverHandler { id: hover }
        Hint {
            shown: hover.hovered
            text: root.documentation
        }
    }
    TextBox {
        id: box

        function commit() {
            if (text !== root.value)
                root.committed(text)
        }

        objectName: root.widget === "text" ? "field:" + root.name : ""
        x: root.labelWidth
        y: 2
        width: root.width - root.labelWidth - 40
        visible: root.widget === "text"
        enabled: visible
        wrong: root.problem !== ""
        placeholderText: root.placeholder
        Accessible.name: root.title
        onEditingFinished: commit()
        Keys.onEscapePressed: text = root.value

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
        objectName: root.widget === "choice" ? "field:" + root.name : ""
        x: root.labelWidth
        y: 2
        width: box.width
        visible: root.widget === "choice"
        enabled: visible
        wrong: root.problem !== ""
        unset: root.value === ""
        placeholder: root.placeholder
        displayText: root.value
        model: root.options
        currentIndex: root.options.indexOf(root.value)
        Accessible.name: root.title
        onActivated: choice => root.committed(root.options[choice])
    }
    Switch {
        id: toggle

        objectName: root.widget === "switch" ? "field:" + root.name : ""
        x: root.labelWidth
        y: 4
        height: 24
        padding: 0
        visible: root.widget === "switch"
        enabled: visible
        checked: root.value === "" ? root.placeholder === "true" : root.value === "true"
        Accessible.name: root.title
        onToggled: root.committed(checked ? "true" : "false")

        indicator: Rectangle {
            y: 3
            width: 32
            height: 18
            radius: 9
            color: toggle.checked ? Theme.accent : Theme.control

            Rectangle {
                x: toggle.checked ? 16 : 2
                y: 2
                width: 14
                height: 14
                radius: 7
                color: Theme.pane
            }
            FocusRing { shown: toggle.visualFocus }
        }
    }
    PlainText {
        x: box.x + box.width + 6
        y: 8
        width: 40
        text: root.unit
        elide: Text.ElideRight
        font.pixelSize: Theme.sizeSmall
        color: Theme.text3
    }
    PlainText {
        x: root.width - width
        y: 6
        visible: root.removable
        text: "×"
        font.pixelSize: Theme.sizeHeading
        color: Theme.text3
        Accessible.role: Accessible.Button
        Accessible.name: qsTr("Delete %1").arg(root.title)
        Accessible.onPressAction: root.removeRequested()

        TapHandler { onTapped: root.removeRequested() }
    }
    PlainText {
        id: message
        x: root.labelWidth
        y: 32
        width: root.width - x
        visible: root.problem !== ""
        text: root.problem
        wrapMode: Text.Wrap
        font.pixelSize: Theme.sizeTiny
        color: Theme.error
    }
}
