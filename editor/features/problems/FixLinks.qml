pragma ComponentBehavior: Bound

import QtQuick

/// One button for each fix of a problem.
Flow {
    id: root

    property var fixes: []
    /// Prefix of their object names.
    property string prefix

    signal chosen(fix: int)

    visible: fixes.length > 0
    spacing: Theme.space3

    Repeater {
        model: root.fixes

        LinkText {
            required property string modelData
            required property int index

            objectName: index === 0 ? root.prefix : root.prefix + ":" + index
            width: Math.min(implicitWidth, root.width)
            height: 18
            text: modelData
            onActivated: root.chosen(index)
        }
    }
}
