import QtQuick
import Weir

/// Button that measures the missing work time of a run.
SmallButton {
    id: root

    required property Editor editor
    /// Path of the run to repeat.
    required property string run

    objectName: "profileRun"
    text: qsTr("Profile this run")
    icon.name: "profile"
    framed: true
    enabled: run !== "" && !editor.runner.running
    hint: qsTr("Run the project again with the same options and measure the time of each call. This costs "
               + "about 45 ns per call, so the run is "
               + "marked as profiled, and its throughput is not compared.")
    onClicked: editor.results.profile(run)
}
