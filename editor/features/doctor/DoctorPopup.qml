pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Weir

/// Findings of the doctor, each with its reason and the commands that fix it. A run does not wait for them.
PanePopup {
    id: root

    required property Doctor doctor

    objectName: "doctorPopup"
    width: 480
    height: Math.min(list.y + Math.max(list.contentHeight, Theme.bar) + Theme.space3, 560)
    padding: 0
    closePolicy: Popup.CloseOnEscape | Popup.CloseOnPressOutsideParent
    onOpened: list.forceActiveFocus(Qt.PopupFocusReason)

    PlainText {
        x: Theme.space4
        y: Theme.space3
        width: again.x - x
        text: root.doctor.summary !== "" ? root.doctor.summary : qsTr("This machine")
        elide: Text.ElideRight
        font.weight: Font.DemiBold
    }
    SmallButton {
        id: again

        objectName: "doctorAgain"
        x: parent.width - width - Theme.space3
        y: Theme.space2
        text: root.doctor.asking ? qsTr("Checking…") : qsTr("Check again")
        hint: qsTr("Repeat the check")
        enabled: !root.doctor.asking
        onClicked: root.doctor.again()
    }
    NoteText {
        x: Theme.space4
        y: list.y + Theme.space1
        width: parent.width - Theme.space6
        visible: list.count === 0
        text: root.doctor.asking ? qsTr("Checking the machine…") : root.doctor.failure !== "" ? root.doctor.failure
            : qsTr("Weir found nothing that makes measurements noisy.")
    }
    ScrollList {
        id: list

        objectName: "doctorFindings"
        x: Theme.space1
        y: Theme.space6 + Theme.space3
        width: parent.width - Theme.space2
        height: parent.height - y - Theme.space2
        model: root.doctor.findings
        activeFocusOnTab: true
        keyNavigationEnabled: true
        Accessible.name: root.doctor.summary
        Keys.onReturnPressed: (currentItem as DoctorFindingRow)?.copyAll()

        delegate: DoctorFindingRow {
            width: list.width
            onCopied: command => root.doctor.copy(command)
        }
    }
}
