import QtQuick
import QtQuick.Controls.Basic

/// Button that Enter also presses; Qt's button only takes Space.
Button {
    function press() {
        if (checkable) {
            toggle()
            toggled()
        }
        clicked()
    }

    Keys.onReturnPressed: press()
    Keys.onEnterPressed: press()
}
