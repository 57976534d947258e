#include "window_fixture.h"

#include <QSignalSpy>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace weir::editor;

/// Tests of a new user's first screens: the examples, the palette, and the tour.
class TestWelcome : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        setUpApplication();
        WindowFixture::failOnQmlWarnings();
    }

    void examplesAreTheProjectsOfAFolder() {
        const auto examples = examplesIn(QStringLiteral(WEIR_ROOT "/examples"), u"quickstart.weir.json"_s);
        QVERIFY(examples.size() >= 6);
        QCOMPARE(examples.front().title, u"Quick start"_s);
        for (const auto& [title, description, path] : examples)
            QVERIFY2(description.size() > 5 && description.endsWith(u'.'), qPrintable(description));
        QVERIFY(examplesIn(u"/no/such/folder"_s, {}).empty());
    }

    void aCardOpensItsExample() {
        WindowFixture w({});
        w.editor->welcome()->setExampleFolder(QStringLiteral(WEIR_ROOT "/examples"));
        QVERIFY(w.isReady());
        QTRY_VERIFY(w.item(u"example:Diamond"_s));
        const QImage picture = w.window->grabWindow();
        const QQuickItem* card = w.item(u"example:Diamond"_s);
        const QRect place = card->mapRectToScene(QRectF(1, 1, card->width() - 2, 88)).toRect();
        QVERIFY2(coloursIn(picture.copy(place)) > 8, "the card shows its graph");
        w.click(u"example:Diamond"_s);
        QTRY_VERIFY(w.editor->documentName().startsWith(u"diamond"_s));
        QVERIFY(!w.item(u"example:Diamond"_s));
        // The opened graph has the focus. Regression: Tab led to the panel at the bottom.
        QTRY_VERIFY(w.canvas()->hasActiveFocus());
        // An example opens as a copy: Save does not overwrite the example, and its files are still found.
        const QString examples = QFileInfo(QStringLiteral(WEIR_ROOT "/examples")).absoluteFilePath();
        QVERIFY(!w.editor->hasFile());
        QVERIFY(!w.editor->isModified());
        QCOMPARE(QFileInfo(w.editor->document().folder()).canonicalFilePath(), QFileInfo(examples).canonicalFilePath());
        QVERIFY(w.editor->files()->recent()->paths().isEmpty());
        QCOMPARE(w.editor->files()->proposedFile(u"weir.json"_s),
                 QUrl::fromLocalFile(QDir::currentPath() + u"/diamond.weir.json"_s));
        QSignalSpy asked(w.editor->files(), &DocumentFiles::saveNameNeeded);
        w.key(Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(asked.count(), 1);
        QTemporaryDir mine;
        w.editor->files()->saveAs(QUrl::fromLocalFile(mine.filePath(u"mine.weir.json"_s)));
        QCOMPARE(w.editor->documentName(), u"mine"_s);
        QCOMPARE(w.editor->document().folder(), mine.path());
    }

    void theTourHasFiveSteps() {
        ReadyWindow w({});
        QVERIFY(!w.item(u"tour"_s));
        w.editor->actions().trigger(u"help.tour"_s);
        for (int step = 0; step < 5; ++step) {
            QTRY_VERIFY(w.item(u"tour"_s));
            const QQuickItem* callout = w.item(u"tour"_s);
            const QRectF place = callout->mapRectToScene(callout->boundingRect());
            QVERIFY(QRectF(0, 0, w.window->width(), w.window->height()).contains(place));
            // Regression: the tour covered the first instructions.
            for (const QString& name : {u"tourFrame"_s, u"welcomeTitle"_s, u"welcomeInsert"_s}) {
                const QQuickItem* item = w.item(name);
                QVERIFY2(item && !item->mapRectToScene(item->boundingRect()).intersects(place), qPrintable(name));
            }
            w.key(step % 2 == 0 ? Qt::Key_Space : Qt::Key_Return);
        }
        QTRY_VERIFY(!w.item(u"tour"_s));
        // Switching to another view ends the tour.
        w.editor->actions().trigger(u"help.tour"_s);
        QTRY_VERIFY(w.item(u"tour"_s));
        w.key(Qt::Key_4, Qt::AltModifier);
        QTRY_VERIFY(!w.item(u"tour"_s));
        w.editor->actions().trigger(u"help.tour"_s);
        QTRY_VERIFY(w.item(u"tour"_s));
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!w.item(u"tour"_s));
    }

    void recentProjectsAreOnTheFirstPage() {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"mine.weir.json"_s);
        QVERIFY(QFile::copy(QStringLiteral(WEIR_TEST_DATA "/pixels.weir.json"), path));
        ReadyWindow w(path);
        QVERIFY(!w.item(u"welcomeRecent"_s));
        w.editor->newDocument();
        QTRY_VERIFY(w.item(u"welcomeRecent:0"_s));
        w.settle();
        w.click(u"welcomeRecent:0"_s);
        QTRY_COMPARE(w.editor->document().path(), path);
    }

    void anEmptyProjectIsTheFirstPageWithTheFocusOnTheCanvas() {
        ReadyWindow w(QStringLiteral(WEIR_TEST_DATA "/pixels.weir.json"));
        w.editor->setView(u"lanes"_s);
        QVERIFY(!w.item(u"welcomeInsert"_s));
        w.key(Qt::Key_N, Qt::ControlModifier);
        QTRY_COMPARE(w.editor->view(), u"canvas"_s);
        QTRY_VERIFY(w.item(u"welcomeInsert"_s));
        QTRY_VERIFY(w.canvas()->hasActiveFocus());
        // The focus returns to the graph from another view, and after typing elsewhere.
        w.editor->setView(u"results"_s);
        w.settle();
        w.editor->setView(u"canvas"_s);
        QTRY_VERIFY(w.canvas()->hasActiveFocus());
        w.settle();
        w.click(u"field:name"_s);
        QTRY_VERIFY(!w.canvas()->hasActiveFocus());
        w.key(Qt::Key_N, Qt::ControlModifier);
        QTRY_VERIFY(w.canvas()->hasActiveFocus());
    }

    void tabInsertsWhereverTheFocusWas() {
        ReadyWindow w(QString{});
        for (const QString& at : {u"undo"_s, u"save"_s, u"welcomeTour"_s, u"menu"_s}) {
            QTRY_VERIFY(w.item(at));
            w.item(at)->forceActiveFocus(Qt::MouseFocusReason);
            w.key(Qt::Key_Tab);
            QTRY_VERIFY2(w.item(u"insertFilter"_s) && w.item(u"insertFilter"_s)->hasActiveFocus(), qPrintable(at));
            w.key(Qt::Key_Escape);
            QTRY_VERIFY(!w.item(u"insertFilter"_s));
        }
        // In a field or in the tour, Tab moves to the next control.
        w.click(u"field:name"_s);
        w.key(Qt::Key_Tab);
        w.settle();
        QVERIFY(!w.item(u"insertFilter"_s));
        w.editor->actions().trigger(u"help.tour"_s);
        QTRY_VERIFY(w.item(u"tour"_s));
        w.key(Qt::Key_Tab);
        w.settle();
        QVERIFY(!w.item(u"insertFilter"_s));
    }

    // Regression: Tab went on to the panel below, so the second block was hard to find. Long messages about the graph
    // displaced Open and Save.
    void tabGoesOnWhereTheSignalEnds() {
        ReadyWindow w(QString{});
        QTRY_VERIFY(w.canvas()->hasActiveFocus());
        const QPoint open = w.centre(u"open"_s);
        const auto insert = [&](const QString& name, std::size_t blocks) {
            w.key(Qt::Key_Tab);
            QTRY_VERIFY2(w.item(u"insertFilter"_s) && w.item(u"insertFilter"_s)->hasActiveFocus(), qPrintable(name));
            w.type(name);
            w.key(Qt::Key_Return);
            QTRY_COMPARE(w.editor->scene().blocks().size(), blocks);
            QTRY_VERIFY(w.canvas()->hasActiveFocus());
        };
        insert(u"signal source"_s, 1);
        QTRY_VERIFY(w.item(u"state:signal_source"_s) && w.item(u"hindrances"_s));
        QCOMPARE(w.item(u"name:signal_source"_s)->property("lineCount").toInt(), 1);  // in spite of the pill
        QCOMPARE(w.centre(u"open"_s), open);
        w.key(Qt::Key_Tab);
        QTRY_VERIFY(w.item(u"insertFilter"_s));
        const QQuickItem* source = w.item(u"block:signal_source"_s);  // the source stays visible
        const QQuickItem* list = w.item(u"insertList"_s);
        QVERIFY(!list->mapRectToScene(list->boundingRect()).intersects(source->mapRectToScene(source->boundingRect())));
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!w.item(u"insertFilter"_s));
        insert(u"multiply by a const"_s, 2);
        QTRY_VERIFY(w.item(u"state:multiply_const"_s));
        QVERIFY(!w.item(u"name:multiply_const"_s)->property("truncated").toBool());
        insert(u"null sink"_s, 3);
        QCOMPARE(w.editor->scene().wires().size(), std::size_t(2));
        // No connection determines the type yet, so it is a missing choice, not an error.
        QTRY_VERIFY(w.editor->isChecked() && w.editor->unfinishedCount() == 1);
        QCOMPARE(w.editor->problemModel().count(u"error"_s), 0);
        // In a field, the first Esc discards the typed text, and the second returns to the graph.
        w.key(Qt::Key_Home);
        w.key(Qt::Key_Return);
        w.key(Qt::Key_Tab);
        w.key(Qt::Key_Tab);
        w.type(u"2"_s);
        w.key(Qt::Key_Escape);
        QVERIFY(!w.canvas()->hasActiveFocus());
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(w.canvas()->hasActiveFocus());
        w.key(Qt::Key_End);
        // A sink has no output, so Tab inserts nothing.
        w.key(Qt::Key_Tab);
        QTRY_VERIFY(!w.canvas()->hasActiveFocus());
        QVERIFY(!w.item(u"insertFilter"_s));
    }

    // Regression: the welcome cards came back and covered the legend of a run.
    void whatWasDrawnAndUndoneLeavesAQuietCanvas() {
        ReadyWindow w(QString{});
        QTRY_VERIFY(w.item(u"welcomeInsert"_s));
        w.settle();
        w.click(u"welcomeInsert"_s);
        QTRY_VERIFY(w.item(u"insertFilter"_s));
        w.type(u"null source"_s);
        w.key(Qt::Key_Return);
        QTRY_COMPARE(w.editor->scene().blocks().size(), std::size_t(1));
        QVERIFY(!w.item(u"welcomeInsert"_s) && !w.item(u"emptyHint"_s));
        w.key(Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY(w.item(u"emptyHint"_s));
        QVERIFY(!w.item(u"welcomeInsert"_s));
        w.settle();
        w.click(u"emptyInsert"_s);
        QTRY_VERIFY(w.item(u"insertFilter"_s));
        w.key(Qt::Key_Escape);
        w.key(Qt::Key_N, Qt::ControlModifier);
        QTRY_VERIFY(w.item(u"welcomeInsert"_s));
    }

    void everyBlockOfThePaletteHasOneLine() {
        ReadyWindow w(QStringLiteral(WEIR_TEST_DATA "/empty.weir.json"));
        const auto& types = w.editor->scene().catalog().blocks();
        const auto longest = std::max_element(types.begin(), types.end(), [](const BlockType& a, const BlockType& b) {
            return a.title.size() < b.title.size();
        });
        w.editor->palette()->setFilter(QString::fromStdString(longest->title));
        const QString name = QStringLiteral("palette:") + QString::fromStdString(longest->id);
        QTRY_VERIFY(w.item(name));
        WindowFixture::settle();
        const QQuickItem* title = w.item(name + QStringLiteral(":title"));
        QVERIFY2(title->property("truncated").toBool(), longest->title.c_str());
        QCOMPARE(title->property("lineCount").toInt(), 1);
        QCOMPARE(w.item(name)->height(), 28.0);
        // The hint shows the full name and the block's description.
        QTest::mouseMove(w.window, w.centre(name));
        const auto hint = [&w, name] {
            const auto* tip = w.item(name)->findChild<QObject*>(QStringLiteral("hint"));
            return tip && tip->property("visible").toBool() ? tip->property("text").toString() : QString();
        };
        QTRY_VERIFY(hint().startsWith(QString::fromStdString(longest->title) + u'\n'));
        QVERIFY(hint().endsWith(u'.') && hint().count(QStringLiteral(". ")) == 0);
    }

    void favouritesAreKeptAndGroupsClose() {
        ReadyWindow w(QStringLiteral(WEIR_TEST_DATA "/empty.weir.json"));
        const auto kept = [&w](const char* what) {
            return w.editor->memory()->value(QStringLiteral("palette/") + QLatin1String(what)).toStringList();
        };
        QVERIFY(!w.item(QStringLiteral("group:*favourites")));
        // Add a favourite with the pointer.
        QTRY_VERIFY(w.item(QStringLiteral("palette:file_source")));
        QTest::mouseMove(w.window, w.centre(QStringLiteral("palette:file_source")));
        QTRY_VERIFY(w.item(QStringLiteral("palette:file_source:star")));
        w.click(QStringLiteral("palette:file_source:star"));
        QTRY_VERIFY(w.item(QStringLiteral("group:*favourites")));
        QCOMPARE(kept("favourites"), QStringList{QStringLiteral("file_source")});
        WindowFixture::settle();
        QVERIFY(w.centre(QStringLiteral("group:*favourites")).y() < w.centre(QStringLiteral("group:sources")).y());
        w.click(QStringLiteral("group:sources"));
        QTRY_VERIFY(!w.item(QStringLiteral("palette:null_source")));
        QCOMPARE(kept("closed"), QStringList{QStringLiteral("sources")});
        QVERIFY(w.item(QStringLiteral("palette:file_source")));
        // Headings are rows too, so the keys reach them.
        w.key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        w.key(Qt::Key_Down);
        w.key(Qt::Key_Return, Qt::ShiftModifier);
        QTRY_VERIFY(!w.item(QStringLiteral("group:*favourites")));
        QCOMPARE(kept("favourites"), QStringList());
        w.key(Qt::Key_PageUp);
        w.key(Qt::Key_Right);
        QTRY_VERIFY(w.item(QStringLiteral("palette:null_source")));
        w.key(Qt::Key_Return);
        QTRY_VERIFY(!w.item(QStringLiteral("palette:null_source")));
        w.type(QStringLiteral("spectrum"));
        QTRY_VERIFY(w.item(QStringLiteral("palette:fft:reason")));
        QCOMPARE(w.item(QStringLiteral("palette:fft:reason"))->property("text").toString(), QStringLiteral("spectrum"));
        w.key(Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(kept("favourites"), QStringList{QStringLiteral("fft")});
        // A click clears the filter, like Escape.
        w.click(QStringLiteral("paletteClear"));
        QTRY_VERIFY(!w.item(QStringLiteral("paletteClear")));
        QCOMPARE(w.item(QStringLiteral("paletteSearch"))->property("text").toString(), QString());
        QVERIFY(w.item(QStringLiteral("paletteSearch"))->hasActiveFocus());
        w.type(QStringLiteral("spectrum"));
        QTRY_VERIFY(w.item(QStringLiteral("palette:fft:reason")));
        // Ctrl+Enter inserts the block and stays in the palette. The next block connects to this one.
        w.key(Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(w.item(QStringLiteral("block:fft")));
        QVERIFY(w.item(QStringLiteral("paletteSearch"))->hasActiveFocus());
        w.key(Qt::Key_A, Qt::ControlModifier);
        w.type(QStringLiteral("null sink"));
        w.key(Qt::Key_Return);
        QTRY_VERIFY(w.item(QStringLiteral("block:null_sink")));
        QCOMPARE(w.editor->scene().wires().size(), std::size_t{1});
        QCOMPARE(kept("recent"), (QStringList{QStringLiteral("null_sink"), QStringLiteral("fft")}));
    }

    void theTourIsShownOnce() {
        Editor editor{CliCommand()};
        QVERIFY(editor.welcome()->takeFirstStart());
        QVERIFY(!editor.welcome()->takeFirstStart());
    }

  private:
    static qsizetype coloursIn(const QImage& image) {
        QSet<QRgb> colours;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) colours.insert(image.pixel(x, y));
        return colours.size();
    }
};

QTEST_MAIN(TestWelcome)
#include "tst_welcome.moc"
