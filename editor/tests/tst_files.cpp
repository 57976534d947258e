#include "files_fixture.h"

#include <QDropEvent>
#include <QMimeData>
#include <QProcess>
#include <QSignalSpy>

using namespace Qt::StringLiterals;
using namespace weir::editor;

/// Tests of documents and their files: opening, saving, and other programs that write the same file.
class TestFiles : public QObject {
    Q_OBJECT

    /// Return an environment in which the program keeps its settings in the folder of the test.
    static QProcessEnvironment atHome(const FilesFixture& files) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* place : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "HOME"})
            environment.insert(QLatin1String(place), files.path(u"home"_s));
        return environment;
    }

  private slots:
    void initTestCase() { setUpApplication(); }
    void init() { WindowFixture::failOnQmlWarnings(); }

    void everyFileIsDrawnOrSaysWhy() {
        const QStringList files =
            filesIn(QStringLiteral(WEIR_ROOT "/codegen/tests/bad"), QStringLiteral("*.weir.json")) +
            filesIn(QStringLiteral(WEIR_ROOT "/examples"), QStringLiteral("*.weir.json"));
        QVERIFY(files.size() > 100);
        const Catalog catalog = testCatalog();
        QTemporaryDir folder;
        int drawn = 0;
        int refused = 0;
        for (const QString& path : files) {
            Document document;
            GraphScene scene(document);
            scene.setCatalog(catalog);
            const QString failure = document.open(path);
            if (!failure.isEmpty()) {
                QVERIFY2(
                    failure.contains(QFileInfo(path).fileName()) && failure.size() > path.section(u'/', -1).size() + 20,
                    qPrintable(failure));
                ++refused;
                continue;
            }
            ++drawn;
            const Json& blocks = list(find(document.json(), Pointer("/graph/blocks")));
            QVERIFY2(scene.blocks().size() <= blocks.size(), qPrintable(path));
            const QString copy = folder.filePath(QStringLiteral("copy.weir.json"));
            QCOMPARE(document.save(copy), QString());
            if (QByteArray::fromStdString(canonicalText(document.json())) == readAll(path))
                QCOMPARE(readAll(copy), readAll(path));
            Document again;
            QCOMPARE(again.open(copy), QString());
            QVERIFY2(again.json() == document.json(), qPrintable(path));
        }
        qInfo("%d drawn, %d refused with a reason", drawn, refused);
        QVERIFY(drawn > 80);
        QVERIFY(refused >= 10);
    }

    void everyBadProjectShowsInTheWindow() {
        WindowFixture w(QString{});
        for (const QString& path :
             filesIn(QStringLiteral(WEIR_ROOT "/codegen/tests/bad"), QStringLiteral("E_[JSV]*.weir.json"))) {
            const bool opened = w.editor->openPath(path);
            QVERIFY2(opened != w.editor->notice().contains(QFileInfo(path).fileName()), qPrintable(path));
            QCoreApplication::processEvents();
        }
        QVERIFY(w.window->isVisible());
    }

    void anUnchangedProjectFollowsItsFile() {
        FilesFixture files;
        const QString path = files.project();
        WindowFixture w(path);
        QVERIFY(w.isReady());
        Document& document = w.editor->document();
        const std::string before = document.canonicalText();
        const QByteArray bytes = FilesFixture::withItems(readAll(path), 77);

        FilesFixture::write(path, bytes);
        QTRY_COMPARE(FilesFixture::items(document), 77);
        QVERIFY(!document.isModified());
        QVERIFY2(w.editor->isNoticeGood() && w.editor->notice().contains(QStringLiteral("reloaded")),
                 qPrintable(w.editor->notice()));
        QTRY_VERIFY(w.item(QStringLiteral("notice")));

        FilesFixture::writeByRename(path, FilesFixture::withItems(bytes, 78));
        QTRY_COMPARE(FilesFixture::items(document), 78);
        FilesFixture::writeByRename(path, FilesFixture::withItems(bytes, 79));
        QTRY_COMPARE(FilesFixture::items(document), 79);

        for (int step = 0; step < 3; ++step) w.editor->undo();
        QCOMPARE(document.canonicalText(), before);
        QVERIFY(document.isModified());
    }

    void changesOnBothSidesAreAskedAbout() {
        FilesFixture files;
        const QString path = files.project();
        WindowFixture w(path);
        QVERIFY(w.isReady());
        Document& document = w.editor->document();
        FilesFixture::setItems(document, 5);
        const QByteArray theirs = FilesFixture::withItems(readAll(path), 77);
        FilesFixture::writeByRename(path, theirs);
        QTRY_VERIFY(w.item(QStringLiteral("bar:disk:keep")));
        QCOMPARE(FilesFixture::items(document), 5);

        w.settle();
        w.click(QStringLiteral("bar:disk:difference"));
        QTRY_VERIFY(w.editor->files()->difference()->rowCount() > 0);
        w.editor->files()->difference()->close();

        w.key(Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY(w.item(QStringLiteral("bar:disk:overwrite")));
        QCOMPARE(readAll(path), theirs);
        w.settle();
        w.click(QStringLiteral("bar:disk:overwrite"));
        QTRY_VERIFY(!document.isModified());
        QCOMPARE(readAll(path).toStdString(), document.canonicalText());
        QTRY_VERIFY(!w.item(QStringLiteral("bar:disk")));

        // Reload can be undone, so no edit is lost.
        FilesFixture::setItems(document, 6);
        FilesFixture::writeByRename(path, theirs);
        QTRY_VERIFY(w.item(QStringLiteral("bar:disk:reload")));
        w.settle();
        w.click(QStringLiteral("bar:disk:reload"));
        QCOMPARE(FilesFixture::items(document), 77);
        QVERIFY(!document.isModified());
        w.editor->undo();
        QCOMPARE(FilesFixture::items(document), 6);

        // After Keep mine, the next save does not ask again.
        FilesFixture::writeByRename(path, FilesFixture::withItems(theirs, 78));
        QTRY_VERIFY(w.item(QStringLiteral("bar:disk:keep")));
        w.settle();
        w.click(QStringLiteral("bar:disk:keep"));
        w.editor->files()->save();
        QCOMPARE(readAll(path).toStdString(), document.canonicalText());
    }

    void aDeletedFileIsWrittenAgain() {
        FilesFixture files;
        const QString path = files.project();
        WindowFixture w(path);
        QVERIFY(w.isReady());
        QVERIFY(QFile::remove(path));
        QTRY_VERIFY(w.item(QStringLiteral("bar:disk:save")));
        QVERIFY(w.editor->isModified());
        w.settle();
        w.click(QStringLiteral("bar:disk:save"));
        QTRY_VERIFY(QFile::exists(path));
        QVERIFY(!w.editor->isModified());
        QTRY_VERIFY(!w.item(QStringLiteral("bar:disk")));
    }

    void whatIsNoProjectOnDiskDoesNotReplaceTheDocument() {
        FilesFixture files;
        const QString path = files.project();
        const QByteArray original = readAll(path);
        WindowFixture w(path);
        QVERIFY(w.isReady());
        FilesFixture::write(path, "{ half");
        QTRY_VERIFY(w.item(QStringLiteral("bar:disk:keep")));
        QCOMPARE(QByteArray::fromStdString(w.editor->document().canonicalText()), original);
        QVERIFY(w.editor->isModified());
        FilesFixture::write(path, original);
        QTRY_VERIFY(!w.item(QStringLiteral("bar:disk")));
        QVERIFY(!w.editor->isModified());
    }

    void whatIsTypedIsSavedWithoutLeavingItsField() {
        FilesFixture files;
        const QString path = files.project();
        WindowFixture w(path);
        QVERIFY(w.isReady());
        w.editor->selection().clear();
        const QString title = QStringLiteral("field:title");
        QTRY_VERIFY(w.item(title));
        w.click(title);
        w.type(QStringLiteral("typed"));
        QVERIFY(!w.editor->isModified());
        QVERIFY(w.editor->actions().trigger(QStringLiteral("file.save")));
        QVERIFY(readAll(path).contains("typed"));
        QVERIFY(!w.editor->isModified());
        // Closing the window also asks before the text is lost.
        w.type(QStringLiteral(" again"));
        QVERIFY(!w.editor->isModified());
        w.window->close();
        QVERIFY(w.window->isVisible());
        QVERIFY(w.editor->isModified());
    }

    void savingProposesANameAndTakesEnter() {
        FilesFixture files;
        const QString path = files.path(u"p.weir.json"_s);
        FilesFixture::write(path, readAll(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json")));
        WindowFixture w(path);
        QVERIFY(w.isReady());
        QObject* dialog = w.window->findChild<QObject*>(u"pictureDialog"_s);
        QSignalSpy accepted(dialog, SIGNAL(accepted()));
        for (const QString& name : {u"g"_s, u"h"_s}) {
            QVERIFY(w.editor->actions().trigger(u"file.export_picture"_s));
            QTRY_VERIFY(w.focusItem() && w.focusItem()->objectName() == u"fileName"_s);
            QCOMPARE(w.focusItem()->property("text").toString(), u"p.svg"_s);
            QCOMPARE(w.focusItem()->property("selectedText").toString(), u"p"_s);
            w.settle();
            QCOMPARE(w.focusItem()->objectName(), u"fileName"_s);
            w.type(name);
            w.key(Qt::Key_Return);
            const QString written = files.path(name + u".svg"_s);
            QTRY_VERIFY2_WITH_TIMEOUT(QFile::exists(written), qPrintable(w.editor->notice()), 20000);
            QTRY_VERIFY(!dialog->property("visible").toBool());
        }
        QCOMPARE(accepted.count(), 2);
        // The suffix of the name follows the chosen filter.
        QVERIFY(w.editor->actions().trigger(u"file.export_picture"_s));
        QTRY_VERIFY(w.focusItem() && w.focusItem()->objectName() == u"fileName"_s);
        w.settle();
        w.click(u"fileFilter"_s);
        w.settle();
        w.key(Qt::Key_Down);
        w.key(Qt::Key_Return);
        QTRY_COMPARE(w.item(u"fileName"_s)->property("text").toString(), u"p.png"_s);
        w.item(u"fileName"_s)->forceActiveFocus();
        w.key(Qt::Key_Return);
        QTRY_VERIFY2_WITH_TIMEOUT(QFile::exists(files.path(u"p.png"_s)), qPrintable(w.editor->notice()), 20000);

        QVERIFY(w.editor->actions().trigger(u"file.save_as"_s));
        QTRY_COMPARE(w.focusItem()->property("text").toString(), u"p.weir.json"_s);
        w.settle();
        QCOMPARE(w.focusItem()->objectName(), u"fileName"_s);
        w.type(u"q"_s);
        w.key(Qt::Key_Return);
        QTRY_COMPARE(w.editor->document().path(), files.path(u"q.weir.json"_s));
    }

    void recentFilesAreKeptMarkedAndCleared() {
        FilesFixture files;
        const QString first = files.project(QStringLiteral("first.weir.json"));
        const QString second = files.project(QStringLiteral("second.weir.json"));
        {
            Editor editor({QStringLiteral("/bin/true"), {}});
            editor.remember(files.places());
            QVERIFY(editor.openPath(first));
            QVERIFY(editor.openPath(second));
        }
        QVERIFY(QFile::remove(first));
        WindowFixture w(QString{});
        w.editor->remember(files.places());
        QCOMPARE(w.editor->files()->recent()->paths(), (QStringList{second, first}));
        QVERIFY(w.isReady());
        w.editor->actions().trigger(QStringLiteral("file.recent"));
        QTRY_VERIFY(w.item(QStringLiteral("recent:1")));
        QVERIFY(w.item(QStringLiteral("recent:1"))->property("missing").toBool());
        w.click(QStringLiteral("recent:0"));
        QTRY_COMPARE(w.editor->document().path(), second);
        // The first recent project that is not open has the focus.
        const QString third = files.project(QStringLiteral("third.weir.json"));
        w.editor->files()->recent()->add(third);
        w.editor->files()->recent()->add(first);
        w.editor->files()->recent()->add(second);
        w.editor->actions().trigger(QStringLiteral("file.recent"));
        QTRY_VERIFY(w.item(QStringLiteral("recent:2")));
        w.key(Qt::Key_Return);
        QTRY_COMPARE(w.editor->document().path(), third);
        // Typing filters the list. Without typed text, Del removes a project from the list.
        w.editor->actions().trigger(QStringLiteral("file.recent"));
        QTRY_VERIFY(w.item(QStringLiteral("recent:2")));
        w.type(QStringLiteral("sec"));
        QTRY_VERIFY(!w.item(QStringLiteral("recent:1")));
        QCOMPARE(w.item(QStringLiteral("recent:0"))->property("path").toString(), second);
        w.key(Qt::Key_Delete);
        QCOMPARE(w.editor->files()->recent()->rowCount(), 3);
        w.key(Qt::Key_Return);
        QTRY_COMPARE(w.editor->document().path(), second);
        w.editor->actions().trigger(QStringLiteral("file.recent"));
        QTRY_VERIFY(w.item(QStringLiteral("recent:2")));
        w.key(Qt::Key_Home);
        w.key(Qt::Key_Delete);
        QCOMPARE(w.editor->files()->recent()->rowCount(), 2);
        w.key(Qt::Key_Escape);
        // The welcome page also lists recent projects, with a filter field if there are many.
        w.editor->newDocument();
        QTRY_VERIFY(w.item(QStringLiteral("welcomeRecent:0")));
        QVERIFY(!w.item(QStringLiteral("welcomeRecentFilter")));
        for (int number = 0; number < 6; ++number)
            w.editor->files()->recent()->add(files.project(QStringLiteral("other%1.weir.json").arg(number)));
        QTRY_VERIFY(w.item(QStringLiteral("welcomeRecentFilter")));
        QVERIFY(!w.item(QStringLiteral("welcomeRecent:5")));
        w.settle();
        w.click(QStringLiteral("welcomeRecentFilter"));
        w.type(QStringLiteral("r0"));
        w.key(Qt::Key_Return);
        QTRY_COMPARE(w.editor->document().path(), files.path(QStringLiteral("other0.weir.json")));
        w.editor->files()->recent()->clear();
        QCOMPARE(Editor({QStringLiteral("/bin/true"), {}}).files()->recent()->rowCount(), 0);
        QCOMPARE(w.editor->memory()->value(QStringLiteral("recent_files")).toStringList(), QStringList());
    }

    void droppedFilesAreOpened() {
        FilesFixture files;
        WindowFixture w(QString{});
        QVERIFY(w.isReady());
        const QString path = files.project();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        const QPoint where(500, 400);
        QDragEnterEvent enter(where, Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(w.window, &enter);
        QDropEvent drop(where, Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(w.window, &drop);
        QTRY_COMPARE(w.editor->document().path(), path);
    }

    void theWindowComesBackAsItWas() {
        FilesFixture files;
        Memory memory;
        memory.use(files.places().settingsFile);
        {
            WindowFixture w(QString{});
            w.editor->remember(files.places());
            QVERIFY(w.isReady());
            w.window->resize(1111, 777);
            w.editor->setView(QStringLiteral("results"));
            w.editor->actions().trigger(QStringLiteral("view.theme"));
            QTRY_COMPARE_WITH_TIMEOUT(memory.value(QStringLiteral("view")).toString(), QStringLiteral("results"), 5000);
        }
        QCOMPARE(memory.value(QStringLiteral("size")).toSize(), QSize(1111, 777));
        QCOMPARE(memory.value(QStringLiteral("theme")).toString(), QStringLiteral("dark"));
        QVERIFY(!memory.value(QStringLiteral("split0")).toByteArray().isEmpty());
    }

    void aSecondWindowOnAFileLooksOnly() {
        FilesFixture files;
        const QString path = files.project();
        auto first = std::make_unique<Editor>(CliCommand{u"/bin/true"_s, {}});
        first->remember(files.places());
        QVERIFY(first->openPath(path));
        WindowFixture w(QString{});
        QVERIFY(w.isReady());
        w.editor->remember(files.places());
        // A symbolic link opens the same project.
        QVERIFY(QFile::link(path, files.path(u"link.weir.json"_s)));
        QVERIFY(w.editor->openPath(files.path(u"link.weir.json"_s)));
        QTRY_VERIFY(w.item(u"bar:lock:edit"_s));
        const QString barText = w.item(u"barText:lock"_s)->property("text").toString();
        QVERIFY2(barText.contains(QString::number(QCoreApplication::applicationPid())), qPrintable(barText));
        const QByteArray before = readAll(path);
        FilesFixture::setItems(w.editor->document(), 3);
        QVERIFY(FilesFixture::items(w.editor->document()) != 3);
        // Save is disabled and says why.
        QQuickItem* save = w.item(u"save"_s);
        w.editor->document().setDetached(true);  // simulates unsaved edits
        QVERIFY(w.editor->isModified() && !save->isEnabled());
        w.editor->document().setDetached(false);
        QVERIFY(save->property("hint").toString().contains(u"Read-only"_s));
        w.settle();
        w.click(u"bar:lock:look"_s);
        QTRY_VERIFY(w.item(u"bar:lock:save_as"_s));
        // A read-only document follows the file, and undo does not revert that.
        FilesFixture::writeByRename(path, FilesFixture::withItems(before, 77));
        QTRY_COMPARE(FilesFixture::items(w.editor->document()), 77);
        w.key(Qt::Key_Z, Qt::ControlModifier);
        w.editor->undo();
        QCOMPARE(FilesFixture::items(w.editor->document()), 77);
        QVERIFY(!w.item(u"undo"_s)->isEnabled() && !w.editor->document().isModified());
        FilesFixture::writeByRename(path, before);
        QTRY_VERIFY(FilesFixture::items(w.editor->document()) != 77);
        // Saving asks for a new name and does not overwrite the file of the other window.
        QSignalSpy asked(w.editor->files(), &DocumentFiles::saveNameNeeded);
        w.key(Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(asked.count(), 1);
        QTRY_VERIFY(w.item(u"fileName"_s));
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!w.item(u"fileName"_s));
        w.editor->files()->saveAs(QUrl::fromLocalFile(path));
        QVERIFY2(w.editor->notice().contains(u"is open in another window"_s), qPrintable(w.editor->notice()));
        QCOMPARE(readAll(path), before);
        const QString mine = files.path(u"mine.weir.json"_s);
        w.editor->files()->saveAs(QUrl::fromLocalFile(mine));
        QVERIFY(!w.editor->document().isLookOnly() && !w.item(u"bar:lock"_s));
        // The lock moved to the new file.
        Editor third({u"/bin/true"_s, {}});
        third.remember(files.places());
        QVERIFY(third.openPath(mine) && third.document().isLookOnly());
        // The user may edit anyway, and may edit without a question once the other window is closed.
        third.files()->bars()->choose(u"lock"_s, u"edit"_s);
        FilesFixture::setItems(third.document(), 4);
        QCOMPARE(FilesFixture::items(third.document()), 4);
        third.document().undoStack().undo();
        QVERIFY(third.openPath(path) && third.document().isLookOnly());
        first.reset();
        third.files()->look();
        QVERIFY(!third.document().isLookOnly() && !third.files()->bars()->bar(u"lock"_s));
    }

    // `weir run` writes its runs to the current folder.
    void theRunsOfTheFolderInWhichTheProgramWasStartedAreListed() {
        FilesFixture files;
        const QString path = files.project();
        const QString started = files.path(u"started"_s), said = files.path(u"said"_s),
                      script = files.path(u"weir.sh"_s);
        QVERIFY(QDir().mkpath(started + u"/runs"_s));
        FilesFixture::write(script, "echo \"$@\" >> " + said.toUtf8() + "\n");
        QProcess program;
        program.setProcessEnvironment(atHome(files));
        program.setWorkingDirectory(started);
        program.start(QStringLiteral(WEIR_EDITOR_BINARY), {path, u"--weir"_s, u"/bin/sh "_s + script});
        const QString runs = QFileInfo(started).canonicalFilePath() + u"/runs"_s;
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(said) && readAll(said).contains(runs.toUtf8()), 20000);
        program.kill();
        QVERIFY(program.waitForFinished());
    }

    void aKilledEditorLocksNothing() {
        FilesFixture files;
        const QString path = files.project();
        QProcess other;
        other.setProcessEnvironment(atHome(files));
        other.start(QStringLiteral(WEIR_EDITOR_BINARY), {path, u"--weir"_s, u"/bin/true"_s});
        const QDir locks(files.path(u"home/weir/open"_s));
        QTRY_VERIFY_WITH_TIMEOUT(!locks.entryList(QDir::Files).isEmpty(), 20000);
        Editor editor({u"/bin/true"_s, {}});
        editor.remember({files.places().settingsFile, files.places().recoveryFolder, locks.path()});
        QVERIFY(editor.openPath(path) && editor.document().isLookOnly());
        const Bar* bar = editor.files()->bars()->bar(u"lock"_s);
        QVERIFY(bar && bar->text.contains(QString::number(other.processId())));
        other.kill();
        QVERIFY(other.waitForFinished());
        QCOMPARE(locks.entryList(QDir::Files).size(), 1);
        QVERIFY(editor.openPath(path));
        QVERIFY(!editor.document().isLookOnly());
    }
};

QTEST_MAIN(TestFiles)
#include "tst_files.moc"
