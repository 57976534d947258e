import QtQuick
import QtQuick.Shapes
import Weir

/// Icon of a folder or a file.
Shape {
    id: root

    required property bool folder

    width: Theme.icon
    height: Theme.icon

    ShapePath {
        strokeColor: root.folder ? Theme.accent : Theme.control
        strokeWidth: 1.3
        fillColor: root.folder ? Theme.selectedRow : "transparent"
        joinStyle: ShapePath.RoundJoin

        PathSvg {
            path: root.folder ? "M1.5 3.5 h4.5 l1.5 2 h7 v8 h-13 z" : "M3.5 1.5 h6 l3 3 v10 h-9 z M9.5 1.5 v3 h3"
        }
    }
}
