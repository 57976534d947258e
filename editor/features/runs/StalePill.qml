import QtQuick
import Weir

/// Mark of numbers from an earlier version of the project, with the differences.
Pill {
    id: root

    required property string differs

    foreground: Theme.warning
    background: Theme.warningBackground
    Accessible.role: Accessible.StaticText
    Accessible.name: hint.text

    HoverHandler { id: hover }
    Hint {
        id: hint

        shown: hover.hovered
        text: qsTr("%1. The project has changed since this run, or the run had other options.").arg(root.differs)
    }
}
