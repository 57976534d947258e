pragma Singleton

import QtQuick
import Weir

/// All colours, sizes, distances, durations and fonts of the application.
QtObject {
    property bool dark: false

    /// Look shared with pictures of `weir export`.
    readonly property var look: dark ? SceneLook.dark : SceneLook.light
    readonly property var lookSizes: SceneLook.sizes

    readonly property color canvas: look.canvas
    readonly property color dots: look.dots
    readonly property color pane: dark ? "#1B1F26" : "#FFFFFF"
    readonly property color alt: look.alt
    readonly property color node: look.node
    readonly property color nodeBorder: look.node_border
    readonly property color line: dark ? "#323A46" : "#D9DFE6"
    readonly property color control: dark ? "#75818F" : "#7F8A99"
    readonly property color text: look.text
    readonly property color text2: look.text2
    readonly property color text3: look.text3
    readonly property color accent: dark ? "#7AB0FF" : "#1D5FD1"
    readonly property color accentText: dark ? "#0B1522" : "#FFFFFF"
    readonly property color selectedRow: dark ? "#24385A" : "#DCE8FC"
    readonly property color error: dark ? "#FF8A80" : "#B42318"
    readonly property color errorBackground: dark ? "#3B1D1E" : "#FDECEA"
    readonly property color warning: dark ? "#F2B84B" : "#8A5300"
    readonly property color warningBackground: dark ? "#372B14" : "#FFF3D6"
    readonly property color ok: dark ? "#62CF86" : "#19713A"
    readonly property color okBackground: dark ? "#17301F" : "#E3F5E8"
    readonly property color shadow: look.shadow
    readonly property color chipText: look.chip_text

    readonly property var typeColors: look.types
    readonly property color unknownType: look.unknown
    readonly property var categoryColors: look.categories
    /// Colours of a share, one for each fifth; lightness falls with the share, so that they differ in greyscale, too.
    readonly property var heatFills: dark ? ["#2C3E4F", "#6B5A1E", "#C98020", "#F0683C", "#FF9DB0"]
                                          : ["#DDE9F3", "#F9E3A2", "#F5A94A", "#C9401A", "#8E1030"]
    readonly property var heatTexts: dark ? ["#E6EBF2", "#E6EBF2", "#0B1522", "#0B1522", "#0B1522"]
                                          : ["#17202B", "#17202B", "#17202B", "#FFFFFF", "#FFFFFF"]
    /// The same steps as lines, with enough contrast on the canvas.
    readonly property var heatLines: dark ? ["#74899C", "#AC9440", "#D98E2B", "#F0683C", "#FF9DB0"]
                                          : ["#6F8699", "#A67C00", "#BF6400", "#C9401A", "#8E1030"]
    /// Steps of fill and load: neutral, in another hue than heat and errors.
    readonly property var fillLines: dark ? ["#74899C", "#857FBE", "#9C88DC", "#B79CFF", "#D9CBFF"]
                                          : ["#6F8699", "#7F78B8", "#7559C0", "#5F38B8", "#431F94"]
    /// Bands along wires, paler than the lines in them.
    readonly property var fillBands: fillLines.map(colour => Qt.tint(canvas, Qt.alpha(colour, 0.5)))
    readonly property var seriesColors: look.workers
    readonly property var plotStyle: ({
        "background": pane, "ink": text, "muted": text3, "grid": line, "axis": control, "good": ok, "bad": error,
        "series": seriesColors, "sans": sans, "mono": mono
    })
    /// Colours of code, with a contrast of at least 4.5 : 1 on a pane, a selected line and a line with an error.
    readonly property var syntax: dark ? {
        "comment": "#A6B1BF", "keyword": "#C3ADFF", "type": "#5AD4C4", "string": "#7ADB99", "number": "#F7B06A",
        "preprocessor": "#E6A0F5", "key": "#7CC6FA"
    } : {
        "comment": "#4F5B6B", "keyword": "#6236B8", "type": "#0A645A", "string": "#14602F", "number": "#8A4500",
        "preprocessor": "#8A2494", "key": "#0A5A99"
    }

    /// Colours of frames and notes, with the names of project files.
    readonly property var decorColors: look.decor
    /// Colours for the painters of flowgraphs.
    readonly property var canvasColors: Object.assign({
        "accent": accent, "error": error, "errorBackground": errorBackground, "warning": warning,
        "warningBackground": warningBackground, "ok": ok, "pane": pane, "family": sans
    }, look)

    readonly property var laneColors: look.workers

    readonly property string sans: Fonts.sans
    readonly property string mono: Fonts.mono

    /// Font sizes, and line heights.
    readonly property int sizeFigure: 28 ///< the main number of a page
    readonly property int sizeTitle: 20
    readonly property int sizeHeading: 16
    readonly property int sizeBody: 13
    readonly property int sizeSmall: 12
    readonly property int sizeName: lookSizes.block.name ///< of a block
    readonly property int sizeTiny: 11
    readonly property int lineSmall: 16

    /// Gaps and margins.
    readonly property int space0: 2 ///< between lines of one item
    readonly property int space1: 4
    readonly property int space2: 8
    readonly property int space3: 12
    readonly property int space4: 16
    readonly property int space5: 24
    readonly property int space6: 32

    /// Heights of controls in bars, in forms and lists, and in lines. Then heights of bars and rows.
    readonly property int barControl: 32
    readonly property int fieldControl: 28
    readonly property int smallControl: 24
    readonly property int bar: 44
    readonly property int pill: 22
    readonly property int row: 28
    readonly property int fieldLabel: 104 ///< width of the labels of fields
    readonly property int tableRow: 26

    readonly property int icon: 16
    readonly property int iconLarge: 20
    readonly property int radiusField: 4
    readonly property int radiusChip: 5
    readonly property int radiusButton: 6
    readonly property int radiusNode: lookSizes.block.radius
    readonly property int stroke: 1
    readonly property int strokeStrong: 2
    readonly property int focusGap: 3 ///< from a control to the ring around it
    readonly property int ringWidth: 3 ///< around a selection
    readonly property int chipSize: lookSizes.block.chip ///< category chip of a block
    readonly property int headerHeight: lookSizes.block.header ///< of a block
    readonly property int portsTop: headerHeight + lookSizes.block.gap
    readonly property int portPitch: lookSizes.ports.pitch
    readonly property int rowPitch: lookSizes.rows.pitch ///< of parameters
    readonly property int rowSide: lookSizes.rows.side
    readonly property int copyOffset: lookSizes.block.copies ///< offset of the copies behind a repeated block
    readonly property int mark: 6 ///< a dot, or the thickness of a bar that shows a share
    readonly property int scrollBar: 6

    /// Milliseconds: of explanatory animations (none off screen, where a picture must show the final state), of a cycle
    /// of a progress strip, and before a hint appears.
    readonly property int motion: Qt.platform.pluginName === "offscreen" ? 0 : 150
    readonly property int sweep: 1600
    readonly property int hintDelay: 600

    /// Return the colours of blocks, from the index of one worker each.
    function laneColorsOf(blocks: var): var {
        const colours = {}
        for (const block in blocks)
            colours[block] = laneColor(blocks[block])
        return colours
    }

    function typeColor(type: string): color {
        return typeColors[type] ?? unknownType
    }

    function categoryColor(category: string): color {
        return categoryColors[category] ?? categoryColors["control"]
    }

    /// Return the background of a block's name; stronger under the pointer.
    function categoryTint(category: string, strong: bool): color {
        return Qt.tint(node, Qt.alpha(categoryColor(category), look.tint + (strong ? 0.12 : 0)))
    }

    /// Return the colour of worker `number`. Colours repeat: only its name identifies a worker.
    function laneColor(number: int): color {
        return number < 0 ? text3 : laneColors[number % laneColors.length]
    }

    function severityName(severity: string): string {
        return severity === "error" ? qsTr("Error") : severity === "warning" ? qsTr("Warning")
             : severity === "unfinished" ? qsTr("To finish") : qsTr("Note")
    }

    /// Return the name of a run's status in results.json.
    function statusName(status: string): string {
        return ({ "ok": qsTr("ok"), "partial": qsTr("partial"), "failed": qsTr("failed"), "timeout": qsTr("timeout"),
                  "invalid": qsTr("invalid"), "damaged": qsTr("damaged"), "incomplete": qsTr("incomplete") })[status] ?? status
    }

    function severityColor(severity: string): color {
        return severity === "error" ? error : severity === "warning" ? warning : text2
    }
}
