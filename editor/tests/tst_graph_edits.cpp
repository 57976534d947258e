#include "core/document/document.h"
#include "core/graph/alignment.h"
#include "core/graph/fitting.h"
#include "core/graph/graph_edits.h"
#include "core/graph/layout_question.h"
#include "core/graph/signal_order.h"
#include "drawn.h"
#include "features/canvas/graph_finder.h"

#include <QTest>

using namespace weir::editor;

/// Tests of edits of the flowgraph as a whole, and of their parts. Undo restores the bytes of the file after every
/// edit.
class TestGraphEdits : public QObject {
    Q_OBJECT

    const Catalog m_catalog = testCatalog();
    const QString m_path = QStringLiteral(WEIR_TEST_DATA "/gestures.weir.json");

    /// Applies the edit, passes the document to `check`, and undoes the edit.
    void edited(const Document::Change& change, const std::function<void(const Json&)>& check) {
        Document document;
        QCOMPARE(document.open(m_path), QString());
        const std::string before = document.canonicalText();
        QCOMPARE(document.edit(QStringLiteral("step"), change), QString());
        QVERIFY(document.canonicalText() != before);
        QCOMPARE(document.undoStack().count(), 1);
        check(document.json());
        const std::string after = document.canonicalText();
        document.undoStack().undo();
        QCOMPARE(document.canonicalText(), before);
        QCOMPARE(readAll(m_path).toStdString(), before);
        document.undoStack().redo();
        QCOMPARE(document.canonicalText(), after);
    }

    Json project() { return jsonOf(readAll(m_path)); }

    static QStringList wires(const Json& json) {
        QStringList all;
        for (const Json& value : list(find(json, Pointer("/graph/connections"))))
            if (const auto c = toConnection(value))
                all.append(
                    QString::fromStdString(c->source + '.' + c->sourcePort + ">" + c->target + '.' + c->targetPort));
        return all;
    }

  private slots:
    void aPortTakesWhatItsTypeAllows() {
        const std::set<std::string> after = typesThatFitPort(project(), m_catalog, "mag", "out", true);
        QVERIFY(after.contains("null_sink") && after.contains("add") && after.contains("float_to_integer"));
        QVERIFY(!after.contains("complex_to_mag") && !after.contains("null_source"));
        const std::set<std::string> before = typesThatFitPort(project(), m_catalog, "mag", "in", false);
        QVERIFY(before.contains("null_source") && before.contains("rotator"));
        QVERIFY(!before.contains("complex_to_mag") && !before.contains("null_sink"));
    }

    void aWireTakesBlocksOfItsTypeOnly() {
        const std::set<std::string> first = typesThatFitWire(project(), m_catalog, {"source", "out", "mag", "in"});
        QVERIFY(first.contains("multiply_const") && first.contains("conjugate"));
        QVERIFY(!first.contains("complex_to_mag") && !first.contains("abs") && !first.contains("null_sink"));
        // The block after this wire infers its type. Without the wire its type may become c64.
        const std::set<std::string> second = typesThatFitWire(project(), m_catalog, {"mag", "out", "gain", "in"});
        QVERIFY(second.contains("multiply_const") && second.contains("float_to_integer"));
        QVERIFY(!second.contains("conjugate"));
    }

    void aTemplateBlockHasOneTypeOnBothSides() {
        const BlockType& add = *m_catalog.block("multiply_const");
        QVERIFY(passageThrough(add, add.itemTypes, {"f32"}, {"f32"}));
        QVERIFY(!passageThrough(add, add.itemTypes, {"f32"}, {"c64"}));
        QVERIFY(!passageThrough(add, {"u8"}, {"f32"}, {"f32"}));
        const BlockType& magnitude = *m_catalog.block("complex_to_mag");
        QCOMPARE(passageThrough(magnitude, {}, {"c64"}, {"f32"}), (Passage{"in", "out"}));
        QVERIFY(!passageThrough(magnitude, {}, {"f32"}, {"f32"}));
    }

    void insertingDividesTheWire() {
        edited([](Transaction& t) { insertOnWire(t, {"gain", "out", "sink", "in"}, "lone", {"in", "out"}); },
               [](const Json& json) {
                   QCOMPARE(wires(json),
                            (QStringList{QStringLiteral("source.out>mag.in"), QStringLiteral("mag.out>gain.in"),
                                         QStringLiteral("gain.out>lone.in"), QStringLiteral("lone.out>sink.in")}));
               });
        Document document;
        QCOMPARE(document.open(m_path), QString());
        QVERIFY(!document
                     .edit(QStringLiteral("x"),
                           [](Transaction& t) { insertOnWire(t, {"no", "out", "sink", "in"}, "lone", {"in", "out"}); })
                     .isEmpty());
        QCOMPARE(document.undoStack().count(), 0);
    }

    void aConnectionGetsAnotherEnd() {
        edited(
            [](Transaction& t) { replaceConnection(t, {"gain", "out", "sink", "in"}, {"lone", "out", "sink", "in"}); },
            [](const Json& json) { QCOMPARE(wires(json).last(), QStringLiteral("lone.out>sink.in")); });
    }

    void healingJoinsTheNeighboursWhereTypesFit() {
        const Healing one = healingWithout(project(), m_catalog, {"gain"});
        QCOMPARE(one.joined, (std::vector<Connection>{{"mag", "out", "sink", "in"}}));
        QVERIFY(one.lost.empty());
        const Healing both = healingWithout(project(), m_catalog, {"mag", "gain"});
        QCOMPARE(both.joined, (std::vector<Connection>{{"source", "out", "sink", "in"}}));
        edited([&one](Transaction& t) { removeAndHeal(t, {"gain"}, one); },
               [](const Json& json) {
                   QCOMPARE(wires(json),
                            (QStringList{QStringLiteral("source.out>mag.in"), QStringLiteral("mag.out>sink.in")}));
                   QVERIFY(!blockPointer(json, "gain"));
               });
    }

    void healingLeavesOpenWhatDoesNotFit() {
        Json json = project();
        json["graph"]["blocks"][2]["parameters"] = {{"item_type", "f32"}};
        const Healing healing = healingWithout(json, m_catalog, {"mag"});
        QVERIFY(healing.joined.empty());
        QCOMPARE(healing.lost, (std::vector<Connection>{{"mag", "out", "gain", "in"}}));
        // A source has no input, so removing its wire is no loss.
        QVERIFY(healingWithout(json, m_catalog, {"source"}).lost.empty());
    }

    void statesAreWrittenAndTakenBack() {
        edited([](Transaction& t) { setBlockState(t, "gain", "bypassed"); },
               [](const Json& json) {
                   QCOMPARE(text(find(json, Pointer("/graph/blocks/2/state"))), std::string("bypassed"));
               });
        Document document;
        QCOMPARE(document.open(m_path), QString());
        const std::string before = document.canonicalText();
        document.edit(QStringLiteral("a"), [](Transaction& t) { setBlockState(t, "gain", "disabled"); });
        document.edit(QStringLiteral("b"), [](Transaction& t) { setBlockState(t, "gain", "enabled"); });
        QCOMPARE(document.canonicalText(), before);
    }

    void groupsAreMadeAndTakenApart() {
        edited(
            [](Transaction& t) {
                groupBlocks(t, freeGroupId(t.json(), "group"), {"mag", "gain"});
                groupBlocks(t, freeGroupId(t.json(), "group"), {"gain", "sink"});
            },
            [](const Json& json) {
                QVERIFY(*find(json, Pointer("/graph/groups/0/blocks")) == Json::array({"mag"}));
                QCOMPARE(text(find(json, Pointer("/graph/groups/1/id"))), std::string("group_2"));
            });
        Document document;
        QCOMPARE(document.open(m_path), QString());
        const std::string before = document.canonicalText();
        document.edit(QStringLiteral("a"), [](Transaction& t) { groupBlocks(t, "group", {"mag", "gain"}); });
        document.edit(QStringLiteral("b"), [](Transaction& t) { QCOMPARE(ungroupBlocks(t, {"gain"}), 1); });
        QCOMPARE(document.canonicalText(), before);
    }

    void blocksAlign() {
        std::vector<BlockView> blocks(3);
        blocks[0].id = QStringLiteral("a");
        blocks[0].rect = {0, 0, 160, 80};
        blocks[1].id = QStringLiteral("b");
        blocks[1].rect = {40, 100, 200, 100};
        blocks[2].id = QStringLiteral("c");
        blocks[2].rect = {300, 400, 180, 80};
        QCOMPARE(aligned(blocks, Alignment::Left), (Placement{{"b", {0, 100}}, {"c", {0, 400}}}));
        QCOMPARE(aligned(blocks, Alignment::Right), (Placement{{"a", {320, 0}}, {"b", {280, 100}}}));
        QCOMPARE(aligned(blocks, Alignment::Centre),
                 (Placement{{"a", {160, 0}}, {"b", {140, 100}}, {"c", {150, 400}}}));
        QCOMPARE(aligned(blocks, Alignment::Top), (Placement{{"b", {40, 0}}, {"c", {300, 0}}}));
        QCOMPARE(aligned(blocks, Alignment::Bottom), (Placement{{"a", {0, 400}}, {"b", {40, 380}}}));
        QCOMPARE(aligned(blocks, Alignment::Middle), (Placement{{"a", {0, 200}}, {"b", {40, 190}}, {"c", {300, 200}}}));
        // Heights of 80, 100 and 80 in a span of 480 leave gaps of 110.
        QCOMPARE(distributed(blocks, Direction::Vertical), (Placement{{"b", {40, 190}}}));
        QCOMPARE(distributed({blocks[0], blocks[1]}, Direction::Vertical), Placement());
    }

    void whatLiesDownstreamMakesRoom() {
        Drawn drawn(m_path, m_catalog);
        auto& [document, scene] = drawn;
        const QRectF sink = scene.block(QStringLiteral("sink"))->rect;
        QCOMPARE(roomFor(scene, QRectF(sink.left() - 400, 0, 200, 80), QStringLiteral("sink")), Placement());
        const Placement moved = roomFor(scene, QRectF(420, 0, 200, 80), QStringLiteral("gain"));
        QCOMPARE(moved.size(), std::size_t{2});
        const QRectF gain = scene.block(QStringLiteral("gain"))->rect;
        QCOMPARE(moved.front(), std::pair(std::string("gain"), QPointF(660, gain.y())));
        QCOMPARE(moved.back().second - sink.topLeft(), QPointF(160, 0));
    }

    void blocksAreFoundByWhatTheySay() {
        const Json json = project();
        QCOMPARE(findBlocks(json, m_catalog, QStringLiteral("NOT joined")), QStringList{QStringLiteral("lone")});
        QCOMPARE(findBlocks(json, m_catalog, QStringLiteral("u8")), QStringList{QStringLiteral("bytes")});
        QCOMPARE(findBlocks(json, m_catalog, QStringLiteral("null_")),
                 (QStringList{QStringLiteral("source"), QStringLiteral("sink"), QStringLiteral("bytes")}));
        QCOMPARE(findBlocks(json, m_catalog, QStringLiteral("s")).first(), QStringLiteral("source"));
        QVERIFY(findBlocks(json, m_catalog, QStringLiteral("  ")).isEmpty());
        QVERIFY(findBlocks(json, m_catalog, QStringLiteral("nothing like it")).isEmpty());
    }

    void theOrderFollowsTheStreams() {
        Drawn drawn(m_path, m_catalog);
        auto& [document, scene] = drawn;
        QCOMPARE(signalOrder(scene).mid(0, 4), (QStringList{QStringLiteral("source"), QStringLiteral("mag"),
                                                            QStringLiteral("gain"), QStringLiteral("sink")}));
        QCOMPARE(signalOrder(scene).size(), 6);
    }

    // Regression: the order began with the highest block, such as an unconnected sink.
    void theOrderBeginsInTheLargestPart() {
        Drawn drawn(m_path, m_catalog);
        auto& [document, scene] = drawn;
        document.edit(QStringLiteral("stray"), [](Transaction& t) {
            addBlock(t, "stray", "null_sink", {0, -400});
            addBlock(t, "other", "null_source", {0, -300});
            addBlock(t, "end", "null_sink", {300, -300});
            addConnection(t, {"other", "out", "end", "in"});
        });
        const QStringList order = signalOrder(scene);
        QCOMPARE(order.first(), QStringLiteral("source"));
        QCOMPARE(order.mid(4, 2), (QStringList{QStringLiteral("other"), QStringLiteral("end")}));
        QCOMPARE(order.at(6), QStringLiteral("stray"));
        QCOMPARE(order.size(), 9);
    }

    void theLayoutIsAskedWithSizesAndAnsweredWithPlaces() {
        Drawn drawn(m_path, m_catalog);
        auto& [document, scene] = drawn;
        const QStringList some{QStringLiteral("mag"), QStringLiteral("gain")};
        const Json question = jsonOf(QByteArray::fromStdString(layoutQuestion(scene, some)));
        QCOMPARE(question["wires"].size(), std::size_t{1});
        QCOMPARE(question["wires"][0]["source_y"].get<double>(), 55.0);
        QCOMPARE(question["blocks"]["mag"][0].get<double>(), scene.block(some[0])->rect.width());
        const auto placement = layoutAnswer(scene, some, R"({"mag": [80, 80], "gain": [340, 80]})", true);
        QVERIFY(placement);
        QCOMPARE(placement->front().second, QPointF(240, 0));
        QCOMPARE(placement->back().second, QPointF(500, 0));
        QVERIFY(!layoutAnswer(scene, some, R"({"mag": [80, 80]})", true));
        QVERIFY(!layoutAnswer(scene, some, "not json", true));
        QVERIFY(!layoutAnswer(scene, some, R"({"mag": [80, 80], "gain": ["x", 1]})", true));
    }
};

QTEST_MAIN(TestGraphEdits)
#include "tst_graph_edits.moc"
