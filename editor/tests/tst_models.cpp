#include "core/graph/block_model.h"
#include "core/graph/layered_layout.h"
#include "core/graph/selection.h"
#include "core/graph/type_inference.h"
#include "core/graph/wire_geometry.h"
#include "core/text/value_text.h"
#include "drawn.h"
#include "features/deployment/deployment_rows.h"
#include "features/inspector/inspector_rows.h"
#include "shell/fields/parameter_model.h"
#include "shell/fields/row_marks.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>
#include <QTranslator>

using namespace weir::editor;

namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

QString example(const char* name) { return QStringLiteral(WEIR_ROOT "/examples/") + QString::fromLatin1(name); }

void place(Document& document, const std::string& id, QPointF where) {
    document.edit(QStringLiteral("place"), [&](Transaction& t) { placeBlocks(t, {{id, where}}); });
}

QStringList idsOf(const std::vector<BlockView>& blocks) {
    QStringList ids;
    for (const BlockView& block : blocks) ids.append(block.id);
    return ids;
}

/// Return the shown names in the order of the file.
QStringList shownIn(const BlockModel& model) {
    QMap<int, QString> shown;
    for (int row = 0; row < model.rowCount(); ++row)
        if (const QModelIndex index = model.index(row); index.data(BlockModel::ShownRole).toBool())
            shown.insert(index.data(BlockModel::OrderRole).toInt(), index.data(BlockModel::BlockIdRole).toString());
    return shown.values();
}

} // namespace

class TestModels : public QObject {
    Q_OBJECT

    Catalog m_catalog;

  private slots:
    void initTestCase() {
        m_catalog = testCatalog();
        QVERIFY(m_catalog.block("head"));
        QVERIFY(m_catalog.scheduler("flow"));
    }

    void blocksFollowTheDocument() {
        Drawn drawn(example("diamond.weir.json"), m_catalog);
        auto& [document, scene] = drawn;
        BlockModel model(scene);
        QAbstractItemModelTester tester(&model, kFatal);
        QRandomGenerator random(7);
        for (int step = 0; step < 200; ++step) {
            switch (random.bounded(4)) {
                case 0:
                    document.edit(QStringLiteral("add"), [&](Transaction& t) {
                        addBlock(t, freeBlockId(document.json(), "head"), "head", QPointF(random.bounded(900), 0));
                    });
                    break;
                case 1:
                    if (!scene.blocks().empty()) {
                        const auto& block = scene.blocks()[random.bounded(static_cast<quint32>(scene.blocks().size()))];
                        document.edit(QStringLiteral("remove"),
                                      [&](Transaction& t) { removeParts(t, {block.id.toStdString()}, {}); });
                    }
                    break;
                case 2: document.undoStack().undo(); break;
                case 3: document.undoStack().redo(); break;
            }
            // The order in the file is the stacking order.
            QCOMPARE(shownIn(model), idsOf(scene.blocks()));
        }
    }

    void aBlockShowsOfAValueWhatThereCanBeRoomFor() {
        Json taps = Json::array();
        for (int tap = 0; tap < 6000; ++tap) taps.push_back(0.001 * tap);
        Drawn drawn(
            Json({{"graph",
                   {{"blocks",
                     {{{"id", "long"}, {"type", "fir_filter"}, {"parameters", {{"taps", taps}}}},
                      {{"id", "file"}, {"type", "file_source"}, {"parameters", {{"path", std::string(52000, 'x')}}}},
                      {{"id", "word"}, {"type", "null_source"}, {"comment", std::string(52000, 'y')}}}}}}}),
            m_catalog);
        auto& [document, scene] = drawn;
        QCOMPARE(scene.block(QStringLiteral("long"))->parameters.front().value, QStringLiteral("6000 values"));
        const QString path = scene.block(QStringLiteral("file"))->parameters.front().value;
        QVERIFY2(path.size() <= 48 && path.endsWith(u'…'), qPrintable(path.left(60)));
        QVERIFY(scene.block(QStringLiteral("word"))->comment.size() <= 1000);
    }

    void whatIsCountedHasTheFormOfItsNumber() {
        const auto blocks = [](int n) { return QObject::tr("%n block(s)", nullptr, n); };
        QCOMPARE(blocks(0), QStringLiteral("0 blocks"));
        QCOMPARE(blocks(1), QStringLiteral("1 block"));
        QCOMPARE(QObject::tr("%n entr(y|ies) (all)", nullptr, 1), QStringLiteral("1 entry (all)"));
        QCOMPARE(QObject::tr("%n entr(y|ies) (all)", nullptr, 2), QStringLiteral("2 entries (all)"));
        QCOMPARE(QObject::tr("probe(s)"), QStringLiteral("probe(s)"));

        // A translation has plural forms of its own, here the Polish ones. Missing texts stay English.
        struct Polish : QTranslator {
            QString translate(const char*, const char* text, const char*, int n) const override {
                const bool few = n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14);
                return qstrcmp(text, "%n block(s)") != 0 ? QString()
                       : n == 1                          ? QStringLiteral("%n blok")
                       : few                             ? QStringLiteral("%n bloki")
                                                         : QStringLiteral("%n bloków");
            }
            bool isEmpty() const override { return false; }
        } polish;
        QVERIFY(QCoreApplication::installTranslator(&polish));
        QCOMPARE(QStringList({blocks(1), blocks(3), blocks(5), blocks(12), blocks(22)}),
                 QStringList({QStringLiteral("1 blok"), QStringLiteral("3 bloki"), QStringLiteral("5 bloków"),
                              QStringLiteral("12 bloków"), QStringLiteral("22 bloki")}));
        QCOMPARE(QObject::tr("%n wire(s)", nullptr, 1), QStringLiteral("1 wire"));
    }

    void whatDiffersFromTheDefaultIsShownFirst() {
        Drawn drawn(
            Json({{"graph",
                   {{"blocks",
                     {{{"id", "s"},
                       {"type", "signal_source"},
                       {"parameters", {{"waveform", "complex_sine"}, {"amplitude", 1.0}, {"offset", 0.5}}}}}}}}}),
            m_catalog);
        auto& [document, scene] = drawn;
        const BlockType* type = m_catalog.block("signal_source");
        QVERIFY(type);
        const QList<ParameterView>& rows = scene.block(QStringLiteral("s"))->parameters;
        const auto differs = [&](const ParameterView& row) {
            const ParameterType* parameter = type->parameter(row.name.toStdString());
            return !parameter || parameter->isRequired() || row.value != fieldText(parameter->defaultValue);
        };
        QVERIFY(std::is_partitioned(rows.begin(), rows.end(), differs));
        QVERIFY(differs(rows.front()));
    }

    // Regression: a new block was an empty box that did not show its defaults.
    void aBlockOfWhichLittleIsSetShowsItsDefaults() {
        Drawn drawn(Json({{"graph",
                           {{"blocks",
                             {{{"id", "s"}, {"type", "signal_source"}},
                              {{"id", "w"}, {"type", "wav_sink"}},
                              {{"id", "n"}, {"type", "null_sink"}},
                              {{"id", "h"}, {"type", "head"}}}}}}}),
                    m_catalog);
        auto& [document, scene] = drawn;
        const auto row = [&scene](const char* block, int at) {
            return scene.block(QLatin1String(block))->parameters.value(at);
        };
        QCOMPARE(scene.block(QStringLiteral("s"))->parameters.size(), 3);
        QCOMPARE(scene.block(QStringLiteral("s"))->moreParameters, 0);
        QCOMPARE(row("s", 2).name, QStringLiteral("frequency"));
        QCOMPARE(row("s", 2).value, QStringLiteral("1000 Hz"));
        QVERIFY(row("s", 2).isDefault);
        // A required parameter without a value shows a dash, not a default.
        QVERIFY((row("w", 0) == ParameterView{QStringLiteral("path"), QStringLiteral("—"), false}));
        QVERIFY(scene.block(QStringLiteral("w"))->parameters.size() > 1 && row("w", 1).isDefault);
        QVERIFY(scene.block(QStringLiteral("n"))->parameters.isEmpty());
        QCOMPARE(row("h", 0).value, QStringLiteral("run's items")); // meaning of the value 0
        // Changed parameters come first, and defaults fill the remaining rows.
        document.edit(QStringLiteral("set"),
                      [](Transaction& t) { t.set(Pointer("/graph/blocks/0/parameters"), {{"phase", 1.0}}); });
        QCOMPARE(scene.block(QStringLiteral("s"))->parameters.size(), 3);
        QVERIFY((row("s", 0) == ParameterView{QStringLiteral("phase"), row("s", 0).value, false}));
        QVERIFY(row("s", 1).isDefault && row("s", 2).isDefault);
        document.edit(QStringLiteral("more"), [](Transaction& t) {
            t.set(Pointer("/graph/blocks/0/parameters"),
                  {{"phase", 1.0}, {"amplitude", 2.0}, {"frequency", 5.0}, {"offset", 1.0}});
        });
        QCOMPARE(scene.block(QStringLiteral("s"))->parameters.size(), 3);
        QCOMPARE(scene.block(QStringLiteral("s"))->moreParameters, 1);
        QVERIFY(!row("s", 2).isDefault);
    }

    void onlyBlocksInTheRegionAreShown() {
        Drawn drawn(example("diamond.weir.json"), m_catalog);
        auto& [document, scene] = drawn;
        BlockModel model(scene);
        QAbstractItemModelTester tester(&model, kFatal);
        QRandomGenerator random(5);
        const QRectF all = scene.bounds();
        for (int step = 0; step < 100; ++step) {
            const QRectF region(all.left() + random.bounded(all.width()), all.top() + random.bounded(all.height()),
                                random.bounded(all.width()), random.bounded(all.height()));
            model.setRegion(region);
            QVERIFY(model.fill());
            QStringList expected;
            for (const BlockView& block : scene.blocks())
                if (region.intersects(block.rect)) expected.append(block.id);
            QCOMPARE(model.wanted(), expected.size());
            QCOMPARE(shownIn(model), expected);
            for (const BlockView& block : scene.blocks())
                QCOMPARE(model.isShown(block.id), expected.contains(block.id));
        }
        QVERIFY(model.rowCount() <= static_cast<int>(scene.blocks().size()));
    }

    void rowsComeAFewAtATimeAndAreUsedAgain() {
        Drawn drawn(QStringLiteral(WEIR_TEST_DATA "/empty.weir.json"), m_catalog);
        auto& [document, scene] = drawn;
        document.edit(QStringLiteral("many"), [](Transaction& t) {
            for (int index = 0; index < 40; ++index)
                addBlock(t, "b" + std::to_string(index), index % 2 ? "head" : "abs", QPointF(400.0 * index, 0));
        });
        BlockModel model(scene);
        QAbstractItemModelTester tester(&model, kFatal);
        const int made = model.rowCount();
        QCOMPARE(made, 40);

        // Without more time, each call fills one block, beginning in the middle.
        model.setRegion(QRectF(400 * 10, 0, 400 * 4 + 10, 10));
        model.setZoom(0.5);
        QCOMPARE(model.wanted(), 5);
        QCOMPARE(shownIn(model).size(), 5); // their rows still held these blocks
        QVERIFY(!model.fill(QDeadlineTimer(0)));
        int renewed = 1;
        while (!model.fill(QDeadlineTimer(0))) ++renewed;
        QCOMPARE(renewed, 5);
        for (int row = 0; row < model.rowCount(); ++row)
            if (const QModelIndex index = model.index(row); index.data(BlockModel::ShownRole).toBool())
                QCOMPARE(index.data(BlockModel::LayoutZoomRole).toReal(), 0.5);

        // New blocks reuse hidden rows.
        document.edit(QStringLiteral("other"), [](Transaction& t) {
            for (int index = 0; index < 3; ++index)
                addBlock(t, "c" + std::to_string(index), "head", QPointF(400.0 * index, 1000));
        });
        QCOMPARE(model.rowCount(), made);
        model.setRegion(QRectF(0, 1000, 810, 10));
        QVERIFY(!model.isShown(QStringLiteral("c1")));
        QVERIFY(!model.fill(QDeadlineTimer(0)));
        QCOMPARE(shownIn(model), QStringList{QStringLiteral("c1")});
        QVERIFY(model.fill());
        QCOMPARE(shownIn(model), (QStringList{QStringLiteral("c0"), QStringLiteral("c1"), QStringLiteral("c2")}));
        QCOMPARE(model.rowCount(), made);
    }

    void anAddedRoleTellsOfTheBlocksThatItSaysSomethingElseOf() {
        Drawn drawn(example("diamond.weir.json"), m_catalog);
        auto& [document, scene] = drawn;
        BlockModel model(scene);
        model.addRole("other");
        const int role = model.addRole("queue");
        QCOMPARE(model.roleNames()[role], QByteArray("queue"));
        const QString sum = QStringLiteral("sum"), facts = QStringLiteral("facts"), pill = QStringLiteral("pill");
        BlockModel::Said said{{sum, {{facts, QStringList{QStringLiteral("full")}}}},
                              {QStringLiteral("sink"), {{pill, 1}}}};
        model.say(role, said);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        said[sum][pill] = 2;
        model.say(role, said);
        model.say(role, said);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(changed[0][2].value<QList<int>>(), QList<int>{role});
        const QModelIndex row = changed[0][0].toModelIndex();
        QCOMPARE(row.data(), sum);
        QCOMPARE(row.data(role).toMap(), said[sum]);
        QVERIFY(!row.data(role - 1).isValid() && !row.data(role + 1).isValid());
        QCOMPARE(model.said("queue", sum), said[sum]);
        QCOMPARE(model.factsOf(sum), std::optional(QStringList{QStringLiteral("full")}));
        QVERIFY(!model.factsOf(QStringLiteral("sink")) && model.said("other", sum).isEmpty());
        // Facts belong to the block's name, so another block in the same row has none of them.
        document.edit(QStringLiteral("rename"), [](Transaction& t) { renameBlock(t, "sum", "total"); });
        QVERIFY(!row.data(role).isValid() && changed.back()[2].value<QList<int>>().contains(role));
    }

    void renamingAndMovingChangeOneRow() {
        Drawn drawn(example("diamond.weir.json"), m_catalog);
        auto& [document, scene] = drawn;
        BlockModel model(scene);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        place(document, "source", {1000, 1000});
        QCOMPARE(changed.size(), 1);
        QCOMPARE(changed[0][2].value<QList<int>>(), (QList<int>{BlockModel::BlockXRole, BlockModel::BlockYRole}));
        changed.clear();
        document.edit(QStringLiteral("rename"), [](Transaction& t) { renameBlock(t, "sum", "total"); });
        QCOMPARE(changed.size(), 1);
        QCOMPARE(removed.size() + reset.size(), 0);
    }

    void aPlaceThatIsTooFarIsNone() {
        Drawn drawn(example("quickstart.weir.json"), m_catalog);
        auto& [document, scene] = drawn;
        document.edit(QStringLiteral("far"),
                      [](Transaction& t) { t.set(Pointer("/ui/positions/source"), {1e300, 0}); });
        QVERIFY(scene.bounds().width() < 1e4);
    }

    void unknownBlocksAreGhostsWithTheirWires() {
        Drawn drawn(QStringLiteral(WEIR_TEST_DATA "/ghost.weir.json"), m_catalog);
        auto& [document, scene] = drawn;
        const BlockView* ghost = scene.block(QStringLiteral("mystery"));
        QVERIFY(ghost && ghost->ghost);
        QCOMPARE(ghost->inputs.size(), 1);
        QCOMPARE(ghost->inputs[0].id, QStringLiteral("left"));
        QCOMPARE(ghost->outputs[0].id, QStringLiteral("right"));
        QCOMPARE(ghost->parameters.size(), 1);
        QCOMPARE(scene.wires().size(), std::size_t{2});
    }

    void wiresGoTheWaysThatPicturesOfTheCommandLineDraw() {
        QFile file(QStringLiteral(WEIR_TEST_DATA "/wires.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        for (const Json& wire : Json::parse(file.readAll().toStdString())) {
            const auto point = [](const Json& at) { return QPointF(at[0].get<double>(), at[1].get<double>()); };
            QList<QPointF> via;
            for (const Json& at : wire.value("via", Json::array())) via.append(point(at));
            std::optional<geometry::Band> band;
            if (wire.contains("band")) band = {wire["band"][0].get<double>(), wire["band"][1].get<double>()};
            if (wire.contains("lane")) band->lane = wire["lane"].get<double>();
            const QPainterPath path = geometry::wirePath(point(wire["from"]), point(wire["to"]), via, band);
            QString text;
            for (int index = 0; index < path.elementCount(); ++index) {
                const QPainterPath::Element at = path.elementAt(index);
                text += at.type == QPainterPath::CurveToDataElement ? QStringLiteral(" ")
                                                                    : QString(QLatin1Char("MLC"[at.type]));
                text += QStringLiteral("%1 %2").arg(at.x).arg(at.y);
            }
            QCOMPARE(text.toStdString(), wire["path"].get<std::string>());
        }
    }

    void automaticLayoutIsDeterministicAndStays() {
        Drawn drawn(QStringLiteral(WEIR_TEST_DATA "/ghost.weir.json"), m_catalog);
        auto& [document, first] = drawn;
        GraphScene second(document);
        second.setCatalog(m_catalog);
        for (const BlockView& block : first.blocks()) QCOMPARE(block.rect, second.block(block.id)->rect);
        QVERIFY(first.block(QStringLiteral("source"))->rect.right() <
                first.block(QStringLiteral("mystery"))->rect.left());
        const QRectF before = first.block(QStringLiteral("sink"))->rect;
        document.edit(QStringLiteral("cut"), [](Transaction& t) { removeParts(t, {"source"}, {}); });
        QCOMPARE(first.block(QStringLiteral("sink"))->rect, before);
        QVERIFY(!document.json().contains("ui"));
    }

    void layoutKeepsBlocksApart() {
        QRandomGenerator random(3);
        for (int round = 0; round < 30; ++round) {
            const int count = 2 + random.bounded(40);
            std::vector<LayoutBlock> blocks;
            std::vector<LayoutEdge> edges;
            for (int block = 0; block < count; ++block)
                blocks.push_back({QSizeF(160 + 20 * random.bounded(3), 80 + 22 * random.bounded(4))});
            for (int edge = 0; edge < count; ++edge)
                edges.push_back({random.bounded(count), random.bounded(count), 55, 55});
            const auto corners = layeredLayout(blocks, edges);
            QCOMPARE(layeredLayout(blocks, edges), corners);
            // The numbers of a run below a block have room above the next block.
            for (int a = 0; a < count; ++a)
                for (int b = 0; b < a; ++b)
                    QVERIFY(!QRectF(corners[a], blocks[a].size + QSizeF(0, 55))
                                 .intersects(QRectF(corners[b], blocks[b].size + QSizeF(0, 55))));
        }
    }

    void typesSpreadAlongConnections() {
        Document document;
        QCOMPARE(document.open(example("null_rand_latency.weir.json")), QString());
        const auto types = inferItemTypes(document.json(), m_catalog);
        QCOMPARE(types.at("sink"), std::string("f32"));
        QCOMPARE(types.at("stage"), std::string("f32"));
    }

    void connectionRules() {
        Drawn drawn(QStringLiteral(WEIR_TEST_DATA "/rules.weir.json"), m_catalog);
        auto& [document, scene] = drawn;
        const auto out = [](const char* block) {
            return PortRef{QString::fromLatin1(block), QStringLiteral("out"), true};
        };
        const auto in = [](const char* block) {
            return PortRef{QString::fromLatin1(block), QStringLiteral("in"), false};
        };
        QCOMPARE(scene.connectionProblem(out("floats"), in("open")), QString());
        QCOMPARE(scene.connectionProblem(in("open"), out("floats")), QString());
        QVERIFY(scene.connectionProblem(out("bytes"), in("floats_in")).contains(QStringLiteral("u8")));
        QVERIFY(scene.connectionProblem(out("floats"), in("taken")).contains(QStringLiteral("already")));
        QVERIFY(scene.connectionProblem(out("taken"), in("open")).isEmpty());
        QVERIFY(scene.connectionProblem(out("open"), in("open")).contains(QStringLiteral("cycle")));
        QVERIFY(!scene.connectionProblem(out("floats"), out("bytes")).isEmpty());
    }

    void repeatIsShown() {
        Drawn drawn(example("null_rand_latency.weir.json"), m_catalog);
        auto& [document, scene] = drawn;
        QCOMPARE(scene.block(QStringLiteral("stage"))->badge, QStringLiteral("× 6"));
        QCOMPARE(scene.pipesBadge(), QStringLiteral("× 6 pipes"));
    }

    void fieldsKeepTheirRowsWhileValuesChange() {
        Document document;
        QCOMPARE(document.open(example("saxpy_chain.weir.json")), QString());
        ParameterModel model;
        QAbstractItemModelTester tester(&model, kFatal);
        model.setRows(runRows(document.json()));
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        document.edit(QStringLiteral("set"), [](Transaction& t) { t.set(Pointer("/run/items"), 77); });
        model.setRows(runRows(document.json()));
        QCOMPARE(reset.size(), 0);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(model.row(QStringLiteral("items"))->value, QStringLiteral("77"));
    }

    void selectionForgetsWhatIsGone() {
        Drawn drawn(example("diamond.weir.json"), m_catalog);
        auto& [document, scene] = drawn;
        Selection selection(scene);
        selection.set({QStringLiteral("sum"), QStringLiteral("source")});
        document.edit(QStringLiteral("remove"), [](Transaction& t) { removeParts(t, {"sum"}, {}); });
        QCOMPARE(selection.onlyBlock(), QStringLiteral("source"));
    }

    void fieldTexts_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("shown");
        QTest::newRow("integer") << "12" << "i64" << QByteArray("12") << "12";
        QTest::newRow("whole float") << "1e6" << "i64" << QByteArray("1000000") << "1000000";
        QTest::newRow("float") << "0.5" << "f32" << QByteArray("0.5") << "0.5";
        QTest::newRow("suffix") << "2.4M" << "f64" << QByteArray(R"({"expr": "2.4M"})") << "2.4M";
        QTest::newRow("expression") << "= 2 * n" << "i64" << QByteArray(R"({"expr": "2 * n"})") << "= 2 * n";
        QTest::newRow("bare expression") << "2 * n" << "i64" << QByteArray(R"({"expr": "2 * n"})") << "= 2 * n";
        QTest::newRow("text") << "= kept" << "string" << QByteArray(R"("= kept")") << "= kept";
        QTest::newRow("complex") << "[1, -2]" << "item" << QByteArray("[1, -2]") << "[1, -2]";
        QTest::newRow("choice") << "hann" << "enum" << QByteArray(R"("hann")") << "hann";
    }

    void fieldTexts() {
        QFETCH(QString, typed);
        QFETCH(QString, type);
        QFETCH(QByteArray, json);
        QFETCH(QString, shown);
        const Json value = fieldValue(typed, type.toStdString());
        QVERIFY(value == jsonOf(json));
        QCOMPARE(fieldText(value), shown);
    }
};

QTEST_MAIN(TestModels)
#include "tst_models.moc"
