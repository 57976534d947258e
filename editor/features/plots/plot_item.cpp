#include "features/plots/plot_item.h"

#include "core/document/project_file.h"

#include <QBuffer>
#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>

#include <algorithm>

namespace weir::editor {
namespace {

constexpr qreal kPictureScale = 2;
constexpr qreal kKeyStep = 12;

} // namespace

PlotItem::PlotItem(QQuickItem* parent) : QQuickPaintedItem(parent) {
    setAntialiasing(true);
    setAcceptHoverEvents(true);
    setActiveFocusOnTab(true);
    connect(this, &PlotItem::changed, this, [this] { update(); });
    connect(this, &PlotItem::readingChanged, this, [this] { update(); });
}

void PlotItem::setStyle(const QVariantMap& style) {
    m_styleMap = style;
    const auto color = [&](const char* key) { return style.value(QLatin1String(key)).value<QColor>(); };
    m_style = {color("background"),
               color("ink"),
               color("muted"),
               color("grid"),
               color("axis"),
               color("good"),
               color("bad"),
               {},
               style.value(QStringLiteral("sans")).toString(),
               style.value(QStringLiteral("mono")).toString()};
    for (const QVariant& entry : style.value(QStringLiteral("series")).toList())
        m_style.series.append(entry.value<QColor>());
    emit changed();
}

void PlotItem::setLogarithmic(bool logarithmic) {
    if (m_logarithmic == logarithmic) return;
    m_logarithmic = logarithmic;
    emit changed();
}

void PlotItem::paint(QPainter* painter) {
    weir::editor::paint(*painter, draw(size(), m_style, {m_logarithmic, m_pointer}));
}

Drawing PlotItem::picture() const { return draw(size(), m_style, {m_logarithmic, {}}); }

QImage PlotItem::image() const {
    const Drawing drawing = picture();
    QImage image((drawing.size * kPictureScale).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(kPictureScale);
    image.fill(drawing.background);
    QPainter painter(&image);
    weir::editor::paint(painter, drawing);
    return image;
}

void PlotItem::copy() const {
    auto* data = new QMimeData;
    data->setImageData(image());
    data->setData(QStringLiteral("image/svg+xml"), svg(picture()));
    QGuiApplication::clipboard()->setMimeData(data);
}

QString PlotItem::save(const QUrl& file) const {
    QString path = file.toLocalFile();
    QByteArray bytes;
    if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        bytes = svg(picture());
    } else {
        if (!path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) path += QStringLiteral(".png");
        QBuffer buffer(&bytes);
        image().save(&buffer, "PNG");
    }
    const QString failure = writeWhole(path, bytes);
    return failure.isEmpty() ? QString() : tr("%1 was not written: %2").arg(path, failure);
}

void PlotItem::point(std::optional<QPointF> pointer) {
    if (m_pointer == pointer) return;
    m_pointer = pointer;
    emit readingChanged();
}

void PlotItem::hoverMoveEvent(QHoverEvent* event) { point(event->position()); }

void PlotItem::hoverLeaveEvent(QHoverEvent*) { point({}); }

void PlotItem::keyPressEvent(QKeyEvent* event) {
    const QPointF at = m_pointer.value_or(QPointF(width() / 2, height() / 2));
    if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)
        point(QPointF(std::clamp(at.x() + (event->key() == Qt::Key_Left ? -kKeyStep : kKeyStep), 60.0, width() - 24),
                      at.y()));
    else if (event->key() == Qt::Key_Escape && m_pointer) point({});
    else if (event->matches(QKeySequence::Copy)) copy();
    else QQuickPaintedItem::keyPressEvent(event);
}

void CurvePlot::setCurves(CurveSet* curves) {
    if (m_curves == curves) return;
    if (m_curves) m_curves->disconnect(this);
    m_curves = curves;
    if (curves) connect(curves, &CurveSet::changed, this, &PlotItem::changed);
    emit curvesChanged();
    emit changed();
}

const std::vector<Curve>& CurvePlot::shown() const {
    static const std::vector<Curve> kNone;
    return m_curves ? m_curves->curves() : kNone;
}

QString PercentilePlot::explanation() const {
    return tr(
        "At 99, the curve shows the latency that 99 % of the items do not exceed. Each step to the right, from 90 to "
        "99 to 99.9, "
        "is for items ten times as rare.");
}

} // namespace weir::editor
