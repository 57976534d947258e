import QtQuick
import Weir

/// The mend of a run whose workers span on CPUs that others of them needed, while its deployment still is so.
SmallButton {
    id: root

    required property Editor editor
    required property string deployment
    /// The run is such a one.
    required property bool spinning

    visible: spinning && Array.from(editor.results.restless).includes(deployment)
    text: qsTr("Wait: park")
    framed: true
    hint: qsTr("Let the workers of %1 park while they wait. Then run it again: this run stays as it is.").arg(deployment)
    onClicked: editor.results.park(deployment)
}
