#include "icon_store.h"

#include <QQmlEngine>
#include <QQmlEngineExtensionPlugin>
#include <QQuickStyle>
#include <QtQuickTest>

Q_IMPORT_QML_PLUGIN(WeirPlugin)

class Setup : public QObject
{
    Q_OBJECT

public slots:
    void applicationAvailable()
    {
        QQuickStyle::setStyle(QStringLiteral("Basic"));
        IconStore::get().setBlockIcons({{QStringLiteral("square"),
                                         "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'>"
                                         "<path d='M6 6h12v12H6z' fill='currentColor'/></svg>"}});
    }
    void qmlEngineAvailable(QQmlEngine *engine) { engine->addImportPath(QStringLiteral("qrc:/qt/qml")); }
};

QUICK_TEST_MAIN_WITH_SETUP(components, Setup)
#include "tst_components.moc"
