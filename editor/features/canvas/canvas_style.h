#pragma once

#include <QColor>
#include <QFont>
#include <QHash>
#include <QString>
#include <QVariantMap>

/// Colours of the theme as the painters of the canvas need them.
struct CanvasStyle {
    QColor canvas, dots, accent, error, errorBackground, warning, warningBackground, ok, muted, label, node, nodeBorder,
        text, text3, chipText;
    QVariantMap types;      ///< item type -> colour
    QVariantMap categories; ///< category -> colour
    QVariantMap decor;      ///< name of a colour of frames and notes -> colour
    /// "src.out->dst.in" -> {color, width}: the band along a wire by which a view over the graph, such as load, says
    /// something of it.
    QVariantMap wireMarks;
    /// block -> colour, for blocks that are too small for anything else.
    QVariantMap blockColors;
    QString family;

    QColor type(const QString& name) const { return named(types, name, muted); }
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
