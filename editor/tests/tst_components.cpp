#include "shell/icons/icons.h"
#include "window_fixture.h" // imports the plugin

#include <QQmlContext>
#include <QQmlEngine>
#include <QQuickStyle>
#include <QStringListModel>
#include <QtQuickTest>

using namespace weir::editor;

/// Model that reports all its rows as changed at once, like the editor's models.
class ChangingRows : public QStringListModel {
    Q_OBJECT

  public:
    using QStringListModel::QStringListModel;

    Q_INVOKABLE void reset(int rows) { setStringList(QStringList(rows)); }
};

class Setup : public QObject {
    Q_OBJECT

  public slots:
    void applicationAvailable() {
        QQuickStyle::setStyle(QStringLiteral("Basic"));
        IconStore::get().setBlockIcons({{QStringLiteral("square"),
                                         "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'>"
                                         "<path d='M6 6h12v12H6z' fill='currentColor'/></svg>"}});
    }
    void qmlEngineAvailable(QQmlEngine* engine) {
        engine->addImportPath(QStringLiteral("qrc:/qt/qml"));
        engine->rootContext()->setContextProperty(QStringLiteral("changingRows"), new ChangingRows(engine));
    }
};

QUICK_TEST_MAIN_WITH_SETUP(components, Setup)
#include "tst_components.moc"
