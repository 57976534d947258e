import QtQuick
import QtQuick.Controls.Basic

Switch {
    id: root

    height: 24
    padding: 0

    indicator: Rectangle {
        y: 3
        width: 32
        height: 18
        radius: 9
        color: root.checked ? Theme.accent : Theme.control

        Rectangle {
            x: root.checked ? 16 : 2
            y: 2
            width: 14
            height: 14
            radius: 7
            color: Theme.pane
        }
        FocusRing { shown: root.visualFocus }
    }
}
