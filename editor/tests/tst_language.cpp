#include "features/canvas/graph_reader.h"
#include "other_language.h"
#include "results_fixture.h"
#include "window_fixture.h"
#include "window_words.h"

using namespace Qt::StringLiterals;
using namespace weir::editor;

namespace {

constexpr int kAnswerMs = 30000;
const QString kExample = QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json");

} // namespace

/// Tests of the window in another language, with a screen reader, and without a pointer.
class TestLanguage : public QObject {
    Q_OBJECT

    /// Marks texts that are data: the project, the catalog, the runs, and the command line's messages about them.
    static void knowData(WindowWords& words, WindowFixture& w) {
        words.know(w.editor->document().json());
        for (const BlockView& block : w.editor->scene().blocks())
            for (const ParameterView& parameter : block.parameters)
                words.know(parameter.value); // a default from the catalog, with its unit
        for (const Problem& problem : w.editor->problemModel().problems())
            for (const QString& said : {problem.message, problem.hint, problem.code, problem.place}) words.know(said);
        for (const QString& said : w.editor->comparison()->remarks() + w.editor->results()->run()->reasons())
            words.know(said);
        for (const QString& said : {w.editor->documentName(), w.editor->folder().toLocalFile(), QDir::homePath(),
                                    w.editor->mapping()->machineName()})
            words.know(said);
        for (const DoctorFinding& found : w.editor->doctor()->rows())
            for (const QString& said :
                 QStringList{found.title, found.message, found.why, found.remedy} + found.commands)
                words.know(said);
        const FileChooser& chooser = *w.editor->files()->chooser();
        for (const QString& folder : chooser.way())
            for (const QString& said : {folder, folder.section(u'/', -1)}) words.know(said);
    }

    static void knowRuns(WindowWords& words) {
        for (const QFileInfo& run : QDir(kMeasured).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            words.know(run.fileName());
            for (const char* file : {"results.json", "plan.json", "run.json", "machine.json"})
                words.know(jsonOf(readAll(run.filePath() + u'/' + QLatin1String(file))));
        }
    }

    /// Triggers an action, reads the window, and presses Esc.
    static void readOf(WindowFixture& w, const QString& action, const std::function<void()>& read) {
        QVERIFY2(w.editor->actions().trigger(action), qPrintable(action));
        read();
        w.key(Qt::Key_Escape);
        w.settle();
    }

  private slots:
    void initTestCase() { setUpApplication(); }
    void init() { WindowFixture::failOnQmlWarnings(); }

    void everyTextIsTranslated() {
        OtherLanguage other;
        QVERIFY(QCoreApplication::installTranslator(&other));
        WindowWords words;
        words.know(jsonOf(readAll(QStringLiteral(WEIR_CATALOG))));
        words.know(u"enabled, disabled, bypassed"_s); // as in the file
        knowRuns(words);

        WindowFixture w(kMeasured + u"/series.weir.json"_s, WindowFixture::realCommand(), true);
        w.window->resize(1440, 900);
        w.editor->results()->library()->setFolder(kMeasured);
        QVERIFY(w.isReady());
        const auto read = [&] {
            w.settle();
            knowData(words, w);
            words.read(w.window);
        };
        // Show an error, an unfinished block, a disabled block, and a selection of each kind.
        QVERIFY(w.editor->tools()->inserter()->add(u"fir_filter"_s, {0, 400}));
        const QString first = w.editor->scene().blocks().front().id;
        w.editor->edit(u"x"_s, [](Transaction& t) { t.set(Pointer("/graph/blocks/1/parameters/nonsense"), 1); });
        QTRY_VERIFY_WITH_TIMEOUT(w.editor->isChecked() && w.editor->problemCount() > 1, kAnswerMs);
        for (int tab = 0; tab < 4; ++tab) {
            w.editor->inspector()->setTab(tab);
            read();
        }
        w.editor->tools()->graph()->setState(BlockState::Disabled);
        w.editor->selectAll();
        read();
        w.editor->selection().set({}, {w.editor->scene().wires().front().connection});
        read();
        w.editor->selection().clear();
        read();
        for (int tab = 0; tab < 3; ++tab) {
            w.window->findChild<QObject*>(u"bottomPanel"_s)->setProperty("tab", tab);
            w.window->findChild<QObject*>(u"bottomPanel"_s)->setProperty("open", true);
            read();
        }
        // Read every menu, dialog and panel.
        for (const QString& group : w.editor->actions().groups()) {
            w.click(u"menu"_s);
            QTRY_VERIFY(w.item(u"menu:"_s + group));
            w.click(u"menu:"_s + group);
            read();
            w.key(Qt::Key_Escape);
            w.key(Qt::Key_Escape);
        }
        for (const char* action :
             {"view.commands", "graph.insert", "edit.find", "file.open", "file.recent", "run.tune", "help.tour"})
            readOf(w, QLatin1String(action), read);
        w.editor->goTo(first);
        readOf(w, u"graph.repeat"_s, read);
        readOf(w, u"graph.connect"_s, read);
        for (const char* button : {"runOptions", "deploymentMenu", "deploymentSettings", "field:scheduler"}) {
            w.click(QLatin1String(button));
            read();
            w.key(Qt::Key_Escape);
        }
        w.editor->files()->quit();
        read();
        w.key(Qt::Key_Escape);
        // Read every view with measured runs.
        while (w.editor->actions().trigger(u"edit.undo"_s)) {
        }
        QTRY_VERIFY_WITH_TIMEOUT(w.editor->isChecked(), kAnswerMs);
        for (const QString& view : w.editor->views()->names()) {
            w.editor->setView(view);
            if (view == u"code") w.editor->actions().trigger(u"run.generate"_s);
            read();
            QTRY_VERIFY_WITH_TIMEOUT(view != u"code" || w.editor->code()->isUpToDate(), kAnswerMs);
            QTRY_VERIFY_WITH_TIMEOUT(view != u"results" || w.editor->results()->run()->isShown(), kAnswerMs);
            QTRY_VERIFY_WITH_TIMEOUT(view != u"compare" || !w.editor->comparison()->verdict().isEmpty(), kAnswerMs);
            read();
        }
        w.editor->results()->heat()->setEnabled(true);
        w.editor->setView(u"canvas"_s);
        read();
        // Read a static schedule.
        w.editor->openPath(QStringLiteral(WEIR_TEST_DATA "/scheduled.weir.json"));
        w.editor->setView(u"lanes"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!w.editor->mapping()->allParts().empty() && !w.editor->mapping()->isPlanning(),
                                 kAnswerMs);
        for (const PlannedStream& stream : w.editor->mapping()->plan()->streams)
            for (const QString& said : stream.readers + QStringList{stream.from}) words.know(said);
        words.know(u"16 items"_s); // from the catalog, as values of blocks
        for (const PlannedInstance& instance : w.editor->mapping()->plan()->instances) words.know(instance.name);
        read();
        // Read the window without a project.
        w.editor->newDocument();
        read();
        const QStringList found = words.untranslated();
        QVERIFY2(found.isEmpty(), qPrintable(u'\n' + found.join(u'\n')));
    }

    void nothingImportantIsCutInALongerLanguage() {
        OtherLanguage other;
        QVERIFY(QCoreApplication::installTranslator(&other));
        WindowFixture w(kMeasured + u"/series.weir.json"_s, WindowFixture::realCommand(), true);
        w.window->resize(1440, 900);
        w.editor->results()->library()->setFolder(kMeasured);
        QVERIFY(w.isReady());
        w.editor->tools()->inserter()->add(u"fir_filter"_s, {0, 400});
        QTRY_VERIFY_WITH_TIMEOUT(w.editor->isChecked() && w.editor->problemCount() > 0, kAnswerMs);
        QStringList cut;
        for (const QString& view : w.editor->views()->names()) {
            w.editor->setView(view);
            w.settle();
            QList<std::pair<QRectF, QString>> texts;
            forEachItem(w.window->contentItem(), [&](QQuickItem* item) {
                const QString text = item->inherits("QQuickText") ? item->property("text").toString() : QString();
                // Placeholders may be cut, since the field's accessible name contains them.
                if (!text.contains(u'⟦') || item->inherits("QQuickPlaceholderText")) return;
                const bool fits = item->property("contentWidth").toReal() <= item->width() + 1;
                const bool elided = item->property("truncated").toBool();
                if ((!fits && !elided) || (elided && !isExplained(item))) cut.append(view + u": "_s + text);
                const QRectF rect = item->mapRectToScene(item->boundingRect());
                if (isInBar(item)) texts.append({rect, text});
                if (rect.right() > w.window->width() + 1 && isInBar(item))
                    cut.append(view + u": beside the window: "_s + text);
            });
            for (qsizetype a = 0; a < texts.size(); ++a)
                for (qsizetype b = 0; b < a; ++b)
                    if (const QRectF both = texts[a].first & texts[b].first; both.width() > 2 && both.height() > 2)
                        cut.append(view + u": on each other: "_s + texts[a].second + u" and "_s + texts[b].second);
        }
        cut.removeDuplicates();
        QVERIFY2(cut.isEmpty(), qPrintable(u'\n' + cut.join(u'\n')));
    }

    void whatKeysDoIsHeard() {
        ReadyWindow w(kExample);
        const std::size_t blocks = w.editor->scene().blocks().size();
        QVERIFY(blocks >= 3);
        // The offscreen platform has no screen reader and drops announcements, so the test reads them before Qt does.
        QStringList focused, said;
        connect(qobject_cast<GraphReader*>(w.item(u"graphReader"_s)), &GraphReader::announced, this,
                [&](QAccessible::Event event, const QString& words) {
                    if (event == QAccessible::Focus) focused.append(words);
                    else if (event != QAccessible::NameChanged) said.append(words);
                });
        w.canvas()->forceActiveFocus();
        w.key(Qt::Key_Home);
        QVERIFY(focused.isEmpty());  // no screen reader listens
        w.key(Qt::Key_Escape);
        QAccessible::setActive(true);
        const auto quiet = qScopeGuard([] { QAccessible::setActive(false); });

        w.key(Qt::Key_Home);
        const QString first = w.editor->selection().onlyBlock();
        QVERIFY2(focused.value(0).startsWith(first + u", "_s) && focused.value(0).endsWith(u", 1 of %1"_s.arg(blocks)),
                 qPrintable(focused.join(u'\n')));
        w.key(Qt::Key_Tab);
        const QString second = w.editor->selection().onlyBlock();
        QVERIFY2(focused.last().contains(u", from "_s + first) && focused.last().endsWith(u", 2 of %1"_s.arg(blocks)),
                 qPrintable(focused.last()));
        QVERIFY(said.isEmpty());

        w.key(Qt::Key_Right, Qt::AltModifier);
        const QRectF place = w.editor->scene().block(second)->rect;
        QCOMPARE(said, {u"%1 at %2, %3"_s.arg(second).arg(place.x()).arg(place.y())});
        w.key(Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(said.last(), u"%1 selected"_s.arg(blocks));
        QVERIFY(w.editor->tools()->inserter()->add(u"copy"_s, {0, 400}));
        w.canvas()->forceActiveFocus();
        w.key(Qt::Key_C);
        QVERIFY2(said.last().startsWith(u"connect "_s), qPrintable(said.join(u'\n')));
    }

    void blocksAndWiresAreAListForTheScreenReader() {
        ReadyWindow w(kExample);
        GraphScene& scene = w.editor->scene();
        QAccessibleInterface* list = QAccessible::queryAccessibleInterface(w.item(u"graphReader"_s));
        QVERIFY(list);
        QCOMPARE(list->role(), QAccessible::List);
        QCOMPARE(list->parent()->object(), w.canvas());
        QVERIFY(list->parent()->indexOfChild(list) >= 0);
        QCOMPARE(list->childCount(), int(scene.blocks().size() + scene.wires().size()) + 1);
        QAccessibleInterface* block = list->child(1);
        QCOMPARE(list->indexOfChild(block), 1);
        QCOMPARE(block->role(), QAccessible::ListItem);
        const BlockView* shown = scene.block(block->text(QAccessible::Name).section(u", "_s, 0, 0));
        QVERIFY(shown);
        QCOMPARE(block->rect().topLeft(), w.canvas()->mapToGlobal(w.canvas()->toView(shown->rect.topLeft())).toPoint());
        QVERIFY(!block->state().selected);
        block->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(w.editor->selection().onlyBlock(), shown->id);
        QVERIFY(block->state().selected && block->state().focused);

        QAccessibleInterface* wire = list->child(int(scene.blocks().size()));
        QVERIFY2(wire->text(QAccessible::Name).startsWith(u"wire from "_s), qPrintable(wire->text(QAccessible::Name)));
        wire->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(w.editor->selection().wires().size(), std::size_t(1));

        // The list drops removed entries and announces new ones.
        w.editor->tools()->graph()->setState(BlockState::Disabled);
        w.editor->goTo(shown->id);
        w.editor->tools()->graph()->setState(BlockState::Disabled);
        QVERIFY(list->child(1)->text(QAccessible::Name).contains(u", disabled, "_s));
        w.editor->removeSelection();
        QCOMPARE(list->childCount(), int(scene.blocks().size() + scene.wires().size()) + 1);
        QVERIFY(w.editor->tools()->inserter()->add(u"copy"_s, {}));
        QCOMPARE(list->childCount(), int(scene.blocks().size() + scene.wires().size()) + 1);
    }

    void everyButtonIsNamedAndReachedByKey() {
        WindowFixture w(kMeasured + u"/series.weir.json"_s, WindowFixture::realCommand(), true);
        w.editor->results()->library()->setFolder(kMeasured);
        QVERIFY(w.isReady());
        QStringList mute;
        const auto read = [&](const QString& where) {
            w.settle();
            forEachItem(w.window->contentItem(), [&](QQuickItem* item) {
                if (!isPressed(item)) return;
                const QAccessibleInterface* said = QAccessible::queryAccessibleInterface(item);
                if (!said || said->text(QAccessible::Name).isEmpty() || said->role() == QAccessible::NoRole)
                    mute.append(where + u": no name: "_s + nameOf(item));
                if (!isReached(item)) mute.append(where + u": no key: "_s + nameOf(item));
            });
        };
        w.editor->tools()->inserter()->add(u"fir_filter"_s, {0, 400});
        QTRY_VERIFY_WITH_TIMEOUT(w.editor->isChecked() && w.editor->problemCount() > 0, kAnswerMs);
        w.window->findChild<QObject*>(u"bottomPanel"_s)->setProperty("open", true);
        for (int tab = 0; tab < 4; ++tab) {
            w.window->findChild<QObject*>(u"bottomPanel"_s)->setProperty("tab", std::min(tab, 2));
            w.editor->inspector()->setTab(tab);
            read(u"inspector"_s);
        }
        w.editor->selection().set({}, {w.editor->scene().wires().front().connection});
        read(u"wire"_s);
        w.editor->selection().clear();
        for (const QString& view : w.editor->views()->names()) {
            w.editor->setView(view);
            QTRY_VERIFY_WITH_TIMEOUT(view != u"compare" || !w.editor->comparison()->verdict().isEmpty(), kAnswerMs);
            read(view);
        }
        for (const char* action :
             {"edit.find", "file.open", "file.recent", "help.tour", "view.commands", "graph.insert"}) {
            w.editor->actions().trigger(QLatin1String(action));
            read(QLatin1String(action));
            w.key(Qt::Key_Escape);
        }
        w.editor->newDocument();
        read(u"first page"_s);
        mute.removeDuplicates();
        QVERIFY2(mute.isEmpty(), qPrintable(u'\n' + mute.join(u'\n')));
    }

  private:
    static bool isPressed(const QQuickItem* item) {
        if (item->inherits("QQuickAbstractButton")) return item->isEnabled();
        for (const QObject* child : item->children())
            // Every entry of a context menu has a key or is in another menu.
            if (child->inherits("QQuickTapHandler") && child->property("acceptedButtons").toInt() != Qt::RightButton)
                // Other handlers only repeat a button or end typing.
                return item->isEnabled() && item->objectName() != u"bottomPanel" &&
                       item->objectName() != u"inspectorPane";
        return false;
    }

    /// Return whether the item is reachable by Tab, or by the keys of its list or field (docs/editor.md,
    /// Accessibility).
    static bool isReached(const QQuickItem* item) {
        static const QRegularExpression byOtherKeys(
            u"^(reset:|vary:|tab:|palette:|group:|insert:|unfold:|menu:|.*:star$|file:|filePlace:|codeFile:|recent:|row:|(side|run|sweepRun):\\d)"_s);
        if (item->activeFocusOnTab() || byOtherKeys.match(item->objectName()).hasMatch()) return true;
        // Arrow keys reach the entries of menus, choices and the command list.
        for (; item; item = item->parentItem())
            if (item->inherits("QQuickMenuItem") || item->inherits("QQuickItemDelegate") ||
                item->objectName() == u"commandList")
                return true;
        return false;
    }

    static QString nameOf(const QQuickItem* item) {
        QString name = item->objectName();
        for (; item && name.count(u'<') < 4; item = item->parentItem())
            name += u" < "_s + QString::fromLatin1(item->metaObject()->className()).section(u'_', 0, 0);
        return name;
    }

    /// Return whether a hint of the item, or of the button or row around it, shows the elided text.
    static bool isExplained(const QQuickItem* item) {
        for (int up = 0; item && up < 4; ++up, item = item->parentItem())
            for (const QObject* child : item->children())
                if (child->inherits("QQuickToolTip") && !child->property("text").toString().isEmpty()) return true;
        return false;
    }

    static bool isInBar(const QQuickItem* item) {
        for (; item; item = item->parentItem())
            for (const char* bar : {"TopBar_", "StatusBar_", "DeploymentBar_", "BlockHeader_"})
                if (QLatin1String(item->metaObject()->className()).startsWith(QLatin1String(bar))) return true;
        return false;
    }
};

QTEST_MAIN(TestLanguage)
#include "tst_language.moc"
