import QtQuick
import Weir

/// Says that numbers are of a run of something else than the project as it is, and in what that differs.
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
