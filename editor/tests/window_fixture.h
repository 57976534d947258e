#pragma once

#include "app/editor.h"
#include "features/canvas/graph_view.h"
#include "shell/controls/fonts.h"
#include "test_files.h"

#include <QDeadlineTimer>
#include <QFont>
#include <QGuiApplication>
#include <QQmlApplicationEngine>
#include <QQmlEngineExtensionPlugin>
#include <QQuickStyle>
#include <QQuickWindow>
#include <QRegularExpression>
#include <QTest>

#include <memory>
#include <tuple>

Q_IMPORT_QML_PLUGIN(WeirPlugin)

namespace weir::editor {

/// The real window on the real command line.
class WindowFixture {
  public:
    static CliCommand realCommand() { return CliCommand::parse(QStringLiteral(WEIR_WINDOW_COMMAND)); }

    /// `asksDoctor`: after each change, what makes measurements noisy; a process whose answer depends on the machine, and that
    /// most tests have no use for.
    explicit WindowFixture(const QString& project, const CliCommand& command = realCommand(), bool asksDoctor = false)
        : editor(std::make_unique<Editor>(command)) {
        editor->doctor()->setQuiet(!asksDoctor);
        if (!project.isEmpty()) editor->openPath(project);
        editor->start();
        engine.addImportPath(QStringLiteral("qrc:/qt/qml"));
        engine.setInitialProperties({{QStringLiteral("editor"), QVariant::fromValue(editor.get())},
                                     {QStringLiteral("width"), 1400},
                                     {QStringLiteral("height"), 900}});
        engine.load(QUrl(QStringLiteral("qrc:/qt/qml/Weir/Main.qml")));
        if (!engine.rootObjects().isEmpty()) window = qobject_cast<QQuickWindow*>(engine.rootObjects().constFirst());
    }

    bool isReady() {
        return window && QTest::qWaitForWindowExposed(window) &&
               QTest::qWaitFor([this] { return editor->isCatalogLoaded() && editor->isChecked(); }, 30000) &&
               isSettled();
    }

    /// Whatever was answered last, its bar goes and the graph moves only with the frames that follow: a place that was
    /// computed before is no longer where it was.
    bool isSettled() const {
        const auto place = [this] {
            const GraphView* view = canvas();
            return view ? std::tuple(view->mapRectToScene(view->boundingRect()), view->toView({}), view->zoom(),
                                     view->isAtRest())
                        : std::tuple(QRectF(), QPointF(), qreal(0), true);
        };
        for (QDeadlineTimer patience(30000); !patience.hasExpired();) {
            const auto before = place();
            if (!isDrawn(window) || !isDrawn(window))  // what comes into sight is placed after a frame
                return false;
            if (std::get<bool>(before) && before == place()) return true;
        }
        return false;
    }

    /// Everything that has a frame to be placed by has had it.
    static bool isDrawn(QQuickWindow* shown) {
        const auto drawn = std::make_shared<bool>(false);
        // From the thread that draws, where there is one.
        QObject::connect(
            shown, &QQuickWindow::afterFrameEnd, shown, [drawn] { *drawn = true; },
            Qt::ConnectionType(Qt::QueuedConnection | Qt::SingleShotConnection));
        shown->update();
        return QTest::qWaitFor([&drawn] { return *drawn; }, 30000);
    }

    QQuickItem* item(const QString& name) const { return find(window->contentItem(), name); }
    GraphView* canvas() const { return qobject_cast<GraphView*>(item(QStringLiteral("canvas"))); }

    /// Place of an item once it is drawn: an item that just came, or its neighbour, has its place only then.
    QPoint centre(const QString& name) const {
        if (!isDrawn(window)) qFatal("the window draws no frame for %s", qPrintable(name));
        const QQuickItem* found = item(name);
        if (!found) qFatal("there is no item %s", qPrintable(name));
        return found->mapToScene(QPointF(found->width() / 2, found->height() / 2)).toPoint();
    }

    void click(QPoint where, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mouseClick(window, Qt::LeftButton, modifiers, where);
    }
    void click(const QString& name) { click(centre(name)); }

    /// A drag that is not let go yet.
    void hold(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton) {
        QTest::mousePress(window, button, {}, from);
        for (int step = 1; step <= 8; ++step) {
            QTest::mouseMove(window, from + (to - from) * step / 8);
            QTest::qWait(5);
        }
    }

    void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton) {
        hold(from, to, button);
        QTest::mouseRelease(window, button, {}, to);
        QCoreApplication::processEvents();
    }

    /// Item with the focus, in the window or in a dialog.
    QQuickWindow* front() const {
        auto* focused = qobject_cast<QQuickWindow*>(QGuiApplication::focusWindow());
        return focused && focused->transientParent() == window ? focused : window;
    }
    QQuickItem* focusItem() const { return front()->activeFocusItem(); }

    void type(const QString& text) {
        for (const QChar c : text) QTest::keyClick(front(), c.toLatin1());
    }

    void key(int key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(front(), Qt::Key(key), modifiers); }

    /// Items that just came have their places only after the next frame, which a busy machine draws late.
    static void settle() {
        QTest::qWait(100);
        const auto windows = QGuiApplication::allWindows();
        for (QWindow* each : windows)
            if (auto* shown = qobject_cast<QQuickWindow*>(each); shown && shown->isExposed())
                QVERIFY2(isDrawn(shown), "a window draws no frame");
    }

    /// Replaces what a text field holds, and commits it.
    void fill(const QString& field, const QString& text) {
        click(field);
        key(Qt::Key_A, Qt::ControlModifier);
        key(Qt::Key_Delete);
        type(text);
        key(Qt::Key_Return);
    }

    static void failOnQmlWarnings() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("qrc:|QML|Binding loop|Error:|is not ready|Unable to")));
    }

    std::unique_ptr<Editor> editor;
    QQmlApplicationEngine engine;
    QQuickWindow* window = nullptr;

  private:
    static QQuickItem* find(QQuickItem* root, const QString& name) {
        if (!root->isVisible()) return nullptr;  // nor is what it has
        if (root->objectName() == name) return root;
        const auto children = root->childItems();
        for (QQuickItem* child : children)
            if (QQuickItem* found = find(child, name)) return found;
        return nullptr;
    }
};

/// The same once it is as a user finds it.
class ReadyWindow : public WindowFixture {
  public:
    explicit ReadyWindow(const QString& project, const CliCommand& command = realCommand())
        : WindowFixture(project, command) {
        QTest::qVerify(isReady(), "isReady()", "the window is not ready", __FILE__, __LINE__);
    }
};

/// The settings of main, for tests.
inline void setUpApplication() {
    QFont font(Fonts::sans());
    font.setPixelSize(13);
    QGuiApplication::setFont(font);
    QQuickStyle::setStyle(QStringLiteral("Basic"));
}

}  // namespace weir::editor
