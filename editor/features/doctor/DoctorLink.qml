import QtQuick
import Weir

/// Link that says what makes the next measurement noisy. A click shows the findings.
Item {
    id: root

    required property Doctor doctor
    /// True if the line is shown. The list can open without it.
    property bool shown: true
    /// Available width. It decides between the sentence, its short form and the number alone.
    property real room: 0

    implicitWidth: link.visible ? link.implicitWidth : 0
    implicitHeight: Theme.pill

    LinkText {
        id: link

        objectName: "doctorLink"
        anchors.verticalCenter: parent.verticalCenter
        visible: root.shown && root.doctor.count > 0
        icon: root.doctor.broken ? "warning" : "info"
        text: root.room >= 1500 ? root.doctor.summary : root.room >= 1300 ? root.doctor.brief : "" + root.doctor.count
        color: root.doctor.broken ? Theme.warning : Theme.text2
        Accessible.name: root.doctor.summary
        onActivated: popup.opened ? popup.close() : popup.open()

        HoverHandler { id: over }
        Hint {
            shown: over.hovered && !popup.visible
            text: qsTr("%1: show causes and remedies").arg(root.doctor.summary)
        }
    }
    DoctorPopup {
        id: popup

        x: root.width - width
        y: root.height + Theme.space1
        doctor: root.doctor
    }
    Connections {
        target: root.doctor
        function onOpened() { popup.open() }
    }
}
