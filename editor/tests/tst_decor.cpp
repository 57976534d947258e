#include "window_fixture.h"

#include "core/decor/decor_edits.h"
#include "core/graph/node_geometry.h"
#include "core/graph/wire_geometry.h"
#include "features/canvas/minimap.h"

#include <QImage>
#include <QTemporaryDir>

using namespace weir::editor;

namespace {

int distance(QColor a, QColor b) {
    return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
}

/// Smallest distance to the expected colour within one pixel of the place.
int nearest(const QImage& image, QPointF place, QColor expected) {
    int best = 1000;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (const QPoint at = place.toPoint() + QPoint(dx, dy); image.rect().contains(at))
                best = std::min(best, distance(image.pixelColor(at), expected));
    return best;
}

const QColor kCanvas(0xF4, 0xF6, 0xF8);
const QColor kFloat(0xB4, 0x53, 0x0A);
const QColor kAccent(0x1D, 0x5F, 0xD1);

} // namespace

/// Tests of frames, notes, points of wires, comments and the minimap with real events, and of their data in the file.
class TestDecor : public QObject {
    Q_OBJECT

    std::unique_ptr<WindowFixture> w;

    GraphScene& scene() { return w->editor->scene(); }
    Document& document() { return w->editor->document(); }
    QPoint at(QPointF scenePoint) { return w->canvas()->mapToScene(w->canvas()->toView(scenePoint)).toPoint(); }
    QImage grab() {
        QTest::qWait(60);
        return w->window->grabWindow();
    }
    void undoAll(const std::string& original) {
        while (document().undoStack().canUndo()) document().undoStack().undo();
        QCOMPARE(document().canonicalText(), original);
    }
    void doubleClick(QPoint where) {
        // A real double click begins with a press and a release.
        QTest::mouseClick(w->window, Qt::LeftButton, {}, where);
        QTest::mouseDClick(w->window, Qt::LeftButton, {}, where);
        QCoreApplication::processEvents();
    }

  private slots:
    void initTestCase() { setUpApplication(); }

    void init() {
        WindowFixture::failOnQmlWarnings();
        w = std::make_unique<WindowFixture>(QStringLiteral(WEIR_TEST_DATA "/pixels.weir.json"));
        QVERIFY(w->isReady());
        QCOMPARE(w->canvas()->zoom(), 1.0);
    }

    void editsLeaveTheFileAsItWasWhenUndone() {
        Document plain;
        QVERIFY(plain.open(QStringLiteral(WEIR_TEST_DATA "/pixels.weir.json")).isEmpty());
        const std::string original = plain.canonicalText();
        const Connection wire{"alpha", "out", "beta", "in"};
        const std::string key = decor::wireKey(wire);
        const auto run = [&plain](const Document::Change& change) {
            QCOMPARE(plain.edit(QStringLiteral("draw"), change), QString());
        };
        run([](Transaction& t) { decor::addFrame(t, QStringLiteral("Front"), {0, 0, 200, 100}); });
        run([](Transaction& t) { QCOMPARE(decor::addFrame(t, {}, {0, 0, 9, 9}), std::string("frame_2")); });
        run([](Transaction& t) { decor::addNote(t, QStringLiteral("two\nlines"), {10, 300, 200, 80}); });
        run([](Transaction& t) { decor::setTitle(t, "frame", QStringLiteral("Back")); });
        run([](Transaction& t) { decor::setText(t, "note", QStringLiteral("ein „Wort“")); });
        run([](Transaction& t) { decor::setColour(t, {DecorKind::Frame, "frame"}, QStringLiteral("rose")); });
        run([&](Transaction& t) { decor::setPoints(t, key, {{10, 20}, {30, 40}, {50, 60}}); });
        run([&](Transaction& t) {
            decor::move(t, {{DecorKind::Frame, "frame"}, {DecorKind::Note, "note"}, {DecorKind::Point, key, 1}},
                        {5, 7});
        });
        QCOMPARE(decor::reroutes(plain.json()).at(key), (QList<QPointF>{{10, 20}, {35, 47}, {50, 60}}));
        run([&](Transaction& t) { decor::remove(t, {{DecorKind::Point, key, 0}, {DecorKind::Point, key, 2}}); });
        QCOMPARE(decor::reroutes(plain.json()).at(key), (QList<QPointF>{{35, 47}}));
        run([](Transaction& t) { renameBlock(t, "beta", "delta"); });
        QVERIFY(decor::reroutes(plain.json()).contains("alpha.out->delta.in"));
        run([](Transaction& t) { decor::setComment(t, "delta", QStringLiteral("why")); });
        run([](Transaction& t) { removeParts(t, {"delta"}, {}); });
        QVERIFY(decor::reroutes(plain.json()).empty());
        run([](Transaction& t) {
            decor::remove(t, {{DecorKind::Frame, "frame"}, {DecorKind::Frame, "frame_2"}, {DecorKind::Note, "note"}});
        });
        const Json* ui = find(plain.json(), Pointer("/ui"));
        QVERIFY(!ui->contains("frames") && !ui->contains("notes") && !ui->contains("reroutes"));
        while (plain.undoStack().canUndo()) plain.undoStack().undo();
        QCOMPARE(plain.canonicalText(), original);
    }

    void whatMakesNoSenseInAFileIsPassedOver() {
        const Json project =
            Json::parse(R"({"ui": {"frames": {"a": {"rect": [0, 0, "x", 1]}, "b": 7, "c": {"rect": [0, 0, 1e9, 5]},
            "d": {"title": 3, "rect": [1, 2, 300, 400], "colour": "ultraviolet"}}, "notes": ["kept"],
            "reroutes": {"a.b->c.d": [[1, 2], "x"], "e": 5, "f": [[3, 4]]}}})");
        const auto frames = decor::frames(project);
        QCOMPARE(frames.size(), std::size_t{1});
        QCOMPARE(frames.front().colour, decor::colours().front());
        QVERIFY(frames.front().title.isEmpty());
        QVERIFY(decor::notes(project).empty());
        QCOMPARE(decor::reroutes(project).size(), std::size_t{1});
    }

    void aDoubleClickOnAWireMakesAPointThatADragMovesAndStraightens() {
        const std::string original = document().canonicalText();
        const WireView wire = scene().wires().front();
        doubleClick(at(wire.path.pointAtPercent(0.5)));
        QCOMPARE(scene().wires().front().via.size(), 1);
        QCOMPARE(document().undoStack().count(), 1);
        const QPointF point = scene().wires().front().via.front();
        w->drag(at(point), at(point + QPointF(0, 100)));
        QCOMPARE(document().undoStack().count(), 2);
        const QPointF moved = scene().wires().front().via.front();
        QVERIFY(std::abs(moved.y() - point.y() - 100) <= 3);
        const QImage image = grab();
        const QPainterPath path = scene().wires().front().path;
        for (const double part : {0.25, 0.75}) QVERIFY(nearest(image, at(path.pointAtPercent(part)), kFloat) < 60);

        w->drag(at(moved), at(point));
        QVERIFY(scene().wires().front().via.isEmpty());
        QCOMPARE(document().undoStack().count(), 3);
        document().undoStack().undo();
        w->click(at(moved));
        QCOMPARE(w->editor->selection().decor().size(), std::size_t{1});
        w->key(Qt::Key_Delete);
        QVERIFY(scene().wires().front().via.isEmpty());
        QVERIFY(!document().json().at("ui").contains("reroutes"));
        undoAll(original);
    }

    void aFrameIsMadeAroundTheSelectionNamedMovedResizedAndColoured() {
        const std::string original = document().canonicalText();
        w->editor->selection().set({QStringLiteral("alpha"), QStringLiteral("beta")});
        QVERIFY(w->editor->actions().trigger(QStringLiteral("graph.frame")));
        QTRY_VERIFY(w->item(QStringLiteral("decorText")));
        QTRY_VERIFY(w->item(QStringLiteral("decorText"))->hasActiveFocus());
        w->type(QStringLiteral("Front end"));
        w->key(Qt::Key_Return);
        QCOMPARE(scene().frames().size(), std::size_t{1});
        QCOMPARE(scene().frames().front().title, QStringLiteral("Front end"));
        QCOMPARE(document().undoStack().count(), 1);
        const QRectF frame = scene().frames().front().rect;
        const QPointF alpha = scene().block(QStringLiteral("alpha"))->rect.topLeft();
        QVERIFY(frame.contains(scene().block(QStringLiteral("beta"))->rect));

        w->editor->selection().clear();
        const QPointF header = frame.topLeft() + QPointF(150, decor::kFrameHeader / 2);
        w->drag(at(header), at(header + QPointF(0, 200)));
        QCOMPARE(scene().frames().front().rect, frame.translated(0, 200));
        QCOMPARE(scene().block(QStringLiteral("alpha"))->rect.topLeft(), alpha + QPointF(0, 200));
        QCOMPARE(scene().block(QStringLiteral("gamma"))->rect.topLeft(), QPointF(480, 80));
        QCOMPARE(document().undoStack().count(), 2);

        const QPointF corner = scene().frames().front().rect.bottomRight() - QPointF(4, 4);
        w->drag(at(corner), at(corner + QPointF(40, 20)));
        QCOMPARE(scene().frames().front().rect.size(), frame.size() + QSizeF(40, 20));

        QTRY_VERIFY(w->item(QStringLiteral("decorColour:green")));
        w->click(QStringLiteral("decorColour:green"));
        QCOMPARE(scene().frames().front().colour, QStringLiteral("green"));
        const QImage image = grab();
        const QPointF inside = scene().frames().front().rect.bottomLeft() + QPointF(9, -9);
        const QColor tint = image.pixelColor(at(inside));
        QVERIFY2(tint.green() > tint.red() && distance(tint, kCanvas) > 6, qPrintable(tint.name()));

        w->canvas()->forceActiveFocus();
        w->key(Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(scene().block(QStringLiteral("beta"))->rect.x(), 260.0);
        w->key(Qt::Key_Delete);
        QVERIFY(scene().frames().empty());
        QVERIFY(scene().block(QStringLiteral("alpha")));
        undoAll(original);
    }

    void aGroupIsNamedMovedAndTakenApartByItsTitle() {
        const std::string original = document().canonicalText();
        const auto title = [this] { return at(scene().groups().front().rect.topLeft() + QPointF(300, 12)); };
        w->editor->selection().set({QStringLiteral("alpha"), QStringLiteral("beta")});
        w->canvas()->forceActiveFocus();
        w->key(Qt::Key_G, Qt::ControlModifier);
        QCOMPARE(scene().groups().size(), std::size_t{1});
        w->editor->selection().clear();

        // A click on the title selects the group's blocks, a drag moves them, and the box follows the pointer.
        w->click(title());
        QCOMPARE(w->editor->selection().blocks(), (QSet<QString>{QStringLiteral("alpha"), QStringLiteral("beta")}));
        w->editor->selection().clear();
        const QRectF box = scene().groups().front().rect;
        const QPoint from = title();
        w->hold(from, from + QPoint(0, 240));
        const QImage dragged = grab();
        QVERIFY(distance(dragged.pixelColor(at(box.topLeft() + QPointF(250, 5))), kCanvas) < 3);
        QVERIFY(distance(dragged.pixelColor(at(box.translated(0, 240).topLeft() + QPointF(250, 5))), kCanvas) > 3);
        QTest::mouseRelease(w->window, Qt::LeftButton, {}, from + QPoint(0, 240));
        QCOMPARE(scene().groups().front().rect, box.translated(0, 240));
        QCOMPARE(scene().block(QStringLiteral("beta"))->rect.topLeft(), QPointF(240, 240));
        QCOMPARE(scene().block(QStringLiteral("gamma"))->rect.topLeft(), QPointF(480, 80));

        // A double click renames the group. A duplicate name is reported and can be corrected.
        doubleClick(title());
        QTRY_VERIFY(w->item(QStringLiteral("decorText")));
        QTRY_VERIFY(w->item(QStringLiteral("decorText"))->hasActiveFocus());
        w->type(QStringLiteral("gamma"));
        w->key(Qt::Key_Return);
        QVERIFY2(w->editor->notice().contains(QStringLiteral("gamma")), qPrintable(w->editor->notice()));
        QVERIFY(w->item(QStringLiteral("decorText"))->hasActiveFocus());
        w->key(Qt::Key_A, Qt::ControlModifier);
        w->type(QStringLiteral("front_end"));
        w->key(Qt::Key_Return);
        QCOMPARE(scene().groups().front().label, QStringLiteral("front_end"));
        QVERIFY(!w->item(QStringLiteral("decorText")) && w->canvas()->hasActiveFocus());
        // The same by key, for the group of the selection.
        w->key(Qt::Key_F2);
        QTRY_VERIFY(w->item(QStringLiteral("decorText")));
        w->key(Qt::Key_Escape);

        // The context menu offers to rename and to ungroup, and says that a group does not change the run.
        w->editor->selection().clear();
        QTest::mouseClick(w->window, Qt::RightButton, {}, title());
        QTRY_VERIFY(w->item(QStringLiteral("menu:graph.rename")) &&
                    w->item(QStringLiteral("menu:graph.rename"))->isEnabled());
        QTest::mouseMove(w->window, w->centre(QStringLiteral("menu:graph.frame")));
        const QAccessibleInterface* entry =
            QAccessible::queryAccessibleInterface(w->item(QStringLiteral("menu:graph.frame")));
        QVERIFY(entry->text(QAccessible::Description).contains(QStringLiteral("does not change the run")));
        w->click(QStringLiteral("menu:graph.ungroup"));
        QVERIFY(scene().groups().empty());
        // Actions that would do nothing are disabled.
        const Actions& actions = w->editor->actions();
        w->editor->selectAll();
        QVERIFY(!actions.isEnabled(QStringLiteral("graph.ungroup")) &&
                !actions.isEnabled(QStringLiteral("graph.enable")));
        QVERIFY(actions.isEnabled(QStringLiteral("graph.disable")));
        undoAll(original);
    }

    void aNoteHoldsSeveralLinesAndIsSelectedWithBlocks() {
        const std::string original = document().canonicalText();
        QVERIFY(w->editor->actions().trigger(QStringLiteral("graph.note")));
        QTRY_VERIFY(w->item(QStringLiteral("decorText")) && w->item(QStringLiteral("decorText"))->hasActiveFocus());
        w->type(QStringLiteral("one"));
        w->key(Qt::Key_Return);
        w->type(QStringLiteral("two"));
        w->key(Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(scene().notes().front().text, QStringLiteral("one\ntwo"));
        QCOMPARE(document().undoStack().count(), 1);
        doubleClick(at(scene().notes().front().rect.center()));
        QTRY_VERIFY(w->item(QStringLiteral("decorText")));
        w->key(Qt::Key_Escape);
        QTRY_VERIFY(!w->item(QStringLiteral("decorText")));
        QCOMPARE(document().undoStack().count(), 1);

        w->editor->selectAll();
        QCOMPARE(w->editor->selection().decor().size(), std::size_t{1});
        const QPointF before = scene().notes().front().rect.topLeft();
        w->canvas()->forceActiveFocus();
        w->key(Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(scene().notes().front().rect.topLeft(), before + QPointF(0, 20));
        QCOMPARE(scene().block(QStringLiteral("alpha"))->rect.y(), 20.0);
        undoAll(original);
    }

    void framesAndNotesAreCopiedCutAndDeletedWithTheirBlocks() {
        w->editor->edit(QStringLiteral("draw"), [](Transaction& t) {
            decor::addFrame(t, QStringLiteral("Front end"), QRectF(-40, -60, 400, 300));
            decor::addNote(t, QStringLiteral("hello"), QRectF(0, 320, 240, 100));
        });
        const std::string original = document().canonicalText();
        const int steps = document().undoStack().index();
        const std::set<DecorId> parts{{DecorKind::Frame, "frame"}, {DecorKind::Note, "note"}};
        const auto back = [&] {
            QCOMPARE(document().undoStack().index(), steps + 1);
            document().undoStack().undo();
            QCOMPARE(document().canonicalText(), original);
        };
        w->canvas()->forceActiveFocus();
        w->editor->selection().set({QStringLiteral("alpha")}, {}, parts);
        w->key(Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(scene().frames().size(), std::size_t{2});
        QCOMPARE(scene().notes().size(), std::size_t{2});
        QCOMPARE(scene().frames().back().title, QStringLiteral("Front end"));
        QCOMPARE(scene().notes().back().rect.topLeft(), scene().notes().front().rect.topLeft() + QPointF(40, 40));
        QCOMPARE(w->editor->undoText(), QStringLiteral("Duplicate 3 parts"));
        QCOMPARE(w->editor->selection().blocks(), QSet<QString>{QStringLiteral("alpha_2")});
        QCOMPARE(w->editor->selection().decor(),
                 (std::set<DecorId>{{DecorKind::Frame, "frame_2"}, {DecorKind::Note, "note_2"}}));
        back();

        // The same for a note alone.
        w->editor->selection().set({}, {}, {{DecorKind::Note, "note"}});
        w->key(Qt::Key_X, Qt::ControlModifier);
        QVERIFY(scene().notes().empty());
        QCOMPARE(w->editor->undoText(), QStringLiteral("Cut note"));
        w->key(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(scene().notes().front().text, QStringLiteral("hello"));
        document().undoStack().undo();
        back();

        for (const Qt::KeyboardModifiers modifiers :
             {Qt::KeyboardModifiers(), Qt::KeyboardModifiers(Qt::ControlModifier)}) {
            w->editor->selection().set({QStringLiteral("alpha")}, {}, parts);
            w->key(Qt::Key_Delete, modifiers);
            QVERIFY(!scene().block(QStringLiteral("alpha")) && scene().frames().empty() && scene().notes().empty());
            back();
        }
        w->editor->selection().set({QStringLiteral("alpha")}, {}, parts);
        w->key(Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(scene().notes().front().rect.top(), 340.0);
        QCOMPARE(scene().frames().front().rect.top(), -40.0);
        back();
        document().undoStack().undo();
    }

    void aCommentIsShownUnderItsBlock() {
        w->editor->selection().set({QStringLiteral("beta")});
        QVERIFY(w->editor->actions().trigger(QStringLiteral("graph.comment")));
        QTRY_VERIFY(w->item(QStringLiteral("decorText")) && w->item(QStringLiteral("decorText"))->hasActiveFocus());
        w->type(QStringLiteral("the work"));
        w->key(Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(w->item(QStringLiteral("comment:beta")));
        QCOMPARE(w->item(QStringLiteral("comment:beta"))->property("text").toString(), QStringLiteral("the work"));
    }

    void wiresHaveACasingWhereTheyCrossAndBowAroundTheirBlocks() {
        w->editor->edit(QStringLiteral("cross"), [](Transaction& t) {
            placeBlocks(t, {{"alpha", {0, 200}}, {"beta", {400, 0}}, {"bytes", {0, 0}}, {"gamma", {400, 200}}});
            t.set(Pointer("/graph/blocks/2/parameters/item_type"), "u8");
            addConnection(t, {"bytes", "out", "gamma", "in"});
        });
        w->canvas()->fit();
        QCOMPARE(w->canvas()->zoom(), 1.0);
        const QImage image = grab();
        const WireView& under = scene().wires()[0];
        const WireView& over = scene().wires()[1];
        const QPointF crossing = (under.from + under.to) / 2;
        QVERIFY(geometry::distanceToPath(crossing, over.path) < 1.5);
        QVERIFY(nearest(image, at(crossing), QColor(0x9B, 0x2B, 0xB5)) < 60);
        // Next to the upper wire, the crossed wire is interrupted.
        const QPointF direction = under.path.pointAtPercent(0.51) - under.path.pointAtPercent(0.49);
        const QPointF beside = crossing + direction / std::hypot(direction.x(), direction.y()) * 2.6;
        QVERIFY2(distance(image.pixelColor(at(beside)), kFloat) > 150, qPrintable(image.pixelColor(at(beside)).name()));

        const geometry::Band band{-40, 160};
        const QPainterPath back = geometry::wirePath({300, 30}, {0, 50}, {}, band);
        const QRectF reach = back.boundingRect();
        QVERIFY(reach.bottom() > band.bottom || reach.top() < band.top);
        const QRectF source(100, -40, 200, 120);
        for (int step = 1; step < 200; ++step)
            QVERIFY(!source.adjusted(1, 1, -1, -1).contains(back.pointAtPercent(step / 200.0)));
        // A layout leaves 80 px between columns, so the wire must swing out by less than 40 px to pass no port.
        QVERIFY(reach.right() < 340 && reach.left() > -40);
    }

    void aWireToALowerRowLeadsBackBetweenTheRows() {
        const QRectF source(600, 0, 200, 120);
        const QRectF target(0, 300, 200, 120);
        QCOMPARE(geometry::laneBetween(source, target, {source, target}), std::optional(210.0));
        // The wire goes around blocks in between, on the side with more room.
        QCOMPARE(geometry::laneBetween(source, target, {QRectF(300, 100, 100, 100)}), std::optional(250.0));
        QCOMPARE(geometry::laneBetween(source, target, {QRectF(300, 180, 100, 100)}), std::optional(150.0));
        QCOMPARE(geometry::laneBetween(source, target, {QRectF(1200, 100, 100, 300)}), std::optional(210.0));
        QVERIFY(!geometry::laneBetween(source, target, {QRectF(300, 100, 100, 250)}));
        QVERIFY(!geometry::laneBetween(source, QRectF(0, 60, 200, 120), {}));
    }

    void whatHangsBehindADisabledBlockIsDead() {
        w->editor->edit(QStringLiteral("off"), [](Transaction& t) {
            addConnection(t, {"beta", "out", "gamma", "in"});
            t.set(Pointer("/graph/blocks/0/state"), "disabled");
        });
        QVERIFY(scene().wires()[0].dead && scene().wires()[1].dead);
        w->editor->edit(QStringLiteral("on"), [](Transaction& t) { t.remove(Pointer("/graph/blocks/0/state")); });
        QVERIFY(!scene().wires()[0].dead && !scene().wires()[1].dead);
    }

    void theMapShowsWhatDoesNotFitAndMovesTheView() {
        QVERIFY(!w->item(QStringLiteral("minimap")));
        w->editor->edit(QStringLiteral("far"), [](Transaction& t) { placeBlocks(t, {{"bytes", {3000, 2000}}}); });
        QTRY_VERIFY(w->item(QStringLiteral("minimap")));
        auto* map = qobject_cast<Minimap*>(w->item(QStringLiteral("minimap")));
        QCOMPARE(map->size(), QSizeF(168, 108));
        const QRectF part = map->shownOnMap();
        const QImage before = grab();
        const QPointF origin = map->mapToScene({0, 0});
        QVERIFY(nearest(before, origin + QPointF(part.center().x(), part.bottom() - 1), kAccent) < 60);
        const QPointF far = scene().block(QStringLiteral("bytes"))->rect.center();
        const QColor source = before.pixelColor((origin + map->toMap(far)).toPoint());
        QVERIFY2(source.blue() - source.red() > 60, qPrintable(source.name()));

        w->click((origin + map->toMap(far)).toPoint());
        const GraphView& canvas = *w->canvas();
        QVERIFY((canvas.toScene({canvas.width() / 2, canvas.height() / 2}) - far).manhattanLength() < 60);
        const QPoint middle = (origin + map->shownOnMap().center()).toPoint();
        w->drag(middle, (origin + map->toMap({100, 60})).toPoint());
        QVERIFY((canvas.toScene({canvas.width() / 2, canvas.height() / 2}) - QPointF(100, 60)).manhattanLength() < 120);
        QVERIFY(w->editor->actions().trigger(QStringLiteral("view.minimap")));
        QTRY_VERIFY(!w->item(QStringLiteral("minimap")));
    }

    void farAwayABlockIsItsColourAndItsNameComesWithTheSelection() {
        w->editor->edit(QStringLiteral("far"), [](Transaction& t) { placeBlocks(t, {{"bytes", {6000, 2000}}}); });
        w->canvas()->fit();
        QVERIFY(w->canvas()->zoom() < 0.45);
        QTRY_VERIFY(!w->item(QStringLiteral("block:alpha")));
        const QImage plain = grab();
        const QRectF alpha = scene().block(QStringLiteral("alpha"))->rect;
        QVERIFY(nearest(plain, at(alpha.topLeft() + QPointF(20, alpha.height() / 2)), QColor(0x0F, 0x6C, 0xA8)) < 60);
        w->editor->selection().set({QStringLiteral("alpha")});
        const QImage named = grab();
        const QPoint above = at(QPointF(alpha.center().x(), alpha.top())) - QPoint(0, 15);
        QVERIFY(plain.copy(QRect(above - QPoint(20, 8), QSize(40, 16))) !=
                named.copy(QRect(above - QPoint(20, 8), QSize(40, 16))));
    }
};

QTEST_MAIN(TestDecor)
#include "tst_decor.moc"
