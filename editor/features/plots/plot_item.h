#pragma once

#include "features/plots/curve_set.h"
#include "features/plots/plots.h"

#include <QtQml/qqmlregistration.h>
#include <QPointer>
#include <QQuickPaintedItem>
#include <QUrl>
#include <QVariantMap>

#include <optional>

namespace weir::editor {

/// A plot that can be copied and saved. The pointer and the arrow keys show its values.
class PlotItem : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a base")

    Q_PROPERTY(QVariantMap style READ style WRITE setStyle NOTIFY changed)
    Q_PROPERTY(bool logarithmic READ isLogarithmic WRITE setLogarithmic NOTIFY changed)
    Q_PROPERTY(bool reading READ isReading NOTIFY readingChanged)

  public:
    explicit PlotItem(QQuickItem* parent = nullptr);

    QVariantMap style() const { return m_styleMap; }
    void setStyle(const QVariantMap& style);
    bool isLogarithmic() const { return m_logarithmic; }
    void setLogarithmic(bool logarithmic);
    const PlotStyle& plotStyle() const { return m_style; }
    bool isReading() const { return m_pointer.has_value(); }

    void paint(QPainter* painter) override;
    /// Copy a picture of twice the size, for papers.
    Q_INVOKABLE void copy() const;
    /// Write SVG or PNG, by the suffix. Return the reason for a failure, or an empty string.
    Q_INVOKABLE QString save(const QUrl& file) const;

  signals:
    void changed();
    void readingChanged();

  protected:
    virtual Drawing draw(QSizeF size, const PlotStyle& style, const PlotOptions& options) const = 0;
    void hoverMoveEvent(QHoverEvent* event) override;
    void hoverLeaveEvent(QHoverEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void point(std::optional<QPointF> pointer);
    Drawing picture() const;
    QImage image() const;

    QVariantMap m_styleMap;
    PlotStyle m_style;
    bool m_logarithmic = false;
    std::optional<QPointF> m_pointer;
};

/// Plots of distributions.
class CurvePlot : public weir::editor::PlotItem {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a base")
    Q_PROPERTY(weir::editor::CurveSet* curves READ curves WRITE setCurves NOTIFY curvesChanged)

  public:
    using PlotItem::PlotItem;
    CurveSet* curves() const { return m_curves; }
    void setCurves(CurveSet* curves);

  signals:
    void curvesChanged();

  protected:
    const std::vector<Curve>& shown() const;

  private:
    QPointer<CurveSet> m_curves;
};

class PercentilePlot : public weir::editor::CurvePlot {
    Q_OBJECT
    QML_ELEMENT
    /// Return the explanation of the axes.
    Q_PROPERTY(QString explanation READ explanation CONSTANT)

  public:
    using CurvePlot::CurvePlot;
    QString explanation() const;

  protected:
    Drawing draw(QSizeF size, const PlotStyle& style, const PlotOptions& options) const override {
        return percentilePlot(shown(), size, style, options);
    }
};

class HistogramPlot : public weir::editor::CurvePlot {
    Q_OBJECT
    QML_ELEMENT

  public:
    using CurvePlot::CurvePlot;

  protected:
    Drawing draw(QSizeF size, const PlotStyle& style, const PlotOptions& options) const override {
        return histogramPlot(shown(), size, style, options);
    }
};

} // namespace weir::editor
