#pragma once

#include <QByteArray>
#include <QString>

#include <variant>
#include <vector>

namespace weir::editor {

/// One line of a percentile file: `count` samples are at most `value`.
struct HgrmPoint {
    double percentile = 0; ///< 0 to 1
    double value = 0;      ///< ns
    double count = 0;
};

/// A distribution as latency.hgrm has it, ascending.
struct Hgrm {
    std::vector<HgrmPoint> points;
    double total = 0;

    bool isEmpty() const { return points.empty(); }
    /// The last percentile that the samples bear, by the rule of `neededFor`; a curve ends there. 0: not even the median.
    double known() const;
    /// The value that the share `percentile` of the samples does not exceed.
    double valueAt(double percentile) const;
    /// Return the number of samples that are at most `value`.
    double countAt(double value) const;
};

/// Return the samples that a percentile (0 to 1) needs: ten lie beyond it, on the side that has fewer.
int neededFor(double percentile);

/// Reads the percentile text of HdrHistogram; a message where it is none.
std::variant<Hgrm, QString> readHgrm(const QByteArray& text);

}  // namespace weir::editor
