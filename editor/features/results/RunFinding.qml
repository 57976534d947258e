import QtQuick
import Weir

/// Slow block of a run, or how to find it.
Row {
    id: root

    required property Editor editor
    required property string run
    required property string finding
    required property bool profiled
    property real most: Infinity ///< width in pixels

    visible: finding !== ""
    spacing: Theme.space1

    SmallText {
        objectName: "finding"
        anchors.verticalCenter: parent.verticalCenter
        width: Math.min(implicitWidth, root.most - (profile.visible ? profile.width + root.spacing : 0))
        text: root.finding
        wrapMode: Text.Wrap
        color: root.profiled ? Theme.text : Theme.text2
    }
    ProfileButton {
        id: profile

        visible: !root.profiled
        editor: root.editor
        run: root.run
    }
}
