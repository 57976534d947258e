#pragma once

#include "window_fixture.h"

#include "core/edits/project_edits.h"
#include "features/deployment/deployments.h"
#include "features/inspector/inspector.h"

namespace weir::editor {

/// Window with one project for all cases of the inspector, on the real command line. Each case restores the project.
class InspectorWindow : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        setUpApplication();
        WindowFixture::failOnQmlWarnings();
        m_window = std::make_unique<WindowFixture>(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json"));
        QVERIFY(m_window->isReady());
        m_window->window->setWidth(1440);
    }

    void init() { WindowFixture::failOnQmlWarnings(); }

    void cleanup() {
        editor().selection().clear();
        editor().deploymentSettings()->setPanelOpen(false);
        editor().deploymentSettings()->setPanelTab(Deployments::Scheduler);
        while (!lastStep().isEmpty()) editor().undo();
        QVERIFY(waitForAnswer());
    }

    void cleanupTestCase() { m_window.reset(); }

  protected:
    std::unique_ptr<WindowFixture> m_window;

    WindowFixture& w() { return *m_window; }
    Editor& editor() { return *m_window->editor; }
    Json at(const char* pointer) {
        const Json* value = find(editor().document().json(), Pointer(pointer));
        return value ? *value : Json();
    }
    QString textOf(const char* item, const char* property = "text") {
        const QQuickItem* found = w().item(QLatin1String(item));
        return found ? found->property(property).toString() : QString();
    }
    QString lastStep() { return editor().undoText(); }
    bool waitForAnswer() {
        return QTest::qWaitFor([this] { return editor().isChecked(); }, 30000);
    }
    void select(const QSet<QString>& blocks) {
        editor().selection().set(blocks);
        QCoreApplication::processEvents();
    }
    void show(const char* block, const char* field) {
        select({QLatin1String(block)});
        QTRY_VERIFY(w().item(QLatin1String(field)));
    }
    QString focused() { return w().focusItem() ? w().focusItem()->objectName() : QString(); }
    /// Replaces the content of a text field without committing it.
    void put(const char* field, const char* text) {
        w().click(QLatin1String(field));
        w().key(Qt::Key_A, Qt::ControlModifier);
        w().type(QLatin1String(text));
    }
    void pick(const QString& list, const char* option) {
        w().click(list);
        QTRY_VERIFY(w().item(QLatin1String(option)));
        WindowFixture::settle();
        w().click(QLatin1String(option));
    }
};

}  // namespace weir::editor
