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

/// Distribution from latency.hgrm, ascending.
struct Hgrm {
    std::vector<HgrmPoint> points;
    double total = 0;

    bool isEmpty() const { return points.empty(); }
    /// Last percentile with enough samples by `neededFor`, where a curve ends. 0: not even the median has enough.
    double known() const;
    /// Return the value that the share `percentile` of the samples does not exceed.
    double valueAt(double percentile) const;
    /// Return the number of samples that are at most `value`.
    double countAt(double value) const;
};

/// Return the number of samples that a percentile (0 to 1) needs: ten beyond it, on the smaller side.
int neededFor(double percentile);

/// Reads the percentile text of HdrHistogram; returns a message if it is malformed.
std::variant<Hgrm, QString> readHgrm(const QByteArray& text);

}  // namespace weir::editor
