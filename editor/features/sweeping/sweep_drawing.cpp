#include "features/sweeping/sweep_drawing.h"

#include "core/document/sweep_axes.h"
#include "core/text/texts.h"
#include "core/text/ticks.h"
#include "core/text/value_text.h"
#include "features/plots/plot_frame.h"

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

constexpr double kFarApart = 20;    ///< a larger ratio of values gets a logarithmic axis, as in reports
constexpr double kReach = 24;       ///< px around the pointer
constexpr std::size_t kMostRows = 40;
constexpr std::size_t kMostTicks = 12; ///< labelled values of the axis

double numberOf(const Json& value) {
    return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

/// Return the title and unit of an axis: those of the schema for a setting, else the name of the column.
QString titleOf(const SweepAxis& axis) {
    const auto shown = shownSetting(axis.key);
    if (!shown) return axis.name();
    return shown->unit.isEmpty() ? shown->title
                                 : SweepText::tr("%1, %2", "a quantity, its unit").arg(shown->title, shown->unit);
}

/// Positions of the points of a figure.
struct SweepFrame {
    Frame frame;
    Axis x, y; ///< in a figure of rows, `x` has the values
    std::vector<std::vector<int>> lines;
    bool isOfRows = false;
    bool isFull = false; ///< there are more rows than fit in a figure

    const SweepPoint& point(const SweepPicture& picture, int number) const {
        return picture.outline.points[static_cast<std::size_t>(number)];
    }
    const SweepEstimate& estimate(const SweepPicture& picture, int number) const {
        return point(picture, number).all[static_cast<std::size_t>(picture.quantity)];
    }
    double xOf(const SweepPicture& picture, int number) const {
        return numberOf(point(picture, number).values[static_cast<std::size_t>(picture.outline.x)]);
    }
    double rowOf(std::size_t row) const {
        const auto count = static_cast<double>(std::max<std::size_t>(1, lines.size()));
        return frame.area.top() + (static_cast<double>(row) + 0.5) * frame.area.height() / count;
    }
    /// Return the position of a value of the point in this line.
    QPointF at(const SweepPicture& picture, std::size_t line, int number, double value) const {
        return isOfRows ? QPointF(x.at(value), rowOf(line)) : QPointF(x.at(xOf(picture, number)), y.at(value));
    }
};

/// Return the values of single rounds, if they are too few for an interval.
std::vector<double> roundValues(const SweepPicture& picture, const SweepPoint& point) {
    std::vector<double> values;
    for (const SweepRunFact& run : point.runs)
        if (const double value = run.values[static_cast<std::size_t>(picture.quantity)];
            run.status == QLatin1String("ok") && value > 0)
            values.push_back(value);
    return values;
}

std::pair<double, double> spanOf(const SweepPicture& picture, const std::vector<std::vector<int>>& lines) {
    double low = std::numeric_limits<double>::infinity(), high = 0;
    const auto take = [&](double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    };
    for (const auto& line : lines)
        for (const int number : line) {
            const SweepPoint& point = picture.outline.points[static_cast<std::size_t>(number)];
            const SweepEstimate& estimate = point.all[static_cast<std::size_t>(picture.quantity)];
            take(estimate.value);
            if (estimate.interval) {
                take(estimate.interval->first);
                take(estimate.interval->second);
            } else {
                for (const double value : roundValues(picture, point)) take(value);
            }
        }
    return {low, high};
}

Axis valueAxis(std::pair<double, double> span, bool logarithmic, double from, double to) {
    const auto [low, high] = span;
    if (!(high > 0)) return {0, 1, from, to, false};
    if (logarithmic || high > kFarApart * low)
        return {low / std::pow(high / low, 0.06) / 1.05, high * std::pow(high / low, 0.06) * 1.05, from, to, true};
    return {0, high * 1.1, from, to, false};
}

SweepFrame framed(const SweepPicture& picture, QSizeF size, const PlotStyle& style, bool logarithmic) {
    const bool isOfRows = picture.outline.x < 0;
    SweepFrame made{
        Frame(size, style, isOfRows ? std::min(200.0, size.width() * 0.3) : Frame::kLeft), {}, {}, {}, isOfRows, false};
    made.lines = picture.lines();
    if (isOfRows && made.lines.size() > kMostRows) {
        made.isFull = true;
        made.lines.clear();
    }
    const QRectF& area = made.frame.area;
    const auto span = spanOf(picture, made.lines);
    if (isOfRows) {
        made.x = valueAxis(span, logarithmic, area.left(), area.right());
        return made;
    }
    made.y = valueAxis(span, logarithmic, area.bottom(), area.top());
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Json& value : picture.outline.axes[static_cast<std::size_t>(picture.outline.x)].values) {
        low = std::min(low, numberOf(value));
        high = std::max(high, numberOf(value));
    }
    constexpr double kInset = 14; // px between the first point and the axis
    made.x = {low, high > low ? high : low + 1, area.left() + kInset, area.right() - kInset,
              low > 0 && high > kFarApart * low};
    return made;
}

void addValueTicks(SweepFrame& made, const Axis& axis, const Scale& scale) {
    const double length = std::abs(axis.to - axis.from);
    const int most = std::max(3, static_cast<int>(length / (made.isOfRows ? kTickGap * 1.4 : 30)));
    const auto ticks = axis.logarithmic ? logarithmicTicks(axis.low / scale.factor, axis.high / scale.factor, most)
                                        : linearTicks(axis.low / scale.factor, axis.high / scale.factor, most);
    for (const double tick : ticks)
        if (made.isOfRows) made.frame.tickX(axis.at(tick * scale.factor), tickText(tick));
        else made.frame.tickY(axis.at(tick * scale.factor), tickText(tick));
}

void addAxisTicks(SweepFrame& made, const SweepPicture& picture) {
    const SweepAxis& axis = picture.outline.axes[static_cast<std::size_t>(picture.outline.x)];
    if (axis.values.size() > kMostTicks) {
        const int most = std::max(3, static_cast<int>((made.x.to - made.x.from) / kTickGap));
        const auto ticks = made.x.logarithmic ? logarithmicTicks(made.x.low, made.x.high, most)
                                              : linearTicks(made.x.low, made.x.high, most);
        for (const double tick : ticks) made.frame.tickX(made.x.at(tick), tickText(tick));
        return;
    }
    double before = -std::numeric_limits<double>::infinity();
    std::vector<double> values;
    for (const Json& value : axis.values) values.push_back(numberOf(value));
    std::sort(values.begin(), values.end());
    for (const double value : values) {
        const QString label = shownNumber(value);
        const double x = made.x.at(value), half = made.frame.widthOf(label) / 2 + 3;
        made.frame.tickX(x, x - half >= before ? label : QString());
        before = x - half >= before ? x + half : before;
    }
}

void addPoint(SweepFrame& made, const SweepPicture& picture, std::size_t line, int number, const QColor& color) {
    const SweepEstimate& estimate = made.estimate(picture, number);
    const QPointF at = made.at(picture, line, number, estimate.value);
    Drawing& drawing = made.frame.drawing;
    if (estimate.interval) {
        const QPointF from = made.at(picture, line, number, estimate.interval->first);
        const QPointF to = made.at(picture, line, number, estimate.interval->second);
        drawing.add(Stroke{{{from, to}}, color, 1.5});
        const QPointF cap = made.isOfRows ? QPointF(0, 4) : QPointF(4, 0);
        for (const QPointF& end : {from, to}) drawing.add(Stroke{{{end - cap, end + cap}}, color, 1.5});
    } else {
        QColor pale = color;
        pale.setAlphaF(0.45F);
        for (const double value : roundValues(picture, made.point(picture, number)))
            drawing.add(Dot{made.at(picture, line, number, value), 2, pale});
    }
    if (number == picture.chosen) drawing.add(Dot{at, 8, made.frame.style.background, made.frame.style.ink});
    drawing.add(Dot{at, 4.5, color, made.frame.style.background});
}

QColor colourOf(const SweepFrame& made, std::size_t line) {
    return made.frame.style.colour(made.isOfRows ? 0 : static_cast<int>(line));
}

/// Draw as many names of lines as fit at the top, from the right. Hovering shows the others.
void addLineNames(SweepFrame& made, const SweepPicture& picture, double from) {
    double right = made.frame.area.right();
    for (std::size_t line = made.lines.size(); line-- > 0;) {
        if (made.lines[line].empty()) continue;
        const QString name =
            labelOf(picture.outline, made.point(picture, made.lines[line].front()), picture.outline.lines);
        if (name.isEmpty()) continue;
        right -= made.frame.widthOf(name) + 18;
        if (right < from) return;
        made.frame.key({right, 14}, {name, {}, made.frame.style.colour(static_cast<int>(line))});
        right -= 16;
    }
}

int nearest(const SweepFrame& made, const SweepPicture& picture, QPointF at) {
    int found = -1;
    double least = kReach;
    for (std::size_t line = 0; line < made.lines.size(); ++line)
        for (const int number : made.lines[line]) {
            const QPointF off = made.at(picture, line, number, made.estimate(picture, number).value) - at;
            const double distance = made.isOfRows ? std::abs(off.y()) : std::hypot(off.x(), off.y());
            if (distance <= least) {
                least = distance;
                found = number;
            }
        }
    return found;
}

/// Describe the point under the pointer beside it.
void addReading(SweepFrame& made, const SweepPicture& picture, QPointF pointer) {
    const int number = nearest(made, picture, pointer);
    if (number < 0) return;
    const SweepEstimate& estimate = made.estimate(picture, number);
    QString value = quantityText(picture.of(), estimate.value);
    if (estimate.interval)
        value += SweepText::tr(", 95 %: %1 to %2")
                     .arg(quantityText(picture.of(), estimate.interval->first),
                          quantityText(picture.of(), estimate.interval->second));
    const QString name = made.point(picture, number).name;
    const double width = std::max(made.frame.widthOf(name), made.frame.widthOf(value)) + 20;
    const QRectF area = made.frame.area;
    const QPointF corner(std::clamp(pointer.x() + 12, area.left(), std::max(area.left(), area.right() - width)),
                         std::clamp(pointer.y() - 50, area.top(), area.bottom() - 44));
    made.frame.drawing.add(Area{{corner, QSizeF(width, 40)}, made.frame.style.background, 4, made.frame.style.axis});
    made.frame.text(corner + QPointF(10, 12), name, made.frame.style.ink, Qt::AlignLeft | Qt::AlignVCenter, true);
    made.frame.text(corner + QPointF(10, 28), value, made.frame.style.ink, Qt::AlignLeft | Qt::AlignVCenter);
}

} // namespace

QStringList SweepPicture::figures() const {
    QStringList found;
    for (const SweepPoint& point : outline.points)
        if (const QString label = labelOf(outline, point, outline.figures); !found.contains(label)) found.append(label);
    return found;
}

std::vector<std::vector<int>> SweepPicture::lines() const {
    std::vector<std::vector<int>> found;
    if (isEmpty()) return found;
    const QString wanted = figures().value(figure);
    QStringList names;
    for (std::size_t number = 0; number < outline.points.size(); ++number) {
        const SweepPoint& point = outline.points[number];
        const bool isOfRows = outline.x < 0;
        const bool hasValue = !std::isnan(point.all[static_cast<std::size_t>(quantity)].value);
        if (isOfRows ? !hasValue : labelOf(outline, point, outline.figures) != wanted) continue;
        const QString name = isOfRows ? QString::number(number) : labelOf(outline, point, outline.lines);
        if (!names.contains(name)) {
            names.append(name);
            found.emplace_back();
        }
        if (hasValue) found[static_cast<std::size_t>(names.indexOf(name))].push_back(static_cast<int>(number));
    }
    if (outline.x >= 0)
        for (auto& line : found)
            std::stable_sort(line.begin(), line.end(), [this](int a, int b) {
                const auto place = static_cast<std::size_t>(outline.x);
                return numberOf(outline.points[static_cast<std::size_t>(a)].values[place]) <
                       numberOf(outline.points[static_cast<std::size_t>(b)].values[place]);
            });
    return found;
}

Drawing sweepPlot(const SweepPicture& picture, QSizeF size, const PlotStyle& style, const PlotOptions& options) {
    if (picture.isEmpty()) {
        Frame frame(size, style);
        frame.sayEmpty(picture.outline.roundsMeasured > 0 ? SweepText::tr("The measurements contain nothing to draw.")
                                                          : SweepText::tr("The figure here grows with every round."));
        return std::move(frame.drawing);
    }
    SweepFrame made = framed(picture, size, style, options.logarithmic);
    if (std::all_of(made.lines.begin(), made.lines.end(), [](const auto& line) { return line.empty(); })) {
        made.frame.sayEmpty(made.isFull
                                ? SweepText::tr("Without an axis of numbers, %1 points are too many rows for a figure.")
                                      .arg(picture.outline.points.size())
                                : SweepText::tr("The measurements contain nothing to draw."));
        return std::move(made.frame.drawing);
    }
    const Axis& values = made.isOfRows ? made.x : made.y;
    const Scale seconds = siScale(values.high * 1e-9, QStringLiteral("s"));
    const Scale scale = picture.of().unit == QLatin1String("ns") ? Scale{seconds.factor * 1e9, seconds.unit}
                                                                 : siScale(values.high, picture.of().unit);
    const QString title = scale.unit.isEmpty()
                              ? picture.of().words
                              : SweepText::tr("%1, %2", "a quantity, its unit").arg(picture.of().words, scale.unit);
    addValueTicks(made, values, scale);
    if (made.isOfRows) {
        made.frame.axes(title, {});
        for (std::size_t row = 0; row < made.lines.size(); ++row) {
            const QFontMetricsF metrics(fontOf(made.frame.drawing, {{}, {}, {}, {}, Frame::kText, false, false}));
            const QString name = metrics.elidedText(made.point(picture, made.lines[row].front()).name, Qt::ElideMiddle,
                                                    made.frame.area.left() - 20);
            made.frame.text({made.frame.area.left() - 10, made.rowOf(row)}, name, style.ink,
                            Qt::AlignRight | Qt::AlignVCenter);
        }
    } else {
        addAxisTicks(made, picture);
        made.frame.axes(titleOf(picture.outline.axes[static_cast<std::size_t>(picture.outline.x)]), title);
        addLineNames(made, picture, made.frame.area.left() + made.frame.widthOf(title));
    }
    for (std::size_t line = 0; line < made.lines.size(); ++line) {
        QPolygonF through;
        for (const int number : made.lines[line])
            through.append(made.at(picture, line, number, made.estimate(picture, number).value));
        const bool again = line >= static_cast<std::size_t>(style.series.size());
        if (through.size() > 1)
            made.frame.drawing.add(
                Stroke{through, colourOf(made, line), 1.75, again ? QList<qreal>{4, 2} : QList<qreal>{}});
    }
    for (std::size_t line = 0; line < made.lines.size(); ++line)
        for (const int number : made.lines[line]) addPoint(made, picture, line, number, colourOf(made, line));
    if (options.pointer && made.frame.area.adjusted(-2, -2, 2, 2).contains(*options.pointer))
        addReading(made, picture, *options.pointer);
    return std::move(made.frame.drawing);
}

int pointAt(const SweepPicture& picture, QSizeF size, const PlotStyle& style, bool logarithmic, QPointF at) {
    return picture.isEmpty() ? -1 : nearest(framed(picture, size, style, logarithmic), picture, at);
}

int pointBeside(const SweepPicture& picture, int along, int across) {
    auto lines = picture.lines();
    std::erase_if(lines, [](const auto& line) { return line.empty(); });
    if (lines.empty()) return -1;
    for (std::size_t line = 0; line < lines.size(); ++line) {
        const auto place = std::find(lines[line].begin(), lines[line].end(), picture.chosen);
        if (place == lines[line].end()) continue;
        const int to = std::clamp(static_cast<int>(line) + across, 0, static_cast<int>(lines.size()) - 1);
        const auto& other = lines[static_cast<std::size_t>(to)];
        const int on =
            std::clamp(static_cast<int>(place - lines[line].begin()) + along, 0, static_cast<int>(other.size()) - 1);
        return other[static_cast<std::size_t>(on)];
    }
    return lines.front().front();
}

} // namespace weir::editor
