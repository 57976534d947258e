import QtQuick

/// How what opens comes into sight.
Transition {
    NumberAnimation {
        property: "opacity"
        from: 0
        to: 1
        duration: Theme.motion
        easing.type: Easing.OutCubic
    }
}
