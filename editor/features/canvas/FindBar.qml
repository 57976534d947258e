import QtQuick
import QtQuick.Layouts
import Weir

/// Find in the graph; over the canvas, so that what is found stays in view.
Rectangle {
    id: root

    required property GraphFinder finder

    signal closed()

    function show() {
        visible = true
        field.forceActiveFocus(Qt.ShortcutFocusReason)
        field.selectAll()
    }

    function close() {
        visible = false
        finder.text = ""
        field.text = ""
        closed()
    }

    objectName: "findBar"
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

            objectName: "findField"
            Layout.preferredWidth: 220
            font.family: Theme.sans
            placeholderText: qsTr("Id, type, parameter or comment")
            Accessible.name: qsTr("Find in the graph")
            onTextEdited: root.finder.text = text
            Keys.onReturnPressed: event => event.modifiers & Qt.ShiftModifier ? root.finder.previous() : root.finder.next()
            Keys.onEnterPressed: root.finder.next()
            Keys.onEscapePressed: root.close()
        }
        PlainText {
            objectName: "findCount"
            Layout.preferredWidth: 64
            horizontalAlignment: Text.AlignHCenter
            font.pixelSize: Theme.sizeSmall
            color: root.finder.text !== "" && root.finder.count === 0 ? Theme.error : Theme.text2
            text: root.finder.text === "" ? "" : root.finder.count === 0 ? qsTr("none")
                                              : qsTr("%1 of %2").arg(root.finder.current).arg(root.finder.count)
            Accessible.role: Accessible.StaticText
            Accessible.name: text
        }
        PushButton {
            objectName: "findPrevious"
            implicitHeight: Theme.fieldControl
            implicitWidth: Theme.fieldControl
            enabled: root.finder.count > 0
            icon.name: "arrow_up"
            hint: qsTr("Previous (Shift+Enter)")
            onClicked: root.finder.previous()
        }
        PushButton {
            objectName: "findNext"
            implicitHeight: Theme.fieldControl
            implicitWidth: Theme.fieldControl
            enabled: root.finder.count > 0
            icon.name: "arrow_down"
            hint: qsTr("Next (Enter)")
            onClicked: root.finder.next()
        }
        PushButton {
            objectName: "findClose"
            implicitHeight: Theme.fieldControl
            implicitWidth: Theme.fieldControl
            icon.name: "close"
            hint: qsTr("Close (Esc)")
            onClicked: root.close()
        }
    }
}
