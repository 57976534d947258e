#include "inspector_fixture.h"

#include "deployment_edits.h"
#include "field_commit.h"

#include <QTest>

using namespace weir::editor;

/// The settings of deployments: what is written, and what they can be.
class TestDeploymentFields : public InspectorFixture
{
    Q_OBJECT

private slots:
    void initTestCase() { m_catalog = testCatalog(); }

    void deploymentsAreEdited()
    {
        Document document;
        fill(document);
        const std::string before = document.canonicalText();
        const auto edit = [&](auto change) { QCOMPARE(document.edit(QStringLiteral("e"), change), QString()); };
        edit([](Transaction &t) { duplicateDeployment(t, "pool", freeDeploymentName(t.json(), "pool")); });
        QCOMPARE(text(find(document.json(), Pointer("/deployments/1/name"))), std::string("pool_2"));
        QVERIFY(find(document.json(), Pointer("/deployments/1/parameters/passes")));
        edit([](Transaction &t) { renameDeployment(t, "pool", "quick"); });
        QCOMPARE(text(find(document.json(), Pointer("/sweeps/0/vary/deployment/0"))), std::string("quick"));
        edit([&](Transaction &t) { chooseScheduler(t, "quick", *m_catalog.scheduler("work_stealing")); });
        QVERIFY(!find(document.json(), Pointer("/deployments/0/parameters")));
        edit([](Transaction &t) { removeDeployment(t, "pool_2"); });
        QCOMPARE(document.json().at("deployments").size(), std::size_t(1));
        QVERIFY(!document.edit(QStringLiteral("e"), [](Transaction &t) { removeDeployment(t, "nobody"); }).isEmpty());
        for (int step = 0; step < 4; ++step)
            document.undoStack().undo();
        QCOMPARE(document.canonicalText(), before);
        QVERIFY(isValidLabel("a-1") && !isValidLabel("A") && !isValidLabel("") && !isValidLabel(std::string(65, 'a')));
    }

    void whatIsTheDefaultFollowsToTheNextScheduler()
    {
        const Catalog catalog(jsonOf(R"({"blocks": [], "schedulers": [
            {"id": "thread_pool", "workers": "chosen", "wait": ["park", "spin"],
             "parameters": [{"id": "passes", "type": "i64", "default": 9}, {"id": "steps", "type": "i64", "default": 4}]},
            {"id": "next", "workers": "one", "wait": ["spin"],
             "parameters": [{"id": "passes", "type": "i64", "default": 1}, {"id": "steps", "type": "i64", "default": 8}]}]})"));
        Document document;
        fill(document);
        document.edit(QStringLiteral("set"), [](Transaction &t) {
            t.set(Pointer("/deployments/0/parameters/steps"), 5);
            t.set(Pointer("/deployments/0/workers"), 3);
            t.set(Pointer("/deployments/0/wait"), "park");
            t.set(Pointer("/deployments/0/placement"), jsonOf(R"({"strategy": "explicit", "map": {"source": "w0", "sink": "w1"}})"));
            t.set(Pointer("/deployments/0/affinity"), jsonOf(R"({"w0": [0], "w1": [1]})"));
        });
        document.edit(QStringLiteral("choose"), [&](Transaction &t) {
            chooseScheduler(t, "pool", *catalog.scheduler("next"), catalog.scheduler("thread_pool"));
        });
        QVERIFY(document.json().at(Pointer("/deployments/0"))
                == jsonOf(R"({"name": "pool", "scheduler": "next", "parameters": {"steps": 5}, "affinity": {"w0": [0]}, "chunk_items": {"expr": "stages * 10 k"}})"));
    }

    void everySettingIsWrittenAndTakenBack()
    {
        Document document;
        fill(document);
        const std::string before = document.canonicalText();
        const QString pool = QStringLiteral("pool");
        const auto commit = [&](const std::vector<ParameterRow> &rows, const char *name, const char *typed) {
            QCOMPARE(commitField(document, rowOf(rows, name), QString::fromLatin1(typed)), QString());
        };
        const auto privileges = [&] { return privilegeRows(document.json(), m_catalog, pool); };
        const auto build = [&] { return buildRows(document.json(), m_catalog, pool); };
        QCOMPARE(rowOf(build(), "compiler").placeholder, QStringLiteral("g++"));
        QCOMPARE(rowOf(runRows(document.json(), m_catalog), "items").placeholder, QStringLiteral("10 Mitems"));
        commit(privileges(), "lock", "true");
        commit(privileges(), "numa", "1");
        commit(privileges(), "require:affinity", "true");
        commit(privileges(), "require:memory_lock", "true");
        commit(build(), "extra_flags", " -g2  -funroll-loops ");
        commit(traceRows(document.json(), m_catalog), "events:work", "true");
        QVERIFY(document.json().at(Pointer("/deployments/0/memory")) == jsonOf(R"({"lock": true, "numa": 1})"));
        QVERIFY(document.json().at(Pointer("/deployments/0/require")) == jsonOf(R"(["affinity", "memory_lock"])"));
        QVERIFY(document.json().at(Pointer("/deployments/0/build/extra_flags")) == jsonOf(R"(["-g2", "-funroll-loops"])"));
        QCOMPARE(rowOf(build(), "extra_flags").value, QStringLiteral("-g2 -funroll-loops"));
        QVERIFY(document.json().at(Pointer("/run/trace/events")) == jsonOf(R"(["work"])"));
        commit(privileges(), "lock", "");
        commit(privileges(), "numa", "");
        commit(privileges(), "require:affinity", "false");
        commit(privileges(), "require:memory_lock", "");
        commit(build(), "extra_flags", "");
        commit(traceRows(document.json(), m_catalog), "events:work", "false");
        QCOMPARE(document.canonicalText(), before);
    }

    void targetsAreThoseThatCanRunTheScheduler()
    {
        const Catalog catalog(jsonOf(R"({"blocks": [], "defaults": {"deployment": {"target": "cpp"}},
            "schedulers": [{"id": "thread_pool", "targets": ["cpp", "rtl"]}, {"id": "in_order", "targets": ["numpy"]},
                           {"id": "lost", "targets": []}],
            "targets": [{"id": "cpp", "title": "C++ program", "documentation": "All of it."},
                        {"id": "numpy", "title": "numpy program"}, {"id": "rtl", "title": "Netlist"}]})"));
        Document document;
        fill(document);
        const auto row = [&] { return rowOf(buildRows(document.json(), catalog, QStringLiteral("pool")), "target"); };
        QCOMPARE(row().options, QStringList({QStringLiteral("cpp"), QStringLiteral("rtl")}));
        QCOMPARE(row().placeholder, QStringLiteral("cpp"));
        QVERIFY(row().documentation.endsWith(QStringLiteral("C++ program: All of it.")));
        QCOMPARE(commitField(document, row(), QStringLiteral("rtl")), QString());
        QVERIFY(document.json().at(Pointer("/deployments/0/target")) == Json("rtl"));
        const auto choose = [&](const char *id) {
            document.edit(QStringLiteral("choose"),
                          [&](Transaction &t) { chooseScheduler(t, "pool", *catalog.scheduler(id)); });
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
