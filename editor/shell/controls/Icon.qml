import QtQuick
import Weir

/// An icon of the program (`undo`), of a category (`category/filter`) or of a block (`block/fir_filter`), in one colour
/// and as sharp as the screen can show it. `fallback` is drawn where there is no such icon.
Image {
    id: root

    property string name
    property string fallback
    property color color: Theme.text2
    property int size: Theme.icon

    width: size
    height: size
    // In pixels of the device: Qt multiplies the size for a provider by their ratio.
    sourceSize.width: size
    sourceSize.height: size
    source: name === "" && fallback === "" ? "" : Icons.source(name, fallback, color, Icons.revision)
}
