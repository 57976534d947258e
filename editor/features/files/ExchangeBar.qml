import QtQuick
import QtQuick.Layouts
import Weir

/// Shows a slow import or export while it runs.
Rectangle {
    id: root

    required property Exchange exchange

    objectName: "exchangeBar"
    visible: exchange.doing !== ""
    implicitWidth: row.implicitWidth + Theme.space6
    implicitHeight: 52
    radius: Theme.radiusNode
    color: Theme.pane
    border.color: Theme.control
    Accessible.role: Accessible.AlertMessage
    Accessible.name: exchange.doing

    RowLayout {
        id: row

        anchors.centerIn: parent
        spacing: Theme.space3

        PlainText {
            text: root.exchange.doing
            font.weight: Font.DemiBold
        }
        PushButton {
            objectName: "cancelImport"
            visible: root.exchange.importing
            text: qsTr("Cancel")
            hint: qsTr("The project stays as it is")
            onClicked: root.exchange.cancelImport()
        }
    }
    ProgressStrip {
        anchors.bottom: parent.bottom
        anchors.bottomMargin: Theme.stroke
        x: Theme.stroke
        width: parent.width - 2 * x
        Accessible.name: root.exchange.doing
    }
}
