#include "inspector_fixture.h"

#include "core/deployment/deployment_edits.h"
#include "core/document/project_places.h"
#include "core/document/project_schema.h"
#include "core/document/sweep_axes.h"
#include "features/deployment/deployment_rows.h"
#include "shell/fields/field_commit.h"
#include "shell/fields/schema_rows.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>
#include <QTranslator>

#include <set>

#include "project_schema_text.h"

using namespace weir::editor;

/// Tests of the deployment settings: their options and the written JSON.
class TestDeploymentFields : public InspectorFixture {
    Q_OBJECT

  private slots:
    void initTestCase() { m_catalog = testCatalog(); }

    void deploymentsAreEdited() {
        FilledDocument document;
        const auto edit = [&](auto change) { QCOMPARE(document.edit(QStringLiteral("e"), change), QString()); };
        edit([](Transaction& t) { duplicateDeployment(t, "pool", freeDeploymentName(t.json(), "pool")); });
        QCOMPARE(text(find(document.json(), Pointer("/deployments/1/name"))), std::string("pool_2"));
        QVERIFY(find(document.json(), Pointer("/deployments/1/parameters/passes")));
        edit([](Transaction& t) { renameDeployment(t, "pool", "quick"); });
        QCOMPARE(text(find(document.json(), Pointer("/sweeps/0/vary/deployment/0"))), std::string("quick"));
        edit([&](Transaction& t) { chooseScheduler(t, "quick", *m_catalog.scheduler("work_stealing")); });
        QVERIFY(!find(document.json(), Pointer("/deployments/0/parameters")));
        edit([](Transaction& t) { removeDeployment(t, "pool_2"); });
        QCOMPARE(document.json().at("deployments").size(), std::size_t(1));
        QVERIFY(!document.edit(QStringLiteral("e"), [](Transaction& t) { removeDeployment(t, "nobody"); }).isEmpty());
        for (int step = 0; step < 4; ++step) document.undoStack().undo();
        QCOMPARE(document.canonicalText(), document.before);
        QVERIFY(isValidLabel("a-1") && !isValidLabel("A") && !isValidLabel("") && !isValidLabel(std::string(65, 'a')));
    }

    void whatIsTheDefaultFollowsToTheNextScheduler() {
        const Catalog catalog(jsonOf(R"({"blocks": [], "schedulers": [
            {"id": "thread_pool", "workers": "chosen", "wait": ["park", "spin"],
             "parameters": [{"id": "passes", "type": "i64", "default": 9}, {"id": "steps", "type": "i64", "default": 4}]},
            {"id": "next", "workers": "one", "wait": ["spin"],
             "parameters": [{"id": "passes", "type": "i64", "default": 1}, {"id": "steps", "type": "i64", "default": 8}]}]})"));
        FilledDocument document;
        document.edit(QStringLiteral("set"), [](Transaction& t) {
            t.set(Pointer("/deployments/0/parameters/steps"), 5);
            t.set(Pointer("/deployments/0/workers"), 3);
            t.set(Pointer("/deployments/0/wait"), "park");
            t.set(Pointer("/deployments/0/placement"),
                  jsonOf(R"({"strategy": "explicit", "map": {"source": "w0", "sink": "w1"}})"));
            t.set(Pointer("/deployments/0/affinity"), jsonOf(R"({"w0": [0], "w1": [1]})"));
        });
        document.edit(QStringLiteral("choose"), [&](Transaction& t) {
            chooseScheduler(t, "pool", *catalog.scheduler("next"), catalog.scheduler("thread_pool"));
        });
        QVERIFY(
            document.json().at(Pointer("/deployments/0")) ==
            jsonOf(
                R"({"name": "pool", "scheduler": "next", "parameters": {"steps": 5}, "affinity": {"w0": [0]}, "chunk_items": {"expr": "stages * 10 k"}})"));
    }

    void everySettingIsWrittenAndTakenBack() {
        FilledDocument document;
        const QString pool = QStringLiteral("pool");
        const auto commit = [&](const std::vector<ParameterRow>& rows, const char* name, const char* typed) {
            QCOMPARE(commitField(document, rowOf(rows, name), QString::fromLatin1(typed)), QString());
        };
        const auto privileges = [&] { return privilegeRows(document.json(), pool); };
        const auto build = [&] { return buildRows(document.json(), m_catalog, pool); };
        QCOMPARE(rowOf(build(), "compiler").placeholder, QStringLiteral("g++"));
        QCOMPARE(rowOf(runRows(document.json()), "items").placeholder, QStringLiteral("10 Mitems"));
        commit(privileges(), "lock", "true");
        commit(privileges(), "numa", "1");
        commit(privileges(), "require:affinity", "true");
        commit(privileges(), "require:memory_lock", "true");
        commit(build(), "extra_flags", " -g2  -funroll-loops ");
        commit(traceRows(document.json()), "events:work", "true");
        QVERIFY(document.json().at(Pointer("/deployments/0/memory")) == jsonOf(R"({"lock": true, "numa": 1})"));
        QVERIFY(document.json().at(Pointer("/deployments/0/require")) == jsonOf(R"(["affinity", "memory_lock"])"));
        QVERIFY(document.json().at(Pointer("/deployments/0/build/extra_flags")) ==
                jsonOf(R"(["-g2", "-funroll-loops"])"));
        QCOMPARE(rowOf(build(), "extra_flags").value, QStringLiteral("-g2 -funroll-loops"));
        QVERIFY(document.json().at(Pointer("/run/trace/events")) == jsonOf(R"(["work"])"));
        commit(privileges(), "lock", "");
        commit(privileges(), "numa", "");
        commit(privileges(), "require:affinity", "false");
        commit(privileges(), "require:memory_lock", "");
        commit(build(), "extra_flags", "");
        commit(traceRows(document.json()), "events:work", "false");
        QCOMPARE(document.canonicalText(), document.before);
    }

    void workersAreANumberAnExpressionOrAWord() {
        FilledDocument document;
        const auto committed = [&](const char* typed) {
            const std::vector<ParameterRow> rows = schedulingRows(document.json(), m_catalog, QStringLiteral("pool"));
            [&] { QCOMPARE(commitField(document, rowOf(rows, "workers"), QString::fromLatin1(typed)), QString()); }();
            const Json* value = find(document.json(), Pointer("/deployments/0/workers"));
            return value ? *value : Json();
        };
        QVERIFY(committed("cpus") == Json("cpus"));
        QCOMPARE(rowOf(schedulingRows(document.json(), m_catalog, QStringLiteral("pool")), "workers").value,
                 QStringLiteral("cpus"));
        QVERIFY(committed("= stages * 2") == jsonOf(R"({"expr": "stages * 2"})"));
        QVERIFY(committed("cores") == Json("cores"));
        QVERIFY(committed("3") == Json(3));
        QVERIFY(committed("") == Json());
    }

    void whatIsAskedOfTheMachineIsWrittenAndTakenBack() {
        FilledDocument document;
        const QString pool = QStringLiteral("pool");
        const auto rows = [&] {
            std::vector<ParameterRow> all = privilegeRows(document.json(), pool);
            for (const auto& more :
                 {machineRows(document.json(), pool), buildRows(document.json(), m_catalog, pool),
                  volkRows(document.json(), m_catalog, pool, {}), runRows(document.json()), traceRows(document.json())})
                all.insert(all.end(), more.begin(), more.end());
            return all;
        };
        const auto has = [&](const char* name) {
            const auto all = rows();
            return std::any_of(all.begin(), all.end(),
                               [name](const ParameterRow& row) { return row.name == QLatin1String(name); });
        };
        const auto commit = [&](const char* name, const char* typed) {
            QCOMPARE(fieldRefusal(rowOf(rows(), name), QString::fromUtf8(typed)), QString());
            QCOMPARE(commitField(document, rowOf(rows(), name), QString::fromUtf8(typed)), QString());
        };
        const auto stands = [&](const char* place) {
            const Json* value = find(document.json(), Pointer(place));
            return value ? *value : Json();
        };
        QVERIFY(!has("runtime_us") && !has("cpu_limit") && !has("isolated"));
        for (const ParameterRow& row : rows()) QVERIFY2(!row.documentation.isEmpty(), qPrintable(row.name));

        commit("policy", "deadline");
        for (const auto& [key, typed] : {std::pair("runtime_us", "500"), {"deadline_us", "1k"}, {"period_us", "1 000"}})
            if (key != std::string_view("deadline_us")) // the run has a key of the same name
                commit(key, typed);
        QCOMPARE(
            commitField(document, rowOf(privilegeRows(document.json(), pool), "deadline_us"), QStringLiteral("1k")),
            QString());
        commit("timer_slack_ns", "50k");
        QVERIFY(
            stands("/deployments/0/runtime_us") == Json(500) && stands("/deployments/0/deadline_us") == Json(1000) &&
            stands("/deployments/0/period_us") == Json(1000) && stands("/deployments/0/timer_slack_ns") == Json(50000));
        QVERIFY(!fieldRefusal(rowOf(rows(), "timer_slack_ns"), QStringLiteral("= 2 * stages")).isEmpty());
        QVERIFY(!fieldRefusal(rowOf(rows(), "priority"), QStringLiteral("100")).isEmpty());

        commit("environment", "isolate");
        QVERIFY(stands("/deployments/0/environment") == Json("isolate"));
        commit("isolated", "2-3, 0");
        QVERIFY(stands("/deployments/0/environment") == jsonOf(R"({"isolate": {"cpus": [0, 2, 3]}})"));
        QCOMPARE(rowOf(rows(), "environment").value, QStringLiteral("isolate"));
        QCOMPARE(rowOf(rows(), "isolated").value, QStringLiteral("0, 2, 3"));
        commit("environment", "isolate"); // already chosen: changes nothing
        commit("governor", "powersave");
        commit("isolated", "");
        QVERIFY(stands("/deployments/0/environment") == jsonOf(R"({"isolate": {"governor": "powersave"}})"));
        commit("governor", "");
        QVERIFY(stands("/deployments/0/environment") == Json("isolate"));
        for (const char* typed : {"3-2", "1,,x", "4096", "-1"})
            QVERIFY2(!fieldRefusal(rowOf(rows(), "isolated"), QString::fromLatin1(typed)).isEmpty(), typed);

        commit("loops", "4");
        for (const auto& [typed, share] : {std::pair("10 %", 0.1), {"7", 0.07}, {"100%", 1.0}}) {
            commit("cpu_limit", typed);
            QVERIFY2(stands("/deployments/0/interference/cpu_limit") == Json(share), typed);
        }
        commit("cpu_limit", "7 %");
        QCOMPARE(rowOf(rows(), "cpu_limit").shown, QStringLiteral("7 %"));
        for (const char* typed : {"0", "101 %", "much", "-5 %"})
            QVERIFY2(!fieldRefusal(rowOf(rows(), "cpu_limit"), QString::fromLatin1(typed)).isEmpty(), typed);
        commit("cpu_quota", "150 %");  // a share of one CPU
        QVERIFY(stands("/deployments/0/interference/cpu_quota") == Json(1.5));
        commit("cpu_limit", "none");
        QVERIFY(stands("/deployments/0/interference/cpu_limit") == Json("none"));
        commit("slice_us", "3000");
        commit("cpus", "1");
        commit("loops", ""); // without loops, the other keys go too
        QVERIFY(stands("/deployments/0/interference").is_null());

        commit("implementation", "off");
        commit("alignment", "true");
        commit("require:interference", "true");
        QVERIFY(stands("/deployments/0/volk") == jsonOf(R"({"implementation": "off"})") &&
                stands("/deployments/0/alignment") == Json(true));
        QCOMPARE(commitField(document, rowOf(runRows(document.json()), "deadline_us"), QStringLiteral("3450")),
                 QString());
        QVERIFY(stands("/run/deadline_us") == Json(3450));
        for (const char* name : {"implementation", "alignment", "require:interference", "environment", "policy",
                                 "runtime_us", "period_us", "timer_slack_ns"})
            commit(name, "");
        for (const auto& which : {privilegeRows(document.json(), pool), runRows(document.json())})
            QCOMPARE(commitField(document, rowOf(which, "deadline_us"), QString()), QString());
        QCOMPARE(document.canonicalText(), document.before);
    }

    void oneWorkerOrBlockHasAPolicyOfItsOwn() {
        FilledDocument document;
        document.edit(QStringLiteral("all"), [](Transaction& t) {
            t.set(Pointer("/deployments/0/policy"), "fifo");
            t.set(Pointer("/deployments/0/priority"), 20);
        });
        const std::string before = document.canonicalText();
        const Pointer pool("/deployments/0");
        const auto row = [&](const char* name) {
            return rowOf(threadRowsOf(document.json(), pool, "w0", "worker"), name);
        };
        const auto commit = [&](const char* name, const char* typed) {
            QCOMPARE(commitField(document, row(name), QString::fromLatin1(typed)), QString());
        };
        // A worker without its own value shows the value for all workers.
        QCOMPARE(row("worker:policy").placeholder, QStringLiteral("fifo"));
        QCOMPARE(row("worker:priority").placeholder, QStringLiteral("20"));
        commit("worker:timer_slack_ns", "1000");
        QCOMPARE(row("worker:priority").placeholder, QStringLiteral("20"));
        // A new policy needs a priority of its own.
        commit("worker:policy", "rr");
        QCOMPARE(row("worker:priority").placeholder, QStringLiteral("needed"));
        commit("worker:priority", "30");
        QCOMPARE(threadText(document.json(), pool, "w0"), QStringLiteral("rr 30, slack 1.00 µs"));
        QCOMPARE(threadText(document.json(), pool, "w1"), QString());
        for (const char* name : {"worker:policy", "worker:priority", "worker:timer_slack_ns"}) commit(name, "");
        QCOMPARE(document.canonicalText(), before);

        // Several selected blocks share the rows. Blocks that move between workers have rows
        // only for values that are already set.
        const QString name = QStringLiteral("pool");
        QVERIFY(blockThreadRows(document.json(), m_catalog, name, {QStringLiteral("first")}).empty());
        document.edit(QStringLiteral("flow"), [&](Transaction& t) { t.set(pool / "scheduler", "flow"); });
        const auto rows =
            blockThreadRows(document.json(), m_catalog, name, {QStringLiteral("first"), QStringLiteral("second")});
        QCOMPARE(commitField(document, rowOf(rows, "block:policy"), QStringLiteral("other")), QString());
        QVERIFY(document.json().at(pool / "threads") ==
                jsonOf(R"({"first": {"policy": "other"}, "second": {"policy": "other"}})"));
        document.edit(QStringLiteral("pool"), [&](Transaction& t) { t.set(pool / "scheduler", "thread_pool"); });
        QCOMPARE(blockThreadRows(document.json(), m_catalog, name, {QStringLiteral("first")}).size(), std::size_t(1));
        QVERIFY(blockThreadRows(document.json(), m_catalog, {}, {QStringLiteral("first")}).empty());
    }

    void anOptionIsOneEntryOfTheSchema() {
        const Json ours = exchangeProjectSchema({});
        const auto back = qScopeGuard([&ours] { exchangeProjectSchema(ours); });
        Json schema = ours;
        schema["properties"]["deployments"]["items"]["properties"]["nap_us"] =
            jsonOf(R"({"title": "Nap", "description": "So long a worker sleeps.", "x-form": "scheduling",
                       "x-unit": "s", "default": 50, "x-axis": "nap", "examples": [10, 100],
                       "type": "integer", "minimum": 1, "maximum": 1000})");
        exchangeProjectSchema(schema);
        FilledDocument document;
        const auto nap = [&] {
            return rowOf(schedulingRows(document.json(), m_catalog, QStringLiteral("pool")), "nap_us");
        };
        QCOMPARE(nap().title, QStringLiteral("Nap"));
        QCOMPARE(nap().documentation, QStringLiteral("So long a worker sleeps."));
        QCOMPARE(nap().placeholder, QStringLiteral("50 s"));
        QCOMPARE(nap().range, QStringLiteral("1 to 1000"));
        QVERIFY(!fieldRefusal(nap(), QStringLiteral("1001")).isEmpty());
        QCOMPARE(commitField(document, nap(), QStringLiteral("20")), QString());
        QVERIFY(document.json().at(Pointer("/deployments/0/nap_us")) == Json(20));
        const auto names = settingsByName();
        QVERIFY(std::find(names.begin(), names.end(), "nap") != names.end());
        QCOMPARE(axisKeyOf(document.json(), Pointer("/deployments/0/nap_us")), std::string("nap"));
        QVERIFY(proposedAt(Pointer("/deployments/0/nap_us")) == Json({10, 100}));
        QCOMPARE(commitField(document, nap(), QString()), QString());
        QCOMPARE(document.canonicalText(), document.before);
    }

    void textsOfTheSchemaAreOfferedToTranslators() {
        struct : QTranslator {
            mutable std::set<QString> asked;
            QString translate(const char* context, const char* text, const char*, int) const override {
                if (context == std::string_view("schema")) asked.insert(QString::fromUtf8(text));
                return {};
            }
            bool isEmpty() const override { return false; }
        } translator;
        QVERIFY(QCoreApplication::installTranslator(&translator));
        FilledDocument document;
        machineRows(document.json(), QStringLiteral("pool"));
        privilegeRows(document.json(), QStringLiteral("pool"));
        runRows(document.json());
        QCoreApplication::removeTranslator(&translator);
        QVERIFY(translator.asked.size() > 40);
        std::set<QString> offered;
        for (const char* words : kProjectSchemaWords) offered.insert(QString::fromUtf8(words));
        for (const QString& words : translator.asked) QVERIFY2(offered.count(words) == 1, qPrintable(words));
    }

    void rowsThatComeAndGoLeaveTheOthers() {
        FilledDocument document;
        ParameterModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto show = [&] { model.setRows(privilegeRows(document.json(), QStringLiteral("pool"))); };
        show();
        const QPersistentModelIndex policy = model.index(0), lock = model.index(model.indexOf(QStringLiteral("lock")));
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        document.edit(QStringLiteral("deadline"),
                      [](Transaction& t) { t.set(Pointer("/deployments/0/policy"), "deadline"); });
        show();
        QVERIFY(reset.isEmpty() && policy.isValid());
        QCOMPARE(lock.row(), model.indexOf(QStringLiteral("lock")));
        QCOMPARE(model.indexOf(QStringLiteral("runtime_us")), 2);
        model.setRefusal(0, QStringLiteral("x"), QStringLiteral("no"));
        document.undoStack().undo();
        show();
        QVERIFY(reset.isEmpty() && policy.isValid() && lock.row() == model.indexOf(QStringLiteral("lock")));
    }

    void implementationsAreThoseOfThisMachine() {
        const Catalog catalog(jsonOf(R"({"blocks": [
                {"id": "fir_filter", "title": "FIR filter", "item_types": ["f32", "c64"], "kernels": {"volk_dot_f": ["f32"], "volk_dot_c": ["c64"]}},
                {"id": "multiply_const", "title": "Multiply", "item_types": ["f32"], "kernels": {"volk_scale": ["f32"], "volk_new": []}}],
            "volk": {"volk_dot_f": ["generic", "a_avx2_fma"], "volk_dot_c": ["generic", "u_sse3"],
                     "volk_scale": ["u_avx", "generic", "a_avx", "a_generic"]}})"));
        FilledDocument document;
        const QString pool = QStringLiteral("pool");
        const auto rows = [&] {
            return volkRows(document.json(), catalog, pool, kernelCallers(document.json(), catalog));
        };
        const auto all = [&] { return rowOf(rows(), "implementation"); };
        const auto words = [](const char* text) { return QString::fromLatin1(text).split(u' '); };
        const auto refused = [](const ParameterRow& row, const char* option) {
            return row.refused.at(row.options.indexOf(QLatin1String(option)));
        };
        const auto set = [&](const char* place, const char* name) {
            QCOMPARE(
                document.edit(QStringLiteral("set"),
                              [&](Transaction& t) { t.set(Pointer("/deployments/0/volk") / Pointer(place), name); }),
                QString());
        };

        // The list offers all kernels' implementations, and says which of them no kernel of this graph has.
        QCOMPARE(all().options, words("off auto avx avx2_fma generic sse3 a_avx a_avx2_fma a_generic u_avx u_sse3"));
        QCOMPARE(refused(all(), "sse3"), QStringLiteral("no kernel of this graph has this implementation"));
        QCOMPARE(refused(all(), "avx"), QString());
        QVERIFY(all().widget == QLatin1String("choice") && all().problem.isEmpty());
        // The types of the graph's blocks decide which kernels it calls. For a block of unknown type, any name is
        // accepted.
        QStringList titles;
        for (const ParameterRow& row : rows()) titles.append(row.title + u' ' + row.widget);
        QCOMPARE(titles, QStringList({QStringLiteral("All kernels choice"), QStringLiteral("new text"),
                                      QStringLiteral("scale choice")}));
        QCOMPARE(rowOf(rows(), "volk_scale").options, words("off auto avx generic a_avx a_generic u_avx"));
        QVERIFY(rowOf(rows(), "volk_scale").documentation.endsWith(QStringLiteral("called by: Multiply.")));

        // A kernel without its own value shows the value for all kernels, if it has that implementation.
        set("/implementation", "avx");
        QCOMPARE(rowOf(rows(), "volk_scale").placeholder, QStringLiteral("avx"));
        set("/implementation", "avx2_fma");
        QCOMPARE(rowOf(rows(), "volk_scale").placeholder, QStringLiteral("VOLK chooses"));
        QCOMPARE(all().problem, QStringLiteral("avx2_fma: no kernel of this graph has this implementation"));

        // A file from elsewhere may have unknown values: they stay, and the rows report them.
        set("/implementation", "neonv8");
        set("/kernels/volk_scale", "avx512f");
        set("/kernels/volk_dot_c", "sse3");
        set("/kernels/volk_gone", "neon");
        for (const ParameterRow& row : {all(), rowOf(rows(), "volk_scale")}) {
            QCOMPARE(row.options.last(), row.value);
            QCOMPARE(row.refused.last(), QStringLiteral("not on this machine"));
            QCOMPARE(row.problem, row.value + QStringLiteral(": not on this machine"));
            QCOMPARE(row.severity, QStringLiteral("warning"));
        }
        QVERIFY(all().value == QLatin1String("neonv8") &&
                rowOf(rows(), "volk_scale").value == QLatin1String("avx512f"));
        QVERIFY(rowOf(rows(), "volk_dot_c").problem.isEmpty() &&
                rowOf(rows(), "volk_dot_c").widget == QLatin1String("choice"));
        QVERIFY(rowOf(rows(), "volk_gone").widget == QLatin1String("text") &&
                rowOf(rows(), "volk_gone").value == QLatin1String("neon"));
        QCOMPARE(rows().size(), std::size_t(5));

        // Removing the last value also removes the empty objects around it.
        QCOMPARE(commitField(document, all(), QString()), QString());
        for (const char* name : {"volk_scale", "volk_dot_c", "volk_gone"})
            QCOMPARE(commitField(document, rowOf(rows(), name), QString()), QString());
        QCOMPARE(document.canonicalText(), document.before);
        QCOMPARE(commitField(document, rowOf(rows(), "volk_scale"), QStringLiteral("off")), QString());
        QVERIFY(document.json().at(Pointer("/deployments/0/volk")) == jsonOf(R"({"kernels": {"volk_scale": "off"}})"));

        // A disabled block calls no kernel. Without VOLK, any name is accepted.
        document.edit(QStringLiteral("off"), [](Transaction& t) {
            t.remove(Pointer("/deployments/0/volk"));
            for (const int block : {1, 2}) t.set(kGraph.blocks / static_cast<std::size_t>(block) / "state", "disabled");
        });
        QCOMPARE(rows().size(), std::size_t(1));
        QCOMPARE(refused(all(), "sse3"), QString());
        QCOMPARE(volkRows(document.json(), Catalog(), pool, {}).front().widget, QStringLiteral("text"));
    }

    void targetsAreThoseThatCanRunTheScheduler() {
        const Catalog catalog(jsonOf(R"({"blocks": [], "defaults": {"deployment": {"target": "cpp"}},
            "schedulers": [{"id": "thread_pool", "targets": ["cpp", "rtl"]}, {"id": "in_order", "targets": ["numpy"]},
                           {"id": "lost", "targets": []}],
            "targets": [{"id": "cpp", "title": "C++ program", "documentation": "All of it."},
                        {"id": "numpy", "title": "numpy program"}, {"id": "rtl", "title": "Netlist"}]})"));
        FilledDocument document;
        const auto row = [&] { return rowOf(buildRows(document.json(), catalog, QStringLiteral("pool")), "target"); };
        QCOMPARE(row().options, QStringList({QStringLiteral("cpp"), QStringLiteral("rtl")}));
        QCOMPARE(row().placeholder, QStringLiteral("cpp"));
        QVERIFY(row().documentation.endsWith(QStringLiteral("C++ program: All of it.")));
        QCOMPARE(commitField(document, row(), QStringLiteral("rtl")), QString());
        QVERIFY(document.json().at(Pointer("/deployments/0/target")) == Json("rtl"));
        const auto choose = [&](const char* id) {
            document.edit(QStringLiteral("choose"),
                          [&](Transaction& t) { chooseScheduler(t, "pool", *catalog.scheduler(id)); });
        };
        choose("thread_pool");
        QCOMPARE(row().value, QStringLiteral("rtl"));
        choose("in_order");
        QVERIFY(!document.json().at(Pointer("/deployments/0")).contains("target"));
        QCOMPARE(row().placeholder, QStringLiteral("numpy"));
        choose("lost");
        QCOMPARE(row().options.size(), 3);
    }
};

QTEST_MAIN(TestDeploymentFields)
#include "tst_deployment_fields.moc"
