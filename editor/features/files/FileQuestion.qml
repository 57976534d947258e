import QtQuick
import QtQuick.Layouts
import Weir

/// Problem with the entered name, or question whether to replace a file.
Rectangle {
    id: root

    required property FileChooser chooser

    readonly property bool asks: chooser.replaced !== ""

    /// Emitted when the user wants another name.
    signal leaving()

    objectName: "fileProblem"
    visible: asks || chooser.problem !== ""
    implicitHeight: Math.max(44, words.implicitHeight + Theme.space4)
    radius: Theme.radiusField
    color: asks ? Theme.warningBackground : Theme.errorBackground
    Accessible.role: Accessible.AlertMessage
    Accessible.name: words.text
    onAsksChanged: if (asks) other.forceActiveFocus(Qt.TabFocusReason)
    Keys.onEscapePressed: event => {
        event.accepted = asks
        if (asks) {
            chooser.clear()
            leaving()
        }
    }

    RowLayout {
        anchors.fill: parent
        anchors.leftMargin: Theme.space3
        anchors.rightMargin: Theme.space2
        spacing: Theme.space2

        PlainText {
            id: words
            objectName: "fileProblemText"
            Layout.fillWidth: true
            text: root.asks ? qsTr("%1 already exists.").arg(root.chooser.replaced.slice(root.chooser.replaced.lastIndexOf("/") + 1))
                            : root.chooser.problem
            wrapMode: Text.Wrap
            color: root.asks ? Theme.warning : Theme.error
        }
        PushButton {
            objectName: "fileMakeAbsent"
            visible: root.chooser.absent !== ""
            implicitHeight: Theme.fieldControl
            text: qsTr("Create the folder and save")
            hint: qsTr("Create %1 and save there (press Enter again)").arg(root.chooser.absent)
            onClicked: root.chooser.makeAbsent()
        }
        PushButton {
            objectName: "fileReplace"
            visible: root.asks
            implicitHeight: Theme.fieldControl
            text: qsTr("Replace it")
            onClicked: root.chooser.replace()
        }
        PushButton {
            id: other
            objectName: "fileKeep"
            visible: root.asks
            implicitHeight: Theme.fieldControl
            text: qsTr("Another name")
            onClicked: {
                root.chooser.clear()
                root.leaving()
            }
        }
    }
}
