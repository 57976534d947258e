pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import QtQml
import Weir

/// Every action, by its group.
Menu {
    id: root

    required property Actions actions

    implicitWidth: 200
    padding: Theme.space1
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

            title: modelData
            actions: root.actions
            ids: root.actions.idsOf(modelData)
        }
        onObjectAdded: (index, object) => root.insertMenu(index, object)
        onObjectRemoved: (index, object) => root.removeMenu(object)
    }
}
