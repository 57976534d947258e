#include "core/deployment/deployment_edits.h"
#include "core/document/sweep_axes.h"
#include "core/edits/project_edits.h"
#include "core/edits/rename_parameter.h"
#include "core/edits/sweep_names.h"
#include "core/runs/run_folders.h"
#include "core/sweeping/sweep_edits.h"
#include "core/sweeping/sweep_files.h"
#include "core/sweeping/sweep_values.h"
#include "features/sweeping/sweep_drawing.h"
#include "test_files.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace weir::editor;
using namespace Qt::StringLiterals;

/// Tests of a sweep's axes in the project, of its measured points, and of its plot.
class TestSweeping : public QObject {
    Q_OBJECT

    static Json project() {
        return {
            {"schema_version", 1},
            {"name", "p"},
            {"parameters", {{"stages", {{"value", 2}}}, {"wait", {{"value", 1}}}}},
            {"graph",
             {{"blocks",
               {{{"id", "a"}, {"type", "x"}},
                {{"id", "b"}, {"type", "y"}, {"parameters", {{"gain", 1}}}},
                {{"id", "c"}, {"type", "y"}}}},
              {"connections", Json::array()}}},
            {"deployments",
             {{{"name", "one"}, {"scheduler", "flow"}}, {{"name", "two"}, {"scheduler", "static"}, {"workers", 2}}}}};
    }

    static Json vary(const Json& project, std::size_t sweep = 0) { return project["sweeps"][sweep]["vary"]; }

    /// Return a recorded answer of `weir report --json`.
    static SweepOutline recorded() {
        const auto outline = sweepOutlineFrom(jsonOf(readAll(QStringLiteral(WEIR_TEST_DATA "/sweep_outline.json"))));
        return outline ? *outline : SweepOutline();
    }

    static QString valuesOf(const QString& typed, bool names = false) {
        const auto values = axisValues(typed, names);
        const Json* json = std::get_if<Json>(&values);
        return json ? QString::fromStdString(json->dump()) : u"refused: "_s + std::get<QString>(values);
    }

  private slots:
    void aPlaceIsAnAxisByItsNameWhereItHasOne() {
        const Json p = project();
        const std::vector<std::pair<const char*, const char*>> keys{
            {"/parameters/stages/value", "stages"},
            {"/deployments/1/name", "deployment"},
            {"/deployments/1/chunk_items", "chunk_items"},
            {"/deployments/1/wait", "/deployments/1/wait"}, // a parameter of the project has the same name
            {"/deployments/1/memory/lock", "/deployments/1/memory/lock"},
            {"/deployments/1/timer_slack_ns", "timer_slack_ns"},
            {"/deployments/1/environment", "environment"},
            {"/deployments/1/volk/implementation", "volk"},
            {"/deployments/1/interference/loops", "loops"},
            {"/deployments/1/interference/cpu_limit", "cpu_limit"},
            {"/deployments/1/interference/cpu_quota", "cpu_quota"},
            {"/deployments/1/interference/cpus", "/deployments/1/interference/cpus"},
            {"/deployments/1/threads/w0/policy", "/deployments/1/threads/w0/policy"},
            {"/run/items", "items"},
            {"/run/trace/backend", "trace"},
            {"/run/repetitions", ""},
            {"/graph/blocks/1/parameters/gain", "/graph/blocks/1/parameters/gain"},
            {"/graph/blocks/1/comment", ""},
            {"/name", ""}};
        for (const auto& [place, key] : keys) {
            QCOMPARE(axisKeyOf(p, Pointer(place)), std::string(key));
            if (*key) QVERIFY(placesOfAxis(p, key, 1) == std::vector{Pointer(place)});
        }
        QCOMPARE(axisTitle(p, "/graph/blocks/1/parameters/gain"), u"b · gain"_s);
        QCOMPARE(axisTitle(p, "/deployments/1/memory/lock"), u"two · lock"_s);
        QVERIFY(hasNames(p, "scheduler") && !hasNames(p, "wait") && !hasNames(p, "stages"));
    }

    void aCaseSetsSeveralPlaces() {
        Json p = project();
        p["cases"] = Json::parse(R"({"kind": {"1": {"/graph/blocks/1/type": "z", "/graph/blocks/2/type": "z"}},
            "only": {"b": {"/graph/blocks/1/parameters/gain": 3}}, "stages": {"few": {"/run/items": 10}}})");
        p["sweeps"] = Json::parse(R"([{"name": "s", "vary": {"kind": ["1"], "only": ["b"]}, "plot": {"x": "only"}}])");
        const std::vector both{Pointer("/graph/blocks/1/type"), Pointer("/graph/blocks/2/type")};
        QVERIFY(placesOfAxis(p, "kind", 1) == both && hasNames(p, "kind") && casesOf(p, "kind").size() == 1);
        // A parameter of the project takes precedence.
        QVERIFY(casesOf(p, "stages").empty() && placesOfAxis(p, "stages", 0).size() == 1 && !hasNames(p, "stages"));
        Transaction t(p);
        t.remove(Pointer("/graph/blocks/1"));
        followRemoval(t, kGraph.blocks, 1);
        QVERIFY(p["cases"] == Json::parse(R"({"kind": {"1": {"/graph/blocks/1/type": "z"}},
            "stages": {"few": {"/run/items": 10}}})"));
        QVERIFY(p["sweeps"] == Json::parse(R"([{"name": "s", "vary": {"kind": ["1"]}}])"));
    }

    void valuesAreTypedWithCommas() {
        QCOMPARE(valuesOf(u"1,2, 4"_s), u"[1,2,4]"_s);
        QCOMPARE(valuesOf(u"100k, 2.5, true, flow"_s), u"[100000,2.5,true,\"flow\"]"_s);
        QCOMPARE(valuesOf(u"= 2 * stages, \"a, b\", [1, 2]"_s), u"[{\"expr\":\"2 * stages\"},\"a, b\",[1,2]]"_s);
        QCOMPARE(valuesOf(u"true, 1e3"_s, true), u"[\"true\",\"1e3\"]"_s);
        for (const QString& wrong : {u""_s, u"1,,2"_s, u"1, 2, 1"_s, u"100k, 100000"_s})
            QVERIFY2(valuesOf(wrong).startsWith(u"refused: "_s), qPrintable(wrong));
        for (const QString& typed : {u"1, 2, 4"_s, u"0.5, 100000"_s, u"flow, \"a, b\""_s, u"= 2 * stages, true"_s})
            QVERIFY(axisText(std::get<Json>(axisValues(typed, false))) == typed);
    }

    void sharesOfALoadAreTypedInPercent() {
        QVERIFY(!loadShares(u"1, 2"_s) && !loadShares(u""_s));
        QVERIFY(std::get<Json>(*loadShares(u"10%, 50 %,90%"_s)) == Json({0.1, 0.5, 0.9}));
        for (const QString& wrong : {u"10%, 5"_s, u"0%"_s, u"-1%"_s, u"10001%"_s, u"a%"_s, u"5%, 5%"_s, u"%"_s})
            QVERIFY2(std::holds_alternative<QString>(*loadShares(wrong)), qPrintable(wrong));
        for (const QString& typed : {u"10%, 50%, 90%"_s, u"7%, 12.5%, 110%"_s})
            QCOMPARE(sharesText(std::get<Json>(*loadShares(typed))), typed);
    }

    void aParameterHasValuesOrSharesOfALoad() {
        Json p = project();
        p["sweeps"] = Json::parse(
            R"([{"name": "s", "vary": {"stages": [1, 2], "deployment": ["one", "two"]}, "plot": {"x": "stages"},
            "where": ["stages <= cpus"]}])");
        const Json before = p;
        Transaction t(p);
        setLoads(t, 0, "stages", {0.1, 0.9}, "one");
        QVERIFY(p["sweeps"][0] == Json::parse(R"({"name": "s", "vary": {"deployment": ["one", "two"]},
            "loads": {"parameter": "stages", "of": "one", "shares": [0.1, 0.9]}})"));
        p["sweeps"][0]["loads"]["latency"] = 0.5;
        setLoads(t, 0, "stages", {0.5}, "");
        QVERIFY(p["sweeps"][0]["loads"] == Json::parse(R"({"parameter": "stages", "shares": [0.5], "latency": 0.5})"));
        QVERIFY(isOfLoads(p, 0, "stages") && !isOfLoads(p, 0, "wait") && !isOfLoads(p, 1, "stages"));
        setLoads(t, 0, "wait", {0.25}, "two"); // only one axis may hold loads
        QVERIFY(p["sweeps"][0]["loads"] == Json::parse(R"({"parameter": "wait", "of": "two", "shares": [0.25]})"));
        setAxis(t, 0, "wait", {3, 4});
        QVERIFY(!p["sweeps"][0].contains("loads") && p["sweeps"][0]["vary"]["wait"] == Json({3, 4}));
        setLoads(t, 0, "stages", {0.5}, "");
        t.set(Pointer("/sweeps/0/where"), Json::array({"stages <= cpus", "cpus > 1"}));
        removeAxis(t, 0, "stages");
        QVERIFY(!p["sweeps"][0].contains("loads") && p["sweeps"].size() == 1);
        QVERIFY(p["sweeps"][0]["where"] == Json::array({"cpus > 1"}));
        removeAxis(t, 0, "wait");
        removeAxis(t, 0, "deployment");
        QVERIFY(!p.contains("sweeps"));
        addSweep(t, "s", "stages", {1});
        QVERIFY_EXCEPTION_THROWN(setLoads(t, 0, "stages", {0.5}, "one"), EditRefused);
        QVERIFY(p["sweeps"][0]["vary"]["stages"] == Json({1}));
        Json fresh = before;
        Transaction again(fresh);
        setLoads(again, 0, "stages", {0.1}, "one");
        again.rollBack();
        QVERIFY(fresh == before);
    }

    void whatIsProposedIsWithinItsLimits() {
        QVERIFY(proposedNumbers(4, {}, {}) == Json({4, 8}));
        QVERIFY(proposedNumbers(4, 1, 6) == Json({4, 6}));
        QVERIFY(proposedNumbers(6, 1, 6) == Json({1, 6}));
        QVERIFY(proposedNumbers(0, {}, {}) == Json({0, 1}));
        QVERIFY(proposedNumbers(0.25, {}, {}) == Json({0.25, 0.5}));
        QVERIFY(proposedNumbers("x", {}, {}) == Json(Json::array({"x"})));
    }

    void axesFollowWhatTheyAreOf() {
        Json p = project();
        Transaction t(p);
        addSweep(t, "s", "/graph/blocks/1/parameters/gain", {1, 2});
        setAxis(t, 0, "/graph/blocks/2/parameters/gain", {3, 4});
        setAxis(t, 0, "/deployments/1/memory/lock", {true, false});
        removeParts(t, {"a"}, {});
        QVERIFY(vary(p) == Json({{"/graph/blocks/0/parameters/gain", {1, 2}},
                                 {"/graph/blocks/1/parameters/gain", {3, 4}},
                                 {"/deployments/1/memory/lock", {true, false}}}));
        duplicateDeployment(t, "one", "copy");
        QVERIFY(vary(p).contains("/deployments/2/memory/lock"));
        removeDeployment(t, "one");
        QVERIFY(vary(p).contains("/deployments/1/memory/lock"));
        removeParts(t, {"c"}, {});
        QCOMPARE(vary(p).size(), std::size_t{2});
        removeDeployment(t, "two");
        removeParts(t, {"b"}, {}); // removing the last axis removes the sweep
        QVERIFY(!p.contains("sweeps"));
        t.rollBack();
        QVERIFY(p == project());
    }

    void whatElseASweepSaysFollowsItsNames() {
        Json p = project();
        p["sweeps"] = Json::parse(R"([{"name": "s", "vary": {"stages": [1, 2], "deployment": ["one", "two"]},
            "where": ["stages <= cpus", "cpus > 1"], "items": {"one": 5}, "quick": {"vary": {"stages": [1], "deployment": ["one"]}, "items": {"one": 3}},
            "plot": {"x": "stages", "against": {"deployment": "one"}, "reference": [{"label": "a", "value": "2 / stages"}],
                     "overlay": {"file": "f.csv", "columns": {"stages": "m"}, "y": "share", "name": ["who"]}}}])");
        const Json before = p;
        Transaction t(p);
        renameParameter(t, "stages", "n");
        renameDeployment(t, "one", "first");
        QVERIFY(p["sweeps"] == Json::parse(R"([{"name": "s", "vary": {"n": [1, 2], "deployment": ["first", "two"]},
            "where": ["n <= cpus", "cpus > 1"], "items": {"first": 5}, "quick": {"vary": {"n": [1], "deployment": ["first"]}, "items": {"first": 3}},
            "plot": {"x": "n", "against": {"deployment": "first"}, "reference": [{"label": "a", "value": "2 / n"}],
                     "overlay": {"file": "f.csv", "columns": {"n": "m"}, "y": "share", "name": ["who"]}}}])"));
        setAxis(t, 0, "n", {2, 4}); // the value 1 is gone, so it is no longer quick
        setAxis(t, 0, "deployment", Json::array({"two"}));
        QVERIFY(p["sweeps"][0]["quick"] == Json::parse(R"({"items": {"first": 3}})"));
        QVERIFY(!p["sweeps"][0]["plot"].contains("against"));
        removeAxis(t, 0, "n");
        QVERIFY(p["sweeps"][0]["where"] == Json::array({"cpus > 1"}));
        QVERIFY(p["sweeps"][0]["plot"] ==
                Json::parse(R"({"overlay": {"file": "f.csv", "y": "share", "name": ["who"]}})"));
        t.rollBack();
        QVERIFY(p == before);
    }

    void whatIsDeletedIsNamedInNoSweep() {
        Json p = project();
        p["sweeps"] = Json::parse(R"([
            {"name": "s", "vary": {"stages": [1, 2], "deployment": ["one", "two"]}, "where": ["stages <= cpus", "cpus > 1"],
             "items": {"one": 5}, "quick": {"vary": {"deployment": ["one"]}, "items": {"one": 3}},
             "loads": {"parameter": "stages", "of": "two", "shares": [0.5]},
             "plot": {"x": "stages", "against": {"deployment": "one"}}},
            {"name": "only", "vary": {"deployment": ["one"]}},
            {"name": "place", "vary": {"/parameters/stages/value": [1, 2], "stages": [3]}}])");
        const Json before = p;
        Transaction t(p);
        removeDeployment(t, "one");
        QVERIFY(p["sweeps"][0] == Json::parse(R"({"name": "s", "vary": {"stages": [1, 2], "deployment": ["two"]},
            "where": ["stages <= cpus", "cpus > 1"], "loads": {"parameter": "stages", "of": "two", "shares": [0.5]}, "plot": {"x": "stages"}})"));
        QCOMPARE(p["sweeps"].size(), std::size_t{2}); // the sweep that varied nothing else is gone
        renameParameter(t, "stages", "n");
        QVERIFY(p["sweeps"][0]["loads"]["parameter"] == "n");
        renameDeployment(t, "two", "last");
        QVERIFY(p["sweeps"][0]["loads"]["of"] == "last");
        t.remove(Pointer("/parameters/n"));
        forgetParameter(t, "n");
        QVERIFY(p["sweeps"] ==
                Json::parse(R"([{"name": "s", "vary": {"deployment": ["last"]}, "where": ["cpus > 1"]}])"));
        removeDeployment(t, "last");
        QVERIFY(!p.contains("sweeps"));
        t.rollBack();
        QVERIFY(p == before);
    }

    void aShareOfALoadIsTakenAsTheValueOfItsParameter() {
        const Json state =
            Json::parse(R"({"axes": [{"key": "deployment", "values": ["one"]}, {"key": "LOAD", "values": [0.5]}],
            "loads": {"parameter": "stages"}})");
        QVERIFY(axesIn(state) == (std::vector<std::string>{"deployment", "stages"}));
        Json p = project(), measured = project();
        measured["parameters"]["stages"]["value"] = 77;
        Transaction t(p);
        useSettings(t, measured, axesIn(state), "one");
        QVERIFY(p["parameters"]["stages"]["value"] == 77);
        QVERIFY(axesIn(Json()).empty());
    }

    void whatElseASweepSaysFollowsItsPlaces() {
        Json p = project();
        const auto gain = [](int block) { return "/graph/blocks/" + std::to_string(block) + "/parameters/gain"; };
        p["sweeps"] = Json::array({{{"name", "s"},
                                    {"vary", {{gain(1), {1, 2}}, {gain(2), {3, 4}}}},
                                    {"quick", {{"vary", {{gain(2), {3}}}}}},
                                    {"plot", {{"x", gain(1)}, {"by", gain(2)}, {"against", {{gain(2), 3}}}}}}});
        Transaction t(p);
        removeParts(t, {"a"}, {});
        QVERIFY(p["sweeps"][0] == Json({{"name", "s"},
                                        {"vary", {{gain(0), {1, 2}}, {gain(1), {3, 4}}}},
                                        {"quick", {{"vary", {{gain(1), {3}}}}}},
                                        {"plot", {{"x", gain(0)}, {"by", gain(1)}, {"against", {{gain(1), 3}}}}}}));
        removeParts(t, {"c"}, {});
        QVERIFY(p["sweeps"][0] == Json({{"name", "s"}, {"vary", {{gain(0), {1, 2}}}}, {"plot", {{"x", gain(0)}}}}));
    }

    void aSweepBeginsWithWhatThereIsToVary() {
        Json p = project();
        QVERIFY(firstAxis(p) == (std::pair<std::string, Json>("deployment", {"one", "two"})));
        p.erase("deployments");
        QVERIFY(firstAxis(p) == (std::pair<std::string, Json>("stages", {2, 4})));
        p.erase("parameters");
        QCOMPARE(firstAxis(p).first, std::string("chunk_items"));
        Transaction t(p);
        addSweep(t, freeSweepName(p, "sweep"), "chunk_items", {1});
        QCOMPARE(freeSweepName(p, "sweep"), std::string("sweep_2"));
        removeAxis(t, 0, "chunk_items");
        QVERIFY(!p.contains("sweeps"));
    }

    void theSettingsOfAPointBecomeADeployment() {
        Json measured = project();
        measured["parameters"]["stages"]["value"] = 8;
        measured["deployments"][0]["chunk_items"] = 512;
        measured["run"] = {{"items", 5}};
        Json p = project();
        Transaction t(p);
        QCOMPARE(
            useSettings(t, measured,
                        {"deployment", "stages", "chunk_items", "items", "/graph/blocks/9/parameters/gain"}, "one"),
            std::string("one_best"));
        QVERIFY(p["parameters"]["stages"]["value"] == Json(8));
        QVERIFY(p["run"]["items"] == Json(5));
        QCOMPARE(p["deployments"].size(), std::size_t{3});
        QVERIFY(p["deployments"][2] == Json({{"name", "one_best"}, {"scheduler", "flow"}, {"chunk_items", 512}}));
        QVERIFY(!p["deployments"][0].contains("chunk_items")); // the existing deployment is unchanged
        t.takePatches();
        Transaction again(p);
        QCOMPARE(useSettings(again, measured, {"stages", "chunk_items"}, "one"), std::string("one_best"));
        QCOMPARE(useSettings(again, measured, {"stages"}, "two"), std::string("two"));
        QVERIFY(again.takePatches().empty());
        QVERIFY_EXCEPTION_THROWN(useSettings(again, measured, {}, "gone"), EditRefused);
    }

    void theNewestFolderOfASweepIsItsLast() {
        QTemporaryDir place;
        const auto begun = [&place](const QString& folder, const char* sweep, const char* project) {
            QVERIFY(QDir().mkpath(place.filePath(folder)));
            QFile file(place.filePath(folder + u"/sweep.json"_s));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(QByteArray::fromStdString(Json{{"sweep", sweep}, {"project", project}}.dump()));
        };
        QCOMPARE(newestSweep(place.path(), u"s"_s, u"p"_s), QString());
        QCOMPARE(freeSweepFolder(place.path(), u"s"_s), place.filePath(u"s"_s));
        begun(u"s"_s, "s", "p");
        begun(u"s-2"_s, "s", "p");
        begun(u"s-10"_s, "s", "p");
        begun(u"s-11"_s, "s", "of another");
        begun(u"s-x"_s, "s", "p");
        QVERIFY(QDir().mkpath(place.filePath(u"s-12"_s)));
        QCOMPARE(newestSweep(place.path(), u"s"_s, u"p"_s), place.filePath(u"s-10"_s));
        QCOMPARE(freeSweepFolder(place.path(), u"s"_s), place.filePath(u"s-3"_s));
    }

    void aSweepMovesWithItsRunsToItsProject() {
        QTemporaryDir from, to;
        const QString sweep = from.filePath(u"s"_s), run = sweep + u"/run-1"_s, moved = to.filePath(u"sweeps/s"_s);
        QVERIFY(QDir().mkpath(run));
        const auto write = [](const QString& path, const Json& value) {
            QFile file(path);
            return file.open(QIODevice::WriteOnly) && file.write(QByteArray::fromStdString(value.dump())) > 0;
        };
        QVERIFY(write(sweep + u"/sweep.json"_s, {{"sweep", "s"}, {"project", "untitled"}}));
        QVERIFY(write(run + u"/results.json"_s, {{"project", "untitled"}, {"coordinates", {{"project", "untitled"}}}}));
        QVERIFY(moveSweep(sweep, moved, u"named"_s) && !QFileInfo::exists(sweep));
        QCOMPARE(newestSweep(to.filePath(u"sweeps"_s), u"s"_s, u"named"_s), moved);
        QVERIFY(jsonIn(moved + u"/run-1/results.json"_s) ==
                Json({{"project", "named"}, {"coordinates", {{"project", "named"}}}}));
        QVERIFY2(!moveSweep(sweep, moved, u"named"_s), "there is none");
    }

    void aRealOutlineIsRead() {
        const SweepOutline outline = recorded();
        QVERIFY(outline.complete && outline.roundsRequested >= 2 && outline.x == 1 &&
                outline.lines == std::vector<int>{0});
        QCOMPARE(outline.points.size(), outline.axes[0].values.size() * outline.axes[1].values.size());
        for (const SweepPoint& point : outline.points) {
            QVERIFY(point.runs.size() >= std::size_t(outline.roundsRequested) && point.all[0].value > 0);
            QVERIFY(labelOf(outline, point, outline.lines) == point.deployment);
            QCOMPARE(point.runs.back().repetition, outline.roundsRequested - 1);
        }
        QCOMPARE(SweepAxis({"chunk_items", u"vary_chunk_items"_s}).name(), u"chunk_items"_s);
        QCOMPARE(outline.axes[0].name(), outline.axes[0].column);
        const int best = bestPoint(outline, 0);
        for (const SweepPoint& point : outline.points)
            QVERIFY(point.all[0].value <= outline.points[std::size_t(best)].all[0].value);
        QVERIFY(bestPoint(outline, 99) == -1 && bestPoint({}, 0) == -1);
        QVERIFY(quantityText(outline.quantities[0], 2e6).endsWith(u"Mitems/s"_s));
        QVERIFY(!sweepOutlineFrom(Json()) && !sweepOutlineFrom({{"points", 3}}));
    }

    void theLeastTimeIsTheBest() {
        SweepOutline outline;
        outline.quantities = {{u"latency_p99_ns"_s, u"latency, p99"_s, u"ns"_s}};
        for (const double value : {3e6, std::nan(""), 1e6, 2e6}) outline.points.push_back({.all = {{value, {}, 1}}});
        QCOMPARE(bestPoint(outline, 0), 2);
        QCOMPARE(quantityText(outline.quantities[0], 1.5e6), u"1.50 ms"_s);
    }

    void aPointIsFoundWhereItIsDrawnAndByKeys() {
        SweepPicture picture{recorded()};
        const PlotStyle style{Qt::white,    Qt::black, Qt::gray, Qt::lightGray,
                              Qt::darkGray, Qt::green, Qt::red,  {Qt::blue, Qt::magenta},
                              u"sans"_s,    u"mono"_s};
        const QSizeF size(700, 400);
        for (picture.chosen = 0; picture.chosen < int(picture.outline.points.size()); ++picture.chosen) {
            const Drawing drawing = sweepPlot(picture, size, style, {});
            // The chosen point has a ring.
            const auto ring = std::find_if(drawing.marks.begin(), drawing.marks.end(), [](const Mark& mark) {
                return std::holds_alternative<Dot>(mark) && std::get<Dot>(mark).radius == 8;
            });
            QVERIFY(ring != drawing.marks.end());
            QCOMPARE(pointAt(picture, size, style, false, std::get<Dot>(*ring).centre), picture.chosen);
        }
        picture.chosen = -1;
        QCOMPARE(pointAt(picture, size, style, false, {0, 0}), -1);
        const auto lines = picture.lines();
        picture.chosen = pointBeside(picture, 1, 0);
        QCOMPARE(picture.chosen, lines[0][0]);
        picture.chosen = pointBeside(picture, 1, 0);
        QCOMPARE(picture.chosen, lines[0][1]);
        QCOMPARE(pointBeside(picture, 0, 1), lines[1][1]);
        QCOMPARE(pointBeside(picture, 0, -1), lines[0][1]);
        QCOMPARE(pointBeside(picture, 99, 0), lines[0].back());
    }

    void linesKeepTheirColoursWhileTheFigureGrows() {
        SweepPicture picture{recorded()};
        const auto lines = picture.lines();
        for (const int number : lines[0]) picture.outline.points[std::size_t(number)].all[0].value = std::nan("");
        QVERIFY(picture.lines().size() == 2 && picture.lines()[0].empty() && !picture.lines()[1].empty());
        picture.outline.x = -1;
        QCOMPARE(picture.lines().size(), recorded().points.size() / 2);
    }
};

QTEST_MAIN(TestSweeping)

#include "tst_sweeping.moc"
