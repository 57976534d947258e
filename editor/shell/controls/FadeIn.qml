import QtQuick

/// Transition of opening popups.
Transition {
    NumberAnimation {
        property: "opacity"
        from: 0
        to: 1
        duration: Theme.motion
        easing.type: Easing.OutCubic
    }
}
