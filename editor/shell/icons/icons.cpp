#include "shell/icons/icons.h"

#include "shell/icons/icon_store.h"

#include <QQmlEngine>
#include <QQuickImageProvider>

namespace weir::editor {
namespace {

const QString kProvider = QStringLiteral("icons");
constexpr QSize kUsualSize(24, 24);

/// `<colour>/<revision>/<name>`; the revision keeps the engine's cache of images from the icons of another catalog.
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
        if (!name.isEmpty()) qWarning("QML Icon: there is no icon %s", qPrintable(name));
        return {};
    }
    return QStringLiteral("image://%1/%2/%3/%4").arg(kProvider).arg(color.rgba(), 0, 16).arg(revision).arg(known);
}

} // namespace weir::editor
