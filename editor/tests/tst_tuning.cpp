#include "core/text/value_text.h"
#include "core/tuning/tune_answer.h"
#include "core/tuning/tune_moves.h"
#include "features/tuning/tune_words.h"
#include "test_files.h"

#include <QTest>

#include <cmath>

using namespace weir::editor;
using namespace Qt::StringLiterals;

/// Tests of the answers of `weir tune` and of the moves that they propose.
class TestTuning : public QObject {
    Q_OBJECT

    static TunedPlan plan(const char* scheduler, const std::vector<std::pair<QString, QStringList>>& workers) {
        TunedPlan made{.scheduler = QLatin1String(scheduler), .wait = u"spin"_s, .chunkItems = ItemSpan{64, 1024}};
        for (const auto& [name, instances] : workers) made.workers.push_back({.name = name, .instances = instances});
        return made;
    }

    /// Return the moves as texts such as `stage[2..3]: w0 → w1`.
    static QStringList moves(const TunedPlan& from, const TunedPlan& to) {
        QStringList found;
        for (const TuneMove& move : tuneMoves(from, to))
            found.append(u"%1: %2 → %3"_s.arg(move.pattern, move.from, move.to));
        return found;
    }

    static Json recorded() { return jsonOf(readAll(QStringLiteral(WEIR_TEST_DATA "/tuned_answer.json"))); }

  private slots:
    void aRealAnswerIsRead() {
        const Json json = recorded();
        const auto answer = tuneAnswerFrom(json);
        QVERIFY(answer && answer->start);
        QCOMPARE(answer->goal, u"throughput"_s);
        QCOMPARE(answer->startName, u"flow"_s);
        QCOMPARE(answer->start->workers.size(), std::size_t{2});
        QCOMPARE(answer->tried, int(json["tried"].size()));
        QVERIFY(answer->measuredStart && answer->measuredStart->measured > 0);
        for (const Json& name : json["front"])
            QVERIFY(std::any_of(answer->candidates.begin(), answer->candidates.end(), [&](const TunedCandidate& one) {
                return one.name == QString::fromStdString(name.get<std::string>());
            }));
        QVERIFY(
            std::is_sorted(answer->candidates.begin(), answer->candidates.end(),
                           [](const TunedCandidate& a, const TunedCandidate& b) { return a.measured > b.measured; }));
        const auto best = std::find_if(answer->candidates.begin(), answer->candidates.end(),
                                       [](const TunedCandidate& one) { return one.bestFor.contains(u"throughput"_s); });
        QVERIFY(best != answer->candidates.end() && best->plan && best->predicted > 0);
        QCOMPARE(best->name, QString::fromStdString(json["best"]["throughput"]["name"].get<std::string>()));
    }

    void whatIsNoAnswerIsNone() {
        QVERIFY(!tuneAnswerFrom(Json()) && !tuneAnswerFrom(Json::array()) && !tuneAnswerFrom({{"tried", 3}}));
        // A failed candidate has no plan, and an older command line reports no plans.
        const auto answer =
            tuneAnswerFrom({{"tried", {{{"name", "x"}, {"front", true}, {"plan", nullptr}}, {{"name", "y"}}}}});
        QVERIFY(answer && answer->candidates.size() == 1 && !answer->candidates.front().plan && !answer->start);
        QVERIFY(std::isnan(answer->candidates.front().measured));
        QCOMPARE(tuneRow(answer->candidates.front(), {}).p99, u"no p99"_s);
    }

    void aWorkerIsWhoHasItsName() {
        const TunedPlan before =
            plan("flow", {{u"w0"_s, {u"source"_s, u"stage[0]"_s, u"stage[1]"_s}}, {u"w1"_s, {u"sink"_s}}});
        const TunedPlan after =
            plan("flow", {{u"w0"_s, {u"source"_s}}, {u"w1"_s, {u"stage[0]"_s, u"stage[1]"_s, u"sink"_s}}});
        QCOMPARE(moves(before, after), QStringList{u"stage: w0 → w1"_s});
        QCOMPARE(moves(before, before), QStringList());
        const TunedPlan exchanged =
            plan("flow", {{u"w0"_s, before.workers[1].instances}, {u"w1"_s, before.workers[0].instances}});
        QCOMPARE(moves(before, exchanged),
                 (QStringList{u"source: w0 → w1"_s, u"stage: w0 → w1"_s, u"sink: w1 → w0"_s}));
    }

    void thatAWorkerIsCalledOtherwiseMovesNothing() {
        const TunedPlan alone =
            plan("single_thread", {{u"main"_s, {u"source"_s, u"stage[0]"_s, u"stage[1]"_s, u"sink"_s}}});
        const TunedPlan two =
            plan("flow", {{u"w0"_s, {u"source"_s}}, {u"w1"_s, {u"stage[0]"_s, u"stage[1]"_s, u"sink"_s}}});
        QCOMPARE(moves(alone, two), QStringList{u"source: main → w0"_s});
        QCOMPARE(moves(two, alone), QStringList{u"source: w0 → main"_s});
        const auto blocks = blockMoves(alone, two);
        QCOMPARE(blocks.size(), 1);
        QCOMPARE(blocks.value(u"source"_s).ways, (std::vector<BlockMove>{{u"main"_s, u"w0"_s, 0, 0}}));
    }

    void copiesAndPipesAreToldTogether() {
        const TunedPlan before =
            plan("flow", {{u"w0"_s, {u"a@p0"_s, u"b[0]@p0"_s, u"b[1]@p0"_s, u"a@p1"_s, u"b[0]@p1"_s, u"b[1]@p1"_s}}});
        const TunedPlan byPipe = plan("flow", {{u"w0"_s, {u"a@p0"_s, u"b[0]@p0"_s, u"b[1]@p0"_s}},
                                               {u"w1"_s, {u"a@p1"_s, u"b[0]@p1"_s, u"b[1]@p1"_s}}});
        QCOMPARE(moves(before, byPipe), QStringList{u"*@p1: w0 → w1"_s});
        QCOMPARE(tuneMoves(before, byPipe).front().block, u"a"_s);
        const TunedPlan byCopy = plan("flow", {{u"w0"_s, {u"a@p0"_s, u"a@p1"_s, u"b[0]@p0"_s, u"b[0]@p1"_s}},
                                               {u"w1"_s, {u"b[1]@p0"_s, u"b[1]@p1"_s}}});
        QCOMPARE(moves(before, byCopy), QStringList{u"b[1]: w0 → w1"_s});
        QCOMPARE(tuneMoves(before, byCopy).front().block, u"b"_s);
        QCOMPARE(tuneMarks(before, byCopy)[u"b"_s].label, u"2 of 4: w0 → w1"_s);
        // A block that moves to two workers has one mark.
        const TunedPlan spread = plan("flow", {{u"w0"_s, {u"a@p0"_s, u"a@p1"_s}},
                                               {u"w1"_s, {u"b[0]@p0"_s, u"b[0]@p1"_s}},
                                               {u"w2"_s, {u"b[1]@p0"_s, u"b[1]@p1"_s}}});
        const auto marks = tuneMarks(before, spread);
        QCOMPARE(marks.keys(), QStringList{u"b"_s});
        QCOMPARE(marks[u"b"_s].label, u"2 moves"_s);
        QCOMPARE(marks[u"b"_s].colours, (QVariantList{0, 1, 0, 2}));
    }

    void blocksThatMoveWhileTheyRunAreOnAnyWorker() {
        const TunedPlan fixed = plan("flow", {{u"w0"_s, {u"source"_s}}, {u"w1"_s, {u"sink"_s}}});
        const TunedPlan moving = plan("pool", {{u"w0"_s, {}}, {u"w1"_s, {}}});
        QVERIFY(moving.isDynamic() && !fixed.isDynamic());
        QCOMPARE(moves(fixed, moving), (QStringList{u"source: w0 → "_s, u"sink: w1 → "_s}));
        QCOMPARE(moves(moving, fixed), (QStringList{u"source:  → w0"_s, u"sink:  → w1"_s}));
        QCOMPARE(moves(moving, moving), QStringList());
        QCOMPARE(tuneMarks(fixed, moving)[u"sink"_s].label, u"w1 → any"_s);
        QCOMPARE(tuneChanges(moving, {}, fixed, {}).front().change, u"any worker → w0"_s);
    }

    void whatElseWouldChangeIsSaid() {
        TunedPlan before = plan("flow", {{u"w0"_s, {u"source"_s}}, {u"w1"_s, {u"sink"_s}}});
        before.ringItems = ItemSpan{4096, 4096};
        TunedPlan after = plan("static", {{u"w0"_s, {u"source"_s, u"sink"_s}}});
        after.wait = u"park"_s;
        after.chunkItems = ItemSpan{256, 256};
        QStringList said;
        for (const TuneChange& change : tuneChanges(before, {{"affinity", {{"w0", {1}}}}}, after, Json::object()))
            said.append((change.heading.isEmpty() ? QString() : change.heading + u'|') + change.label + u": "_s +
                        change.change);
        QCOMPARE(said,
                 (QStringList{u"Blocks that would move|sink: w1 → w0"_s, u"Other changes|Scheduler: flow → static"_s,
                              u"Workers: 2 workers → 1 worker"_s, u"Waiting: spin → park"_s,
                              u"Chunk: 64 to %1 items → 256 items"_s.arg(groupedDigits(u"1024"_s)),
                              u"Buffers between workers: %1 items → none"_s.arg(groupedDigits(u"4096"_s)),
                              u"CPUs: chosen by the planner"_s}));
        const auto nothing = tuneChanges(before, {}, before, {});
        QCOMPARE(nothing.size(), std::size_t{1});
        QCOMPARE(nothing.front().label, u"No block would move"_s);
    }

    void progressIsInWords() {
        QCOMPARE(tunePhase(u"measuring"_s, u"flow-auto"_s, 2, 8, 4),
                 u"measuring the remaining candidates, run 3 of 8: flow-auto · 4 candidates left"_s);
        QCOMPARE(tunePhase(u"building"_s, {}, 4, 0, 1), u"building the next candidates · 1 candidate left"_s);
        QCOMPARE(tunePhase(u"profiling"_s, {}, 0, 0, -1), u"measuring the cost of the blocks"_s);
    }
};

QTEST_GUILESS_MAIN(TestTuning)

#include "tst_tuning.moc"
