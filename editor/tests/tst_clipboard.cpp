#include "files_fixture.h"

#include "core/edits/project_edits.h"
#include "core/edits/rename_parameter.h"

#include <QClipboard>
#include <QMimeData>

using namespace weir::editor;

/// Tests of parts of a flowgraph as text on the clipboard.
class TestClipboard : public QObject {
    Q_OBJECT

    static QString textOfClipboard() { return QGuiApplication::clipboard()->text(); }

    static std::vector<std::string> paste(Document& document, const QByteArray& text, QPointF offset = {}) {
        const auto read = readFragment(text);
        if (const QString* why = std::get_if<QString>(&read)) throw std::runtime_error(why->toStdString());
        std::vector<std::string> added;
        document.edit(QStringLiteral("paste"),
                      [&](Transaction& t) { added = pasteFragment(t, std::get<Json>(read), offset).blocks; });
        return added;
    }

  private slots:
    void initTestCase() { setUpApplication(); }
    void init() { WindowFixture::failOnQmlWarnings(); }

    void namesFollowTheContract() {
        QCOMPARE(freeName("stage", {}), std::string("stage"));
        QCOMPARE(freeName("stage", {"stage"}), std::string("stage_2"));
        QCOMPARE(freeName("stage_2", {"stage", "stage_2"}), std::string("stage_3"));
        QCOMPARE(freeName("Über Name!", {}), std::string("ber_name_"));
        QCOMPARE(freeName("42", {}), std::string("b42"));
        QCOMPARE(freeName("", {}), std::string("block"));
        const std::string longest(64, 'a');
        QCOMPARE(freeName(longest + "b", {longest}), std::string(62, 'a') + "_2");
        QVERIFY(isValidName(freeName("_x", {})));
    }

    void aCopyHasAllThatBelongsToIt() {
        const Json project = jsonOf(
            "{\"schema_version\": 1, \"name\": \"p\","
            "\"parameters\": {\"n\": {\"value\": {\"expr\": \"2 * m\"}}, \"m\": {\"value\": 3}, \"other\": {\"value\": "
            "1}},"
            "\"graph\": {\"blocks\": [{\"id\": \"a\", \"type\": \"t\", \"repeat\": {\"expr\": \"n\"}, \"x_mine\": "
            "[1]}, {\"id\": \"b\", \"type\": \"ghost\"}, {\"id\": \"c\", \"type\": \"t\"}],"
            "\"groups\": [{\"id\": \"g\", \"blocks\": [\"a\", \"b\"], \"repeat\": 2}, {\"id\": \"h\", \"blocks\": "
            "[\"b\", \"c\"]}],"
            "\"connections\": [[\"a\", \"out\", \"b\", \"in\"], [\"b\", \"out\", \"c\", \"in\"]]},"
            "\"ui\": {\"positions\": {\"a\": [0, 0]}, \"colours\": {\"a\": \"#fff\"}, \"reroutes\": {\"a.out->b.in\": "
            "[[10, 20]], \"b.out->c.in\": [[1, 1]]},"
            "\"notes\": {\"note\": {\"text\": \"hello\", \"rect\": [5, 5, 100, 40]}}}}");
        Document document;
        document.startWith(project);
        const Json copied = copyFragment(project, {{"a", "b"}, {}, {"note"}, {{"a", {0, 0}}, {"b", {200, 0}}}});
        QCOMPARE(copied["parameters"].size(), std::size_t{2});
        const auto added = paste(document, QByteArray::fromStdString(canonicalText(copied)), {40, 60});
        QCOMPARE(added, (std::vector<std::string>{"a_2", "b_2"}));
        const Json& json = document.json();
        QVERIFY(json["graph"]["blocks"][3]["x_mine"] == jsonOf("[1]"));
        QCOMPARE(json["graph"]["groups"].size(), std::size_t{3});
        QVERIFY(json["graph"]["groups"][2] ==
                jsonOf("{\"id\": \"g_2\", \"blocks\": [\"a_2\", \"b_2\"], \"repeat\": 2}"));
        QCOMPARE(json["graph"]["connections"].size(), std::size_t{3});
        QVERIFY(json["graph"]["connections"][2] == jsonOf("[\"a_2\", \"out\", \"b_2\", \"in\"]"));
        QVERIFY(json["ui"]["positions"]["b_2"] == jsonOf("[240, 60]"));
        QVERIFY(json["ui"]["colours"]["a_2"] == Json("#fff"));
        QVERIFY(json["ui"]["reroutes"]["a_2.out->b_2.in"] == jsonOf("[[50, 80]]"));
        QVERIFY(json["ui"]["notes"]["note_2"]["rect"] == jsonOf("[45, 65, 100, 40]"));
        QCOMPARE(document.undoStack().count(), 1);

        // Another project also gets the parameters that the blocks use, including indirectly.
        Document other;
        other.startNew();
        paste(other, QByteArray::fromStdString(canonicalText(copied)));
        QVERIFY(other.json()["parameters"].contains("n") && other.json()["parameters"].contains("m"));
        QVERIFY(!other.json()["parameters"].contains("other"));
    }

    void whatTapsWereDesignedFromBelongsToTheirBlock() {
        const Json project = jsonOf(
            "{\"schema_version\": 1, \"name\": \"p\", \"parameters\": {\"rate\": {\"value\": 3}},"
            "\"graph\": {\"blocks\": [{\"id\": \"a\", \"type\": \"t\"}, {\"id\": \"ab\", \"type\": \"t\"}], "
            "\"connections\": []},"
            "\"ui\": {\"designs\": {\"ab.taps\": {\"kind\": \"low_pass\"}, \"cd.taps\": {\"kind\": \"low_pass\"},"
            "\"a.taps\": {\"kind\": \"low_pass\", \"sample_rate\": {\"expr\": \"rate\"}}}}}");
        const Json design = project["ui"]["designs"]["a.taps"];
        Document document;
        document.startWith(project);
        const QByteArray copied = QByteArray::fromStdString(canonicalText(copyFragment(project, {{"a"}, {}, {}, {}})));
        paste(document, copied);
        QVERIFY(document.json()["ui"]["designs"]["a_2.taps"] == design);
        QCOMPARE(document.json()["ui"]["designs"].size(), std::size_t{4});

        document.edit(QStringLiteral("rename"), [](Transaction& t) { renameBlock(t, "a", "c"); });
        QVERIFY(document.json()["ui"]["designs"]["c.taps"] == design);
        QVERIFY(!document.json()["ui"]["designs"].contains("a.taps") &&
                document.json()["ui"]["designs"].contains("ab.taps"));
        document.edit(QStringLiteral("delete"), [](Transaction& t) { removeParts(t, {"c"}, {}); });
        QVERIFY(!document.json()["ui"]["designs"].contains("c.taps") &&
                document.json()["ui"]["designs"].contains("cd.taps"));
        document.edit(QStringLiteral("rename"), [](Transaction& t) { renameParameter(t, "rate", "speed"); });
        QVERIFY(document.json()["ui"]["designs"]["a_2.taps"]["sample_rate"] == Json({{"expr", "speed"}}));

        Document other;
        other.startNew();
        paste(other, copied);
        QVERIFY(other.json()["parameters"].contains("rate"));
    }

    void wholeProjectsCanBePasted() {
        for (const QString& path : filesIn(QStringLiteral(WEIR_ROOT "/examples"), QStringLiteral("*.weir.json"))) {
            Document document;
            const QByteArray text = readAll(path);
            const auto once = paste(document, text);
            QCOMPARE(once.size(), jsonOf(text)["graph"]["blocks"].size());
            const auto twice = paste(document, text);
            QCOMPARE(twice.size(), once.size());
            std::set<std::string> names(once.begin(), once.end());
            names.insert(twice.begin(), twice.end());
            QCOMPARE(names.size(), 2 * once.size());
            for (const std::string& name : names) QVERIFY2(isValidName(name), name.c_str());
        }
    }

    void nonsenseIsRefusedWithTheReason_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const QByteArray& text, const char* reason) {
            QTest::newRow(name) << text << QString::fromUtf8(reason);
        };
        row("nothing", "  \n", "contains no text");
        row("prose", "Dear all, see below", "not JSON");
        row("half", "{\"graph\": {\"blocks\": [", "not JSON");
        row("number", "42", "not an object");
        row("no blocks", "{\"hello\": 1}", "no blocks");
        row("empty", "{\"graph\": {\"blocks\": []}}", "no blocks");
        row("blocks no list", "{\"blocks\": {\"a\": 1}}", "not a list");
        row("block no object", "{\"blocks\": [1]}", "id of block 1 is missing");
        row("type no text", "{\"blocks\": [{\"id\": \"a\", \"type\": 3}]}", "type of block 1 is missing");
        row("bad wire", "{\"blocks\": [{\"id\": \"a\", \"type\": \"t\"}], \"connections\": [[\"a\", 1]]}",
            "connection 1");
        row("bad wires", "{\"blocks\": [{\"id\": \"a\", \"type\": \"t\"}], \"connections\": {}}",
            "connections are not a list");
        row("bad group", "{\"blocks\": [{\"id\": \"a\", \"type\": \"t\"}], \"groups\": [{\"id\": \"g\"}]}", "group");
        row("twice", "{\"blocks\": [], \"blocks\": []}", "twice");
        row("too large", QByteArray(5 << 20, ' ') + "{}", "MB");
        row("large", "[" + QByteArray(5 << 20, '1') + "]", "MB");
        QByteArray many;
        for (int i = 0; i < 5001; ++i) many += QByteArray(i ? "," : "") + "{\"id\": \"a\", \"type\": \"t\"}";
        row("too many", "{\"blocks\": [" + many + "]}", "5001 blocks");
        row("deep", QByteArray(100, '[') + QByteArray(100, ']'), "not JSON");
    }

    void nonsenseIsRefusedWithTheReason() {
        QFETCH(QByteArray, text);
        QFETCH(QString, reason);
        const auto read = readFragment(text);
        const QString* why = std::get_if<QString>(&read);
        QVERIFY(why);
        QVERIFY2(why->contains(reason), qPrintable(*why));
    }

    void senselessPicturesDoNotStopBlocks() {
        Document document;
        const auto added =
            paste(document,
                  "{\"graph\": {\"blocks\": [{\"id\": \"A b\", \"type\": \"t\"}, {\"id\": \"A b\", \"type\": \"t\"}]},"
                  "\"ui\": {\"positions\": {\"A b\": \"left\"}, \"frames\": {\"f\": {\"rect\": [1]}}, \"notes\": 3, "
                  "\"reroutes\": {\"x\": [[1]]}, \"colours\": {\"A b\": 7}}}");
        QCOMPARE(added, (std::vector<std::string>{"a_b", "a_b_2"}));
        QVERIFY(document.json()["ui"]["positions"].contains("a_b"));
        QVERIFY(!document.json()["ui"].contains("frames"));
    }

    void keysCopyCutPasteAndDuplicate() {
        FilesFixture files;
        ReadyWindow w(files.project());
        Document& document = w.editor->document();
        const std::string before = document.canonicalText();
        const std::size_t blocks = w.editor->scene().blocks().size();
        w.click(QStringLiteral("block:alpha"));
        w.click(w.centre(QStringLiteral("block:beta")), Qt::ShiftModifier);
        w.key(Qt::Key_C, Qt::ControlModifier);
        const Json copied = jsonOf(textOfClipboard().toUtf8());
        QCOMPARE(copied["graph"]["blocks"].size(), std::size_t{2});
        QCOMPARE(copied["graph"]["connections"].size(), std::size_t{1});
        QVERIFY(QGuiApplication::clipboard()->mimeData()->hasFormat(QStringLiteral("application/x-weir-graph+json")));

        const QPoint target = w.centre(QStringLiteral("canvas")) + QPoint(60, 220);
        QTest::mouseMove(w.window, target);
        w.key(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(w.editor->scene().blocks().size(), blocks + 2);
        QCOMPARE(w.editor->selection().blocks(), (QSet<QString>{QStringLiteral("alpha_2"), QStringLiteral("beta_2")}));
        QCOMPARE(w.editor->undoText(), QStringLiteral("Paste 2 blocks"));
        QRectF pasted = w.editor->scene()
                            .block(QStringLiteral("alpha_2"))
                            ->rect.united(w.editor->scene().block(QStringLiteral("beta_2"))->rect);
        const QPointF pointer = w.canvas()->toScene(w.canvas()->mapFromScene(target));
        QVERIFY((pasted.center() - pointer).manhattanLength() < 80);

        w.key(Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(w.editor->scene().blocks().size(), blocks + 4);
        w.key(Qt::Key_X, Qt::ControlModifier);
        QCOMPARE(w.editor->scene().blocks().size(), blocks + 2);
        QCOMPARE(document.undoStack().count(), 3);

        // Another window needs only the text.
        WindowFixture other(QString{});
        QVERIFY(other.isReady());
        QGuiApplication::clipboard()->setText(textOfClipboard());
        QVERIFY(other.editor->actions().trigger(QStringLiteral("edit.paste")));
        QCOMPARE(other.editor->scene().blocks().size(), std::size_t{2});
        QGuiApplication::clipboard()->setText(QStringLiteral("a poem"));
        other.editor->actions().trigger(QStringLiteral("edit.paste"));
        QVERIFY2(other.editor->notice().contains(QStringLiteral("not JSON")), qPrintable(other.editor->notice()));

        for (int step = 0; step < 3; ++step) w.editor->undo();
        QCOMPARE(document.canonicalText(), before);
    }
};

QTEST_MAIN(TestClipboard)
#include "tst_clipboard.moc"
