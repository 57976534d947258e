#include "inspector_window.h"

using namespace weir::editor;

/// Tests of the inspector with real input and the real command line.
class TestInspectorWindow : public InspectorWindow {
    Q_OBJECT

    void openProblems() {
        if (w().item(QStringLiteral("bottomPanel"))->height() < 100) w().click(QStringLiteral("tab:Problems"));
        WindowFixture::settle();
    }

  private slots:
    void expressionsShowTheirValues() {
        show("stage", "field:repeat");
        w().fill(QStringLiteral("field:repeat"), QStringLiteral("= 3 * stages"));
        QVERIFY(at("/graph/blocks/3/repeat") == Json({{"expr", "3 * stages"}}));
        const auto evaluated = [this] {
            const auto* model = qobject_cast<ParameterModel*>(editor().inspector()->properties());
            return model->row(QStringLiteral("repeat"))->evaluated;
        };
        QCOMPARE(evaluated(), QString::fromUtf8("→ …"));
        QTRY_COMPARE_WITH_TIMEOUT(evaluated(), QString::fromUtf8("→ 12"), 30000);
        QTRY_COMPARE(textOf("evaluated"), QString::fromUtf8("→ 12"));
    }

    void aFractionIsRefusedInItsField() {
        show("stage", "field:repeat");
        const std::string before = editor().document().canonicalText();
        w().fill(QStringLiteral("field:repeat"), QStringLiteral("2.5"));
        QCOMPARE(editor().document().canonicalText(), before);
        QTRY_VERIFY(w().item(QStringLiteral("fieldProblem")));
        QCOMPARE(textOf("field:repeat"), QStringLiteral("2.5"));
        w().key(Qt::Key_Escape);
        QTRY_COMPARE(textOf("field:repeat"), QStringLiteral("= stages"));
        QVERIFY(!w().item(QStringLiteral("fieldProblem")));
    }

    void aBlockHasThePolicyOfItsWorker() {
        show("gain", "field:block:policy");
        WindowFixture::settle();
        pick(QStringLiteral("field:block:policy"), "option:fifo");
        QTRY_VERIFY(at("/deployments/0/threads/gain") == jsonOf(R"({"policy": "fifo"})"));
        w().fill(QStringLiteral("field:block:priority"), QStringLiteral("80"));
        QVERIFY(at("/deployments/0/threads/gain") == jsonOf(R"({"policy": "fifo", "priority": 80})"));
        // The setting follows a renamed block, and each deployment has its own.
        QVERIFY(editor().inspector()->renameBlock(QStringLiteral("louder")));
        QVERIFY(at("/deployments/0/threads") == jsonOf(R"({"louder": {"policy": "fifo", "priority": 80}})"));
        QTRY_COMPARE(textOf("field:block:priority"), QStringLiteral("80"));
        editor().setDeploymentIndex(1);
        QTRY_COMPARE(textOf("field:block:priority"), QString());
        editor().setDeploymentIndex(0);
        editor().removeSelection();
        QVERIFY(at("/deployments/0/threads").is_null());
    }

    void namesAreCompletedWhileTyping() {
        show("gain", "field:constant");
        put("field:constant", "= 2 * sta");
        QTRY_VERIFY(w().item(QStringLiteral("completions")));
        w().key(Qt::Key_Return);
        QCOMPARE(textOf("field:constant"), QStringLiteral("= 2 * stages"));
        w().key(Qt::Key_Return);
        QVERIFY(at("/graph/blocks/2/parameters/constant") == Json({{"expr", "2 * stages"}}));
    }

    void severalBlocksAreSetAtOnce() {
        select({QStringLiteral("stage"), QStringLiteral("gain")});
        QTRY_VERIFY(w().item(QStringLiteral("field:probe")));
        QVERIFY(!w().item(QStringLiteral("field:constant")));
        QCOMPARE(w().item(QStringLiteral("field:repeat"))->property("placeholderText").toString(),
                 QStringLiteral("mixed"));
        w().click(QStringLiteral("field:probe"));
        QVERIFY(at("/graph/blocks/2/probe") == Json(true) && at("/graph/blocks/3/probe") == Json(true));
        QCOMPARE(lastStep(), QStringLiteral("Set probe of 2 blocks"));
    }

    void parametersAreDraggedAndRenamed() {
        QTRY_VERIFY(w().item(QStringLiteral("slider:stages")));
        const QQuickItem* slider = w().item(QStringLiteral("slider:stages"));
        const QPoint left =
            slider->mapToScene(QPointF(8 + (slider->width() - 16) * 3 / 63, slider->height() / 2)).toPoint();
        w().drag(left, left + QPoint(60, 0));
        const Json dragged = at("/parameters/stages/value");
        QVERIFY2(dragged.is_number_integer() && dragged.get<int>() > 10, dragged.dump().c_str());
        QCOMPARE(lastStep(), QStringLiteral("Set stages"));
        editor().undo();
        QVERIFY(at("/parameters/stages/value") == Json(4));

        w().fill(QStringLiteral("parameterName:stages"), QStringLiteral("copies"));
        QCOMPARE(lastStep(), QStringLiteral("Rename parameter stages to copies"));
        QVERIFY(at("/graph/blocks/3/repeat") == Json({{"expr", "copies"}}));
        QTRY_VERIFY(w().item(QStringLiteral("parameter:copies")));

        w().click(QStringLiteral("newParameter"));
        w().type(QStringLiteral("rate"));
        w().key(Qt::Key_Return);
        QTRY_VERIFY(w().item(QStringLiteral("parameter:rate")));
        w().fill(QStringLiteral("parameter:rate"), QStringLiteral("2.4M"));
        QVERIFY(at("/parameters/rate/value") == Json({{"expr", "2.4M"}}));
    }

    void aFieldFollowsTheDocumentAfterEscape() {
        QTRY_VERIFY(w().item(QStringLiteral("expand:stages")));
        w().click(QStringLiteral("expand:stages"));
        QTRY_VERIFY(w().item(QStringLiteral("minimum:stages")));
        w().click(QStringLiteral("minimum:stages"));
        w().type(QStringLiteral("9"));
        w().key(Qt::Key_Escape);
        editor().edit(QStringLiteral("Set"), [](Transaction& t) { t.set(Pointer("/parameters/stages/minimum"), 2); });
        QCOMPARE(textOf("minimum:stages"), QStringLiteral("2"));
    }

    void aClickOnAProblemLeadsToItsField() {
        QVERIFY(editor().edit(QStringLiteral("break"), [](Transaction& t) {
            t.set(Pointer("/graph/blocks/3/repeat"), {{"expr", "2 * stagse"}});
            t.set(Pointer("/deployments/0/build/march"), "no such thing");
            t.set(Pointer("/run/warmup_items"), {{"expr", "1 +"}});
        }));
        QVERIFY(waitForAnswer());
        const auto problemAt = [this](const char* pointer) {
            const auto& problems = editor().problemModel().problems();
            for (std::size_t row = 0; row < problems.size(); ++row)
                if (problems[row].pointer == QLatin1String(pointer)) return static_cast<int>(row);
            return -1;
        };
        const int run = problemAt("/run/warmup_items");
        QVERIFY(run >= 0);
        openProblems();
        QTRY_VERIFY(w().item(QStringLiteral("problem:%1").arg(run)));
        w().click(QStringLiteral("problem:%1").arg(run));
        QTRY_COMPARE(focused(), QStringLiteral("field:warmup_items"));
        QVERIFY(w().item(QStringLiteral("deploymentPanel")));

        const int march = problemAt("/deployments/0/build/march");
        QVERIFY(march >= 0);
        w().click(QStringLiteral("problem:%1").arg(march));
        QTRY_COMPARE(focused(), QStringLiteral("field:march"));

        const int repeat = problemAt("/graph/blocks/3/repeat");
        QVERIFY(repeat >= 0);
        editor().inspector()->setTab(Inspector::Docs);
        w().click(QStringLiteral("problem:%1").arg(repeat));
        QTRY_COMPARE(focused(), QStringLiteral("field:repeat"));
        QCOMPARE(editor().selection().onlyBlock(), QStringLiteral("stage"));
        // A click corrects the misspelt name.
        QTRY_VERIFY(w().item(QStringLiteral("fix")));
        // The block's index changes before the next answer, and the fix still applies to this block.
        const std::string first = at("/graph/blocks/0/id").get<std::string>();
        const Json neighbour = at("/graph/blocks/4");
        QVERIFY(editor().edit(QStringLiteral("remove"), [&](Transaction& t) { removeParts(t, {first}, {}); }));
        QVERIFY(!editor().isChecked());
        QTRY_VERIFY(w().item(QStringLiteral("fix")));
        QVERIFY(!w().window->grabWindow().isNull());  // the button has its final place only after a frame
        w().click(QStringLiteral("fix"));
        QVERIFY(at("/graph/blocks/2/repeat") == Json({{"expr", "2 * stages"}}));
        QVERIFY(at("/graph/blocks/3") == neighbour);
    }

    void whatIsTypedIsForWhatWasShown() {
        QVERIFY(editor().edit(QStringLiteral("break"),
                              [](Transaction& t) { t.set(Pointer("/run/warmup_items"), {{"expr", "1 +"}}); }));
        QVERIFY(waitForAnswer());
        show("gain", "field:constant");
        openProblems();
        QTRY_VERIFY(w().item(QStringLiteral("problem:0")));
        put("field:constant", "0.25");
        // Showing another block does not move the focus.
        editor().goTo(QStringLiteral("sink"));
        const auto constant = [this] {
            for (const Json& block : at("/graph/blocks"))
                if (text(member(block, "id")) == "gain") return *find(block, Pointer("/parameters/constant"));
            return Json();
        };
        QVERIFY2(constant() == Json(0.25), constant().dump().c_str());
        QCOMPARE(editor().selection().onlyBlock(), QStringLiteral("sink"));

        editor().deploymentSettings()->showRun(QStringLiteral("items"));
        QTRY_VERIFY(w().item(QStringLiteral("field:items")));
        put("field:items", "1234567");
        w().click(QStringLiteral("problem:0"));
        QTRY_VERIFY(at("/run/items") == Json(1234567));
    }

    void whatWasTypedIsTakenByAClickBesideTheField() {
        show("gain", "field:constant");
        put("field:constant", "0.75");
        const QQuickItem* pane = w().item(QStringLiteral("inspectorPane"));
        w().click(pane->mapToScene({pane->width() / 2, pane->height() - 60}).toPoint());
        QTRY_VERIFY(at("/graph/blocks/2/parameters/constant") == Json(0.75));
        QVERIFY(w().item(QStringLiteral("field:constant")));  // the inspector shows the same field as before
        // A second click keeps the focus in the field.
        w().click(QStringLiteral("field:constant"));
        w().click(QStringLiteral("field:constant"));
        QCOMPARE(focused(), QStringLiteral("field:constant"));
    }

    void aMendedFieldHasNoErrorOfTheLastRun() {
        // A diagnostic of a run with other options than the project's.
        const Json& project = editor().document().json();
        editor().problemModel().setBuildProblems(problemsFrom(jsonOf(R"({"diagnostics": [{"code": "E_VALUE_RANGE",
            "severity": "error", "pointer": "/run/items", "message": "nothing is left to measure", "hint": ""}]})"),
                                                              project),
                                                 project);
        editor().deploymentSettings()->showRun(QStringLiteral("items"));
        const auto wrong = [this] {
            const QQuickItem* field = w().item(QStringLiteral("field:items"));
            return field && field->property("wrong").toBool();
        };
        QTRY_VERIFY(wrong());
        w().fill(QStringLiteral("field:items"), QStringLiteral("2M"));
        QVERIFY(!wrong());
        QVERIFY(!w().item(QStringLiteral("problem:0")));
        editor().undo();
        QVERIFY(waitForAnswer());
        QVERIFY(!wrong());
    }

    void tabGoesToTheNextValue() {
        show("gain", "field:constant");
        w().click(QStringLiteral("field:constant"));
        QVERIFY(w().item(QStringLiteral("reset:constant")));
        w().key(Qt::Key_A, Qt::ControlModifier);
        w().type(QStringLiteral("0.25"));
        w().key(Qt::Key_Tab);
        QVERIFY(find(editor().document().json(), Pointer("/graph/blocks/2/parameters/constant"))->get<double>() ==
                0.25);
        QCOMPARE(focused(), QStringLiteral("field:state"));
        QCOMPARE(w().focusItem()->property("currentIndex").toInt(), 0);  // the default is the first option
        w().key(Qt::Key_Backtab, Qt::ShiftModifier);
        QCOMPARE(focused(), QStringLiteral("field:constant"));
        // Typing replaces the value.
        w().type(QStringLiteral("4"));
        w().key(Qt::Key_Return);
        QVERIFY(at("/graph/blocks/2/parameters/constant") == Json(4));
        w().key(Qt::Key_Backspace, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(at("/graph/blocks/2/parameters/constant").is_null());
        QCOMPARE(focused(), QStringLiteral("field:constant"));
    }

    // Regression: the next field took Ctrl+Z, although it had nothing to undo.
    void undoInAFieldIsOfWhatIsTypedThereOrElseOfTheProject() {
        show("gain", "field:constant");
        const Json before = at("/graph/blocks/2/parameters/constant");
        put("field:constant", "8");
        w().key(Qt::Key_Z, Qt::ControlModifier);  // undoes the uncommitted text
        QVERIFY(lastStep().isEmpty());
        w().key(Qt::Key_A, Qt::ControlModifier);
        w().type(QStringLiteral("8"));
        w().key(Qt::Key_Return);
        QVERIFY(at("/graph/blocks/2/parameters/constant") == Json(8));
        w().key(Qt::Key_Z, Qt::ControlModifier);  // undoes the committed change, with the focus still in the field
        QVERIFY(at("/graph/blocks/2/parameters/constant") == before);
        w().key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(at("/graph/blocks/2/parameters/constant") == Json(8));
        w().click(QStringLiteral("field:comment"));
        const QString next = focused();
        w().key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(at("/graph/blocks/2/parameters/constant") == before);
        QCOMPARE(focused(), next);
    }

    void aNewBlockIsUnfinishedAndNotWrong() {
        QCOMPARE(textOf("problemSummary"), QStringLiteral("No problems"));
        QVERIFY(editor().tools()->inserter()->add(QStringLiteral("file_sink"), {100, 500}));
        const QString block = editor().selection().onlyBlock();
        QVERIFY(waitForAnswer());
        QCOMPARE(editor().problemCount(), 1);
        QCOMPARE(editor().worstSeverity(), kUnfinished);
        QCOMPARE(textOf("problemSummary"), QStringLiteral("1 thing to finish"));
        QCOMPARE(textOf("hindrances"), QStringLiteral("1 thing to finish"));
        // The unfinished block is named, whatever is selected.
        QVERIFY2(textOf("onlyProblem").contains(QStringLiteral("needs a value for its parameter “path”")),
                 qPrintable(textOf("onlyProblem")));
        QVERIFY(!w().item(QStringLiteral("block:") + block)->property("wrong").toBool());
        QTRY_VERIFY(textOf("blockProblem").startsWith(QStringLiteral("Not finished yet: ")));
        QVERIFY2(textOf("blockProblem").contains(QStringLiteral("needs a value for its parameter “path”")),
                 qPrintable(textOf("blockProblem")));
        // Backticks of the command line's messages appear as quotation marks in the window.
        for (const QQuickItem* item : w().window->contentItem()->findChildren<QQuickItem*>())
            QVERIFY2(!item->property("text").toString().contains(u'`'), qPrintable(item->property("text").toString()));
        QCOMPARE(textOf("fieldProblem"), QStringLiteral("Enter a value"));
        // A block that was complete and then lost a connection is an error, not unfinished.
        QVERIFY(
            editor().edit(QStringLiteral("cut"), [](Transaction& t) { t.remove(Pointer("/graph/connections/3")); }));
        QVERIFY(waitForAnswer());
        QCOMPARE(editor().unfinishedCount(), 1);
        QCOMPARE(editor().worstSeverity(), QStringLiteral("error"));
        QCOMPARE(textOf("hindrances"), QStringLiteral("3 errors · 1 thing to finish"));
    }

    void theNumberOfProblemsLeadsToThem() {
        QVERIFY(editor().tools()->inserter()->add(QStringLiteral("file_sink"), {100, 500}));
        const QString block = editor().selection().onlyBlock();
        QVERIFY(waitForAnswer());
        auto* panel = w().window->findChild<QObject*>(QStringLiteral("bottomPanel"));
        for (const bool byKey : {false, true}) {
            panel->setProperty("open", false);
            panel->setProperty("tab", 1);
            editor().selection().clear();
            QTRY_VERIFY(w().item(QStringLiteral("hindrances")));
            WindowFixture::settle();
            if (byKey) {
                w().item(QStringLiteral("hindrances"))->forceActiveFocus(Qt::TabFocusReason);
                w().key(Qt::Key_Return);
            } else {
                w().click(QStringLiteral("hindrances"));
            }
            QTRY_VERIFY(w().item(QStringLiteral("problem:0")));
            QVERIFY(panel->property("open").toBool());
            QCOMPARE(editor().selection().onlyBlock(), block);
        }
    }

    void whatIsOpenedBringsItsOwnParameters() {
        const Json before = editor().document().json();
        auto* rows =
            qobject_cast<QAbstractItemModel*>(editor().projectParameters()->property("model").value<QObject*>());
        QVERIFY(rows && rows->rowCount() > 0);
        Json other = before;
        other["parameters"] = Json::object();
        editor().document().startWith(other);
        QCOMPARE(rows->rowCount(), 0);  // empty before the first check of this project
        QVERIFY(!editor().isChecked());
        editor().document().startWith(before);
        QVERIFY(rows->rowCount() > 0);
        QTRY_VERIFY_WITH_TIMEOUT(editor().isChecked(), 30000);
    }

    void enterOnABlockLeadsToItsFirstValue() {
        select({QStringLiteral("gain")});
        QTRY_VERIFY(w().item(QStringLiteral("field:item_type")) && w().item(QStringLiteral("field:constant")));
        w().canvas()->forceActiveFocus();
        w().key(Qt::Key_Return);
        w().key(Qt::Key_A, Qt::ControlModifier);
        w().type(QStringLiteral("3"));
        w().key(Qt::Key_Return);
        QVERIFY(at("/graph/blocks/2/parameters/constant") == Json(3));
        editor().undo();
        // Missing values come first, even the item type.
        QVERIFY(editor().edit(QStringLiteral("forget"),
                              [](Transaction& t) { t.remove(Pointer("/graph/blocks/0/parameters/item_type")); }));
        QVERIFY(waitForAnswer());
        select({QStringLiteral("source")});
        QTRY_COMPARE(textOf("fieldProblem"), QStringLiteral("Enter a value"));
        w().canvas()->forceActiveFocus();
        w().key(Qt::Key_Return);
        QTRY_COMPARE(focused(), QLatin1String("field:item_type"));
    }

    void whatHasAnObviousMendHasAButton() {
        QVERIFY(editor().edit(QStringLiteral("break"), [](Transaction& t) {
            t.set(Pointer("/graph/blocks/3/repeat"), {{"expr", "stages * gian"}});
            t.set(Pointer("/graph/blocks/4/parameters"), {{"item_type", "i16"}});
        }));
        QVERIFY(waitForAnswer());
        show("stage", "fix");
        QCOMPARE(textOf("fix"), QStringLiteral("Define the parameter gian"));
        w().click(QStringLiteral("fix"));
        QVERIFY(at("/parameters/gian") == jsonOf(R"({"value": 1})"));
        QCOMPARE(lastStep(), QStringLiteral("Define the parameter gian"));
        QVERIFY(waitForAnswer());
        // The list of problems offers fixes for a wire between different types.
        const auto fixNamed = [this](const QString& title) {
            for (int fix = 0; fix < 4; ++fix)
                if (const QString name =
                        fix == 0 ? QStringLiteral("fixProblem:0") : QStringLiteral("fixProblem:0:%1").arg(fix);
                    textOf(name.toLatin1()) == title)
                    return name;
            return QString();
        };
        const QString put = QStringLiteral("Put float_to_integer between");
        QTRY_VERIFY(!fixNamed(put).isEmpty());
        WindowFixture::settle();
        w().click(fixNamed(put));
        QCOMPARE(lastStep(), put);
        QVERIFY(waitForAnswer());
        QCOMPARE(editor().problemCount(), 0);
        editor().undo();
        QVERIFY(waitForAnswer());
        const QString make = QStringLiteral("Make sink f32");
        QTRY_VERIFY(!fixNamed(make).isEmpty());
        WindowFixture::settle();
        // By keys: once no problem is left, the focus returns to the canvas.
        w().item(fixNamed(make))->forceActiveFocus(Qt::TabFocusReason);
        w().key(Qt::Key_Return);
        QVERIFY(at("/graph/blocks/4/parameters/item_type") == Json("f32"));
        QVERIFY(waitForAnswer());
        QCOMPARE(editor().problemCount(), 0);
        QTRY_COMPARE(w().focusItem(), w().canvas());
        QVERIFY(editor().actions().trigger(QStringLiteral("view.problems")));
        QTRY_COMPARE(focused(), QStringLiteral("problems"));
    }

    void aFileIsForTheFieldThatItWasAskedFor() {
        QVERIFY(editor().edit(QStringLiteral("add"), [](Transaction& t) {
            addBlock(t, "front", "file_source", {0, 0});
            addBlock(t, "other", "file_source", {0, 200});
            addBlock(t, "file", "file_source", {0, 400});
        }));
        Inspector& inspector = *editor().inspector();
        auto* parameters = qobject_cast<ParameterModel*>(inspector.parameters());
        const auto pathOf = [this](const char* id) {
            const auto block = blockPointer(editor().document().json(), id);
            const Json* path = block ? find(editor().document().json(), *block / "parameters" / "path") : nullptr;
            return path ? *path : Json();
        };
        select({QStringLiteral("other")});
        editor().fields()->requestFile(parameters, parameters->indexOf(QStringLiteral("path")));
        // While the dialog is open, the block's index changes, and the inspector shows another block.
        QVERIFY(editor().edit(QStringLiteral("remove"), [](Transaction& t) { removeParts(t, {"front"}, {}); }));
        select({QStringLiteral("file")});
        editor().fields()->takeFile(QUrl::fromLocalFile(QStringLiteral("/data/x.cf32")));
        QVERIFY2(pathOf("other") == Json("/data/x.cf32") && pathOf("file").is_null(), pathOf("other").dump().c_str());
        editor().fields()->requestFile(parameters, parameters->indexOf(QStringLiteral("path")));
        QVERIFY(editor().edit(QStringLiteral("remove"), [](Transaction& t) { removeParts(t, {"file"}, {}); }));
        const std::string text = editor().document().canonicalText();
        editor().fields()->takeFile(QUrl::fromLocalFile(QStringLiteral("/data/y.cf32")));
        QCOMPARE(editor().document().canonicalText(), text);
        QVERIFY(editor().notice().contains(QStringLiteral("no longer exists")));
        QTRY_VERIFY(w().item(QStringLiteral("fileAccept")));
        w().key(Qt::Key_Escape);
        QTRY_VERIFY(!w().item(QStringLiteral("fileAccept")));
    }

    void portsLeadToTheirPeers() {
        select({QStringLiteral("gain")});
        w().click(QStringLiteral("tab:Ports"));
        QTRY_VERIFY(w().item(QStringLiteral("peer:stage")));
        // The mark matches the port on the canvas, in its shape and in whether it is filled.
        QCOMPARE(textOf("portMark:out", "type"), textOf("port:gain.out", "type"));
        QVERIFY(!textOf("portMark:out", "type").isEmpty());
        QVERIFY(w().item(QStringLiteral("portMark:out"))->property("connected").toBool());
        w().click(QStringLiteral("peer:stage"));
        QCOMPARE(editor().selection().onlyBlock(), QStringLiteral("stage"));
        w().click(QStringLiteral("tab:Docs"));
        QTRY_VERIFY(textOf("documentation").size() > 20);
        QVERIFY(w().item(QStringLiteral("source")));
        w().click(QStringLiteral("tab:Runtime"));
        w().click(QStringLiteral("tab:Parameters"));
        QTRY_VERIFY(w().item(QStringLiteral("field:a")));
    }
};

QTEST_MAIN(TestInspectorWindow)
#include "moc_inspector_window.cpp"
#include "tst_inspector_window.moc"
