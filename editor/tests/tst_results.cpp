#include "core/runs/hgrm.h"
#include "core/runs/run_record.h"
#include "core/text/ticks.h"
#include "core/text/value_text.h"
#include "features/compare/comparison.h"
#include "features/plots/plots.h"
#include "features/runs/result_tables.h"
#include "pictures.h"
#include "results_fixture.h"
#include "test_files.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QFontMetricsF>
#include <QPersistentModelIndex>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <algorithm>
#include <cmath>

using namespace weir::editor;

namespace {

PlotStyle style() {
    return {Qt::white,
            Qt::black,
            Qt::gray,
            QColor(220, 220, 220),
            Qt::darkGray,
            Qt::green,
            Qt::red,
            {Qt::blue, Qt::darkYellow},
            QStringLiteral("Sans"),
            QStringLiteral("Mono")};
}

QStringList textsOf(const Drawing& drawing) {
    QStringList texts;
    for (const Mark& mark : drawing.marks)
        if (const auto* label = std::get_if<Label>(&mark)) texts.append(label->text);
    return texts;
}

} // namespace

/// Tests of distributions, plots and comparisons of runs, without a window.
class TestResults : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { QVERIFY2(!runOf("*pipes*").isEmpty(), "the measured runs are missing"); }

    void percentilesOfARealRunAgreeWithItsResults() {
        const RunRecord record = readRun(runOf("*-pipes-flow-*"));
        QVERIFY2(record.isReadable() && record.curveFault.isEmpty(), qPrintable(record.fault + record.curveFault));
        QCOMPARE(record.curves.size(), 5U); // one for all pairs, and one for each of two sinks in two pipes
        QCOMPARE(record.curves[1].name, QStringLiteral("source@p0 → sink@p0"));
        const auto agrees = [](const Hgrm& curve, const Json& summary) {
            QCOMPARE(curve.total, numberOf(summary, "count"));
            QCOMPARE(curve.points.back().value, numberOf(summary, "max_ns"));
            QCOMPARE(curve.valueAt(0.5), numberOf(summary, "p50_ns"));
            QCOMPARE(curve.valueAt(1), numberOf(summary, "max_ns"));
        };
        agrees(record.curves[0].distribution, object(member(record.results, "latency")));
        const Json& pairs = list(member(record.results, "latency_pairs"));
        for (std::size_t index = 0; index < pairs.size(); ++index)
            agrees(record.curves[index + 1].distribution, pairs[index]);
    }

    void countsOfAHistogramAddUp() {
        const RunRecord record = readRun(runOf("*-pipes-thread_per_block-*"));
        const Hgrm& all = record.curves.front().distribution;
        QCOMPARE(all.countAt(all.points.front().value - 1), 0.0);
        QCOMPARE(all.countAt(all.points.back().value), all.total);
        double last = 0;
        for (double value = all.points.front().value; value < all.points.back().value; value *= 1.07) {
            QVERIFY(all.countAt(value) >= last);
            last = all.countAt(value);
        }
    }

    void percentilesThatAreDamagedAreRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("readable");
        const QByteArray head = "       Value     Percentile TotalCount 1/(1-Percentile)\n\n";
        QTest::newRow("nothing") << QByteArray() << true;
        QTest::newRow("no samples") << head + "#[Mean = 0]\n" << true;
        QTest::newRow("one sample") << head + "  12.000 1.000000000000          1\n" << true;
        QTest::newRow("cut") << head + "  12.000 0.5\n" << false;
        QTest::newRow("words") << head + "  twelve 0.5 3 2.00\n" << false;
        QTest::newRow("not a number") << head + "  nan 0.5 3 2.00\n" << false;
        QTest::newRow("infinite") << head + "  inf 0.5 3 2.00\n" << false;
        QTest::newRow("infinitely many") << head + "  3 0.5 inf 2.00\n" << false;
        QTest::newRow("no number of them") << head + "  3 0.5 nan 2.00\n" << false;
        QTest::newRow("negative") << head + "  -3 0.5 3 2.00\n" << false;
        QTest::newRow("beyond 1") << head + "  3 1.5 3 2.00\n" << false;
        QTest::newRow("not ascending") << head + "  12.000 0.5 3 2.00\n  11.000 1.0 4\n" << false;
    }

    void whatIsNoFileIsNotWaitedFor() {
        QTemporaryDir folder;
        const QByteArray pipe = QFile::encodeName(folder.filePath(QStringLiteral("results.json")));
        QCOMPARE(::mkfifo(pipe.constData(), 0600), 0);
        QVERIFY(!readRun(folder.path()).isReadable());
    }

    void percentilesThatAreDamagedAreRefused() {
        QFETCH(QByteArray, text);
        QFETCH(bool, readable);
        QCOMPARE(std::holds_alternative<Hgrm>(readHgrm(text)), readable);
    }

    void randomDamageNeverCrashes() {
        const QByteArray good = readAll(runOf("*-pipes-flow-*") + QStringLiteral("/latency.0.hgrm"));
        const QByteArray results = readAll(runOf("*-pipes-flow-*") + QStringLiteral("/results.json"));
        QRandomGenerator random(7);
        for (int round = 0; round < 60; ++round) {
            QByteArray text = good, json = results;
            for (int hit = 0; hit < 5; ++hit) {
                text[random.bounded(text.size())] = static_cast<char>(random.bounded(256));
                json[random.bounded(json.size())] = static_cast<char>(32 + random.bounded(90));
            }
            const auto curve = readHgrm(text);
            const std::vector<Curve> curves{
                {QStringLiteral("x"), std::holds_alternative<Hgrm>(curve) ? std::get<Hgrm>(curve) : Hgrm{}, 0, false}};
            percentilePlot(curves, {300, 200}, style(), {true, QPointF(150, 100)});
            histogramPlot(curves, {300, 200}, style(), {true, QPointF(150, 100)});
            const Json damaged = parse(json);
            TableModel table;
            loadsOf(damaged);
            for (const auto fill :
                 {fillLatencyTable, fillBlockTable, fillThreadTable, fillEdgeTable, fillHopTable, fillEnvironmentTable})
                fill(table, damaged);
        }
    }

    void ticksAreOneTwoOrFive() {
        for (const double high : {0.003, 0.7, 1.0, 9.99, 123.0, 5.3e6})
            for (const int most : {3, 5, 8}) {
                const std::vector<double> ticks = linearTicks(0, high, most);
                QVERIFY(ticks.size() >= 2 && static_cast<int>(ticks.size()) <= most);
                const double step = ticks[1] - ticks[0];
                const double mantissa = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
                QVERIFY2(
                    std::abs(mantissa - 1) < 1e-6 || std::abs(mantissa - 2) < 1e-6 || std::abs(mantissa - 5) < 1e-6,
                    qPrintable(QString::number(mantissa)));
            }
        QCOMPARE(logarithmicTicks(1, 100, 9), (std::vector<double>{1, 2, 5, 10, 20, 50, 100}));
        QCOMPARE(logarithmicTicks(1, 1e9, 4).size(), 4U);
        QVERIFY(logarithmicTicks(0, 10, 5).empty());
        QCOMPARE(tickText(0.25), QStringLiteral("0.25"));
        QCOMPARE(tickText(1e6), QStringLiteral("1\u202F000\u202F000"));
        QCOMPARE(percentileText(0.9999), QStringLiteral("99.99"));
        QCOMPARE(percentileText(0), QStringLiteral("0"));
        QCOMPARE(siScale(2.5e-6, QStringLiteral("s")).unit, QStringLiteral("µs"));
    }

    void aPercentileIsDrawnWhereTheTablesHaveIt() {
        const RunRecord measured = readRun(runOf("*-series-flow-*"));
        Curve curve = measured.curves.front();
        const auto texts = [&curve] { return textsOf(histogramPlot({curve}, {360, 240}, style(), {})); };
        QCOMPARE(curve.p99, numberOf(object(member(measured.results, "latency")), "p99_ns"));
        QVERIFY(texts().contains(QStringLiteral("p99")) && texts().filter(QStringLiteral("needs")).isEmpty());
        curve.p99 = std::nan("");
        QVERIFY(texts().contains(QStringLiteral("p50")) && !texts().contains(QStringLiteral("p99")));
        QVERIFY(texts().contains(tooFewText(0.99, curve.distribution.total)));
        // The text stands above the bars.
        double below = 0, top = 240;
        for (const Mark& mark : histogramPlot({curve}, {360, 240}, style(), {}).marks) {
            if (const auto* label = std::get_if<Label>(&mark); label && label->text.contains(QStringLiteral("needs")))
                below = label->at.y() + label->size;
            if (const auto* line = std::get_if<Stroke>(&mark);
                line && !line->dash.isEmpty()) // line of p50, as high as the bars may be
                top = std::min(top, line->points.front().y());
        }
        QVERIFY2(below > 0 && below <= top, qPrintable(QStringLiteral("%1 %2").arg(below).arg(top)));
    }

    void whereNothingWasMeasuredNoBarIs() {
        // 305 latencies: nearly all around 10 us, and one of 5 ms. Regression: the median fell between two lines of the
        // file.
        Curve curve{QStringLiteral("x"), {}, 0, false};
        curve.p50 = 40000;
        curve.distribution.points = {
            {0.1, 8000, 31}, {0.5, 10000, 153}, {0.9, 12000, 275}, {0.99, 15000, 304}, {1, 5000000, 305}};
        curve.distribution.total = 305;
        std::vector<QRectF> bars;
        double median = 0;
        for (const Mark& mark : histogramPlot({curve}, {360, 240}, style(), {}).marks) {
            if (const auto* bar = std::get_if<Area>(&mark)) bars.push_back(bar->rect);
            if (const auto* line = std::get_if<Stroke>(&mark); line && !line->dash.isEmpty() && median == 0)
                median = line->points.front().x();
        }
        QVERIFY2(std::any_of(bars.begin(), bars.end(),
                             [&](const QRectF& bar) { return bar.left() <= median && median <= bar.right(); }),
                 qPrintable(QString::number(median)));
        QVERIFY(bars.size() > 2);
        std::sort(bars.begin(), bars.end(), [](const QRectF& a, const QRectF& b) { return a.left() < b.left(); });
        QVERIFY(bars.back().left() - bars[bars.size() - 2].right() > 100);  // gap between the last two bars
    }

    void aPercentileTakesTenBeyondIt() {
        QCOMPARE(percentileOf(QStringLiteral("p999_ns")), 0.999);
        QCOMPARE(percentileOf(QStringLiteral("p5_ns")), 0.05);
        QCOMPARE(percentileOf(QStringLiteral("max_ns")), 0.0);
        QCOMPARE(neededFor(0.5), 20);
        QCOMPARE(neededFor(percentileOf(QStringLiteral("p5_ns"))), 200);
        QCOMPARE(neededFor(percentileOf(QStringLiteral("p999_ns"))), 10000);
        QVERIFY(lackingFor(0.99, 999).startsWith(
            QStringLiteral("p99 needs at least 1\u202F000 latencies, this run has 999")));
        QVERIFY(lackingFor(0.5, 1).startsWith(QStringLiteral("p50 needs at least 20 latencies, this run has 1,")));
        const auto rowOf = [](double count, int role = TableModel::HintsRole) {
            TableModel table;
            fillLatencyTable(table,
                             {{"latency_pairs", {{{"source", "a"}, {"sink", "b"}, {"count", count}, {"p50_ns", 5}}}}});
            return table.index(0).data(role).toStringList();
        };
        QCOMPARE(rowOf(999, TableModel::CellsRole).value(7), QStringLiteral("too few"));
        QVERIFY(rowOf(999)[7].contains(QStringLiteral("p99 needs")) && rowOf(999)[5].isEmpty() &&
                rowOf(999)[9].isEmpty());
        QVERIFY(rowOf(1000)[7].isEmpty() && rowOf(1000)[8].contains(QStringLiteral("p99.9 needs")));
        QVERIFY(lackingFor(0.99, 1000).isEmpty() && lackingFor(0.99, 0).isEmpty() &&
                lackingFor(0.99, std::nan("")).isEmpty());
    }

    void plotsArePaintedAndWrittenAlike() {
        const RunRecord record = readRun(runOf("*-pipes-thread_per_block-*"));
        for (const bool logarithmic : {false, true}) {
            const Drawing drawing =
                percentilePlot(record.curves, {600, 320}, style(), {logarithmic, QPointF(300, 150)});
            QImage image(600, 320, QImage::Format_RGB32);
            QPainter painter(&image);
            paint(painter, drawing);
            painter.end();
            const int blue = pictures::inkOf(image, image.rect(), Qt::blue);
            QVERIFY2(blue > 200, qPrintable(QString::number(blue)));
            const QByteArray text = svg(drawing);
            QVERIFY(text.startsWith("<svg") && text.contains(">90<") && text.contains("all pairs") &&
                    text.contains("polyline"));
            QVERIFY(!text.contains("nan") && !text.contains("inf"));
            for (const Mark& mark : drawing.marks)
                if (const auto* label = std::get_if<Label>(&mark)) QVERIFY(label->size >= 11);
        }
        QVERIFY(svg(percentilePlot({}, {300, 200}, style(), {})).contains("No latency"));
        const Curve single{QStringLiteral("<&>"), {{{1, 500, 20}}, 20}, 0, false};
        QVERIFY(svg(percentilePlot({single}, {300, 200}, style(), {})).contains("&lt;&amp;&gt;"));
        const Curve few{QStringLiteral("few"), {{{1, 500, 19}}, 19}, 0, false};
        QVERIFY(svg(percentilePlot({few}, {300, 200}, style(), {}))
                    .contains("p50 needs at least 20 latencies, this run has 19"));
        histogramPlot({single}, {300, 200}, style(), {});
    }

    void aCurveEndsAtTheLastPercentileThatItsLatenciesBear() {
        Hgrm hgrm;
        for (int rank = 1; rank <= 1000; ++rank) hgrm.points.push_back({rank / 1000.0, rank * 1000.0, double(rank)});
        hgrm.total = 1000;
        QCOMPARE(hgrm.known(), 0.99);  // as in codegen/weir/read/reporting/figures.py: ten latencies lie beyond
        const Drawing drawing = percentilePlot({Curve{QStringLiteral("c"), hgrm, 0, false}}, {600, 300}, style(), {});
        const QStringList texts = textsOf(drawing);
        double end = 0;
        for (const Mark& mark : drawing.marks)
            if (const auto* stroke = std::get_if<Stroke>(&mark); stroke && stroke->points.size() > 2)
                end = stroke->points.last().x();
        QVERIFY2(texts.contains(QStringLiteral("99")) && !texts.contains(QStringLiteral("99.9")),
                 qPrintable(texts.join(u' ')));
        QVERIFY2(end > 550, qPrintable(QString::number(end)));
    }

    void differencesOfDecadesAreOnALogarithmicAxis() {
        const auto labels = [](double estimate) {
            return textsOf(intervalPlot(
                {{QStringLiteral("Throughput"), {}, estimate, {}, 0}, {QStringLiteral("p50"), {}, -0.4, {}, 0}}, 1,
                {600, 200}, {}));
        };
        QVERIFY(labels(20).contains(QStringLiteral("+20")) &&
                labels(20).contains(QStringLiteral("Difference of B from A, %")));
        const QStringList many = labels(1129);
        QVERIFY2(many.contains(QStringLiteral("×1")) && many.contains(QStringLiteral("×10")) &&
                     !many.contains(QStringLiteral("+500")),
                 qPrintable(many.join(u' ')));
        // If the band is too narrow to see, the legend does not name its colour.
        const auto joined = [](const QStringList& found) {
            return found.filter(QStringLiteral("no difference")).value(0);
        };
        QVERIFY2(
            joined(labels(20)).startsWith(QStringLiteral("grey")) && !joined(many).contains(QStringLiteral("grey")),
            qPrintable(joined(many)));
    }

    void numbersAreThoseOfTheCommandLine() {
        QCOMPARE(throughputText(86.3e6), QStringLiteral("86.3 Mitems/s"));
        QCOMPARE(throughputText(999.9e3), QStringLiteral("1.00 Mitems/s"));
        QCOMPARE(throughputText(9999), QStringLiteral("10.0 kitems/s"));
        QCOMPARE(throughputText(123), QStringLiteral("123 items/s"));
        QCOMPARE(throughputText(0.5), QStringLiteral("0.500 items/s"));
        QCOMPARE(throughputText(std::nan("")), kNotMeasured);
        // The same values as in test_a_ratio_is_a_change_and_from_three_on_a_multiple.
        for (const auto& [ratio, words] : {std::pair(1.048, "+4.80 %"),
                                           {0.5, "−50.0 %"},
                                           {2.99, "+199.0 %"},
                                           {3, "×3.0"},
                                           {0, "−100.0 %"},
                                           {0.05, "÷20.0"},
                                           {22.14, "×22.1"},
                                           {1234.4, "×1\u202F234"}})
            QCOMPARE(changeText(ratio), QString::fromUtf8(words));
        // The same values as in test_a_ratio_and_its_interval_are_said_in_one_way.
        for (const auto& [ratio, words] :
             {std::pair(1.4, "×1.40"), {3.6, "×3.6"}, {0.25, "÷4.0"}, {1.02, "×1.02"}, {0.5, "÷2.0"}})
            QCOMPARE(timesText(ratio), QString::fromUtf8(words));
        QCOMPARE(siText(9.999e-3, QStringLiteral("s")), QStringLiteral("10.0 ms"));
    }

    void aLegendCoversNoCurve() {
        const auto curve = [](const QString& name, double value, int colour) {
            return Curve{name, {{{0, value, 1}, {0.5, value * 3, 500}, {1, value * 9, 1000}}, 1000}, colour, false};
        };
        const QString a = QStringLiteral("A · flow, median of 8 runs"),
                      b = QStringLiteral("B · single_thread, median of 8 runs");
        for (const QSizeF size : {QSizeF(300, 200), QSizeF(460, 230), QSizeF(900, 340)}) {
            const Drawing drawing = percentilePlot({curve(a, 1000, 0), curve(b, 90000, 1)}, size, style(), {true, {}});
            double highest = size.height(), lowest = 0, right = 0;
            for (const Mark& mark : drawing.marks) {
                if (const auto* stroke = std::get_if<Stroke>(&mark); stroke && stroke->points.size() > 2)
                    highest = std::min(highest, stroke->points.boundingRect().top());
                if (const auto* label = std::get_if<Label>(&mark); label && (label->text == a || label->text == b)) {
                    lowest = std::max(lowest, label->at.y() + 8);
                    right = std::max(
                        right, label->at.x() + QFontMetricsF(fontOf(drawing, *label)).horizontalAdvance(label->text));
                }
            }
            QVERIFY2(lowest > 0 && lowest <= highest, qPrintable(QStringLiteral("%1 %2").arg(lowest).arg(highest)));
            QVERIFY(right <= size.width());
        }
    }

    void ticksAreFoundInNarrowRangesToo() {
        QVERIFY(logarithmicTicks(2.5, 3.5, 6).size() >= 2);
        QVERIFY(logarithmicTicks(1.9, 5.5, 8).size() >= 3);  // regression: only 2 and 5 were labelled
        QCOMPARE(logarithmicTicks(27, 130, 6),
                 std::vector<double>({30, 50, 70, 100}));  // 50 and 100 alone looked linear
        QCOMPARE(logarithmicTicks(1, 100, 8), std::vector<double>({1, 2, 5, 10, 20, 50, 100}));
    }

    void theMedianOfCurvesLiesBetweenThem() {
        const auto flat = [](double value) {
            return Curve{{}, {{{0, value, 1}, {0.5, value, 5}, {1, value * 2, 10}}, 10}, 0, true};
        };
        const Curve median = medianCurve(QStringLiteral("m"), {flat(100), flat(300), flat(1000)}, 1);
        QCOMPARE(median.distribution.valueAt(0.5), 300.0);
        QCOMPARE(median.distribution.valueAt(1), 600.0);
        QVERIFY(medianCurve({}, {}, 0).distribution.isEmpty());
    }

    void aComparisonIsReadAsTheCommandWritesIt() {
        const Json answer = parse(
            R"({"threshold_percent": 1, "confidence": 0.95, "comparisons": [{"verdict": "worse", "because": "",
            "design": "interleaved", "same_work": true, "headline": ["the machines differ"], "metrics": [
              {"id": "throughput_items_per_s", "unit": "items/s", "better": "higher", "gate": true, "a": 200000000,
                "b": 100000000, "ratio": 0.5, "short_windows": 1,
               "interval": [0.45, 0.56], "p_value": 0.0078, "verdict": "worse"},
              {"id": "p99_ns", "unit": "ns", "better": "lower", "gate": false, "a": 2000, "b": 2000, "ratio": 1,
                "interval": null,
               "p_value": null, "verdict": "not enough data"},
              {"id": "p999_ns", "unit": "ns", "better": "lower", "gate": false, "a": 3000, "b": null, "ratio": null,
                "interval": null, "p_value": null, "verdict": "not measured"}],
            "differences": [{"part": "deployment", "pointer": "/scheduler", "where": "scheduler", "says_a": "flow", "says_b": "single_thread"},
            {"part": "project", "pointer": "/graph/blocks/2/parameters/x", "where": "block gain · x", "b": 3, "says_a": "not set", "says_b": "3"}],
            "left_out": [{"side": "A", "run_id": "r", "status": "invalid", "why": ["lost"]}], "flagged": []}]})");
        const ComparisonView view = readComparison(answer);
        QCOMPARE(view.verdict, QStringLiteral("worse"));
        QCOMPARE(view.intervals.size(), 2U);
        QCOMPARE(view.intervals[0].estimate, -50.0);
        // An uncertain result has a neutral colour.
        QVERIFY(view.doubtful && view.intervals[0].tone == 0);
        Json certain = answer, two = answer;
        certain["comparisons"][0]["metrics"][0]["short_windows"] = 0;
        QVERIFY(!readComparison(certain).doubtful && readComparison(certain).intervals[0].tone == -1);
        two["comparisons"][0]["metrics"][1]["verdict"] = "better";
        QVERIFY(readComparison(two).mixed && !view.mixed);
        QVERIFY(view.intervals[0].range && !view.intervals[1].range);
        QVERIFY2(view.fromPairs && view.summary.contains(QStringLiteral("50.0")), qPrintable(view.summary));
        QCOMPARE(view.headline, QStringLiteral("the machines differ · 1 more in Remarks"));
        QCOMPARE(view.remarks.size(), 2);
        QCOMPARE(view.remarks.first(), QStringLiteral("the machines differ"));
        TableModel metrics, differences;
        fillMetricTable(metrics, answer);
        fillDifferenceTable(differences, answer);
        QCOMPARE(metrics.rowCount(), 3);
        const auto cells = [&metrics](int row) {
            return metrics.index(row).data(TableModel::CellsRole).toStringList();
        };
        QCOMPARE(cells(0).value(6), QStringLiteral("worse *"));
        QCOMPARE(metrics.index(0).data(TableModel::ToneRole).toString(), QString());
        QCOMPARE(cells(0).value(3), QStringLiteral("%1 *").arg(QChar(0x2212) + QStringLiteral("50.0 %")));
        const QString none = QStringLiteral("—");
        QCOMPARE(cells(2).mid(2), QStringList({QStringLiteral("too few latencies"), none, none, none,
                                               QStringLiteral("too few latencies")}));
        Json untraced = answer;
        for (const int metric : {1, 2}) untraced["comparisons"][0]["metrics"][metric]["b"] = nullptr;
        TableModel without;
        fillMetricTable(without, untraced);
        QCOMPARE(without.index(2).data(TableModel::CellsRole).toStringList().value(6), QStringLiteral("not measured"));
        QCOMPARE(differences.index(1).data(TableModel::CellsRole).toStringList().mid(1),
                 QStringList({QStringLiteral("block gain · x"), QStringLiteral("not set"), QStringLiteral("3")}));
        QVERIFY(svg(intervalPlot(view.intervals, 1, {400, 200}, style())).contains("Throughput"));
        QVERIFY(readComparison(Json::array()).verdict.isEmpty());
    }
};

QTEST_MAIN(TestResults)
#include "tst_results.moc"
