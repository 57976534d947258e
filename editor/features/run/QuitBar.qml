import QtQuick
import QtQuick.Layouts
import Weir

/// Asks whether to stop the run when the window is to close.
Rectangle {
    id: root

    required property RunController runner

    objectName: "quitBar"
    visible: runner.askingToQuit
    implicitWidth: row.implicitWidth + Theme.space6
    implicitHeight: 52
    radius: Theme.radiusNode
    color: Theme.warningBackground
    border.color: Theme.warning
    Accessible.role: Accessible.AlertMessage
    Accessible.name: label.text
    onVisibleChanged: if (visible) keep.forceActiveFocus()

    RowLayout {
        id: row

        anchors.centerIn: parent
        spacing: Theme.space3

        PlainText {
            id: label

            text: root.runner.quitting ? qsTr("The run is stopping. Then the window closes.")
                : root.runner.stopping ? qsTr("A run is stopping. Quit when it has stopped?")
                : qsTr("A run is in progress. Stop it and quit?")
            color: Theme.warning
            font.weight: Font.DemiBold
        }
        PushButton {
            objectName: "quitStop"
            text: root.runner.quitting ? qsTr("Quit at once") : qsTr("Stop and quit")
            onClicked: root.runner.answerQuit(true)
        }
        PushButton {
            id: keep

            objectName: "quitKeep"
            text: root.runner.stopping ? qsTr("Do not quit") : qsTr("Keep running")
            onClicked: root.runner.answerQuit(false)
        }
    }
}
