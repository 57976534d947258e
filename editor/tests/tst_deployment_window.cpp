#include "inspector_window.h"

#include "core/deployment/deployment_edits.h"

#include <QAccessible>

using namespace weir::editor;

/// Tests of the deployment bar and its panel with real input and the real command line.
class TestDeploymentWindow : public InspectorWindow {
    Q_OBJECT

    void command(const char* words) {
        w().key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(w().item(QStringLiteral("commandField")));
        w().type(QLatin1String(words));
        w().key(Qt::Key_Return);
    }

  private slots:
    void whatIsShownIsReachedByItsWord() {
        for (const auto& [words, field] : {std::pair{"workers", "field:workers"},
                                           {"waiting", "field:wait"},
                                           {"chunk", "field:chunk_items"},
                                           {"options", "runRepetitions"}}) {
            command(words);
            QTRY_COMPARE(focused(), QLatin1String(field));
        }
        QVERIFY(!editor().deploymentSettings()->runValue(QStringLiteral("items")).isEmpty());
        QCOMPARE(
            textOf("runItems", "placeholderText"),
            QStringLiteral("as in the project, ") + editor().deploymentSettings()->runValue(QStringLiteral("items")));
        w().key(Qt::Key_Escape);
        QTRY_VERIFY(!w().item(QStringLiteral("runRepetitions")));
    }

    void numbersAreReadWithTheirUnits() {
        editor().deploymentSettings()->showRun(QStringLiteral("items"));
        QTRY_COMPARE(focused(), QLatin1String("field:items"));
        w().fill(QStringLiteral("field:items"), QStringLiteral("200 000 000"));
        QVERIFY2(at("/run/items") == Json(200000000), at("/run/items").dump().c_str());
        QCOMPARE(textOf("field:items"), QStringLiteral("200000000"));
        w().key(Qt::Key_Tab);
        QCOMPARE(textOf("field:items"), QStringLiteral("200 Mitems"));
        w().click(QStringLiteral("field:items"));
        QCOMPARE(textOf("field:items"), QStringLiteral("200000000"));
        w().key(Qt::Key_Tab);
        QCOMPARE(lastStep(), QStringLiteral("Set items"));
        QVERIFY(at("/run/items") == Json(200000000));
        w().fill(QStringLiteral("field:items"), QStringLiteral("2.5 M items"));
        QVERIFY(at("/run/items") == jsonOf(R"({"expr": "2.5 M"})"));
    }

    void whatCannotBeChosenIsGreyAndSaysWhy() {
        QVERIFY(editor().edit(QStringLiteral("many"), [](Transaction& t) { t.set(Pointer("/graph/pipes"), 1000); }));
        QVERIFY(waitForAnswer());
        const Json before = at("/deployments/0/scheduler");
        w().click(QStringLiteral("field:scheduler"));
        QTRY_VERIFY(w().item(QStringLiteral("scheduler:thread_per_block")));
        QTest::qWait(150);
        const QQuickItem* option = w().item(QStringLiteral("scheduler:thread_per_block"));
        QVERIFY(!option->isEnabled());
        QVERIFY(textOf("refused:thread_per_block").contains(QStringLiteral("needs one worker for each of")));
        QVERIFY(w().item(QStringLiteral("scheduler:thread_pool"))->isEnabled());
        w().click(QStringLiteral("scheduler:thread_per_block"));
        w().key(Qt::Key_Escape);
        QVERIFY(at("/deployments/0/scheduler") == before);
    }

    void theSettingsAreOpenedEnteredAndLeftByKeys() {
        const auto isOpen = [this] { return w().item(QStringLiteral("deploymentPanel")) != nullptr; };
        const QList<std::pair<Deployments::Tab, const char*>> firsts{{Deployments::Scheduler, "field:policy"},
                                                                     {Deployments::Build, "field:compiler"},
                                                                     {Deployments::Machine, "field:environment"},
                                                                     {Deployments::Run, "field:items"}};
        for (const auto& [tab, field] : firsts) {
            editor().deploymentSettings()->setPanelTab(tab);
            command("settings of the deployment");
            QTRY_COMPARE(focused(), QLatin1String(field));
            w().key(Qt::Key_Escape);
            QTRY_VERIFY(!isOpen());
            QTRY_COMPARE(w().focusItem(), static_cast<QQuickItem*>(w().canvas()));
        }
        // The panel also closes from the graph, whatever is selected there.
        command("settings of the deployment");
        QTRY_COMPARE(focused(), QStringLiteral("field:items"));
        w().canvas()->forceActiveFocus();
        select({QStringLiteral("gain")});
        QVERIFY(isOpen());
        w().key(Qt::Key_Escape);
        QTRY_VERIFY(!isOpen() && editor().selection().isEmpty());
        // The same from the lanes, where blocks can be selected too.
        editor().setView(QStringLiteral("lanes"));
        QTRY_VERIFY_WITH_TIMEOUT(editor().mapping()->hasPlan(), 30000);
        command("settings of the deployment");
        QTRY_COMPARE(focused(), QStringLiteral("field:items"));
        w().item(QStringLiteral("lanes"))->forceActiveFocus();
        w().key(Qt::Key_Right);
        QTRY_VERIFY(!editor().mapping()->selection().isEmpty());
        w().key(Qt::Key_Escape);
        QTRY_VERIFY(!isOpen());
        editor().setView(QStringLiteral("canvas"));
        // Without a deployment, only the settings of the run remain.
        QVERIFY(editor().edit(QStringLiteral("none"), [](Transaction& t) { t.remove(Pointer("/deployments")); }));
        editor().deploymentSettings()->setPanelTab(Deployments::Build);
        command("settings of the deployment");
        QTRY_COMPARE(focused(), QStringLiteral("field:items"));
    }

    void theMachineIsSetByMouseAndKeys() {
        w().click(QStringLiteral("deploymentSettings"));
        QTRY_VERIFY(w().item(QStringLiteral("deploymentPanel")));
        WindowFixture::settle();
        w().click(QStringLiteral("tab:Machine"));
        QTRY_VERIFY(w().item(QStringLiteral("field:loops")));
        QVERIFY(!w().item(QStringLiteral("field:cpu_limit")));
        w().fill(QStringLiteral("field:loops"), QStringLiteral("4"));
        QVERIFY(at("/deployments/0/interference") == jsonOf(R"({"loops": 4})"));
        // The fields for the loops appear below, and the focus stays in its field.
        QTRY_VERIFY(w().item(QStringLiteral("field:cpu_limit")));
        QCOMPARE(focused(), QStringLiteral("field:loops"));
        WindowFixture::settle();
        w().key(Qt::Key_Tab);
        QCOMPARE(focused(), QStringLiteral("field:cpu_limit"));
        w().type(QStringLiteral("10 %"));
        w().key(Qt::Key_Return);
        QVERIFY(at("/deployments/0/interference/cpu_limit") == Json(0.1));
        w().key(Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!at("/sweeps/0/vary/cpu_limit").is_null());
        QVERIFY(editor().fields()->varied().contains(QStringLiteral("/deployments/0/interference/cpu_limit")));
        w().key(Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(at("/sweeps/0/vary/cpu_limit").is_null());
        w().key(Qt::Key_Backspace, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(at("/deployments/0/interference") == jsonOf(R"({"loops": 4})"));
        w().fill(QStringLiteral("field:cpu_limit"), QStringLiteral("120 %"));
        QTRY_VERIFY(w().item(QStringLiteral("fieldProblem")));
        w().key(Qt::Key_Escape);

        command("isolate cpus");
        QTRY_COMPARE(focused(), QStringLiteral("field:environment"));
        for (const int key : {Qt::Key_Return, Qt::Key_Down, Qt::Key_Return}) w().key(key);
        QTRY_VERIFY(at("/deployments/0/environment") == Json("isolate"));
        QTRY_VERIFY(w().item(QStringLiteral("field:isolated")));
        WindowFixture::settle();
        w().fill(QStringLiteral("field:isolated"), QStringLiteral("1"));
        QVERIFY(at("/deployments/0/environment") == jsonOf(R"({"isolate": {"cpus": [1]}})"));
        w().key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(at("/deployments/0/environment") == Json("isolate"));
    }

    void theImplementationOfVolkIsChosenByMouseAndKeys() {
        const char* const kKernel = "/deployments/0/volk/kernels/volk_32f_s32f_multiply_32f";
        command("implementation of volk");
        QTRY_COMPARE(focused(), QStringLiteral("field:implementation"));
        w().key(Qt::Key_Return);
        QTRY_VERIFY(w().item(QStringLiteral("option:generic")));
        w().key(Qt::Key_Home);
        w().key(Qt::Key_Return);
        QTRY_VERIFY(at("/deployments/0/volk") == jsonOf(R"({"implementation": "off"})"));

        // A kernel's field offers the kernel's implementations, below the other build settings.
        QVERIFY(waitForAnswer());
        editor().deploymentSettings()->show(editor().deploymentSettings()->name(),
                                            QStringLiteral("volk_32f_s32f_multiply_32f"));
        const QString field = QStringLiteral("field:volk_32f_s32f_multiply_32f");
        QTRY_COMPARE(focused(), field);
        WindowFixture::settle();
        pick(field, "option:generic");
        QTRY_VERIFY(at(kKernel) == Json("generic"));
        w().key(Qt::Key_Backspace, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(at("/deployments/0/volk") == jsonOf(R"({"implementation": "off"})"));

        // An implementation that this machine lacks stays, says so, and cannot be chosen again.
        QVERIFY(editor().edit(QStringLiteral("else"), [&](Transaction& t) { t.set(Pointer(kKernel), "neonv8"); }));
        QTRY_COMPARE(textOf(qPrintable(field), "displayText"), QStringLiteral("neonv8"));
        const auto accessibleText = [&](QAccessible::Text text) {
            return QAccessible::queryAccessibleInterface(w().item(field))->text(text);
        };
        QTRY_COMPARE(accessibleText(QAccessible::Description), QStringLiteral("neonv8: not on this machine"));
        QCOMPARE(accessibleText(QAccessible::Name), QStringLiteral("32f_s32f_multiply_32f"));
        w().click(field);
        QTRY_VERIFY(w().item(QStringLiteral("option:neonv8")));
        QTest::qWait(150);
        QVERIFY(!w().item(QStringLiteral("option:neonv8"))->isEnabled());
        w().key(Qt::Key_Escape);
        QVERIFY(at(kKernel) == Json("neonv8"));
    }

    void aPolicyHasTheFieldsThatItNeeds() {
        command("policy of the threads");
        QTRY_COMPARE(focused(), QStringLiteral("field:policy"));
        QVERIFY(!w().item(QStringLiteral("field:runtime_us")));
        w().key(Qt::Key_Return);
        for (int step = 0; step < 3; ++step) w().key(Qt::Key_Down);
        w().key(Qt::Key_Return);
        QTRY_VERIFY(at("/deployments/0/policy") == Json("deadline"));
        QTRY_VERIFY(w().item(QStringLiteral("field:runtime_us")) && w().item(QStringLiteral("field:deadline_us")));
        QCOMPARE(focused(), QStringLiteral("field:policy"));
        WindowFixture::settle();
        w().key(Qt::Key_Tab);
        w().key(Qt::Key_Tab);
        QCOMPARE(focused(), QStringLiteral("field:runtime_us"));
        w().type(QStringLiteral("500"));
        w().key(Qt::Key_Tab);
        QVERIFY(at("/deployments/0/runtime_us") == Json(500));
        QCOMPARE(focused(), QStringLiteral("field:deadline_us"));
    }

    void withoutADeploymentTheBoxSaysWhatRunsAreCalled() {
        const auto words = [this] {
            return w()
                .item(QStringLiteral("deployment"))
                ->property("contentItem")
                .value<QQuickItem*>()
                ->property("text")
                .toString();
        };
        QCOMPARE(words(), editor().deployment());
        QVERIFY(editor().edit(QStringLiteral("none"), [](Transaction& t) { t.remove(Pointer("/deployments")); }));
        QTRY_COMPARE(words(), QLatin1String(kOwnDeployment));
        QCOMPARE(editor().results()->shown()->deployment(), words());
        editor().undo();
        QTRY_COMPARE(words(), editor().deployment());
    }

    void noNameIsCutInTheListOfDeployments() {
        const QString name = QStringLiteral("a_name_that_is_longer_than_most");
        QVERIFY(editor().edit(QStringLiteral("add"),
                              [&](Transaction& t) { addDeployment(t, name.toStdString(), kOwnDeployment); }));
        w().click(QStringLiteral("deployment"));
        QTRY_VERIFY(w().item(QStringLiteral("option:") + name));
        const QQuickItem* option = w().item(QStringLiteral("option:") + name);
        QVERIFY(!option->property("contentItem").value<QQuickItem*>()->property("truncated").toBool());
        w().key(Qt::Key_Escape);
    }

    void theSettingsDoNotOutliveTheirProject() {
        {
            WindowFixture other(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json"));
            QVERIFY(other.isReady());
            other.click(QStringLiteral("deploymentSettings"));
            QTRY_VERIFY(other.item(QStringLiteral("deploymentPanel")));
            other.editor->openPath(QStringLiteral(WEIR_ROOT "/examples/null_rand_latency.weir.json"));
            QTRY_VERIFY(!other.item(QStringLiteral("deploymentPanel")));
        }
        w().window->requestActivate();
        QVERIFY(QTest::qWaitForWindowActive(w().window));
    }

    void theSchedulerIsChosenByKeys() {
        const auto isOpen = [this] { return w().item(QStringLiteral("scheduler:single_thread")) != nullptr; };
        command("scheduler");
        QTRY_VERIFY(isOpen());
        WindowFixture::settle();
        QVERIFY(isOpen()); // regression: releasing the key closed it
        w().key(Qt::Key_Escape);
        QTRY_VERIFY(!isOpen());
        w().key(Qt::Key_Return);
        QTRY_VERIFY(isOpen());
        const Json before = at("/deployments/0/scheduler");
        w().key(Qt::Key_Down);
        QVERIFY(at("/deployments/0/scheduler") == before);
        w().key(Qt::Key_Return);
        QTRY_VERIFY(!isOpen() && at("/deployments/0/scheduler") != before);
    }

    void theFieldsOfTheBarAreAlwaysThere() {
        for (const int width : {1440, 1100, 900}) {
            w().window->setWidth(width);
            WindowFixture::settle();
            const auto placeOf = [this](const char* name) {
                const QQuickItem* item = w().item(QLatin1String(name));
                return item ? item->mapRectToScene(item->boundingRect()) : QRectF();
            };
            for (const char* name : {"field:workers", "field:wait", "field:chunk_items"}) {
                const QRectF place = placeOf(name);
                QVERIFY2(!place.isEmpty() && place.right() <= placeOf("deploymentSettings").right(), name);
                for (const char* other : {"deployment", "deploymentMenu", "field:scheduler", "deploymentSettings"})
                    QVERIFY2(
                        !place.intersects(placeOf(other)),
                        qPrintable(QStringLiteral("%1 lies on %2").arg(QLatin1String(name), QLatin1String(other))));
            }
        }
        w().window->setWidth(1440);
        WindowFixture::settle();
        QCOMPARE(w().item(QStringLiteral("deploymentFields"))->y(), 0.0); // all fields fit in one line
    }

    // Regression: a name was elided ("deploym…") next to free room.
    void namesAreWholeWhereThereIsRoom() {
        for (const char* name : {"deployment_1", "the_one_with_the_long_name", ""}) {
            QVERIFY(editor().edit(QStringLiteral("name"), [&](Transaction& t) {
                if (*name) t.set(Pointer("/deployments/0/name"), name);
                else t.remove(Pointer("/deployments")); // then the name has another font
            }));
            editor().setDeploymentIndex(0);
            WindowFixture::settle();
            for (const char* box : {"deployment", "field:scheduler"}) {
                const auto* text = w().item(QLatin1String(box))->property("contentItem").value<QQuickItem*>();
                QVERIFY2(!text->property("truncated").toBool(), qPrintable(text->property("text").toString()));
            }
        }
    }

    // Regression: results and comparisons showed "deployment".
    void aDeploymentMadeByItsSchedulerIsCalledAfterIt() {
        QVERIFY(editor().edit(QStringLiteral("none"), [](Transaction& t) { t.remove(Pointer("/deployments")); }));
        QTRY_COMPARE(textOf("field:scheduler", "displayText"), QStringLiteral("Single thread"));
        pick(QStringLiteral("field:scheduler"), "scheduler:thread_pool");
        QTRY_COMPARE(editor().deployment(), QStringLiteral("thread_pool"));
        QVERIFY(at("/deployments/0") == jsonOf(R"({"name": "thread_pool", "scheduler": "thread_pool"})"));
    }

    void whatRunsWithoutBeingWrittenDownHasItsFields() {
        QVERIFY(editor().edit(QStringLiteral("none"), [](Transaction& t) { t.remove(Pointer("/deployments")); }));
        const Json before = editor().document().json();
        QTRY_VERIFY(w().item(QStringLiteral("field:chunk_items")) && w().item(QStringLiteral("field:wait")));
        WindowFixture::settle();
        put("field:chunk_items", "512");
        w().key(Qt::Key_Return);
        QVERIFY(at("/deployments") ==
                jsonOf(R"([{"name": "single_thread", "scheduler": "single_thread", "chunk_items": 512}])"));
        editor().undo(); // one undo step
        QVERIFY(editor().document().json() == before);
    }

    void anotherOneDoesNotReplaceTheOneThatIsNotWrittenDown() {
        QVERIFY(editor().edit(QStringLiteral("none"), [](Transaction& t) { t.remove(Pointer("/deployments")); }));
        w().click(QStringLiteral("addDeployment"));
        QCOMPARE(editor().deployments().size(), 2);
        QCOMPARE(editor().deployments().constFirst(), QStringLiteral("single_thread"));
        QCOMPARE(editor().deploymentIndex(), 1);
        w().key(Qt::Key_Escape);
        editor().undo();
        QVERIFY(editor().deployments().isEmpty());
    }

    // Regression: its menu entries were disabled without a reason.
    void theOneThatIsNotWrittenDownHasANameAndACopy() {
        QVERIFY(editor().edit(QStringLiteral("none"), [](Transaction& t) { t.remove(Pointer("/deployments")); }));
        QVERIFY(editor().actions().trigger(QStringLiteral("deployment.rename")));
        QTRY_VERIFY(w().item(QStringLiteral("deploymentName")));
        QCOMPARE(w().focusItem()->property("selectedText").toString(), QStringLiteral("single_thread"));
        w().type(QStringLiteral("alone"));
        w().key(Qt::Key_Return);
        QVERIFY(at("/deployments") == jsonOf(R"([{"name": "alone", "scheduler": "single_thread"}])"));
        editor().undo();
        QVERIFY(editor().deployments().isEmpty());
        editor().deploymentSettings()->duplicate();
        QCOMPARE(editor().deployments(),
                 QStringList({QStringLiteral("single_thread"), QStringLiteral("single_thread_2")}));
        QCOMPARE(editor().deploymentIndex(), 1);
        editor().undo(); // one undo step
        QVERIFY(editor().deployments().isEmpty());
    }

    void theDeploymentIsChosenByKeys() {
        const QStringList names = editor().deployments();
        QVERIFY(names.size() > 1);
        const int before = editor().deploymentIndex();
        const QObject* list = w().item(QStringLiteral("deployment"))->property("popup").value<QObject*>();
        command("choose the deployment");
        QTRY_VERIFY(list->property("opened").toBool());
        WindowFixture::settle();
        w().key(Qt::Key_Down);
        w().key(Qt::Key_Return);
        QTRY_COMPARE(editor().deploymentIndex(), before + 1);
        editor().setDeploymentIndex(before);
        QTRY_VERIFY(!list->property("visible").toBool());
        WindowFixture::settle(); // the fields move when the scheduler changes
    }

    void deploymentsAreMadeAndUnmade() {
        put("field:workers", "3");
        w().key(Qt::Key_Return);
        QVERIFY(at("/deployments/0/workers") == Json(3));

        editor().deploymentSettings()->duplicate();
        QCOMPARE(editor().deployment(), QStringLiteral("flow_2"));
        QVERIFY(editor().actions().trigger(QStringLiteral("deployment.rename")));
        QTRY_VERIFY(w().item(QStringLiteral("deploymentName")));
        w().type(QStringLiteral("quick"));
        w().key(Qt::Key_Return);
        QCOMPARE(editor().deployment(), QStringLiteral("quick"));
        QCOMPARE(lastStep(), QStringLiteral("Rename deployment flow_2 to quick"));
        QTRY_COMPARE(focused(),
                     QStringLiteral("deployment")); // its other settings are beside it

        pick(QStringLiteral("field:scheduler"), "scheduler:thread_pool");
        QTRY_VERIFY(at("/deployments/1/scheduler") == Json("thread_pool"));

        w().click(QStringLiteral("deploymentSettings"));
        QTRY_VERIFY(w().item(QStringLiteral("field:passes")));
        w().fill(QStringLiteral("field:passes"), QStringLiteral("12"));
        QVERIFY(at("/deployments/1/parameters/passes") == Json(12));
        w().click(QStringLiteral("field:lock"));
        QVERIFY(at("/deployments/1/memory/lock") == Json(true));

        // A new deployment has the name of its scheduler, and the editor asks for a name at once.
        const int steps = editor().document().undoStack().index();
        w().click(QStringLiteral("addDeployment"));
        QCOMPARE(editor().deployment(), QStringLiteral("flow_2"));
        QTRY_COMPARE(focused(), QStringLiteral("deploymentName"));
        QCOMPARE(w().focusItem()->property("selectedText").toString(), QStringLiteral("flow_2"));
        w().key(Qt::Key_Escape);
        QTRY_COMPARE(focused(), QStringLiteral("deployment"));
        editor().deploymentSettings()->chooseScheduler(QStringLiteral("work_stealing"));
        QCOMPARE(editor().deployment(), QStringLiteral("work_stealing"));
        QCOMPARE(lastStep(), QStringLiteral("Choose scheduler work_stealing: deployment flow_2 becomes work_stealing"));
        QCOMPARE(editor().document().undoStack().index(), steps + 2);
        QVERIFY(editor().deploymentSettings()->rename(QStringLiteral("mine")));
        editor().deploymentSettings()->chooseScheduler(QStringLiteral("flow"));
        QCOMPARE(editor().deployment(), QStringLiteral("mine"));
        QCOMPARE(lastStep(), QStringLiteral("Choose scheduler flow for mine"));
        while (editor().document().undoStack().index() > steps) editor().undo();
        QCOMPARE(editor().deployment(), QStringLiteral("quick")); // unchanged

        QVERIFY(editor().actions().trigger(QStringLiteral("deployment.delete")));
        QCOMPARE(editor().deployments().size(), 3);
        QVERIFY(editor().notice().contains(QStringLiteral("Undo")));
        editor().undo();
        QCOMPARE(editor().deployments().size(), 4);
        QCOMPARE(editor().deployment(), QStringLiteral("quick"));
    }
};

QTEST_MAIN(TestDeploymentWindow)
#include "moc_inspector_window.cpp"
#include "tst_deployment_window.moc"
