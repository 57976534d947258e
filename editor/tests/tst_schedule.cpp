#include "features/mapping/lane_layout.h"
#include "features/mapping/lane_wires.h"
#include "features/mapping/schedule_words.h"
#include "test_files.h"

#include <QTest>

#include <algorithm>

using namespace weir::editor;

/// Tests of static schedules in the lanes.
class TestSchedule : public QObject {
    Q_OBJECT

    static Json golden() {
        return jsonOf(readAll(QStringLiteral(WEIR_ROOT "/codegen/tests/golden/scheduled/plan.json")));
    }

    static PlanView planned(Json json = golden()) { return *planFrom(&json); }

    static Machine twoCores() {
        const Json json = jsonOf(readAll(QStringLiteral(WEIR_ROOT "/codegen/tests/machines/two_core.json")));
        return *machineFrom(&json);
    }

    static std::vector<Lane> lanesOf(const PlanView& plan, LaneOptions options = {}, const PlanView* before = nullptr) {
        static const Catalog catalog = testCatalog();
        const SchedulerType& scheduler = *catalog.scheduler(plan.scheduler.toStdString());
        return layOutLanes({twoCores(), plan, before, scheduler, {}, {}, options});
    }

    static LaneRow rowOf(const std::vector<Lane>& lanes, const char* worker) {
        for (const Lane& lane : lanes)
            for (const LaneRow& row : lane.rows)
                if (row.worker == QLatin1String(worker)) return row;
        return {};
    }

    static QString chips(const LaneRow& row) {
        QStringList found;
        for (const LaneBar& bar : row.bars) {
            QString loops;
            for (const LaneLoop& loop : bar.loops) loops += QStringLiteral("%1(").arg(loop.times);
            found.append(loops + QStringLiteral("%1 × %2").arg(bar.title).arg(bar.times));
        }
        return found.join(QStringLiteral("; "));
    }

    static std::vector<LanePart> partsOf(const LaneRow& row, const char* kind) {
        std::vector<LanePart> found;
        std::copy_if(row.parts.begin(), row.parts.end(), std::back_inserter(found),
                     [kind](const LanePart& part) { return part.kind == QLatin1String(kind); });
        return found;
    }

    /// Return a plan of a chain of blocks with one arena and the given offset and size for each stream.
    static PlanView chain(const std::vector<std::pair<qint64, qint64>>& offsetAndBytes, const Json& body) {
        const Json schedule{{"worker_schedules", Json::array({{{"worker", "w0"}, {"body", body}}})},
                            {"arenas", Json::array()}};
        Json plan{{"scheduler", "static"},
                  {"workers", Json::array({{{"name", "w0"}, {"instances", Json::array()}}})},
                  {"blocks", Json::array()},
                  {"streams", Json::array()},
                  {"schedule", schedule}};
        qint64 arena = 0;
        for (std::size_t number = 0; number <= offsetAndBytes.size(); ++number) {
            const std::string name = "b" + std::to_string(number);
            plan["workers"][0]["instances"].push_back(name);
            plan["blocks"].push_back({{"instance", name}, {"block", name}, {"worker", "w0"}});
            if (number == offsetAndBytes.size()) break;
            const auto [offset, bytes] = offsetAndBytes[number];
            arena = std::max(arena, offset + bytes);
            plan["streams"].push_back({{"name", name + ".out"},
                                       {"readers", {"b" + std::to_string(number + 1) + ".in"}},
                                       {"kind", "linear"},
                                       {"planned_items", bytes / 4},
                                       {"bytes", bytes},
                                       {"arena", "w0"},
                                       {"offset", offset}});
        }
        plan["schedule"]["arenas"].push_back({{"worker", "w0"}, {"bytes", arena}});
        return *planFrom(&plan);
    }

    static Json firings(int count) {
        Json body = Json::array();
        for (int number = 0; number < count; ++number)
            body.push_back({{"fire", "b" + std::to_string(number)}, {"times", 7}});
        return body;
    }

  private slots:
    void callsAreThereInTheirOrderWithTheirLoops() {
        const PlanView plan = planned();
        QCOMPARE(plan.workerSchedules.size(), std::size_t{2});
        QCOMPARE(plan.workerSchedule(QStringLiteral("w0"))->arenaBytes, 320);
        const auto lanes = lanesOf(plan);
        const LaneRow first = rowOf(lanes, "w0");
        QCOMPARE(chips(first), QStringLiteral("64(4(source × 16; 64(4(gain × 16; 64(thin × 8; 64(thinner × 1"));
        QCOMPARE(first.period, QStringLiteral("repeats 640 calls"));
        QCOMPARE(first.bars[2].text,
                 QStringLiteral("8 firings per call\nitems in: 64\nitems out: 8\n64 calls per period"));
        QCOMPARE(first.bars[1].text.section(u'\n', -1), QStringLiteral("256 calls per period"));
        QCOMPARE(chips(rowOf(lanes, "w1")), QStringLiteral("rare × 1; more[0..2] × 1; sink × 1; other × 1"));
        LaneOptions unfolded;
        unfolded.unfolded = true;
        QCOMPARE(chips(rowOf(lanesOf(plan, unfolded), "w1")),
                 QStringLiteral("rare × 1; more[0] × 1; more[1] × 1; more[2] × 1; sink × 1; other × 1"));
        for (std::size_t call = 0; call < first.bars.size(); ++call)
            QCOMPARE(first.bars[call].call, static_cast<int>(call));
    }

    void blocksThatFireInOneLoopAreOneBar() {
        const Json body = Json::array({{{"fire", "b0"}, {"times", 7}},
                                       {{"fuse", {"b1", "b2", "b3"}}, {"times", 7}},
                                       {{"fire", "b4"}, {"times", 7}}});
        const LaneRow row = rowOf(lanesOf(chain({{0, 64}, {64, 64}, {64, 64}, {64, 64}}, body)), "w0");
        QCOMPARE(chips(row), QStringLiteral("b0 × 7; one loop: b1, b2, b3 × 7; b4 × 7"));
        QCOMPARE(row.bars[1].instances,
                 QStringList({QStringLiteral("b1"), QStringLiteral("b2"), QStringLiteral("b3")}));
        QCOMPARE(row.bars[1].text.section(u'\n', 0, 0),
                 QStringLiteral("one loop: an item goes through b1, b2, b3 in a register"));
        QCOMPARE(row.period, QStringLiteral("repeats 3 calls"));
        const Json repeated = Json::array({{{"loop", 5}, {"body", body}}});
        const LaneRow round = rowOf(lanesOf(chain({{0, 64}, {64, 64}, {64, 64}, {64, 64}}, repeated)), "w0");
        QCOMPARE(partsOf(round, "loop").front().text, QStringLiteral("loop, repeated 5 times\n3 calls each time"));
        QCOMPARE(round.period, QStringLiteral("repeats 15 calls"));
    }

    void framesAreAroundWhatTheyRepeat() {
        const LaneRow row = rowOf(lanesOf(planned()), "w0");
        QCOMPARE(row.frames.size(), std::size_t{2});
        const QRectF inner = row.frames[0].rect;
        const QRectF outer = row.frames[1].rect;
        QVERIFY(outer.contains(inner) && outer.top() < inner.top() && outer.bottom() > inner.bottom());
        QVERIFY(inner.contains(row.bars[0].rect) && inner.contains(row.bars[1].rect));
        QVERIFY(!inner.intersects(row.bars[2].rect));
        QVERIFY(outer.contains(row.bars[3].rect) && row.frames[1].begins && row.frames[1].ends);
        const auto labels = partsOf(row, "loop");
        QCOMPARE(labels.size(), std::size_t{2});
        QCOMPARE(labels[0].title, QStringLiteral("64 ×"));
        QCOMPARE(labels[0].text, QStringLiteral("loop, repeated 64 times\n10 calls each time"));
        QCOMPARE(labels[1].writers, (QStringList{QStringLiteral("source"), QStringLiteral("gain")}));
        QVERIFY(outer.contains(labels[0].rect) && !inner.intersects(labels[0].rect) && inner.contains(labels[1].rect));
        for (const LanePart& label : labels)
            for (const LaneBar& bar : row.bars) QVERIFY(!label.rect.intersects(bar.rect));
    }

    void aLoopGoesOnInTheNextLine() {
        const Json body = Json::array({{{"loop", 3}, {"body", firings(30)}}, {{"fire", "b30"}, {"times", 21}}});
        for (const double width : {300.0, 500.0, 900.0, 2000.0}) {
            LaneOptions options;
            options.width = width;
            const auto lanes = lanesOf(chain(std::vector<std::pair<qint64, qint64>>(30, {0, 64}), body), options);
            const LaneRow row = rowOf(lanes, "w0");
            QVERIFY(row.frames.size() > 1);
            QVERIFY(row.frames.front().begins && !row.frames.front().ends);
            QVERIFY(!row.frames.back().begins && row.frames.back().ends);
            for (std::size_t bar = 0; bar < row.bars.size(); ++bar) {
                const QRectF rect = row.bars[bar].rect;
                QVERIFY(rect.left() >= lanes::kHeader + lanes::kLabel);
                QVERIFY(row.rect.top() < rect.top() && rect.bottom() < row.rect.bottom());
                const auto around = std::count_if(row.frames.begin(), row.frames.end(),
                                                  [&](const LaneFrame& frame) { return frame.rect.contains(rect); });
                QCOMPARE(around, bar < 30 ? 1 : 0);
                if (bar > 0) QVERIFY(!rect.intersects(row.bars[bar - 1].rect));
                if (width > 300) QVERIFY(rect.right() <= width);
            }
            QVERIFY(row.arenaRect.top() > row.bars.back().rect.bottom() && row.arenaRect.bottom() < row.rect.bottom());
        }
    }

    void anArenaIsDrawnTrueToItsBytes() {
        const LaneRow row = rowOf(lanesOf(planned()), "w0");
        QCOMPARE(row.arena, QStringLiteral("320 B"));
        const auto places = partsOf(row, "place");
        QCOMPARE(places.size(), std::size_t{2});
        for (const LanePart& place : places) QVERIFY(row.arenaRect.adjusted(-0.01, 0, 0.01, 0).contains(place.rect));
        const double aByte = row.arenaRect.width() / 320;
        QCOMPARE(places[0].title, QStringLiteral("gain.out"));
        QCOMPARE(places[0].rect.width(), 256 * aByte);
        QCOMPARE(places[1].title, QStringLiteral("source.out, thin.out"));
        QCOMPARE(places[1].rect.left() - row.arenaRect.left(), 256 * aByte);
        QCOMPARE(places[1].detail, QStringLiteral("in turn · 64 B"));
        QVERIFY(places[1].shared && !places[0].shared);
        QCOMPARE(places[1].text,
                 QStringLiteral("64 B from byte 256 of the arena of w0, which has 320 B\n"
                                "source.out: 16 items, 64 B\nthin.out: 8 items, 32 B, at another time"));
        QCOMPARE(places[1].writers, (QStringList{QStringLiteral("source"), QStringLiteral("thin")}));
        QVERIFY(places[1].instances.contains(QStringLiteral("thinner")));
    }

    void whoSharesBytesIsSaid_data() {
        using Places = QList<QPair<qint64, qint64>>;
        QTest::addColumn<Places>("streams");
        QTest::addColumn<QStringList>("details");
        const auto row = [](const char* name, const Places& streams, const QString& details) {
            QTest::newRow(name) << streams << details.split(u'|');
        };
        row("apart", {{0, 64}, {64, 64}}, QStringLiteral("64 B|64 B"));
        row("in place", {{0, 64}, {0, 64}, {0, 64}}, QStringLiteral("in place · 64 B"));
        row("in turn", {{0, 64}, {64, 64}, {0, 128}}, QStringLiteral("in turn · 128 B|in turn · 64 B"));
        row("both", {{0, 64}, {0, 64}, {64, 64}, {0, 64}}, QStringLiteral("in place, in turn · 64 B|64 B"));
        row("across", {{0, 128}, {128, 64}, {64, 64}}, QStringLiteral("in turn · 128 B|in turn · 64 B|64 B"));
    }

    void whoSharesBytesIsSaid() {
        using Places = QList<QPair<qint64, qint64>>;
        QFETCH(Places, streams);
        QFETCH(QStringList, details);
        std::vector<std::pair<qint64, qint64>> given;
        for (const auto& [offset, bytes] : streams) given.emplace_back(offset, bytes);
        const LaneRow row = rowOf(lanesOf(chain(given, firings(static_cast<int>(given.size()) + 1))), "w0");
        const auto places = partsOf(row, "place");
        QStringList found;
        for (const LanePart& place : places) found.append(place.detail);
        QCOMPARE(found, details);
        // Streams that share bytes are in separate lines, so no two marks overlap.
        for (const LanePart& place : places)
            for (const LanePart& other : places) QVERIFY(place.key == other.key || !place.rect.intersects(other.rect));
    }

    void aHundredStreamsOfAPlaceAreShort() {
        const std::vector<std::pair<qint64, qint64>> same(99, {0, 64});
        const LaneRow row = rowOf(lanesOf(chain(same, firings(100))), "w0");
        const auto places = partsOf(row, "place");
        QCOMPARE(places.size(), std::size_t{1});
        QCOMPARE(places[0].title, QStringLiteral("b0.out, b1.out, b2.out and 96 more"));
        QCOMPARE(places[0].text.count(u'\n'), 8);
        QVERIFY(places[0].text.endsWith(QStringLiteral("… and 92 more")));
    }

    void ringsLeadToTheirWorkers() {
        const LaneRow row = rowOf(lanesOf(planned()), "w0");
        const auto rings = partsOf(row, "ring");
        QCOMPARE(rings.size(), std::size_t{1});
        QCOMPARE(rings[0].title, QStringLiteral("thinner.out → w1"));
        QVERIFY(rings[0].text.startsWith(QStringLiteral("thinner.out → rare.in\nring of ")));
        QVERIFY(rings[0].text.endsWith(QStringLiteral(" from w0 to w1")));
        QVERIFY(row.ringsRect.contains(rings[0].rect) && row.ringsRect.top() > row.arenaRect.bottom());
        QVERIFY(partsOf(rowOf(lanesOf(planned()), "w1"), "ring").empty());

        // Many streams to the same workers appear as one.
        Json many = golden();
        Json ring = *std::find_if(many["streams"].begin(), many["streams"].end(),
                                  [](const Json& stream) { return stream["kind"] == "ring"; });
        for (int copy = 0; copy < 12; ++copy) {
            ring["name"] = "thinner.out" + std::to_string(copy);
            many["streams"].push_back(ring);
        }
        const auto gathered = partsOf(rowOf(lanesOf(planned(many)), "w0"), "ring");
        QCOMPARE(gathered.size(), std::size_t{1});
        QCOMPARE(gathered[0].title, QStringLiteral("13 rings → w1"));
        QCOMPARE(gathered[0].detail, binarySize(13 * ring["bytes"].get<qint64>()));
        QVERIFY(gathered[0].text.endsWith(QStringLiteral("… and 6 more")));
    }

    void whatWasMovedSinceHasNoNumbersYet() {
        const PlanView before = planned();
        Mapping mapping = mappingOf(before);
        mapping.workerOf[QStringLiteral("thin")] = QStringLiteral("w1");
        const Catalog catalog = testCatalog();
        const PlanView moved = withMapping(before, *catalog.scheduler("static"), mapping);
        const auto lanes = lanesOf(moved, {}, &before);
        const LaneRow from = rowOf(lanes, "w0");
        const LaneRow to = rowOf(lanes, "w1");
        QCOMPARE(chips(from), QStringLiteral("64(4(source × 16; 64(4(gain × 16; 64(thinner × 1; thin × 0"));
        QVERIFY(from.bars.back().ghost && from.bars.back().loops.empty());
        QVERIFY(chips(to).endsWith(QStringLiteral("other × 1; thin × 0")));
        for (const LaneRow& row : {from, to}) {
            QVERIFY(row.arena.isEmpty() && row.period.isEmpty());
            QVERIFY(partsOf(row, "place").empty() && partsOf(row, "ring").empty());
        }
    }

    void copiesAreNamedInShort() {
        const auto text = [](const char* names) {
            return copiesText(QString::fromLatin1(names).split(u' '), QStringLiteral("b"));
        };
        QCOMPARE(text("b"), QStringLiteral("b"));
        QCOMPARE(text("b[3]"), QStringLiteral("b[3]"));
        QCOMPARE(text("b[0] b[1] b[2]"), QStringLiteral("b[0..2]"));
        QCOMPARE(text("b[4]@p1 b[5]@p1"), QStringLiteral("b[4..5]@p1"));
        QCOMPARE(text("b[1]@p0 b[1]@p1"), QStringLiteral("b × 2"));
        QCOMPARE(text("b[2] b[1]"), QStringLiteral("b × 2"));
        QCOMPARE(text("b@p0 b@p1"), QStringLiteral("b × 2"));
    }

    void plansWithoutOneHaveNothingOfIt() {
        Json json = golden();
        json.erase("schedule");
        json["scheduler"] = "flow";
        const PlanView plan = planned(json);
        QVERIFY(plan.workerSchedules.empty());
        for (const Lane& lane : lanesOf(plan))
            for (const LaneRow& row : lane.rows) {
                QVERIFY(row.parts.empty() && row.frames.empty() && row.arena.isEmpty() && row.period.isEmpty());
                QCOMPARE(row.lead, 0.0);
                QCOMPARE(row.bars.size(), std::size_t{4});
                for (const LaneBar& bar : row.bars) QVERIFY(bar.times == 0 && bar.call == -1 && bar.text.isEmpty());
            }
        // Invalid schedules give no marks.
        for (const char* nonsense :
             {"3", "{}", "{\"worker_schedules\": [3, {\"worker\": 4, \"body\": {}}], \"arenas\": {}}"}) {
            json["schedule"] = jsonOf(nonsense);
            for (const Lane& lane : lanesOf(planned(json)))
                for (const LaneRow& row : lane.rows) QCOMPARE(row.bars.size(), std::size_t{4});
        }
    }

    void aWireSaysWhereItsStreamLies() {
        const PlanView plan = planned();
        std::vector<LaneBar> bars;
        for (const Lane& lane : lanesOf(plan))
            for (const LaneRow& row : lane.rows)
                for (const LaneBar& bar : row.bars) {
                    bars.push_back(bar);
                    bars.back().worker = row.worker;
                }
        const auto wires = laneWires(bars, plan, twoCores());
        QVERIFY(std::any_of(wires.begin(), wires.end(), [](const LaneWire& wire) {
            return wire.text.startsWith(QStringLiteral("source.out → gain.in")) &&
                   wire.text.endsWith(QStringLiteral("\nfrom byte 256 of the arena of w0"));
        }));
    }
};

QTEST_GUILESS_MAIN(TestSchedule)
#include "tst_schedule.moc"
