#include "lanes_window.h"

#include "features/inspector/inspector.h"
#include "features/mapping/lane_view.h"
#include "pictures.h"

#include <QAccessible>

using namespace weir::editor;

/// Tests of a schedule in the lanes, with real pointer and key events and the real command line.
class TestScheduleWindow : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString project() { return LanesWindow::copyOf(QStringLiteral(WEIR_TEST_DATA "/scheduled.weir.json"), m_folder); }

    static void showLanes(LanesWindow& w) {
        QCOMPARE(w.showLanes(), QString());
        QTRY_VERIFY(w.item(QStringLiteral("machineBanner")) && w.item(QStringLiteral("w0 loop 0")));
    }

    static LaneView* view(const WindowFixture& w) { return qobject_cast<LaneView*>(w.item(QStringLiteral("lanes"))); }

    static QString spoken(const WindowFixture& w, const char* name, QAccessible::Text text = QAccessible::Name) {
        return QAccessible::queryAccessibleInterface(w.item(QString::fromUtf8(name)))->text(text);
    }

    static bool isSelected(const WindowFixture& w, const char* name) {
        return w.item(QString::fromUtf8(name))->property("selected").toBool();
    }

    /// Return the colour of the window's picture at a point of an item.
    static QRgb colourAt(const QImage& image, const QQuickItem* item, QPointF point) {
        const QPointF at = item->mapToScene(point) * image.devicePixelRatio();
        return image.pixel(static_cast<int>(std::floor(at.x())), static_cast<int>(std::floor(at.y())));
    }

  private slots:
    void initTestCase() { setUpApplication(); }
    void init() { WindowFixture::failOnQmlWarnings(); }

    void callsLoopsAndBuffersTellTheirNumbers() {
        LanesWindow w(project());
        showLanes(w);
        QCOMPARE(w.item(QStringLiteral("times:thin"))->property("text").toString(), QStringLiteral("× 8"));
        QCOMPARE(w.item(QStringLiteral("arenaSize:w0"))->property("text").toString(), QStringLiteral("320 B"));
        QCOMPARE(spoken(w, "bar:thin"), QStringLiteral("thin on w0"));
        QCOMPARE(spoken(w, "bar:thin", QAccessible::Description),
                 QStringLiteral("8 firings per call, items in: 64, items out: 8, 64 calls per period"));
        QCOMPARE(spoken(w, "w0 loop 1"), QStringLiteral("4 ×, loop, repeated 4 times, 2 calls each time"));
        QVERIFY(spoken(w, "w0 place 256").contains(QStringLiteral("thin.out: 8 items, 32 B, at another time")));
        QVERIFY(spoken(w, "w0 ring thinner.out").endsWith(QStringLiteral("from w0 to w1")));
        QTest::mouseMove(w.window, w.centre(QStringLiteral("w0 place 0")));
        QTRY_COMPARE(view(w)->hoverText(), QStringLiteral("256 B from byte 0 of the arena of w0, which has 320 B\n"
                                                          "gain.out: 64 items, 256 B"));
        QTest::mouseMove(w.window, w.centre(QStringLiteral("bar:gain")));
        QTRY_VERIFY(view(w)->hoverText().startsWith(QStringLiteral("gain\n16 firings per call")));
    }

    void whatIsSelectedIsSelectedEverywhere() {
        LanesWindow w(project());
        showLanes(w);
        w.click(QStringLiteral("bar:thin"));
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("thin"));
        QVERIFY(isSelected(w, "bar:thin") && isSelected(w, "w0 place 256") && isSelected(w, "w0 loop 0"));
        QVERIFY(isSelected(w, "w0 place 0") && !isSelected(w, "w0 loop 1") && !isSelected(w, "w0 ring thinner.out"));
        w.editor->selection().set({QStringLiteral("rare")});
        QTRY_VERIFY(isSelected(w, "bar:rare") && isSelected(w, "w0 ring thinner.out") && !isSelected(w, "bar:thin"));
        // A click on a buffer selects its writer. A click on a loop selects all its blocks.
        w.click(QStringLiteral("w0 ring thinner.out"));
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("thinner"));
        w.click(QStringLiteral("w0 loop 1"));
        QCOMPARE(w.editor->selection().blocks(), (QSet<QString>{QStringLiteral("source"), QStringLiteral("gain")}));
        QCOMPARE(w.editor->document().undoStack().count(), 0);
        QVERIFY(!w.editor->isModified());
        QTest::mouseDClick(w.window, Qt::LeftButton, {}, w.centre(QStringLiteral("w0 place 0")));
        QTRY_COMPARE(w.editor->view(), QStringLiteral("canvas"));
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("gain"));
    }

    void keysReachEverything() {
        LanesWindow w(project());
        showLanes(w);
        view(w)->forceActiveFocus(Qt::TabFocusReason);
        w.key(Qt::Key_Home);
        QVERIFY(view(w)->currentName().startsWith(QStringLiteral("source on w0, 16 firings per call")));
        w.key(Qt::Key_Left);
        QCOMPARE(view(w)->currentName(), QStringLiteral("loop, repeated 4 times, 2 calls each time"));
        QCOMPARE(w.editor->selection().blocks().size(), 2);
        w.key(Qt::Key_Left);
        QVERIFY(view(w)->currentName().startsWith(QStringLiteral("loop, repeated 64 times")));
        w.key(Qt::Key_Left);
        QCOMPARE(view(w)->currentName(), QStringLiteral("worker w0"));
        w.key(Qt::Key_Right);
        w.key(Qt::Key_Down);
        QVERIFY(view(w)->currentName().startsWith(QStringLiteral("256 B from byte 0")));
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("gain"));
        w.key(Qt::Key_Right);
        QVERIFY(view(w)->currentName().startsWith(QStringLiteral("64 B from byte 256")));
        w.key(Qt::Key_Down);
        QVERIFY(view(w)->currentName().startsWith(QStringLiteral("thinner.out → rare.in")));
        QVERIFY(view(w)->currentRect().isValid());
        // Space toggles the selection, and the menu maps the selected block.
        w.key(Qt::Key_Space);
        QVERIFY(w.editor->selection().blocks().isEmpty());
        w.key(Qt::Key_Space);
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("thinner"));
        w.key(Qt::Key_Return);
        QTRY_VERIFY(w.item(QStringLiteral("moveTo:w1")));
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!w.item(QStringLiteral("moveTo:w1")));
        // If no bar has the focus, Shift has no starting point.
        w.key(Qt::Key_Up, Qt::ShiftModifier);
        QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("thinner"));
        QCOMPARE(w.editor->document().undoStack().count(), 0);
    }

    void itGoesWithItsPlan() {
        LanesWindow w(project());
        showLanes(w);
        // After a block moves to another worker, outdated marks go at once, and the new schedule comes with the answer.
        w.click(QStringLiteral("bar:thinner"));
        w.key(Qt::Key_Down, Qt::AltModifier);
        QTRY_VERIFY(w.item(QStringLiteral("ghost:thinner")) || w.item(QStringLiteral("w1 place 0")));
        QVERIFY(!w.item(QStringLiteral("w0 ring thinner.out")));
        QCOMPARE(w.whyNoPlan(), QString());
        QTRY_VERIFY(w.item(QStringLiteral("w0 ring thin.out")));
        w.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(w.whyNoPlan(), QString());
        QTRY_VERIFY(w.item(QStringLiteral("w0 ring thinner.out")));

        // A plan of another scheduler has no schedule.
        w.editor->setDeploymentIndex(1);
        QCOMPARE(w.whyNoPlan(), QString());
        QTRY_VERIFY(!w.item(QStringLiteral("w0 loop 0")) && !w.item(QStringLiteral("arena:w0")));
        QVERIFY(w.item(QStringLiteral("bar:thin")) && !w.item(QStringLiteral("times:thin")));
        w.editor->setDeploymentIndex(0);
        QCOMPARE(w.whyNoPlan(), QString());
        QTRY_VERIFY(w.item(QStringLiteral("w0 loop 0")));

        // A failed plan has no schedule either: each worker has a block without fixed rates. These blocks are marked,
        // with a hint.
        w.editor->edit(QStringLiteral("type"), [](Transaction& t) {
            t.set(Pointer("/graph/blocks/1"), Json{{"id", "gain"}, {"type", "copy_rand"}});
            t.set(Pointer("/graph/blocks/5"), Json{{"id", "more"}, {"type", "copy_rand"}});
        });
        QTRY_VERIFY_WITH_TIMEOUT(!w.editor->mapping()->failure().isEmpty(), 60000);
        const QString failure = w.editor->mapping()->failure();
        QVERIFY2(failure.contains(QStringLiteral("blocks with fixed rates")), qPrintable(failure));
        QVERIFY(!w.item(QStringLiteral("w0 loop 0")) && !w.item(QStringLiteral("w0 place 0")));
        const auto marked = [&] {
            const BlockModel& blocks = w.editor->blockModel();
            for (int row = 0; row < blocks.rowCount(); ++row)
                if (blocks.index(row).data(BlockModel::BlockIdRole) == QStringLiteral("gain"))
                    return blocks.index(row).data(BlockModel::SeverityRole).toString();
            return QString();
        };
        QTRY_COMPARE(marked(), QStringLiteral("error"));
        w.editor->selection().set({QStringLiteral("gain")});
        QTRY_VERIFY(w.editor->inspector()->problem().message.contains(QStringLiteral("copy_rand")));
        QVERIFY(w.editor->inspector()->problem().hint.contains(QStringLiteral("blocks with fixed rates")));
        // Under a deployment that can run the block, it has no mark.
        w.editor->setDeploymentIndex(1);
        QTRY_COMPARE(marked(), QString());
        QCOMPARE(w.editor->inspector()->problem().message, QString());
    }

    void theyAreDrawnInBothThemes() {
        for (const bool dark : {false, true}) {
            LanesWindow w(project());
            showLanes(w);
            if (dark) w.key(Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
            WindowFixture::settle();
            const QImage image = w.window->grabWindow();
            // A loop's frame has a line above and below its calls, and none at the side where the loop ends.
            const auto& rows = w.editor->mapping()->allLanes();
            const LaneRow& row = rows.front().rows.front();
            QCOMPARE(row.worker, QStringLiteral("w0"));
            const auto at = [&](QPointF content) {
                return colourAt(image, view(w), content - QPointF(0, view(w)->scrollY()));
            };
            QCOMPARE(qGray(at({lanes::kHeader - 8, row.rect.center().y()})) < 128, dark);
            const QRgb ground = at({row.bars.back().rect.right() + 60, row.bars.back().rect.center().y()});
            for (const LaneFrame& frame : row.frames) {
                const double middle = frame.rect.center().x() + 1;
                QVERIFY(pictures::contrast(at({middle, frame.rect.top() + 0.5}), ground) > 1.5);
                QVERIFY(pictures::contrast(at({middle, frame.rect.bottom() - 0.5}), ground) > 1.5);
            }
            QCOMPARE(at({row.frames[1].rect.right() + 4, row.frames[1].rect.center().y()}), ground);
            // Each buffer has a border, and a line where buffers share bytes.
            const auto place = [&](const char* name, double above) {
                const QQuickItem* item = w.item(QString::fromUtf8(name));
                return colourAt(image, item, {item->width() / 2, item->height() - above});
            };
            QVERIFY(pictures::contrast(place("w0 place 256", 1.5), place("w0 place 256", 6)) > 1.5);
            QCOMPARE(place("w0 place 0", 1.5), place("w0 place 0", 4));
            QVERIFY(pictures::contrast(place("w0 place 0", 0.5), place("w0 place 0", 4)) > 1.5);
        }
    }

    void aSmallGraphNeedsNoScrolling() {
        LanesWindow w(project());
        showLanes(w);
        w.window->resize(1440, 900);
        WindowFixture::settle();
        QVERIFY2(view(w)->contentHeight() <= view(w)->height(), qPrintable(QString::number(view(w)->contentHeight())));
        for (const LanePart& part : w.editor->mapping()->allParts()) QVERIFY(part.rect.right() <= view(w)->width());
    }
};

QTEST_MAIN(TestScheduleWindow)
#include "tst_schedule_window.moc"
