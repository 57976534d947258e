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

/// Real window with the real command line.
class WindowFixture {
  public:
    static CliCommand realCommand() { return CliCommand::parse(QStringLiteral(WEIR_WINDOW_COMMAND)); }

    /// `asksDoctor`: run the doctor after each change. Most tests do not, since its answer takes a process and depends
    /// on the machine.
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

    /// After an answer, a bar may close and move the graph, but only with the next frames. A position computed earlier
    /// is then wrong.
    bool isSettled() const {
        const auto place = [this] {
            const GraphView* view = canvas();
            return view ? std::tuple(view->mapRectToScene(view->boundingRect()), view->toView({}), view->zoom(),
                                     view->isAtRest())
                        : std::tuple(QRectF(), QPointF(), qreal(0), true);
        };
        for (QDeadlineTimer patience(30000); !patience.hasExpired();) {
            const auto before = place();
            if (!isDrawn(window) || !isDrawn(window))  // new items have their places only after a frame
                return false;
            if (std::get<bool>(before) && before == place()) return true;
        }
        return false;
    }

    /// Waits for a frame, which places all new items.
    static bool isDrawn(QQuickWindow* shown) {
        const auto drawn = std::make_shared<bool>(false);
        // The render thread, if there is one, emits the signal.
        QObject::connect(
            shown, &QQuickWindow::afterFrameEnd, shown, [drawn] { *drawn = true; },
            Qt::ConnectionType(Qt::QueuedConnection | Qt::SingleShotConnection));
        shown->update();
        return QTest::qWaitFor([&drawn] { return *drawn; }, 30000);
    }

    QQuickItem* item(const QString& name) const { return find(window->contentItem(), name); }
    GraphView* canvas() const { return qobject_cast<GraphView*>(item(QStringLiteral("canvas"))); }

    /// Return the centre of an item after a frame, since new items and their neighbours have their places only then.
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

    /// Begins a drag without releasing the button.
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

    /// Return the focused dialog of the window, or the window.
    QQuickWindow* front() const {
        auto* focused = qobject_cast<QQuickWindow*>(QGuiApplication::focusWindow());
        return focused && focused->transientParent() == window ? focused : window;
    }
    QQuickItem* focusItem() const { return front()->activeFocusItem(); }

    void type(const QString& text) {
        for (const QChar c : text) QTest::keyClick(front(), c.toLatin1());
    }

    void key(int key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(front(), Qt::Key(key), modifiers); }

    /// Waits until new items have their places, which takes a frame. A busy machine draws it late.
    static void settle() {
        QTest::qWait(100);
        const auto windows = QGuiApplication::allWindows();
        for (QWindow* each : windows)
            if (auto* shown = qobject_cast<QQuickWindow*>(each); shown && shown->isExposed())
                QVERIFY2(isDrawn(shown), "a window draws no frame");
    }

    /// Replaces the content of a text field and commits it.
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
        if (!root->isVisible()) return nullptr;  // its children are invisible too
        if (root->objectName() == name) return root;
        const auto children = root->childItems();
        for (QQuickItem* child : children)
            if (QQuickItem* found = find(child, name)) return found;
        return nullptr;
    }
};

/// Window fixture that waits until the window is ready for the user.
class ReadyWindow : public WindowFixture {
  public:
    explicit ReadyWindow(const QString& project, const CliCommand& command = realCommand())
        : WindowFixture(project, command) {
        QTest::qVerify(isReady(), "isReady()", "the window is not ready", __FILE__, __LINE__);
    }
};

/// Applies the settings of main() to tests.
inline void setUpApplication() {
    QFont font(Fonts::sans());
    font.setPixelSize(13);
    QGuiApplication::setFont(font);
    QQuickStyle::setStyle(QStringLiteral("Basic"));
}

}  // namespace weir::editor
