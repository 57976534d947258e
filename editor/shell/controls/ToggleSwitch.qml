import QtQuick
import QtQuick.Controls.Basic

Switch {
    id: root

    height: Theme.smallControl
    padding: 0

    indicator: Rectangle {
        y: 3
        width: Theme.space6
        height: 18
        radius: height / 2
        color: root.checked ? Theme.accent : Theme.control

        Rectangle {
            x: root.checked ? parent.width - width - Theme.space0 : Theme.space0
            y: 2
            width: 14
            height: 14
            radius: height / 2
            color: Theme.pane

            Behavior on x { NumberAnimation { duration: Theme.motion } }
        }
        FocusRing { shown: root.visualFocus }
    }
}
