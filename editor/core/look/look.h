#pragma once

#include <QVariantMap>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace weir::editor {

/// Look of flowgraphs, here and in `weir export`: the sizes and shapes of codegen/weir/read/reporting/look.json,
/// with its names.
struct Look {
    struct Block {
        std::vector<double> widths;
        double header, gap, foot, radius, copies, chip, left, right, pill;
        int name, small;  ///< letters
    } block;
    struct Rows {
        double pitch, advance, side, between;
        int shown;
    } rows;
    struct Ports {
        double pitch, outline, hole;
        std::map<std::string, std::vector<std::array<double, 2>>> shapes;  ///< corners, of a radius of 1
        std::map<std::string, std::string> types;  ///< item type -> shape; else a circle
        std::map<std::string, double> hollow;  ///< item type -> where its hole is
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
/// All of the file.
QVariantMap lookJson();

}  // namespace weir::editor
