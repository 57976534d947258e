import QtQuick
import QtQuick.Controls.Basic

/// A button that Enter presses too; Qt has it pressed by Space alone.
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
