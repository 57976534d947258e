#include "window_fixture.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QProcess>
#include <QQuickItem>
#include <QTemporaryDir>

using namespace weir::editor;

namespace {

const QString kMeasured = QStringLiteral(WEIR_TEST_DATA "/measured");
constexpr int kAnswerMs = 30000;

bool copyFolder(const QString &from, const QString &to)
{
    QDir().mkpath(to);
    for (const QFileInfo &entry : QDir(from).entryInfoList(QDir::AllEntries | QDir::NoDotAndDotDot))
        if (!(entry.isDir() ? copyFolder(entry.filePath(), to + u'/' + entry.fileName())
                            : QFile::copy(entry.filePath(), to + u'/' + entry.fileName())))
            return false;
    return true;
}

} // namespace

/// Results and comparisons in the real window, of runs that were measured.
class TestResultsWindow : public QObject
{
    Q_OBJECT

    static bool isNear(const QColor &a, const QColor &b)
    {
        return std::abs(a.red() - b.red()) < 4 && std::abs(a.green() - b.green()) < 4
            && std::abs(a.blue() - b.blue()) < 4;
    }

    static int inkIn(const WindowFixture &w, const QString &item, const QColor &color)
    {
        const QQuickItem *found = w.item(item);
        if (!found)
            return 0;
        const QImage image = w.window->grabWindow();
        const QRect area = found->mapRectToScene(found->boundingRect()).toRect().intersected(image.rect());
        int count = 0;
        for (int y = area.top(); y <= area.bottom(); ++y)
            for (int x = area.left(); x <= area.right(); ++x)
                count += isNear(image.pixelColor(x, y), color);
        return count;
    }

    /// A text that reaches over the sides of the page; empty: none does.
    static QString outside(const QQuickItem *item, const QQuickItem *page)
    {
        const auto children = item->childItems();
        for (const QQuickItem *child : children) {
            if (!child->isVisible())
                continue;
            const QRectF rect = child->mapRectToItem(page, child->boundingRect());
            const QString text = child->property("truncated").isValid() ? child->property("text").toString()
                                                                        : QString();
            if (!text.isEmpty() && (rect.left() < -1 || rect.right() > page->width() + 1))
                return QStringLiteral("%1: %2 to %3 of %4")
                    .arg(text)
                    .arg(rect.left())
                    .arg(rect.right())
                    .arg(page->width());
            if (const QString found = outside(child, page); !found.isEmpty())
                return found;
        }
        return {};
    }

private slots:
    void initTestCase() { setUpApplication(); }
    void init() { WindowFixture::failOnQmlWarnings(); }

    void withoutLatencyTheTableOfBlocksHasTheRoomOfTheCurves()
    {
        QTemporaryDir folder;
        QVERIFY(copyFolder(kMeasured, folder.path()));
        for (const QString &run : QDir(folder.path()).entryList({QStringLiteral("*-series-*")}, QDir::Dirs))
            QVERIFY(QFile::remove(folder.filePath(run + QStringLiteral("/latency.hgrm"))));
        WindowFixture w(folder.filePath(QStringLiteral("series.weir.json")));
        Results &results = *w.editor->results();
        results.library()->setFolder(folder.path());
        w.editor->setView(QStringLiteral("results"));
        QVERIFY(w.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(results.run()->isShown(), kAnswerMs);
        QTRY_VERIFY(w.item(QStringLiteral("header:Share")));
        QVERIFY(!w.item(QStringLiteral("percentilePlot")) && !w.item(QStringLiteral("histogramPlot")));
        const QQuickItem *note = w.item(QStringLiteral("runNote")), *tables = w.item(QStringLiteral("resultTablePane"));
        const double gap = tables->mapToScene({}).y() - note->mapToScene({0, note->height()}).y();
        QVERIFY2(gap > 0 && gap < 20, qPrintable(QString::number(gap)));
        w.click(QStringLiteral("tab:Latency"));
        QTRY_VERIFY(!w.item(QStringLiteral("header:Share")));
    }

    void aRunIsShownNotedAndDeleted()
    {
        QTemporaryDir folder;
        QVERIFY(copyFolder(kMeasured, folder.path()));
        // What a full disk and another version of Weir leave behind.
        const QStringList series
            = QDir(folder.path()).entryList({QStringLiteral("*-series-*")}, QDir::Dirs, QDir::Name);
        QFile torn(folder.filePath(series[0] + QStringLiteral("/results.json")));
        QVERIFY(torn.resize(700));
        WindowFixture w(folder.filePath(QStringLiteral("series.weir.json")));
        Results &results = *w.editor->results();
        results.library()->setFolder(folder.path());
        w.editor->setView(QStringLiteral("results"));
        QVERIFY(w.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(results.run()->isShown(), kAnswerMs);
        QAbstractItemModelTester tester(results.library()->runs(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(results.library()->runs()->rowCount(), series.size());
        QCOMPARE(results.run()->status(), QStringLiteral("ok"));
        QVERIFY(results.run()->spread().contains(QStringLiteral("median of")));
        QTest::qWait(100);
        QVERIFY(inkIn(w, QStringLiteral("percentilePlot"), QColor(0x0A, 0x6F, 0xB8)) > 100);
        QVERIFY(inkIn(w, QStringLiteral("histogramPlot"), QColor(71, 147, 202)) > 300); // three quarters of it on white

        w.click(QStringLiteral("tab:Blocks"));
        w.click(QStringLiteral("header:Share"));
        auto *blocks = qobject_cast<TableModel *>(results.run()->blocks());
        QCOMPARE(blocks->sortColumn(), 1);
        const QString top = blocks->index(0).data().toString();
        w.click(QStringLiteral("row:") + top);
        QCOMPARE(w.editor->selection().onlyBlock(), blockOf(top));

        w.fill(QStringLiteral("runNote"), QStringLiteral("first try"));
        QCOMPARE(results.run()->note(), QStringLiteral("first try"));
        QCOMPARE(readAll(results.run()->path() + QStringLiteral("/note.txt")), QByteArray("first try\n"));

        w.click(QStringLiteral("runFilterSide"));
        w.type(QStringLiteral("damaged"));
        QCOMPARE(results.library()->runs()->rowCount(), 1);
        QTRY_VERIFY(w.item(QStringLiteral("side:0")));
        w.click(QStringLiteral("side:0"));
        QTRY_COMPARE(results.run()->status(), QStringLiteral("damaged"));
        QVERIFY(results.run()->reasons().value(0).contains(QStringLiteral("damaged")));
        w.click(QStringLiteral("runFilterSide"));
        w.key(Qt::Key_Escape);
        QCOMPARE(results.library()->runs()->rowCount(), series.size());

        results.show(folder.filePath(series.last()));
        QTest::qWait(50);
        w.click(QStringLiteral("deleteRun"));
        QVERIFY(QFileInfo::exists(folder.filePath(series.last())));
        w.click(QStringLiteral("deleteRun"));
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(folder.filePath(series.last())), kAnswerMs);
        QTRY_COMPARE_WITH_TIMEOUT(results.library()->runs()->rowCount(), series.size() - 1, kAnswerMs);
    }

    void whatWasBegunForARunIsForThatRun()
    {
        QTemporaryDir folder;
        QVERIFY(copyFolder(kMeasured, folder.path()));
        WindowFixture w(folder.filePath(QStringLiteral("series.weir.json")));
        Results &results = *w.editor->results();
        results.library()->setFolder(folder.path());
        w.editor->setView(QStringLiteral("results"));
        QVERIFY(w.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(results.run()->isShown(), kAnswerMs);
        const QString first = results.library()->list().runAt(0)->path, other = results.library()->list().runAt(1)->path;
        results.show(first);
        WindowFixture::settle();
        w.click(QStringLiteral("deleteRun"));
        w.click(QStringLiteral("runNote"));
        w.type(QStringLiteral("of the first"));
        // A run that ends takes the place of the one that is looked at.
        results.show(other);
        WindowFixture::settle();
        QCOMPARE(readAll(first + QStringLiteral("/note.txt")), QByteArray("of the first\n"));
        QVERIFY(results.run()->note().isEmpty());
        results.show(first);
        WindowFixture::settle();
        w.click(QStringLiteral("deleteRun"));
        results.show(other);
        w.click(QStringLiteral("deleteRun"));
        QTest::qWait(100);
        QVERIFY(!w.editor->results()->library()->busy().contains(QStringLiteral("removing")));
        QVERIFY(QFileInfo::exists(first) && QFileInfo::exists(other));
    }

    void theOlderRunIsAAndAProfiledOneIsNoBaseline()
    {
        QTemporaryDir folder, waiting;
        QVERIFY(copyFolder(kMeasured, waiting.path()));
        QVERIFY(QFile::copy(kMeasured + QStringLiteral("/pipes.weir.json"), folder.filePath(QStringLiteral("pipes.weir.json"))));
        const auto arrives = [&](const QString &name, const char *metrics) {
            const QString run = QDir(waiting.path()).entryList({name}, QDir::Dirs).constFirst();
            QFile results(waiting.filePath(run + QStringLiteral("/results.json")));
            const QByteArray text = readAll(results.fileName()).replace("\"metrics\": \"profile\"", metrics);
            return results.open(QIODevice::WriteOnly) && results.write(text) == text.size() && results.flush()
                   && QDir().rename(waiting.filePath(run), folder.filePath(run));
        };
        QVERIFY(arrives(QStringLiteral("*-pipes-flow-*"), "\"metrics\": \"counters\""));
        WindowFixture w(folder.filePath(QStringLiteral("pipes.weir.json")));
        RunComparison &comparison = *w.editor->comparison();
        RunLibrary &library = *w.editor->results()->library();
        library.setFolder(folder.path());
        QVERIFY(w.isReady());
        QTRY_COMPARE_WITH_TIMEOUT(library.total(), 1, kAnswerMs);
        // The second one comes, and is the newer.
        QVERIFY(arrives(QStringLiteral("*-pipes-thread_per_block-*"), "\"metrics\": \"counters\""));
        library.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(library.total(), 2, kAnswerMs);
        QVERIFY(comparison.choices().value(comparison.a()).startsWith(QStringLiteral("flow ")));
        QVERIFY(comparison.choices().value(comparison.b()).startsWith(QStringLiteral("thread_per_block ")));
        // A newer run comes: what is shown as chosen is what is compared.
        w.editor->setView(QStringLiteral("compare"));
        QTRY_VERIFY(w.item(QStringLiteral("sideA")));
        const QString flow = QDir(folder.path()).entryList({QStringLiteral("*-pipes-flow-*")}, QDir::Dirs).constFirst();
        const QString newer = folder.filePath(QStringLiteral("20991120T193453Z-pipes-flow-000000"));
        QVERIFY(copyFolder(folder.filePath(flow), newer));
        for (const char *name : {"/results.json", "/run.json"}) { // of another command
            QFile file(newer + QLatin1String(name));
            const QByteArray text = readAll(file.fileName()).replace(flow.toUtf8(), QFileInfo(newer).fileName().toUtf8())
                                        .replace("ccd40c11bd50e73b", "0000000000000000");
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        }
        library.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(comparison.choices().size(), 3, kAnswerMs);
        const auto shown = [&](const char *side) { return w.item(QLatin1String(side))->property("displayText").toString(); };
        QTRY_COMPARE(shown("sideA"), comparison.choices().value(comparison.a()));
        QCOMPARE(shown("sideB"), comparison.choices().value(comparison.b()));
        QVERIFY(QDir(newer).removeRecursively());
        library.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(library.total(), 2, kAnswerMs);
        // Profiled, it is no side of a comparison of throughputs unless it is chosen; then that is said.
        const QString newest = library.list().runAt(0)->path;
        QFile results(newest + QStringLiteral("/results.json"));
        const QByteArray text = readAll(results.fileName()).replace("\"metrics\": \"counters\"", "\"metrics\": \"profile\"");
        QVERIFY(results.open(QIODevice::WriteOnly) && results.write(text) == text.size() && results.flush());
        library.refresh();
        QTRY_VERIFY_WITH_TIMEOUT(library.list().run(newest) && library.list().run(newest)->profiled, kAnswerMs);
        QVERIFY(comparison.choices().value(comparison.b()).startsWith(QStringLiteral("flow ")) && comparison.a() < 0);
        QVERIFY(comparison.headline().isEmpty());
        comparison.setSide(newest, true);
        QVERIFY(comparison.isProfiledA() && comparison.headline().startsWith(QStringLiteral("A was profiled")));
        QVERIFY(comparison.choices().value(comparison.a()).contains(QStringLiteral("profiled")));
        w.editor->setView(QStringLiteral("results"));
        w.editor->results()->show(newest);
        QTRY_VERIFY(w.item(QStringLiteral("profiledRun")));
    }

    void whatSpeaksAgainstAGoodRunIsSeen()
    {
        QTemporaryDir folder;
        QVERIFY(copyFolder(kMeasured, folder.path()));
        const QString run = QDir(folder.path()).entryList({QStringLiteral("*-series-*")}, QDir::Dirs, QDir::Name).last();
        const QString file = folder.filePath(run + QStringLiteral("/results.json"));
        Json results = Json::parse(readAll(file).toStdString());
        results["reasons"] = {{{"code", "W_DISTURBED"}, {"message", "others took 31 % of the run's CPUs"}}};
        results["load"] = {{"offered_items_per_s", 2e6}, {"delivered_items_per_s", 1.5e6}, {"kept_up", false}};
        results["verification"] = {{"ok", true}, {"message", "1,000,003 items equal to the reference"}};
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly | QIODevice::Truncate));
        out.write(QByteArray::fromStdString(results.dump()));
        out.close();
        WindowFixture w(folder.filePath(QStringLiteral("series.weir.json")));
        w.editor->results()->library()->setFolder(folder.path());
        w.editor->setView(QStringLiteral("results"));
        QVERIFY(w.isReady());
        w.editor->results()->show(folder.filePath(run));
        QCOMPARE(w.editor->results()->run()->status(), QStringLiteral("ok"));
        QTRY_VERIFY(w.item(QStringLiteral("reason")) && w.item(QStringLiteral("reason"))->isVisible());
        QVERIFY(w.item(QStringLiteral("reason"))->height() > 10);
        QVariantMap facts;
        for (const Fact &fact : static_cast<FactModel *>(w.editor->results()->run()->facts())->rows())
            facts[fact.label] = fact.text;
        QCOMPARE(facts[QStringLiteral("Offered")].toString(), QStringLiteral("2.00 Mitems/s"));
        QVERIFY(facts[QStringLiteral("Delivered")].toString().endsWith(u'✕'));
        QCOMPARE(facts[QStringLiteral("Verified")].toString(), QStringLiteral("1,000,003 items equal to the reference"));
    }

    void twoDeploymentsAreCompared()
    {
        WindowFixture w(kMeasured + QStringLiteral("/series.weir.json"));
        RunComparison &comparison = *w.editor->comparison();
        w.editor->results()->library()->setFolder(kMeasured);
        QVERIFY(w.isReady());
        QTRY_COMPARE_WITH_TIMEOUT(comparison.choices().size(), 2, kAnswerMs);
        // Who does not look pays nothing.
        QVERIFY(!comparison.isWorking() && comparison.blocks()->rowCount() == 0);
        w.editor->setView(QStringLiteral("compare"));
        QTRY_VERIFY_WITH_TIMEOUT(!comparison.verdict().isEmpty(), kAnswerMs);
        const QHash<QString, QString> opposite{{QStringLiteral("better"), QStringLiteral("worse")},
                                               {QStringLiteral("worse"), QStringLiteral("better")}};
        const QString verdict = comparison.verdict();
        QVERIFY2(verdict != QLatin1String("not comparable"), qPrintable(comparison.because()));
        QVERIFY(comparison.metrics()->rowCount() > 3 && comparison.differences()->rowCount() > 0);
        QCOMPARE(comparison.blocks()->rowCount(), 5);
        QVERIFY(comparison.method().contains(QStringLiteral("in turns by one command")));
        QVERIFY(!comparison.view().intervals.empty());
        QTest::qWait(100);
        QVERIFY(inkIn(w, QStringLiteral("comparePlot"), QColor(0x0A, 0x6F, 0xB8)) > 50);
        QVERIFY(inkIn(w, QStringLiteral("comparePlot"), QColor(0xB4, 0x53, 0x0A)) > 50);
        QVERIFY(w.item(QStringLiteral("verdict")));

        w.editor->actions().trigger(QStringLiteral("results.swap"));
        QVERIFY(comparison.verdict().isEmpty() && comparison.isWorking());
        QTRY_VERIFY_WITH_TIMEOUT(!comparison.verdict().isEmpty(), kAnswerMs);
        QCOMPARE(comparison.verdict(), opposite.value(verdict, verdict));
        comparison.copyMarkdown();
        QTRY_VERIFY_WITH_TIMEOUT(QGuiApplication::clipboard()->text().contains(QStringLiteral("| ")), kAnswerMs);

        // One of B's own runs as A: that is no comparison, and the page says why.
        const RunListModel &list = w.editor->results()->library()->list();
        const QString deployment = comparison.choices().value(comparison.b()).section(u' ', 0, 0);
        int row = 0;
        while (list.runAt(row)->deployment != deployment)
            ++row;
        comparison.setSide(list.runAt(row)->path, true);
        QTRY_COMPARE_WITH_TIMEOUT(comparison.verdict(), QStringLiteral("not comparable"), kAnswerMs);
        QVERIFY(comparison.because().contains(QStringLiteral("in common")));
        QCOMPARE(comparison.choices().size(), 3);
    }

    // It ran one side alone, whose runs then stood on both.
    void whatRanWithoutADeploymentRunsAgain()
    {
        QTemporaryDir folder;
        for (const char *name : {"*-series-flow-*", "*-series-single_thread-*"}) {
            const QString run = QDir(kMeasured).entryList({QLatin1String(name)}, QDir::Dirs).constFirst();
            QVERIFY(copyFolder(kMeasured + u'/' + run, folder.filePath(run)));
        }
        Json project = Json::parse(readAll(kMeasured + QStringLiteral("/series.weir.json")).toStdString());
        project["deployments"].erase(1);
        QCOMPARE(project["deployments"].size(), std::size_t(1));
        const auto write = [&](const QString &name, const QByteArray &text) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        };
        write(QStringLiteral("series.weir.json"), QByteArray::fromStdString(project.dump()));
        write(QStringLiteral("cli.py"), "import sys\nsys.path.insert(0, '" WEIR_ROOT "/codegen')\nif sys.argv[1] == 'run':\n"
                                        "    print('[]')\n    sys.exit(0)\nfrom weir.cli import main\nsys.exit(main(sys.argv[1:]))\n");
        WindowFixture w(folder.filePath(QStringLiteral("series.weir.json")),
                        {QStringLiteral("/usr/bin/python3"), {folder.filePath(QStringLiteral("cli.py"))}});
        RunComparison &comparison = *w.editor->comparison();
        w.editor->results()->library()->setFolder(folder.path());
        w.editor->setView(QStringLiteral("compare"));
        QVERIFY(w.isReady());
        QTRY_COMPARE_WITH_TIMEOUT(comparison.verdict(), QStringLiteral("not enough data"), kAnswerMs);
        QVERIFY2(comparison.because().contains(QStringLiteral("of each side")), qPrintable(comparison.because()));
        QTRY_VERIFY(w.item(QStringLiteral("repeat")));
        comparison.setA(comparison.a()); // chosen by hand: what is run for it takes its place all the same
        WindowFixture::settle();
        w.click(QStringLiteral("repeat"));
        QCOMPARE(w.editor->deployments(), (QStringList{QStringLiteral("flow"), QStringLiteral("single_thread")}));
        const QAbstractItemModel &log = *w.editor->runner()->log();
        const QString command = log.index(0, 0).data().toString();
        QVERIFY2(command.contains(QStringLiteral("--deployment flow --deployment single_thread")), qPrintable(command));
        QVERIFY(command.contains(QStringLiteral("--repeat 8")));
        QTRY_VERIFY_WITH_TIMEOUT(!w.editor->runner()->isRunning(), kAnswerMs);
        // Those that come keep their letters, whichever was measured last.
        const auto letters = [&] { return comparison.choices().value(comparison.a()).section(u' ', 0, 0)
                                          + u' ' + comparison.choices().value(comparison.b()).section(u' ', 0, 0); };
        QCOMPARE(letters(), QStringLiteral("single_thread flow"));
        const QString last = QDir(kMeasured).entryList({QStringLiteral("*-series-single_thread-*")}, QDir::Dirs).constLast();
        QVERIFY(copyFolder(kMeasured + u'/' + last, folder.filePath(last)));
        w.editor->results()->library()->refresh();
        QTRY_COMPARE_WITH_TIMEOUT(w.editor->results()->library()->total(), 3, kAnswerMs);
        QCOMPARE(letters(), QStringLiteral("single_thread flow"));
        // A deployment with another name was set up somehow, which is not known any more.
        w.editor->deploymentSettings()->remove();
        w.editor->deploymentSettings()->remove();
        w.editor->deploymentSettings()->add();
        QVERIFY(!comparison.isRepeatable() && comparison.advice().contains(QStringLiteral("flow")));
    }

    void pointsThatOneCommandMadeAreSides()
    {
        QTemporaryDir folder;
        QVERIFY(copyFolder(kMeasured, folder.path()));
        // As if one command had run one deployment with two seeds.
        for (const QString &run : QDir(folder.path()).entryList({QStringLiteral("*-single_thread-*")}, QDir::Dirs)) {
            QFile results(folder.filePath(run + QStringLiteral("/results.json")));
            const QByteArray text = readAll(results.fileName())
                                        .replace("\"deployment\": \"single_thread\"", "\"deployment\": \"flow\"")
                                        .replace("\"seed\": 1,", "\"seed\": 2,");
            QVERIFY(results.open(QIODevice::WriteOnly) && results.write(text) == text.size());
        }
        WindowFixture w(folder.filePath(QStringLiteral("series.weir.json")));
        Results &results = *w.editor->results();
        RunComparison &comparison = *w.editor->comparison();
        results.library()->setFolder(folder.path());
        w.editor->setView(QStringLiteral("compare"));
        QVERIFY(w.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(!comparison.verdict().isEmpty(), kAnswerMs);
        QCOMPARE(comparison.choices().size(), 2);
        QVERIFY(comparison.choices().value(comparison.a()).startsWith(QStringLiteral("seed=")));
        QVERIFY2(comparison.verdict() != QLatin1String("not comparable"), qPrintable(comparison.because()));
        QVERIFY(results.run()->title().startsWith(QStringLiteral("seed=")));
    }

    void theBottomPanelLeavesTheRoomToThePages()
    {
        WindowFixture w(kMeasured + QStringLiteral("/series.weir.json"));
        w.editor->results()->library()->setFolder(kMeasured);
        QVERIFY(w.isReady());
        const auto height = [&w] { return w.item(QStringLiteral("bottomPanel"))->height(); };
        // No room for "No problems": they are open once they were opened, or have something to say.
        QTRY_COMPARE(height(), 33.0);
        w.editor->setView(QStringLiteral("results"));
        QTRY_COMPARE(height(), 33.0);
        QVERIFY(!w.item(QStringLiteral("runs")) && !w.item(QStringLiteral("log")));
        // The tab says how many there are, and lies elsewhere then.
        QTRY_VERIFY_WITH_TIMEOUT(w.editor->results()->library()->total() > 0, kAnswerMs);
        WindowFixture::settle();
        w.click(QStringLiteral("tab:Runs"));
        QTRY_VERIFY(height() > 150 && w.item(QStringLiteral("runs")));
        w.editor->setView(QStringLiteral("compare"));
        QTRY_COMPARE(height(), 33.0);
        // Each view comes back as it was left.
        w.editor->setView(QStringLiteral("results"));
        QTRY_VERIFY(height() > 150);
        WindowFixture::settle();
        w.click(QStringLiteral("bottomToggle"));
        QTRY_COMPARE(height(), 33.0);
        w.editor->setView(QStringLiteral("canvas"));
        QTRY_COMPARE(height(), 33.0);
        w.key(Qt::Key_R, Qt::ControlModifier);
        QTRY_VERIFY(height() > 150);
        QCOMPARE(w.editor->memory()->value(QStringLiteral("bottomOpen/results")).toBool(), false);
    }

    void nothingIsCutAtCommonSizes_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("small") << QSize(1280, 800);
        QTest::newRow("large") << QSize(1600, 1000);
    }

    void nothingIsCutAtCommonSizes()
    {
        QFETCH(QSize, size);
        WindowFixture w(kMeasured + QStringLiteral("/series.weir.json"));
        w.window->resize(size);
        w.editor->results()->library()->setFolder(kMeasured);
        w.editor->setView(QStringLiteral("compare"));
        QVERIFY(w.isReady());
        RunComparison &comparison = *w.editor->comparison();
        QTRY_VERIFY_WITH_TIMEOUT(!comparison.verdict().isEmpty(), kAnswerMs);
        for (const auto &[view, page] : {std::pair("results", "resultsScroll"), {"compare", "compareScroll"}}) {
            w.editor->setView(QLatin1String(view));
            QTRY_VERIFY(w.item(QLatin1String(page)));
            WindowFixture::settle();
            QQuickItem *found = w.item(QLatin1String(page));
            QCOMPARE(outside(found, found), QString());
            // What is below can be scrolled to.
            const QQuickItem *table = w.item(QLatin1String(
                QLatin1String(view) == QLatin1String("results") ? "resultTablePane" : "compareTablePane"));
            QVERIFY(table && table->height() > 180);
            QVERIFY(table->y() + table->height() <= found->property("contentHeight").toReal());
        }
        w.editor->setView(QStringLiteral("lanes"));
        QTRY_VERIFY_WITH_TIMEOUT(w.editor->mapping()->hasPlan() && w.item(QStringLiteral("machineName")), kAnswerMs);
        WindowFixture::settle();
        QQuickItem *lanes = w.item(QStringLiteral("lanes"))->parentItem();
        QCOMPARE(outside(lanes, lanes), QString());
        QCOMPARE(w.item(QStringLiteral("machineName"))->property("truncated").toBool(), false);
    }

    void emptyPagesSayWhatToDo()
    {
        QTemporaryDir folder;
        QVERIFY(QFile::copy(kMeasured + QStringLiteral("/series.weir.json"),
                            folder.filePath(QStringLiteral("p.weir.json"))));
        WindowFixture w(folder.filePath(QStringLiteral("p.weir.json")));
        QVERIFY(w.isReady());
        w.editor->setView(QStringLiteral("compare"));
        QTRY_VERIFY(w.item(QStringLiteral("runForCompare")));
        QVERIFY(w.editor->comparison()->advice().contains(QStringLiteral("8")));
        w.editor->setView(QStringLiteral("results"));
        QTRY_VERIFY(!w.item(QStringLiteral("runForCompare")));
        QVERIFY(!w.editor->results()->run()->isShown());
        QVERIFY(!w.editor->actions().isEnabled(QStringLiteral("results.heat")));
    }
};

QTEST_MAIN(TestResultsWindow)
#include "tst_results_window.moc"
