import QtQuick

/// Transition of popups that open.
Transition {
    NumberAnimation {
        property: "opacity"
        from: 0
        to: 1
        duration: Theme.motion
        easing.type: Easing.OutCubic
    }
}
