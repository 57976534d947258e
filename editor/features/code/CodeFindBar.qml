import QtQuick
import QtQuick.Layouts
import Weir

/// Find in the file that is shown.
Rectangle {
    id: root

    required property CodeController code

    signal closed()

    function open() {
        visible = true
        field.forceActiveFocus()
        field.selectAll()
    }

    function close() {
        visible = false
        code.query = ""
        closed()
    }

    objectName: "codeFindBar"
    visible: false
    implicitWidth: row.implicitWidth + Theme.space4
    implicitHeight: 40
    radius: Theme.radiusButton
    color: Theme.pane
    border.color: Theme.control
    onVisibleChanged: code.query = visible ? field.text : ""

    RowLayout {
        id: row

        anchors.centerIn: parent
        spacing: Theme.space1

        TextBox {
            id: field

            objectName: "codeFindField"
            Layout.preferredWidth: 200
            placeholderText: qsTr("Find in this file")
            wrong: text !== "" && root.code.matchCount === 0
            Accessible.name: placeholderText
            onTextChanged: root.code.query = text
            Keys.onReturnPressed: event => root.code.nextMatch(event.modifiers & Qt.ShiftModifier ? -1 : 1)
            Keys.onEnterPressed: root.code.nextMatch(1)
            Keys.onEscapePressed: root.close()
        }
        PlainText {
            objectName: "codeFindCount"
            Layout.preferredWidth: 76
            horizontalAlignment: Text.AlignHCenter
            font.pixelSize: Theme.sizeSmall
            color: Theme.text2
            text: field.text === "" ? "" : root.code.matchCount === 0 ? qsTr("none")
                : qsTr("%1 of %2").arg(root.code.match + 1).arg(root.code.matchCount)
        }
        PushButton {
            implicitHeight: Theme.row
            flat: true
            icon.name: "arrow_up"
            hint: qsTr("Previous (Shift+Enter)")
            onClicked: root.code.nextMatch(-1)
        }
        PushButton {
            implicitHeight: Theme.row
            flat: true
            icon.name: "arrow_down"
            hint: qsTr("Next (Enter)")
            onClicked: root.code.nextMatch(1)
        }
        PushButton {
            objectName: "codeFindClose"
            implicitHeight: Theme.row
            flat: true
            icon.name: "close"
            hint: qsTr("Close (Esc)")
            onClicked: root.close()
        }
    }
}
