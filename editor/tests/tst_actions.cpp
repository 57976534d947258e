#include "other_language.h"
#include "window_fixture.h"

#include <QAbstractItemModelTester>
#include <QSet>

using namespace Qt::StringLiterals;
using namespace weir::editor;

/// Tests of the list of actions and of its uses: keys, menus and the command palette.
class TestActions : public QObject {
    Q_OBJECT

    /// Counts the actions that can be triggered. The others are only listed.
    static int commands(const Actions& actions) {
        int count = 0;
        for (int row = 0; row < actions.rowCount(); ++row)
            count += !actions.index(row).data(Actions::ListedOnlyRole).toBool();
        return count;
    }

  private slots:
    void initTestCase() {
        setUpApplication();
        WindowFixture::failOnQmlWarnings();
    }

    void everyActionIsSaidOnceAndItsKeysAreFree() {
        Editor editor{CliCommand()};
        const Actions& actions = editor.actions();
        QAbstractItemModelTester tester(&editor.actions());
        QSet<QString> ids, keys;
        for (int row = 0; row < actions.rowCount(); ++row) {
            const QModelIndex at = actions.index(row);
            const QString id = at.data(Actions::ActionIdRole).toString();
            QVERIFY2(!ids.contains(id), qPrintable(id));
            const QString title = at.data(Actions::TitleRole).toString();
            QVERIFY2(!title.isEmpty() && title[0].isUpper() && !title.contains(u" …"_s),
                     qPrintable(id + u": "_s + title));
            ids.insert(id);
            for (const QString& key : at.data(Actions::ShortcutsRole).toStringList()) {
                QVERIFY2(at.data(Actions::ListedOnlyRole).toBool() || !QKeySequence(key).isEmpty(), qPrintable(key));
                QVERIFY2(!keys.contains(key), qPrintable(id + u": "_s + key));
                keys.insert(key);
            }
        }
    }

    void theFilterFindsByLetters() {
        Editor editor{CliCommand()};
        ActionFilter filter;
        QAbstractItemModelTester tester(&filter);
        filter.setSourceModel(&editor.actions());
        QCOMPARE(filter.rowCount(), commands(editor.actions()));
        filter.setTyped(u"undo"_s);
        QCOMPARE(filter.idAt(0), u"edit.undo"_s);
        filter.setTyped(u"sav as"_s);
        QCOMPARE(filter.idAt(0), u"file.save_as"_s);
        filter.setTyped(u"view fit"_s);
        QCOMPARE(filter.idAt(0), u"view.fit"_s);
        // Without a deployment the actions that rename or delete one are disabled.
        filter.setTyped(u"deployment"_s);
        QVERIFY2(editor.actions().isEnabled(filter.idAt(0)), qPrintable(filter.idAt(0)));
        filter.setTyped(u"scheduler"_s);
        QCOMPARE(filter.idAt(0), u"deployment.scheduler"_s);
        filter.setTyped(u"deployment set"_s); // words in another order than in the title
        QCOMPARE(filter.idAt(0), u"deployment.settings"_s);
        // Each visible control is found by the word of its label.
        for (const auto& [word, id] : {std::pair{u"profile"_s, u"results.profile"_s},
                                       {u"options"_s, u"run.options"_s},
                                       {u"chunk"_s, u"deployment.chunk"_s},
                                       {u"waiting"_s, u"deployment.waiting"_s},
                                       {u"pin"_s, u"mapping.map_to"_s},
                                       {u"8 times"_s, u"run.all"_s},
                                       {u"items"_s, u"deployment.items"_s},
                                       {u"repetitions"_s, u"run.options"_s}}) {
            filter.setTyped(word);
            QCOMPARE(filter.idAt(0), id);
        }
        // Scattered letters match only if no word begins with the typed text.
        filter.setTyped(u"wire"_s);
        QVERIFY(filter.rowCount() > 0);
        for (int row = 0; row < filter.rowCount(); ++row)
            QVERIFY2(filter.index(row, 0).data(Actions::TitleRole).toString().contains(u"wire"_s),
                     qPrintable(filter.idAt(row)));
        filter.setTyped(u"zmin"_s);
        QVERIFY(filter.rowCount() > 0);
        filter.setTyped(u"xyzzy"_s);
        QCOMPARE(filter.rowCount(), 0);
    }

    void whatIsNotPossibleNowDoesNothing() {
        Editor editor{CliCommand()};
        QVERIFY(!editor.actions().trigger(u"edit.undo"_s));
        editor.setCatalog(testCatalog());
        QVERIFY(editor.tools()->inserter()->add(u"copy"_s, {}));
        QVERIFY(editor.actions().trigger(u"edit.undo"_s));
        QVERIFY(editor.isEmpty());
        QVERIFY(!editor.actions().trigger(u"no.such"_s));
    }

    void commandsAreFoundByTyping() {
        ReadyWindow w({});
        w.key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(w.item(u"commandField"_s));
        w.type(u"mapping"_s);
        w.key(Qt::Key_Return);
        QTRY_COMPARE(w.editor->view(), u"lanes"_s);
        QTRY_VERIFY(!w.item(u"commandField"_s));
        w.key(Qt::Key_1, Qt::AltModifier);
        QCOMPARE(w.editor->view(), u"canvas"_s);
        w.click(u"tab:Code"_s);
        QCOMPARE(w.editor->view(), u"code"_s);
    }

    void theKeysAreListed() {
        ReadyWindow w({});
        w.canvas()->forceActiveFocus();
        const auto opens = [&w](Qt::Key key) {
            w.key(key);
            return QTest::qWaitFor(
                [&w] { return w.item(u"commandField"_s) && w.item(u"commandField"_s)->hasActiveFocus(); });
        };
        QVERIFY(opens(Qt::Key_F1));
        const QVariant model = w.item(u"commandList"_s)->property("model");
        auto* filter = model.value<ActionFilter*>();
        const Actions& all = w.editor->actions();
        int keyed = 0;
        for (int row = 0; row < all.rowCount(); ++row)
            keyed += !all.index(row).data(Actions::ShortcutsRole).toStringList().isEmpty();
        QVERIFY(keyed > 30);
        QCOMPARE(filter->rowCount(), keyed);
        w.type(u"ctrl+shift+z"_s);
        QCOMPARE(filter->idAt(0), u"edit.redo"_s);
        w.key(Qt::Key_A, Qt::ControlModifier);
        w.type(u"rename the deployment"_s);
        QCOMPARE(filter->idAt(0), u"deployment.rename"_s); // has no key, but is still found
        // An action without a key shows none for the graph either.
        const int row = all.match(all.index(0), Actions::ActionIdRole, u"graph.insert_on_wire"_s).value(0).row();
        QVERIFY(all.index(row).data(Actions::OnCanvasRole).toBool());
        w.key(Qt::Key_A, Qt::ControlModifier);
        w.type(u"block into the wire"_s);
        QTRY_COMPARE(filter->idAt(0), u"graph.insert_on_wire"_s);
        QTRY_COMPARE(filter->rowCount(), 1);
        QCOMPARE(w.item(u"commandKeys"_s)->property("text").toString(), QString());
        // The list also shows keys that the graph reads itself, which appear nowhere else.
        w.key(Qt::Key_A, Qt::ControlModifier);
        w.type(u"arrows"_s);
        QVERIFY(filter->index(0, 0).data(Actions::ListedOnlyRole).toBool());
        w.key(Qt::Key_Return);
        QVERIFY(w.item(u"commandField"_s)); // the action only documents keys, so Enter does nothing
        w.key(Qt::Key_A, Qt::ControlModifier);
        w.key(Qt::Key_Delete);
        w.key(Qt::Key_PageDown);
        QVERIFY(w.item(u"commandList"_s)->property("currentIndex").toInt() > 5);
        w.key(Qt::Key_PageUp);
        QCOMPARE(w.item(u"commandList"_s)->property("currentIndex").toInt(), 0);
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!w.item(u"commandField"_s));
        QTRY_COMPARE(w.focusItem(), w.canvas());
        QVERIFY(w.editor->actions().trigger(u"view.commands"_s));
        QVERIFY(
            QTest::qWaitFor([&w] { return w.item(u"commandField"_s) && w.item(u"commandField"_s)->hasActiveFocus(); }));
        QCOMPARE(filter->rowCount(), commands(all));
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!w.item(u"commandField"_s));
        QTRY_COMPARE(w.focusItem(), w.canvas());
        QVERIFY(opens(Qt::Key_Question));
        w.key(Qt::Key_Question);
        QCOMPARE(w.item(u"commandField"_s)->property("text").toString(), u"?"_s);
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!w.item(u"commandField"_s));
        // In a text field "?" is text and opens no list of commands.
        w.click(u"paletteSearch"_s);
        w.key(Qt::Key_Question);
        QCOMPARE(w.editor->palette()->filter(), u"?"_s);
        QVERIFY(!w.item(u"commandField"_s));
        w.key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(w.item(u"commandField"_s));
        QCOMPARE(filter->rowCount(), commands(all));
    }

    void theMenuOffersEveryGroup_data() {
        QTest::addColumn<bool>("translated");
        QTest::newRow("as it is written") << false;
        QTest::newRow("in another language") << true;
    }

    void theMenuOffersEveryGroup() {
        QFETCH(bool, translated);
        OtherLanguage other;
        if (translated) QVERIFY(QCoreApplication::installTranslator(&other));
        ReadyWindow w(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json"));
        for (const QString& group : w.editor->actions().groups()) {
            w.click(u"menu"_s);
            QTRY_VERIFY(w.item(u"menu:"_s + group));
            w.click(u"menu:"_s + group);
            for (const QString& id : w.editor->actions().idsOf(group))
                QTRY_VERIFY2(w.item(u"menu:"_s + id), qPrintable(id));
            w.key(Qt::Key_Escape);
            w.key(Qt::Key_Escape);
            QTRY_VERIFY(!w.item(u"menu:"_s + group));
        }
    }

    void theMenuAndThePanesAreReachedByKey() {
        ReadyWindow w(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json"));
        w.canvas()->forceActiveFocus();
        w.key(Qt::Key_F10);
        QTRY_VERIFY(w.item(u"menu:file"_s));
        w.settle();
        w.key(Qt::Key_Right);
        QTRY_VERIFY(w.item(u"menu:file.import_grc"_s));
        QTRY_VERIFY(w.item(u"menu:file.new"_s)->property("highlighted").toBool());
        w.settle();
        QVERIFY(w.item(u"menu:file.new"_s)->property("highlighted").toBool());
        w.key(Qt::Key_Down);
        QVERIFY(w.item(u"menu:file.open"_s)->property("highlighted").toBool());
        const auto marked = [&w](const QString& id) {
            return w.item(u"menu:"_s + id)->property("highlighted").toBool();
        };
        w.key(Qt::Key_Up);
        w.key(Qt::Key_Up);
        QVERIFY(marked(u"file.quit"_s)); // wraps around
        w.key(Qt::Key_Down);
        QVERIFY(marked(u"file.new"_s));
        w.type(u"q"_s);
        QVERIFY(marked(u"file.quit"_s));
        w.type(u"n"_s);
        QVERIFY(marked(u"file.new"_s));
        w.key(Qt::Key_Escape);
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!w.item(u"menu:file"_s));
        QTRY_COMPARE(w.focusItem(), w.canvas());
        for (const char* pane : {"InspectorPane_", "BottomPanel_", "PalettePane_", "DeploymentBar_"}) {
            w.key(Qt::Key_F6, Qt::ControlModifier);
            const QQuickItem* above = w.focusItem();
            while (above && !QLatin1String(above->metaObject()->className()).startsWith(QLatin1String(pane)))
                above = above->parentItem();
            QVERIFY2(above, qPrintable(QLatin1String(pane) + u": "_s +
                                       QLatin1String(w.focusItem()->metaObject()->className())));
        }
        w.key(Qt::Key_F6, Qt::ControlModifier);
        QCOMPARE(w.focusItem(), w.canvas());
        QVERIFY(w.editor->selection().isEmpty());
        QTRY_VERIFY(w.item(u"canvasRing"_s));
        w.key(Qt::Key_F6, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(w.focusItem(), w.item(u"deployment"_s));
        w.key(Qt::Key_F6, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(w.focusItem(), w.item(u"insertButton"_s));
        w.key(Qt::Key_F6, Qt::ControlModifier);
        w.key(Qt::Key_F6, Qt::ControlModifier);
        QCOMPARE(w.focusItem(), w.canvas());
    }

    void escapeTakesANoticeAway() {
        ReadyWindow w(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json"));
        w.canvas()->forceActiveFocus();
        w.editor->setNotice(u"Told."_s);
        QTRY_VERIFY(w.item(u"notice"_s));
        w.key(Qt::Key_Escape);
        QCOMPARE(w.editor->notice(), QString());
        w.editor->setView(u"results"_s);
        w.editor->setNotice(u"Told there."_s);
        w.key(Qt::Key_Escape);
        QCOMPARE(w.editor->notice(), QString());
        QCOMPARE(w.editor->view(), u"results"_s);
    }

    void aPageTakesTheKeys() {
        ReadyWindow w(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json"));
        w.key(Qt::Key_5, Qt::AltModifier);
        QCOMPARE(w.focusItem(), w.item(u"runForCompare"_s));
        QVERIFY(w.focusItem()->property("visualFocus").toBool());
        // If no control on the page can take the focus, the page shows the focus itself.
        w.editor->document().startNew();
        WindowFixture::settle();
        w.key(Qt::Key_5, Qt::AltModifier);
        QTRY_VERIFY(w.item(u"pageRing"_s));
        // After a click, no focus ring is shown.
        w.click(u"tab:Graph"_s);
        w.click(u"tab:Compare"_s);
        QTRY_COMPARE(w.editor->view(), u"compare"_s);
        WindowFixture::settle();
        QVERIFY(!w.item(u"pageRing"_s));
    }

    void whatIsNotSeenTakesNoKeys() {
        ReadyWindow w(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json"));
        w.canvas()->forceActiveFocus();
        w.editor->goTo(w.editor->scene().blocks().front().id);
        for (const bool byMouse : {false, true}) {
            byMouse ? w.click(u"tab:Mapping"_s) : w.key(Qt::Key_2, Qt::AltModifier);
            QTRY_COMPARE(w.focusItem(), w.item(u"lanes"_s));
            w.key(Qt::Key_D); // on the canvas, D would disable the block
            QVERIFY(!w.editor->isModified());
            w.key(Qt::Key_1, Qt::AltModifier);
            QTRY_COMPARE(w.focusItem(), w.canvas());
        }
        w.key(Qt::Key_Return);
        QTRY_VERIFY(w.focusItem() != w.canvas());
        w.key(Qt::Key_E, Qt::ControlModifier); // hides the inspector with the focused field
        QTRY_COMPARE(w.focusItem(), w.canvas());
        w.key(Qt::Key_E, Qt::ControlModifier);
    }

    void lettersAreTextInFields() {
        ReadyWindow w(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json"));
        w.editor->selectAll();
        w.click(u"paletteSearch"_s);
        w.type(u"ed"_s);
        w.key(Qt::Key_Backspace);
        QCOMPARE(w.editor->palette()->filter(), u"e"_s);
        QVERIFY(!w.editor->isModified());
        // A new project clears the filter of the palette.
        w.editor->files()->newProject();
        QCOMPARE(w.item(u"paletteSearch"_s)->property("text").toString(), QString());
        QVERIFY(w.editor->palette()->rows().size() > 20);
    }
};

QTEST_MAIN(TestActions)
#include "tst_actions.moc"
