#pragma once

#include <QColor>
#include <QFont>
#include <QHash>
#include <QString>
#include <QVariantMap>

namespace weir::editor {

/// Colours of the theme for the painters of flowgraphs.
struct CanvasStyle {
    CanvasStyle() = default;
    /// Return the style for the colours of `Theme.canvasColors`.
    explicit CanvasStyle(const QVariantMap& colors) { take(colors); }

    void take(const QVariantMap& colors) {
        const auto color = [&colors](const char* name) { return colors[QLatin1String(name)].value<QColor>(); };
        canvas = color("canvas");
        dots = color("dots");
        accent = color("accent");
        error = color("error");
        errorBackground = color("errorBackground");
        warning = color("warning");
        warningBackground = color("warningBackground");
        ok = color("ok");
        pane = color("pane");
        muted = color("unknown");
        label = color("text2");
        node = color("node");
        nodeBorder = color("node_border");
        text = color("text");
        text3 = color("text3");
        chipText = color("chip_text");
        tint = colors[QStringLiteral("tint")].toFloat();
        types = colors[QStringLiteral("types")].toMap();
        categories = colors[QStringLiteral("categories")].toMap();
        decor = colors[QStringLiteral("decor")].toMap();
        family = colors[QStringLiteral("family")].toString();
    }

    QColor canvas, dots, accent, error, errorBackground, warning, warningBackground, ok, pane, muted, label, node,
        nodeBorder, text, text3, chipText;
    float tint = 0; ///< share of the category's colour behind the names of its blocks
    bool plain = false; ///< true if item types have no colours
    QVariantMap types;      ///< item type -> colour
    QVariantMap categories; ///< category -> colour
    QVariantMap decor;      ///< name of a colour of frames and notes -> colour
    /// "src.out->dst.in" -> {color, width}: band along a wire, drawn by an overlay such as load.
    QVariantMap wireMarks;
    /// block -> colour, for blocks that are too small for other marks.
    QVariantMap blockColors;
    QString family;

    /// Return the colour of an item type; a vector such as `c64[64]` has that of its items.
    QColor type(const QString& name) const { return plain ? muted : named(types, name.section(u'[', 0, 0), muted); }
    QColor category(const QString& name) const { return named(categories, name, muted); }
    QColor decorColor(const QString& name) const { return named(decor, name, muted); }

    QFont font(qreal pixelSize, QFont::Weight weight = QFont::Normal) const {
        QFont font(family);
        font.setPixelSize(qRound(pixelSize));
        font.setWeight(weight);
        return font;
    }

    static QColor mixed(const QColor& a, const QColor& b, float share) {
        return QColor::fromRgbF(a.redF() * share + b.redF() * (1 - share),
                                a.greenF() * share + b.greenF() * (1 - share),
                                a.blueF() * share + b.blueF() * (1 - share));
    }

  private:
    static QColor named(const QVariantMap& colours, const QString& name, const QColor& otherwise) {
        const auto it = colours.constFind(name);
        return it == colours.constEnd() ? otherwise : it->value<QColor>();
    }
};

}  // namespace weir::editor
