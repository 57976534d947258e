#include "files_fixture.h"
#include "run_fixture.h"

#include <QProcess>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QStandardPaths>

#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>
#include <csignal>

using namespace weir::editor;

namespace {

/// Limits the size of written files while it lives, to simulate a full disk.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &m_before); }

  private:
    rlimit m_before{};
};

/// Mounts a small file system, which needs root.
class SmallDisk {
  public:
    explicit SmallDisk(const QString& where, const char* options) : m_where(QFile::encodeName(where)) {
        QDir().mkpath(where);
        m_mounted = ::mount("tmpfs", m_where.constData(), "tmpfs", 0, options) == 0;
    }
    ~SmallDisk() {
        if (m_mounted) ::umount2(m_where.constData(), MNT_DETACH);
    }
    bool exists() const { return m_mounted; }
    bool makeReadOnly() { return ::mount("tmpfs", m_where.constData(), "tmpfs", MS_REMOUNT | MS_RDONLY, "") == 0; }

  private:
    QByteArray m_where;
    bool m_mounted = false;
};

/// Return a script that replaces the command line.
CliCommand script(const FilesFixture& files, const QByteArray& body) {
    const QString path = files.path(QStringLiteral("fake"));
    FilesFixture::write(path, "#!/bin/sh\n" + body);
    QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return {path, {}};
}

} // namespace

/// Tests that faults around the editor cost the user a message and nothing else.
class TestFaults : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { setUpApplication(); }
    void init() { WindowFixture::failOnQmlWarnings(); }

    void changesOutliveAKilledEditor() {
        FilesFixture files;
        const QString path = files.project();
        const QByteArray original = readAll(path);
        QProcess victim;
        victim.start(QCoreApplication::applicationFilePath(),
                     {QStringLiteral("--victim"), path, files.path(QString())});
        QVERIFY(victim.waitForFinished(60000));
        QCOMPARE(victim.exitStatus(), QProcess::CrashExit);
        QCOMPARE(readAll(path), original);
        QCOMPARE(files.kept().size(), 1);
        // Simulates the rest of a write that the kill interrupted.
        FilesFixture::write(
            files.places().recoveryFolder + u'/' + files.kept().constFirst() + QStringLiteral(".AbCdEf"), "half");

        WindowFixture w(QString{});
        QVERIFY(w.isReady());
        w.editor->remember(files.places());
        QTRY_VERIFY(w.item(QStringLiteral("bar:recovery:recover")));
        QVERIFY(w.item(QStringLiteral("barText:recovery"))
                    ->property("text")
                    .toString()
                    .contains(QStringLiteral("Changes of p from ")));
        w.settle();
        w.click(QStringLiteral("bar:recovery:difference"));
        QTRY_VERIFY(w.editor->files()->difference()->rowCount() > 0);
        w.editor->files()->difference()->close();

        {
            // While this editor offers the files, no other editor does.
            Editor other({QStringLiteral("/bin/true"), {}});
            other.remember(files.places());
            QCOMPARE(other.files()->bars()->rowCount(), 0);
        }

        QTRY_VERIFY(w.item(QStringLiteral("bar:recovery:recover")));
        w.settle();
        w.click(QStringLiteral("bar:recovery:recover"));
        QTRY_COMPARE(w.editor->document().path(), path);
        QVERIFY(!w.editor->scene().block(QStringLiteral("alpha")));
        QCOMPARE(FilesFixture::items(w.editor->document()), 4321);
        QVERIFY(w.editor->isModified());
        QTRY_VERIFY(!w.item(QStringLiteral("bar:recovery")));
        QCOMPARE(files.kept().size(), 1); // the journal of this editor's unsaved changes
        w.editor->undo();
        QCOMPARE(QByteArray::fromStdString(w.editor->document().canonicalText()), original);
        w.editor->redo();
        w.editor->files()->save();
        QTRY_COMPARE(files.kept().size(), 0);
    }

    void theRealEditorIsKilledInMidEditAndRecovers() {
        const QString xvfb = QStandardPaths::findExecutable(QStringLiteral("Xvfb"));
        const QString xdotool = QStandardPaths::findExecutable(QStringLiteral("xdotool"));
        if (xvfb.isEmpty() || xdotool.isEmpty())
            QSKIP("needs Xvfb and xdotool; changesOutliveAKilledEditor checks the same without");
        FilesFixture files;
        const QString path = files.project();
        const QByteArray original = readAll(path);

        QProcess display;
        display.start(
            xvfb, {QStringLiteral("-displayfd"), QStringLiteral("1"), QStringLiteral("-screen"), QStringLiteral("0"),
                   QStringLiteral("1400x900x24"), QStringLiteral("-nolisten"), QStringLiteral("tcp")});
        QVERIFY(display.waitForReadyRead(15000));
        const QString number = u':' + QString::fromLatin1(display.readAllStandardOutput().trimmed());
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("DISPLAY"), number);
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("xcb"));
        environment.insert(QStringLiteral("QT_QUICK_BACKEND"), QStringLiteral("software"));
        environment.insert(QStringLiteral("XDG_STATE_HOME"), files.path(QStringLiteral("xdg-state")));
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), files.path(QStringLiteral("xdg-config")));
        QProcess editor;
        editor.setProcessEnvironment(environment);
        editor.start(QStringLiteral(WEIR_EDITOR_BINARY),
                     {path, QStringLiteral("--weir"), QStringLiteral(WEIR_CLI_COMMAND)});
        QVERIFY(editor.waitForStarted());
        const auto input = [&](const QStringList& arguments) {
            QProcess process;
            process.setProcessEnvironment(environment);
            process.start(xdotool, arguments);
            return process.waitForFinished(30000) && process.exitCode() == 0;
        };
        QVERIFY(input({QStringLiteral("search"), QStringLiteral("--sync"), QStringLiteral("--onlyvisible"),
                       QStringLiteral("--name"), QStringLiteral("Weir")}));
        QTest::qWait(1500);
        // The canvas has the focus, so the keys select and delete everything.
        QVERIFY(input({QStringLiteral("mousemove"), QStringLiteral("300"), QStringLiteral("400"),
                       QStringLiteral("click"), QStringLiteral("1")}));
        QVERIFY(input({QStringLiteral("key"), QStringLiteral("ctrl+a")}));
        QVERIFY(input({QStringLiteral("key"), QStringLiteral("Delete")}));
        const QString state = files.path(QStringLiteral("xdg-state/weir/recovery"));
        const auto kept = [&state] {
            return QDir(state).entryList({QStringLiteral("*") + kRecoverySuffix}, QDir::Files).size();
        };
        QTRY_COMPARE_WITH_TIMEOUT(kept(), 1, 10000);
        ::kill(static_cast<pid_t>(editor.processId()), SIGKILL);
        QVERIFY(editor.waitForFinished());
        display.terminate();
        display.waitForFinished();
        QCOMPARE(readAll(path), original);

        const auto found = takeRecoveredChanges(state);
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found.front().path, path);
        QVERIFY(found.front().damage.isEmpty());
        QVERIFY(list(find(found.front().document, Pointer("/graph/blocks"))).empty());
    }

    void aLivingEditorsChangesAreNotOffered() {
        FilesFixture files;
        Editor living({QStringLiteral("/bin/true"), {}});
        living.remember(files.places());
        FilesFixture::setItems(living.document(), 3);
        QCOMPARE(living.recovery().journal().flush(), QString());
        QCOMPARE(files.kept().size(), 1);
        Editor second({QStringLiteral("/bin/true"), {}});
        second.remember(files.places());
        QCOMPARE(second.files()->bars()->rowCount(), 0);
        living.undo();
        QTRY_COMPARE(files.kept().size(), 0);
    }

    void discardedChangesDoNotComeBack() {
        FilesFixture files;
        {
            Editor editor({QStringLiteral("/bin/true"), {}});
            editor.remember(files.places());
            QVERIFY(editor.openPath(files.project()));
            FilesFixture::setItems(editor.document(), 3);
            QCOMPARE(editor.recovery().journal().flush(), QString());
            QCOMPARE(files.kept().size(), 1);
            editor.files()->quit();
            editor.files()->answerUnsaved(QStringLiteral("discard"));
            QCOMPARE(files.kept().size(), 0);
            // If the editor stays open after all, it keeps later changes again.
            FilesFixture::setItems(editor.document(), 4);
            QCOMPARE(editor.recovery().journal().flush(), QString());
            QCOMPARE(files.kept().size(), 1);
            editor.files()->quit();
            editor.files()->answerUnsaved(QStringLiteral("discard"));
        }
        QCOMPARE(files.kept().size(), 0);
    }

    // Regression: a document that stayed open had no journal until its next edit.
    void whatIsDiscardedForAnotherProjectIsKeptUntilThatIsThere() {
        FilesFixture files;
        Editor editor({QStringLiteral("/bin/true"), {}});
        editor.remember(files.places());
        FilesFixture::setItems(editor.document(), 3);
        QCOMPARE(editor.recovery().journal().flush(), QString());
        DocumentFiles& asked = *editor.files();
        QSignalSpy chooses(&asked, &DocumentFiles::openNameNeeded);
        const auto isKept = [&] { return editor.recovery().journal().flush().isEmpty() && files.kept().size() == 1; };
        asked.chooseProject();
        QCOMPARE(chooses.count(), 1);
        QVERIFY(isKept()); // the user may still cancel the dialog
        for (const QString& name : {QStringLiteral("missing.weir.json"), QStringLiteral("missing.grc")}) {
            asked.open(files.path(name));
            asked.answerUnsaved(QStringLiteral("discard"));
            QVERIFY(isKept() && FilesFixture::items(editor.document()) == 3);
        }
        asked.open(files.project());
        asked.answerUnsaved(QStringLiteral("discard"));
        QVERIFY(editor.hasFile() && files.kept().isEmpty());
    }

    void whatIsDiscardedWhileItIsAskedAboutIsNotRecovered() {
        FilesFixture files;
        {
            Editor killed({QStringLiteral("/bin/true"), {}});
            killed.remember(files.places());
            FilesFixture::setItems(killed.document(), 3);
        }
        QCOMPARE(files.kept().size(), 1);
        Editor editor({QStringLiteral("/bin/true"), {}});
        editor.remember(files.places());
        FilesFixture::setItems(editor.document(), 5);
        editor.files()->bars()->choose(QStringLiteral("recovery"), QStringLiteral("recover"));
        editor.files()->bars()->choose(QStringLiteral("recovery"), QStringLiteral("discard"));
        editor.files()->answerUnsaved(QStringLiteral("discard"));
        QCOMPARE(FilesFixture::items(editor.document()), 5);
    }

    // Regression: the runs were on the disk, but no list showed them.
    void theRunsOfAProjectWithoutAFileAreRecoveredWithIt() {
        FilesFixture files;
        const QString place = files.path(QStringLiteral("runs"));
        const auto make = [](const QString& run, const QString& id, const char* project) {
            QDir().mkpath(run);
            FilesFixture::write(
                run + QStringLiteral("/results.json"),
                "{\"schema_version\": 1, \"run_id\": \"" + id.toUtf8() + "\", \"project\": \"" + project + "\"}");
            return run;
        };
        // The recovery data is untrusted: the editor may move only this project's runs in the folder of runs.
        const QStringList runs{make(place + QStringLiteral("/r1"), QStringLiteral("r1"), "untitled"),
                               make(place + QStringLiteral("/r2"), QStringLiteral("r2"), "untitled")};
        const QStringList otherRuns{make(place + QStringLiteral("/r3"), QStringLiteral("r3"), "mine"),
                                    make(place + QStringLiteral("/r4"), QStringLiteral("other"), "untitled"),
                                    make(files.path(QStringLiteral("r5")), QStringLiteral("r5"), "untitled"),
                                    place + QStringLiteral("/gone")};
        {
            Editor killed({QStringLiteral("/bin/true"), {}});
            killed.remember(files.places());
            FilesFixture::setItems(killed.document(), 3);
            QCOMPARE(killed.recovery().journal().flush(), QString());
            killed.recovery().journal().keepRuns(otherRuns + runs);
        }
        Editor editor({QStringLiteral("/bin/true"), {}});
        editor.results()->library()->setFolder(place);
        editor.remember(files.places());
        editor.files()->bars()->choose(QStringLiteral("recovery"), QStringLiteral("recover"));
        QCOMPARE(FilesFixture::items(editor.document()), 3);
        QCOMPARE(editor.runner()->unfiled(), runs);
        editor.newDocument();
        QVERIFY(editor.runner()->unfiled().isEmpty());
    }

    void damagedRecoveryFilesSaySo() {
        FilesFixture files;
        QDir().mkpath(files.places().recoveryFolder);
        FilesFixture::write(files.places().recoveryFolder + QStringLiteral("/x") + kRecoverySuffix,
                            "{\"weir_recovery\": 1}\n{ half");
        Editor editor({QStringLiteral("/bin/true"), {}});
        editor.remember(files.places());
        const Bar* bar = editor.files()->bars()->bar(QStringLiteral("recovery"));
        QVERIFY(bar && bar->text.contains(QStringLiteral("cannot be read")));
        editor.files()->bars()->choose(QStringLiteral("recovery"), QStringLiteral("discard"));
        QVERIFY(files.kept().isEmpty());
    }

    void aStateFolderThatTakesNothingIsTold() {
        FilesFixture files;
        FilesFixture::write(files.path(QStringLiteral("state")), "a file where a folder should be");
        WindowFixture w(files.project());
        QVERIFY(w.isReady());
        w.editor->remember(files.places());
        FilesFixture::setItems(w.editor->document(), 3);
        QTRY_VERIFY(w.item(QStringLiteral("bar:journal")));
        w.editor->files()->save();
        QVERIFY(!w.editor->isModified());
        QTRY_VERIFY(!w.item(QStringLiteral("bar:journal")));
    }

    void aFullDiskCostsNothing() {
        FilesFixture files;
        const QString path = files.project();
        const QByteArray original = readAll(path);
        WindowFixture w(path);
        QVERIFY(w.isReady());
        w.editor->remember(files.places());
        const QStringList before = QDir(files.path(QString())).entryList(QDir::Files | QDir::Hidden);
        FilesFixture::setItems(w.editor->document(), 3);
        QString notice;
        QString notKept;
        {
            // No checks while the limit holds, since the log of the tests is a file too.
            const FileSizeLimit limit(100);
            w.editor->files()->save();
            notice = w.editor->notice();
            notKept = w.editor->recovery().journal().flush();
        }
        QVERIFY2(notice.contains(QStringLiteral("was not saved")), qPrintable(notice));
        QVERIFY(!notKept.isEmpty());
        QCOMPARE(readAll(path), original);
        QVERIFY(w.editor->isModified());
        QCOMPARE(QDir(files.path(QString())).entryList(QDir::Files | QDir::Hidden), before);
        w.editor->files()->save();
        QVERIFY(!w.editor->isModified());
        QTRY_VERIFY(!w.item(QStringLiteral("bar:journal")));
    }

    void aSmallDiskFillsUpAndIsReadOnly() {
        FilesFixture files;
        SmallDisk disk(files.path(QStringLiteral("disk")), "size=64k");
        if (!disk.exists()) QSKIP("only root may mount; aFullDiskCostsNothing checks the same with a limit");
        const QString path = files.project(QStringLiteral("disk/p.weir.json"));
        const QByteArray original = readAll(path);
        Editor editor({QStringLiteral("/bin/true"), {}});
        QVERIFY(editor.openPath(path));
        editor.edit(QStringLiteral("Describe"),
                    [](Transaction& t) { t.set(Pointer("/description"), std::string(100000, 'x')); });
        editor.files()->save();
        QVERIFY2(editor.notice().contains(QStringLiteral("was not saved")), qPrintable(editor.notice()));
        QCOMPARE(readAll(path), original);
        QCOMPARE(QDir(files.path(QStringLiteral("disk"))).entryList(QDir::Files | QDir::Hidden).size(), 1);

        editor.undo();
        FilesFixture::setItems(editor.document(), 3);
        QVERIFY(disk.makeReadOnly());
        editor.files()->save();
        QVERIFY2(editor.notice().contains(QStringLiteral("was not saved")), qPrintable(editor.notice()));
        QVERIFY(editor.isModified());
        QCOMPARE(readAll(path), original);
    }

    void impossibleTargetsAreRefused() {
        FilesFixture files;
        Editor editor({QStringLiteral("/bin/true"), {}});
        QVERIFY(editor.openPath(files.project()));
        QDir().mkpath(files.path(QStringLiteral("folder")));
        QVERIFY(!editor.document().save(files.path(QStringLiteral("folder"))).isEmpty());
        QVERIFY(!editor.document().save(files.path(QStringLiteral("missing/p.weir.json"))).isEmpty());
        QVERIFY(!editor.openPath(files.path(QStringLiteral("folder"))));
        QVERIFY2(editor.notice().contains(QStringLiteral("not a file")), qPrintable(editor.notice()));
        QVERIFY(!editor.openPath(QStringLiteral("/dev/zero")));
        QCOMPARE(editor.documentName(), QStringLiteral("p"));
    }

    void aCommandThatFailsIsTold_data() {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("notice");
        QTest::newRow("killed") << QByteArray("kill -9 $$\n") << QStringLiteral("killed or crashed");
        QTest::newRow("junk") << QByteArray("echo '<html>'; exit 0\n") << QStringLiteral("could not be");
        QTest::newRow("other json") << QByteArray("echo '{\"revision\": \"x\"}'\n") << QStringLiteral("could not be");
        QTest::newRow("message") << QByteArray("echo 'P: error E_FILE_MISSING: it is gone' >&2; exit 3\n")
                                 << QStringLiteral("it is gone");
        QTest::newRow("missing") << QByteArray() << QStringLiteral("does not start");
    }

    void aCommandThatFailsIsTold() {
        QFETCH(QByteArray, body);
        QFETCH(QString, notice);
        FilesFixture files;
        Editor editor(body.isEmpty() ? CliCommand{QStringLiteral("/nowhere/weir"), {}} : script(files, body));
        QVERIFY(editor.openPath(files.project()));
        editor.start();
        QTRY_VERIFY_WITH_TIMEOUT(editor.notice().contains(notice), 10000);
        QVERIFY(!editor.isEmpty());

        editor.runner()->run();
        QTRY_VERIFY_WITH_TIMEOUT(!editor.runner()->isRunning(), 10000);
        const QString why = editor.runner()->failure() + editor.runner()->status();
        QVERIFY2(!why.isEmpty(), qPrintable(editor.notice()));
        FilesFixture::setItems(editor.document(), 3);
        editor.files()->save();
        QVERIFY(!editor.isModified());
    }

    void withoutACompilerTheReasonReachesTheUser() {
        FilesFixture files;
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", QFile::encodeName(files.path(QStringLiteral("nothing"))));
        WindowFixture w(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json"));
        QVERIFY(w.isReady());
        w.editor->runner()->run();
        const bool ended = ends(*w.editor->runner(), 30000);
        qputenv("PATH", path);
        const QString said = toldBy(*w.editor->runner()) + w.editor->notice();
        QVERIFY2(ended && said.contains(QRegularExpression(QStringLiteral("cmake|compiler|g\\+\\+"),
                                                           QRegularExpression::CaseInsensitiveOption)),
                 qPrintable(said));
    }
};

namespace {

/// Edits with real keys, and kills itself as soon as the journal has the changes.
int beKilled(const QString& path, const QString& folder) {
    setUpApplication();
    WindowFixture w(path);
    w.editor->remember({folder + QStringLiteral("/config/editor.ini"), folder + QStringLiteral("/state/recovery"), {}});
    if (!w.isReady()) return 2;
    QObject::connect(&w.editor->recovery().journal(), &RecoveryJournal::written, [] { ::kill(::getpid(), SIGKILL); });
    w.click(QStringLiteral("block:alpha"));
    w.key(Qt::Key_Delete);
    FilesFixture::setItems(w.editor->document(), 4321);
    QTest::qWait(20000);
    return 3;
}

}  // namespace

int main(int argc, char* argv[]) {
    QGuiApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() == 4 && arguments[1] == QLatin1String("--victim")) return beKilled(arguments[2], arguments[3]);
    TestFaults tests;
    return QTest::qExec(&tests, argc, argv);
}

#include "tst_faults.moc"
