pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import QtQml
import Weir

/// Menu of all actions, by group.
Menu {
    id: root

    required property Actions actions

    implicitWidth: {
        let width = 200
        for (let index = 0; index < count; ++index)
            width = Math.max(width, itemAt(index).implicitWidth + 2 * padding)
        return width
    }
    padding: Theme.space1
    enter: FadeIn {}
    delegate: ActionMenuItem {}
    background: Rectangle {
        radius: Theme.radiusButton
        color: Theme.pane
        border.color: Theme.line
    }

    Instantiator {
        model: root.actions.groups()
        delegate: ActionMenu {
            required property string modelData

            objectName: modelData
            title: root.actions.groupTitle(modelData)
            actions: root.actions
            ids: root.actions.idsOf(modelData)
        }
        onObjectAdded: (index, object) => root.insertMenu(index, object)
        onObjectRemoved: (index, object) => root.removeMenu(object)
    }
}
