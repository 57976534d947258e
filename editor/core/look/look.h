#pragma once

#include <QVariantMap>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace weir::editor {

/// Look of flowgraphs in the editor and in `weir export`: sizes and shapes of codegen/weir/read/reporting/look.json,
/// with the same names.
/// with its names.
struct Look {
    struct Block {
        std::vector<double> widths;
        double header, gap, foot, radius, copies, chip, left, right, pill;
        int name, small;  ///< font sizes
    } block;
    struct Rows {
        double pitch, advance, side, between;
        int shown;
    } rows;
    struct Ports {
        double pitch, outline, hole;
        std::map<std::string, std::vector<std::array<double, 2>>> shapes;  ///< corners, in a unit circle
        std::map<std::string, std::string> types;  ///< item type -> shape; default: circle
        std::map<std::string, double> hollow;  ///< item type -> position of its hole
    } ports;
    struct Wire {
        double width, casing, fork, forked;
        struct Arm {
            double least, most, returning, share;
        } arm;
        struct Gap {
            double least, most;
        } gap;
    } wire;
    struct Group {
        double side, above, radius, caption, x, y;
        float fill;
    } group;
    struct Frame {
        double header, radius, stroke, title, x;
        float fill, head, edge;
    } frame;
    struct Note {
        double radius, words, padding;
        float fill, edge;
    } note;
    double grid;
};

const Look& look();
/// Return the whole file.
QVariantMap lookJson();

}  // namespace weir::editor
