#include "shell/icons/icons.h"

#include <QFile>
#include <QPainter>
#include <QQmlEngine>
#include <QQuickImageProvider>
#include <QSvgRenderer>

namespace weir::editor {
namespace {

const QString kProvider = QStringLiteral("icons");
constexpr QSize kUsualSize(24, 24);

/// Serves `<colour>/<revision>/<name>`; the revision keeps the engine's image cache from mixing icons of two catalogs.
class Provider : public QQuickImageProvider {
  public:
    Provider() : QQuickImageProvider(Image) {}

    QImage requestImage(const QString& id, QSize* size, const QSize& wanted) override {
        const QColor color = QColor::fromRgba(id.section(QLatin1Char('/'), 0, 0).toUInt(nullptr, 16));
        const QImage drawn =
            IconStore::get().image(id.section(QLatin1Char('/'), 2), color, wanted.isEmpty() ? kUsualSize : wanted);
        *size = drawn.size();
        return drawn;
    }
};

const QString kBlockPrefix = QStringLiteral("block/");

QString fileOf(const QString& name) { return QStringLiteral(":/qt/qml/Weir/icons/%1.svg").arg(name); }

} // namespace

Icons::Icons() { connect(&IconStore::get(), &IconStore::changed, this, &Icons::changed); }

Icons* Icons::create(QQmlEngine* engine, QJSEngine*) {
    engine->addImageProvider(kProvider, new Provider);
    return new Icons;
}

int Icons::revision() const { return IconStore::get().revision(); }

QUrl Icons::source(const QString& name, const QString& otherwise, const QColor& color, int revision) const {
    const QString known = IconStore::get().known(name, otherwise);
    if (known.isEmpty()) {
        // A block's type and category arrive one after the other.
        if (!name.isEmpty() && !name.startsWith(kBlockPrefix))
            qWarning("QML Icon: there is no icon %s", qPrintable(name));
        return {};
    }
    return QStringLiteral("image://%1/%2/%3/%4").arg(kProvider).arg(color.rgba(), 0, 16).arg(revision).arg(known);
}

IconStore& IconStore::get() {
    static IconStore store;
    return store;
}

void IconStore::setBlockIcons(const QHash<QString, QByteArray>& icons) {
    if (icons == m_blocks) return;
    m_blocks = icons;
    ++m_revision;
    m_images.clear();
    emit changed();
}

QString IconStore::known(const QString& name, const QString& otherwise) const {
    for (const QString& wanted : {name, otherwise}) {
        if (wanted.startsWith(kBlockPrefix) ? m_blocks.contains(wanted.mid(kBlockPrefix.size()))
                                            : !wanted.isEmpty() && QFile::exists(fileOf(wanted)))
            return wanted;
    }
    return {};
}

QByteArray IconStore::svg(const QString& name) const {
    if (name.startsWith(kBlockPrefix)) return m_blocks.value(name.mid(kBlockPrefix.size()));
    QFile file(fileOf(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QImage IconStore::image(const QString& name, const QColor& color, QSize pixels) {
    const QString key =
        QStringLiteral("%1 %2 %3x%4").arg(name).arg(color.rgba(), 0, 16).arg(pixels.width()).arg(pixels.height());
    if (const QImage* drawn = m_images.object(key)) return *drawn;
    QSvgRenderer renderer(svg(name).replace("currentColor", color.name(QColor::HexRgb).toLatin1()));
    if (!renderer.isValid() || pixels.isEmpty()) return {};
    renderer.setAspectRatioMode(Qt::KeepAspectRatio);
    QImage drawn(pixels, QImage::Format_ARGB32_Premultiplied);
    drawn.fill(Qt::transparent);
    QPainter painter(&drawn);
    painter.setOpacity(color.alphaF());
    renderer.render(&painter);
    painter.end();
    m_images.insert(key, new QImage(drawn));
    return drawn;
}

} // namespace weir::editor
