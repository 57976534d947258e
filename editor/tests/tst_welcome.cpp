#include "window_fixture.h"

#include <QAbstractItemModelTester>

using namespace Qt::StringLiterals;
using namespace weir::editor;

/// What a newcomer sees: the examples, and the tour.
class TestWelcome : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        setUpApplication();
        WindowFixture::failOnQmlWarnings();
    }

    void examplesAreTheProjectsOfAFolder()
    {
        ExampleModel model;
        QAbstractItemModelTester tester(&model);
        model.setFolder(QStringLiteral(WEIR_ROOT "/examples"), u"quickstart.weir.json"_s);
        QVERIFY(model.rowCount() >= 6);
        QCOMPARE(model.index(0).data(ExampleModel::TitleRole).toString(), u"Quick start"_s);
        for (int row = 0; row < model.rowCount(); ++row) {
            const QString description = model.index(row).data(ExampleModel::DescriptionRole).toString();
            QVERIFY2(description.size() > 5 && description.endsWith(u'.'), qPrintable(description));
        }
        model.setFolder(u"/no/such/folder"_s, {});
        QCOMPARE(model.rowCount(), 0);
    }

    void aCardOpensItsExample()
    {
        WindowFixture w({});
        w.editor->welcome()->setExampleFolder(QStringLiteral(WEIR_ROOT "/examples"));
        QVERIFY(w.isReady());
        QTRY_VERIFY(w.item(u"example:Diamond"_s));
        const QImage picture = w.window->grabWindow();
        const QQuickItem *card = w.item(u"example:Diamond"_s);
        const QRect place = card->mapRectToScene(QRectF(1, 1, card->width() - 2, 88)).toRect();
        QVERIFY2(coloursIn(picture.copy(place)) > 8, "the card shows its graph");
        w.click(u"example:Diamond"_s);
        QTRY_VERIFY(w.editor->documentName().startsWith(u"diamond"_s));
        QVERIFY(!w.item(u"example:Diamond"_s));
    }

    void theTourHasFourSteps()
    {
        WindowFixture w({});
        QVERIFY(w.isReady());
        QVERIFY(!w.item(u"tour"_s));
        w.editor->actions().trigger(u"help.tour"_s);
        for (int step = 0; step < 4; ++step) {
            QTRY_VERIFY(w.item(u"tour"_s));
            const QQuickItem *callout = w.item(u"tour"_s);
            const QRectF place = callout->mapRectToScene(callout->boundingRect());
            QVERIFY(QRectF(0, 0, w.window->width(), w.window->height()).contains(place));
            w.key(Qt::Key_Space);
        }
        QTRY_VERIFY(!w.item(u"tour"_s));
        w.editor->actions().trigger(u"help.tour"_s);
        QTRY_VERIFY(w.item(u"tour"_s));
        w.key(Qt::Key_Escape);
        QTRY_VERIFY(!w.item(u"tour"_s));
    }

    void theTourIsShownOnce()
    {
        Editor editor{CliCommand()};
        QVERIFY(editor.welcome()->takeFirstStart());
        QVERIFY(!editor.welcome()->takeFirstStart());
    }

private:
    static qsizetype coloursIn(const QImage &image)
    {
        QSet<QRgb> colours;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                colours.insert(image.pixel(x, y));
        return colours.size();
    }
};

QTEST_MAIN(TestWelcome)
#include "tst_welcome.moc"
