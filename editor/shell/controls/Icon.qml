import QtQuick
import Weir

/// Icon of the program (`undo`), of a category (`category/filter`) or of a block (`block/fir_filter`), in one colour
/// and at the resolution of the screen. `fallback` is used if there is no such icon.
Image {
    id: root

    property string name
    property string fallback
    property color color: Theme.text2
    property int size: Theme.icon

    width: size
    height: size
    // Qt multiplies the size for an image provider by the pixel ratio.
    sourceSize.width: size
    sourceSize.height: size
    source: name === "" && fallback === "" ? "" : Icons.source(name, fallback, color, Icons.revision)
}
