#include "files_fixture.h"

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QSemaphore>
#include <QSignalSpy>

using namespace Qt::StringLiterals;
using namespace weir::editor;

/// Tests of the file dialog, by keys and with the mouse.
class TestFileDialog : public QObject {
    Q_OBJECT

    std::unique_ptr<FilesFixture> m_files;
    std::unique_ptr<WindowFixture> m_window;

    WindowFixture& w() { return *m_window; }
    QString text() { return w().item(u"fileName"_s)->property("text").toString(); }
    QString said() {
        return w().item(u"fileProblemText"_s) ? w().item(u"fileProblemText"_s)->property("text").toString() : QString();
    }
    QString opened() { return w().editor->document().path(); }
    QString folder() { return w().editor->files()->chooser()->folder(); }
    QString marked() { return w().item(u"fileList"_s)->parentItem()->property("current").toString(); }
    QStringList listed() {
        const FolderModel& entries = *w().editor->files()->chooser()->entries();
        if (!QTest::qWaitFor([&] { return !entries.isReading(); }, 5000)) return {u"still reading"_s};
        QStringList names;
        for (int row = 0; row < entries.rowCount(); ++row) names.append(entries.nameAt(row));
        return names;
    }

    void show(const QString& action = u"file.open"_s) {
        QVERIFY(w().editor->actions().trigger(action));
        QTRY_VERIFY(w().focusItem() && w().focusItem()->objectName() == u"fileName"_s);
        w().settle();
        QVERIFY(listed() != QStringList{u"still reading"_s});
    }

    void enter(const QString& typed) {
        w().type(typed);
        w().key(Qt::Key_Return);
    }

    void enterInstead(const QString& typed) {
        w().key(Qt::Key_A, Qt::ControlModifier);
        enter(typed);
    }

    void saveAs(const QString& typed) {
        show(u"file.save_as"_s);
        enterInstead(typed);
    }

    void leave() {
        w().key(Qt::Key_Escape);
        QTRY_VERIFY(!w().item(u"fileName"_s));
    }

    QString made(const QString& name) {
        QDir().mkpath(QFileInfo(m_files->path(name)).path());
        return m_files->project(name);
    }

  private slots:
    void initTestCase() { setUpApplication(); }

    void init() {
        WindowFixture::failOnQmlWarnings();
        m_files = std::make_unique<FilesFixture>();
        for (const char* name :
             {"a.weir.json", "b.weir.json", "sub/x.weir.json", "sub/deep/y.weir.json", ".hidden.weir.json"})
            made(QLatin1String(name));
        FilesFixture::write(m_files->path(u"readme.txt"_s), "no project");
        m_window = std::make_unique<WindowFixture>(m_files->path(u"a.weir.json"_s));
        QVERIFY(w().isReady());
    }

    void cleanup() { m_window.reset(); }

    void enterOpensWhatIsTyped_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("file");
        QTest::newRow("a name") << u"b.weir.json"_s << u"b.weir.json"_s;
        QTest::newRow("without its ending") << u"b"_s << u"b.weir.json"_s;
        QTest::newRow("a relative path") << u"sub/deep/../x.weir.json"_s << u"sub/x.weir.json"_s;
        QTest::newRow("an absolute path") << u"%1/sub/x.weir.json"_s << u"sub/x.weir.json"_s;
        QTest::newRow("from home") << u"~/sub/x.weir.json"_s << u"sub/x.weir.json"_s;
    }

    // Qt's own dialog opens the first file of its list, whatever the user typed. This dialog must not.
    void enterOpensWhatIsTyped() {
        QFETCH(const QString, typed);
        QFETCH(const QString, file);
        const QByteArray home = qgetenv("HOME");
        qputenv("HOME", QFile::encodeName(m_files->path({})));
        show();
        enter(typed.contains(u"%1"_s) ? typed.arg(QDir::cleanPath(m_files->path({}))) : typed);
        qputenv("HOME", home);
        QTRY_COMPARE(opened(), QDir::cleanPath(m_files->path(file)));
        QTRY_VERIFY(!w().item(u"fileName"_s));
    }

    void savingOnTheWayToOpenBeginsWhereSavingDoes() {
        w().editor->newDocument();
        QVERIFY(w().editor->tools()->inserter()->add(u"abs"_s, {}));
        show();
        enter(QDir::cleanPath(m_files->path(u"sub/x.weir.json"_s)));
        QTRY_VERIFY(w().item(u"closeSave"_s) && w().item(u"closeSave"_s)->hasActiveFocus());
        w().settle();
        w().key(Qt::Key_Return);
        QTRY_VERIFY(w().focusItem() && w().focusItem()->objectName() == u"fileName"_s);
        QCOMPARE(folder(), QDir::cleanPath(m_files->path({})));
        enter(u"mine"_s);
        QTRY_COMPARE(opened(), QDir::cleanPath(m_files->path(u"sub/x.weir.json"_s)));
        QVERIFY(QFile::exists(m_files->path(u"mine.weir.json"_s)));
    }

    void whatIsNotThereIsSaid() {
        show();
        enter(u"nothing"_s);
        QTRY_VERIFY2(said().contains(u"The file nothing"_s), qPrintable(said()));
        QCOMPARE(opened(), m_files->path(u"a.weir.json"_s));
        enterInstead(u"no/such/p.weir.json"_s);
        QTRY_VERIFY2(said().contains(u"does not exist"_s), qPrintable(said()));
        w().key(Qt::Key_A, Qt::ControlModifier);
        w().key(Qt::Key_Delete);
        w().key(Qt::Key_Return);
        QTRY_VERIFY2(said().contains(u"Type a name"_s), qPrintable(said()));
        QSignalSpy rejected(w().window->findChild<QObject*>(u"openDialog"_s), SIGNAL(rejected()));
        w().key(Qt::Key_Escape);
        QTRY_COMPARE(rejected.count(), 1);
        QTRY_VERIFY(!w().item(u"fileName"_s));
        QCOMPARE(opened(), m_files->path(u"a.weir.json"_s));
    }

    void tabCompletesAndTheListFollows() {
        show();
        QCOMPARE(listed(), (QStringList{u"sub"_s, u"a.weir.json"_s, u"b.weir.json"_s}));
        w().type(u"s"_s);
        QCOMPARE(listed(), QStringList{u"sub"_s});
        w().key(Qt::Key_Tab);
        QCOMPARE(text(), u"sub/"_s);
        QCOMPARE(listed(), (QStringList{u"deep"_s, u"x.weir.json"_s}));
        w().type(u"x"_s);
        w().key(Qt::Key_Tab);
        QCOMPARE(text(), u"sub/x.weir.json"_s);
        w().key(Qt::Key_Return);
        QTRY_COMPARE(opened(), m_files->path(u"sub/x.weir.json"_s));
    }

    void whatIsTypedHasItsPicture() {
        show();
        const QQuickItem* picture = w().item(u"filePicture"_s);
        QVERIFY(picture && picture->property("path").toString().isEmpty());
        w().type(u"sub/deep/y"_s);
        QTRY_VERIFY(picture->property("shown").toBool());
        QCOMPARE(picture->property("path").toString(), m_files->path(u"sub/deep/y.weir.json"_s));
        w().type(u"z"_s);
        QTRY_VERIFY(!picture->property("shown").toBool());
        // The picture follows the latest action: marking a file or typing a name.
        w().key(Qt::Key_A, Qt::ControlModifier);
        w().type(u"a.weir.json"_s);
        QCOMPARE(picture->property("path").toString(), m_files->path(u"a.weir.json"_s));
        w().key(Qt::Key_A, Qt::ControlModifier);
        w().key(Qt::Key_Delete);
        w().settle();
        w().key(Qt::Key_Down);
        w().key(Qt::Key_End);
        QTRY_COMPARE(picture->property("path").toString(), m_files->path(u"b.weir.json"_s));
    }

    void theListIsWalkedByKeys() {
        show();
        w().key(Qt::Key_Down);
        QCOMPARE(marked(), m_files->path(u"sub"_s));
        w().key(Qt::Key_Return);
        QTRY_COMPARE(folder(), m_files->path(u"sub"_s));
        QTRY_COMPARE(marked(), m_files->path(u"sub/deep"_s));
        w().key(Qt::Key_Backspace);
        QTRY_COMPARE(folder(), QDir::cleanPath(m_files->path({})));
        QTRY_COMPARE(marked(), m_files->path(u"sub"_s));
        w().key(Qt::Key_End);
        QCOMPARE(text(), u"b.weir.json"_s);
        // A picture of the marked project appears beside the list.
        QTRY_VERIFY(w().item(u"filePicture"_s)->property("shown").toBool());
        w().key(Qt::Key_Return);
        QTRY_COMPARE(opened(), m_files->path(u"b.weir.json"_s));
        // Backspace in an empty field goes to the parent folder. A letter typed in the list goes into the field.
        show();
        w().key(Qt::Key_Backspace);
        QTRY_COMPARE(folder(), QFileInfo(QDir::cleanPath(m_files->path({}))).path());
        w().key(Qt::Key_Down);
        w().type(u"n"_s);
        QCOMPARE(w().focusItem()->objectName(), u"fileName"_s);
        QCOMPARE(text(), u"n"_s);
        // Letters typed on a column header also go into the field.
        w().item(u"fileByName"_s)->forceActiveFocus(Qt::TabFocusReason);
        w().type(u"b"_s);
        QCOMPARE(w().focusItem()->objectName(), u"fileName"_s);
        QCOMPARE(text(), u"b"_s);
    }

    void theMouseChoosesToo() {
        show();
        w().click(u"file:b.weir.json"_s);
        QTRY_COMPARE(text(), u"b.weir.json"_s);
        const QPoint place = w().centre(u"file:sub"_s);
        QTest::mouseDClick(w().window, Qt::LeftButton, {}, place);
        QTRY_COMPARE(folder(), m_files->path(u"sub"_s));
        QTRY_VERIFY(w().item(u"file:x.weir.json"_s));
        w().settle();
        w().click(u"file:x.weir.json"_s);
        QTRY_COMPARE(text(), u"x.weir.json"_s);
        w().click(u"fileAccept"_s);
        QTRY_COMPARE(opened(), m_files->path(u"sub/x.weir.json"_s));
    }

    // Regression: absolute paths failed, and the question about replacing a file came after the dialog had closed.
    void savingTakesPathsAndAsksBeforeItReplaces() {
        show(u"file.save_as"_s);
        QCOMPARE(text(), u"a.weir.json"_s);
        enterInstead(m_files->path(u"sub/new"_s));
        QTRY_COMPARE(opened(), m_files->path(u"sub/new.weir.json"_s));
        QVERIFY(QFile::exists(opened()));

        const QString other = m_files->path(u"sub/x.weir.json"_s);
        FilesFixture::write(other, "mine\n");
        for (const bool replace : {false, true}) {
            saveAs(u"x"_s);
            QTRY_VERIFY2(said().startsWith(u"x.weir.json already exists"_s), qPrintable(said()));
            // A second Enter chooses the safe answer.
            QTRY_COMPARE(w().focusItem()->objectName(), u"fileKeep"_s);
            if (!replace) {
                w().key(Qt::Key_Return);
                QTRY_COMPARE(w().focusItem()->objectName(), u"fileName"_s);
                QVERIFY(said().isEmpty());
                leave();
                QCOMPARE(readAll(other), QByteArray("mine\n"));
                continue;
            }
            w().settle();
            w().click(u"fileReplace"_s);
            QTRY_COMPARE(opened(), other);
            QCOMPARE(readAll(other).toStdString(), w().editor->document().canonicalText());
        }
    }

    void savingKeepsTheNameOnItsWayThroughTheList() {
        show(u"file.save_as"_s);
        w().key(Qt::Key_A, Qt::ControlModifier);
        w().type(u"mine"_s);
        w().key(Qt::Key_Tab);  // into the list; Enter opens folders
        for (const QString& inside : {u"sub"_s, u"sub/deep"_s}) {
            w().key(Qt::Key_Return);
            QTRY_COMPARE(folder(), m_files->path(inside));
            QVERIFY(listed() != QStringList{u"still reading"_s});
            w().settle();
        }
        QVERIFY2(marked().endsWith(u"deep/y.weir.json"_s), qPrintable(marked()));
        QCOMPARE(text(), u"mine"_s);
        for (int key = 0; key < 8 && w().focusItem()->objectName() != u"fileAccept"; ++key) w().key(Qt::Key_Tab);
        QCOMPARE(w().focusItem()->objectName(), u"fileAccept"_s);
        w().key(Qt::Key_Return);
        QTRY_COMPARE(opened(), m_files->path(u"sub/deep/mine.weir.json"_s));
        // Choosing a file's name replaces the proposed name.
        show(u"file.save_as"_s);
        w().key(Qt::Key_Tab);
        w().key(Qt::Key_End);
        QTRY_COMPARE(text(), u"y.weir.json"_s);
    }

    // Only the proposed name without its suffix is selected. Regression: a typed path became x.weir.json.weir.json.
    void aPathThatIsTypedOverTheProposedNameHasItsSuffixOnce() {
        show(u"file.save_as"_s);
        w().type(m_files->path(u"sub/once.weir.json"_s));
        QCOMPARE(text(), m_files->path(u"sub/once.weir.json"_s));
        w().key(Qt::Key_Return);
        QTRY_COMPARE(opened(), m_files->path(u"sub/once.weir.json"_s));
        show(u"file.save_as"_s);
        w().type(u"two.weir.json"_s);
        QCOMPARE(text(), u"two.weir.json"_s);
        leave();
        show(u"file.save_as"_s);
        w().type(u"stem"_s);
        QCOMPARE(text(), u"stem.weir.json"_s);
        leave();
    }

    void aFolderThatIsTypedIsMadeForTheFile() {
        saveAs(m_files->path(u"not/there/new"_s));
        QTRY_VERIFY2(said().contains(m_files->path(u"not/there"_s)), qPrintable(said()));
        QVERIFY(!QFileInfo::exists(m_files->path(u"not"_s)));
        w().settle();
        w().click(u"fileMakeAbsent"_s);
        QTRY_COMPARE(opened(), m_files->path(u"not/there/new.weir.json"_s));
        QVERIFY(QFile::exists(opened()));
        // The same again by keys.
        saveAs(m_files->path(u"nor/here/new"_s));
        QTRY_VERIFY2(said().contains(m_files->path(u"nor/here"_s)), qPrintable(said()));
        w().key(Qt::Key_Return);
        QTRY_COMPARE(opened(), m_files->path(u"nor/here/new.weir.json"_s));
        // The dialog offers to create missing folders, but never in place of a file.
        saveAs(m_files->path(u"a.weir.json/new"_s));
        QTRY_VERIFY2(said().contains(u"is not a folder"_s), qPrintable(said()));
        QVERIFY(!w().item(u"fileMakeAbsent"_s));
    }

    // Regression: the question also came when the dialog opened, when no changes were at stake yet.
    void unsavedChangesAreAskedAboutOnce() {
        FilesFixture::setItems(w().editor->document(), 3);
        QSignalSpy asked(w().editor->files(), &DocumentFiles::saveDecisionNeeded);
        show();
        QCOMPARE(asked.count(), 0);
        enter(u"b"_s);
        QTRY_VERIFY(w().item(u"closeDiscard"_s));
        QCOMPARE(asked.count(), 1);
        QCOMPARE(opened(), m_files->path(u"a.weir.json"_s));
        w().settle();
        w().click(u"closeDiscard"_s);
        QTRY_COMPARE(opened(), m_files->path(u"b.weir.json"_s));
        QCOMPARE(asked.count(), 1);
    }

    void flowgraphsOfOtherProgramsAreListedToo() {
        FilesFixture::write(m_files->path(u"tone.grc"_s), "blocks: []\n");
        show();
        QTRY_VERIFY(listed().contains(u"tone.grc"_s) && listed().contains(u"a.weir.json"_s));
        QVERIFY(!listed().contains(u"readme.txt"_s));
    }

    void aNewFolderIsMadeAndBookmarked() {
        show(u"file.save_as"_s);
        w().click(u"fileNewFolder"_s);
        QTRY_COMPARE(w().focusItem()->objectName(), u"fileNewFolderName"_s);
        enter(u"sub"_s);
        QTRY_VERIFY2(said().contains(u"already exists"_s), qPrintable(said()));
        enterInstead(u"made here"_s);
        const QString here = m_files->path(u"made here"_s);
        QTRY_COMPARE(folder(), here);
        QVERIFY(QFileInfo(here).isDir());
        w().settle();
        w().click(u"fileBookmark"_s);
        QTRY_VERIFY(w().item(u"filePlace:"_s + here));
        leave();
        show();
        QTRY_VERIFY(w().item(u"filePlace:"_s + here));
        w().click(u"filePlace:"_s + here);
        QTRY_COMPARE(folder(), here);
        w().key(Qt::Key_Delete);  // removes a place only when the list of places has the focus
        QVERIFY(w().item(u"filePlace:"_s + here));
        w().item(u"filePlaces"_s)->forceActiveFocus();
        w().item(u"filePlaces"_s)
            ->setProperty("currentIndex", w().editor->files()->chooser()->places()->rowCount() - 1);
        w().key(Qt::Key_Delete);
        QTRY_VERIFY(!w().item(u"filePlace:"_s + here));
    }

    void filesAreFilteredOrderedAndHidden() {
        show();
        w().click(u"fileHidden"_s);
        QTRY_COMPARE(listed().size(), 4);
        w().click(u"fileHidden"_s);
        QTRY_COMPARE(listed().size(), 3);
        w().click(u"fileByName"_s);
        QTRY_COMPARE(listed(), (QStringList{u"sub"_s, u"b.weir.json"_s, u"a.weir.json"_s}));
        QFile old(m_files->path(u"a.weir.json"_s));
        QVERIFY(old.open(QIODevice::ReadWrite));
        QVERIFY(old.setFileTime(QDateTime::currentDateTime().addDays(-3), QFileDevice::FileModificationTime));
        old.close();
        w().editor->files()->chooser()->entries()->show(folder());
        w().click(u"fileByDate"_s);
        QTRY_COMPARE(listed(), (QStringList{u"sub"_s, u"b.weir.json"_s, u"a.weir.json"_s}));
        w().click(u"fileByDate"_s);
        QTRY_COMPARE(listed(), (QStringList{u"sub"_s, u"a.weir.json"_s, u"b.weir.json"_s}));
        w().editor->files()->chooser()->setFilter(4);
        QTRY_VERIFY(listed().contains(u"readme.txt"_s));
        // The open dialog shows new files.
        made(u"c.weir.json"_s);
        QTRY_VERIFY(listed().contains(u"c.weir.json"_s));
    }

    // Regression: the editor watched the folder while the window was open, and read it again after each change. If
    // other programs wrote there, the list kept jumping to its top. A click that gave it the focus did the same.
    void theListStaysWhereItWasScrolled() {
        for (int i = 0; i < 60; ++i) made(u"many/p%1.weir.json"_s.arg(i + 10));
        show();
        enter(m_files->path(u"many"_s));
        QTRY_COMPARE(listed().size(), 60);
        QQuickItem* list = w().item(u"fileList"_s);
        const auto scrolled = [list] {
            return list->property("contentY").toReal() - list->property("originY").toReal();
        };
        list->setProperty("contentY", list->property("originY").toReal() + 900);
        w().settle();
        QCOMPARE(scrolled(), 900.0);
        made(u"many/new.weir.json"_s);
        QTRY_COMPARE(listed().size(), 61);
        w().settle();
        QCOMPARE(scrolled(), 900.0);
        const int row = static_cast<int>((900 + list->height() / 2) / 28);
        const QString name = listed().at(row);
        w().click(u"file:"_s + name);
        w().settle();
        QCOMPARE(QFileInfo(marked()).fileName(), name);
        QCOMPARE(scrolled(), 900.0);
        // The list scrolls to the entry marked by keys.
        w().key(Qt::Key_Home);
        QTRY_COMPARE(scrolled(), 0.0);
        w().key(Qt::Key_End);
        QTRY_VERIFY(scrolled() > 900);
    }

    void nothingIsWatchedOnceItIsClosed() {
        show();
        const FolderModel& entries = *w().editor->files()->chooser()->entries();
        leave();
        QVERIFY(entries.folder().isEmpty());
        QSignalSpy read(&entries, &FolderModel::countChanged);
        made(u"c.weir.json"_s);
        QTest::qWait(500);
        QCOMPARE(read.count(), 0);
        show();
        QVERIFY(listed().contains(u"c.weir.json"_s));
        made(u"d.weir.json"_s);
        QTRY_VERIFY(listed().contains(u"d.weir.json"_s));
    }

    // Regression: quitting waited for a network folder that did not answer.
    void aFolderThatDoesNotAnswerIsNotWaitedFor() {
        auto dead = std::make_shared<QSemaphore>();
        auto left = std::make_shared<QSemaphore>();
        auto model = std::make_unique<FolderModel>(nullptr, [dead, left](const QString&) {
            dead->acquire();
            left->release();
            return FolderModel::Listing{{{u"late"_s, false, false, 0, {}}}, {}};
        });
        model->show(m_files->path({}));
        QVERIFY(model->isReading());
        QTest::qWait(50);  // now the thread hangs in the folder
        QElapsedTimer time;
        time.start();
        model.reset();
        QVERIFY2(time.elapsed() < 2000, qPrintable(QString::number(time.elapsed())));
        // The model is gone when the late answer arrives.
        dead->release();
        QVERIFY(left->tryAcquire(1, 5000));
        QTest::qWait(50);
    }

    void everyQuestionForAFileIsThisDialog() {
        for (const auto& [action, proposed] : {std::pair(u"file.export_picture"_s, u"a.svg"_s),
                                               {u"file.export_grc"_s, u"a.grc"_s},
                                               {u"file.import_grc"_s, QString()},
                                               {u"mapping.load_machine"_s, QString()}}) {
            show(action);
            QCOMPARE(text(), proposed);
            leave();
        }
        show(u"mapping.load_machine"_s);
        FilesFixture::write(m_files->path(u"machine.json"_s), "{}");
        QTRY_VERIFY(listed().contains(u"machine.json"_s));
        QVERIFY(!listed().contains(u"readme.txt"_s));
    }

    void namesGetTheirEnding() {
        Editor editor{CliCommand()};
        FileChooser& chooser = *editor.files()->chooser();
        QAbstractItemModelTester entries(chooser.entries());
        QAbstractItemModelTester places(chooser.places());
        QSignalSpy chosen(&chooser, &FileChooser::chosen);
        const QUrl here = QUrl::fromLocalFile(m_files->path({}));
        const auto saved = [&](const QString& typed) {
            chosen.clear();
            chooser.enter(typed);
            return chosen.isEmpty() ? QString() : QFileInfo(chosen.first().first().toUrl().toLocalFile()).fileName();
        };
        chooser.begin(FileChooser::SaveFile, {u"SVG (*.svg)"_s, u"PNG (*.png)"_s}, here);
        QCOMPARE(saved(u"p"_s), u"p.svg"_s);
        QCOMPARE(saved(u"p.1 50% #2"_s), u"p.1 50% #2.svg"_s);
        QCOMPARE(saved(u"p.PNG"_s), u"p.PNG"_s);
        QCOMPARE(chooser.stemLength(u"p.svg"_s), 1);
        chooser.setFilter(1);
        QCOMPARE(chooser.withSuffix(u"p.svg"_s), u"p.png"_s);
        chooser.begin(FileChooser::SaveFile, {u"Weir projects (*.weir.json)"_s}, here);
        QCOMPARE(saved(u"p"_s), u"p.weir.json"_s);
        QCOMPARE(saved(u"p.json"_s), u"p.json"_s);
        QCOMPARE(saved(QString(300, u'n')), QString());
        QVERIFY(chooser.problem().contains(u"too long"_s));
        QCOMPARE(saved(u"no/p"_s), QString());
        QVERIFY(chooser.problem().contains(u"does not exist"_s));
        // The dialog does not begin in a deleted folder.
        chooser.begin(FileChooser::OpenFile, {}, QUrl::fromLocalFile(m_files->path(u"gone/with/it"_s)));
        QCOMPARE(chooser.folder(), QDir::cleanPath(m_files->path({})));
    }
};

QTEST_MAIN(TestFileDialog)
#include "tst_file_dialog.moc"
