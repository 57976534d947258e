#pragma once

#include "window_fixture.h"

#include <QTemporaryDir>

namespace weir::editor {

/// Fixture for tests of gestures: each gesture is one undo step, and undo restores the bytes of the file.
class EditGestures : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { setUpApplication(); }
    void init() {
        WindowFixture::failOnQmlWarnings();
        QTest::failOnWarning(QRegularExpression(QStringLiteral("DelegateModel")));
    }

  protected:
    QTemporaryDir m_folder;
    int m_copies = 0;

    QString project(const QString& name = QStringLiteral("gestures")) {
        const QString copy = m_folder.filePath(QString::number(m_copies++) + QStringLiteral(".weir.json"));
        QFile::copy(QStringLiteral(WEIR_TEST_DATA "/") + name + QStringLiteral(".weir.json"), copy);
        QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner);
        return copy;
    }

    static QStringList wires(const WindowFixture& w) {
        QStringList all;
        for (const WireView& wire : w.editor->scene().wires())
            all.append(QString::fromStdString(wire.connection.source + ">" + wire.connection.target));
        return all;
    }

    static QPoint at(const WindowFixture& w, QPointF place) {
        return w.canvas()->mapToScene(w.canvas()->toView(place)).toPoint();
    }

    static QPoint onWire(const WindowFixture& w, const char* source) {
        for (const WireView& wire : w.editor->scene().wires())
            if (wire.connection.source == source) return at(w, (wire.from + wire.to) / 2);
        qFatal("no wire from %s", source);
        return {};
    }

    /// Check that there is one undo step and that undoing it restores the bytes of the file.
    static void isOneStep(WindowFixture& w, const char* name) {
        Document& document = w.editor->document();
        QCOMPARE(document.undoStack().count(), 1);
        QCOMPARE(w.editor->undoText(), QLatin1String(name));
        const std::string after = document.canonicalText();
        w.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(document.canonicalText(), readAll(document.path()).toStdString());
        w.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(document.canonicalText(), after);
    }

    static bool popupIsOpen(const WindowFixture& w) { return w.item(QStringLiteral("insertFilter")); }

    static void blocksAreApart(const WindowFixture& w) {
        for (const BlockView& a : w.editor->scene().blocks())
            for (const BlockView& b : w.editor->scene().blocks())
                QVERIFY2(&a == &b || !a.rect.intersects(b.rect), qPrintable(a.id + u' ' + b.id));
    }

    static void keysFor(WindowFixture& w, const char* block) {
        w.click(w.centre(QStringLiteral("block:") + QLatin1String(block)) + QPoint(0, -15));
        QCOMPARE(w.editor->selection().onlyBlock(), QLatin1String(block));
    }
};

} // namespace weir::editor
