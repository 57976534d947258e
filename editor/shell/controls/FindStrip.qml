import QtQuick
import QtQuick.Layouts

/// Search strip on top of the searched view, so that matches stay visible: a field, the number of the match, and
/// buttons to the next and the previous one.
Rectangle {
    id: root

    /// Prefix of the object names of its items.
    required property string name
    property alias placeholder: field.placeholderText
    property string title: placeholder
    property bool forgets: false ///< empty whenever it opens
    readonly property alias typed: field.text
    property int count: 0
    property int current: 0 ///< from 1

    signal stepped(by: int)
    signal closed()

    function open() {
        visible = true
        field.forceActiveFocus(Qt.ShortcutFocusReason)
        field.selectAll()
    }
    function close() {
        visible = false
        if (forgets)
            field.text = ""
        closed()
    }

    objectName: name + "Bar"
    visible: false
    width: row.implicitWidth + Theme.space4
    height: Theme.bar
    radius: Theme.radiusNode
    color: Theme.pane
    border.color: Theme.control

    RowLayout {
        id: row

        anchors.fill: parent
        anchors.leftMargin: Theme.space2
        anchors.rightMargin: Theme.space2
        spacing: Theme.space1

        TextBox {
            id: field

            objectName: root.name + "Field"
            Layout.preferredWidth: 220
            font.family: Theme.sans
            wrong: text !== "" && root.count === 0
            Accessible.name: root.title
            Keys.onReturnPressed: event => root.stepped(event.modifiers & Qt.ShiftModifier ? -1 : 1)
            Keys.onEnterPressed: root.stepped(1)
            Keys.onEscapePressed: root.close()
        }
        PlainText {
            objectName: root.name + "Count"
            Layout.preferredWidth: 76
            horizontalAlignment: Text.AlignHCenter
            font.pixelSize: Theme.sizeSmall
            color: field.wrong ? Theme.error : Theme.text2
            text: field.text === "" ? "" : root.count === 0 ? qsTr("none")
                                                            : qsTr("%1 of %2").arg(root.current).arg(root.count)
            Accessible.role: Accessible.StaticText
            Accessible.name: text
        }
        IconButton {
            objectName: root.name + "Previous"
            enabled: root.count > 0
            icon.name: "arrow_up"
            hint: qsTr("Previous (Shift+Enter)")
            onClicked: root.stepped(-1)
        }
        IconButton {
            objectName: root.name + "Next"
            enabled: root.count > 0
            icon.name: "arrow_down"
            hint: qsTr("Next (Enter)")
            onClicked: root.stepped(1)
        }
        IconButton {
            objectName: root.name + "Close"
            icon.name: "close"
            hint: qsTr("Close (Esc)")
            onClicked: root.close()
        }
    }
}
