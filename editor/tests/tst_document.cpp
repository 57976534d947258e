#include "core/document/document.h"
#include "core/document/project_lock.h"
#include "core/document/project_places.h"
#include "core/document/project_schema.h"
#include "core/edits/project_edits.h"
#include "core/json/json_reader.h"
#include "test_files.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace weir::editor;

namespace {

const QString kExamples = QStringLiteral(WEIR_ROOT "/examples");

QStringList blockIds(const Document& document) {
    QStringList ids;
    for (const Json& block : list(find(document.json(), Pointer("/graph/blocks"))))
        ids.append(QString::fromStdString(text(member(block, "id"))));
    return ids;
}

/// Collects every object of the project schema with more than one key, with a pointer to such an object.
void collectOrders(const Json& schema, const Pointer& place,
                   std::vector<std::pair<Pointer, std::vector<std::string>>>& orders) {
    const Json& properties = object(member(schema, "properties"));
    std::vector<std::string> keys;
    for (const auto& item : properties.items()) {
        keys.push_back(item.key());
        collectOrders(item.value(), place / item.key(), orders);
    }
    if (keys.size() > 1) orders.emplace_back(place, keys);
    for (const char* elements : {"items", "additionalProperties"})
        if (const Json* inner = member(schema, elements); inner && inner->is_object())
            collectOrders(*inner, place / "any", orders);
}

} // namespace

class TestDocument : public QObject {
    Q_OBJECT

  private slots:
    void opensAndSavesUnchanged_data() {
        QTest::addColumn<QString>("path");
        const QStringList files =
            filesIn(kExamples, QStringLiteral("*.weir.json")) +
            filesIn(kExamples + QStringLiteral("/from_file"), QStringLiteral("*.weir.json")) +
            filesIn(QStringLiteral(WEIR_ROOT "/codegen/tests/bad"), QStringLiteral("*.weir.json"));
        QVERIFY(files.size() > 20);
        for (const QString& file : files) QTest::newRow(qPrintable(file.section(u'/', -1))) << file;
    }

    void opensAndSavesUnchanged() {
        QFETCH(QString, path);
        QTemporaryDir folder;
        const QString copy = folder.filePath(QStringLiteral("copy.weir.json"));
        Document document;
        const QString failure = document.open(path);
        if (!failure.isEmpty()) {
            // The editor rejects only a file that is not JSON or not a JSON object.
            const QByteArray bytes = readAll(path);
            const auto json = readJson(bytes.toStdString());
            QVERIFY2(!std::holds_alternative<Json>(json) || !std::get<Json>(json).is_object(), qPrintable(failure));
            QVERIFY(failure.contains(path.section(u'/', -1)));
            return;
        }
        QCOMPARE(document.save(copy), QString());
        QCOMPARE(readAll(copy), readAll(path));
    }

    void formerNamesAreReadAndThePresentOnesAreSaved() {
        QTemporaryDir folder;
        const QString former = QStringLiteral(WEIR_ROOT "/codegen/tests/fixtures/former_spelling.weir.json");
        const QString copy = folder.filePath(QStringLiteral("copy.weir.json"));
        Document document;
        QCOMPARE(document.open(former), QString());
        QVERIFY(!document.isModified());
        const Json& json = document.json();
        QVERIFY(json.at(Pointer("/deployments/0/interference/loops")) == 4);
        QVERIFY(json.at(Pointer("/deployments/0/require")) == Json::array({"interference"}));
        const Pointer sweep("/sweeps/0");
        QVERIFY(json.at(sweep / "vary").begin().key() == json.at(sweep / "plot" / "x").get<std::string>());
        QCOMPARE(document.save(copy), QString());
        const QByteArray saved = readAll(copy);
        QVERIFY(!saved.contains("disturb") && saved.count("/deployments/0/interference/loops") == 3);
        QCOMPARE(saved.count("\"interference\""), 2);
        QCOMPARE(saved.indexOf("\"interference\": {") < saved.indexOf("\"require\""), true);
    }

    void renameFollowsEverywhere() {
        Document document;
        QCOMPARE(document.open(QStringLiteral(WEIR_TEST_DATA "/rename.weir.json")), QString());
        QCOMPARE(document.edit(QStringLiteral("rename"), [](Transaction& t) { renameBlock(t, "stage", "worker"); }),
                 QString());
        QCOMPARE(QByteArray::fromStdString(document.canonicalText()),
                 readAll(QStringLiteral(WEIR_TEST_DATA "/renamed.weir.json")));
    }

    void unknownKeysKeepTheirPlaces() {
        Document document;
        QCOMPARE(document.open(QStringLiteral(WEIR_TEST_DATA "/rename.weir.json")), QString());
        document.edit(QStringLiteral("set"), [](Transaction& t) { t.set(Pointer("/run/items"), 5); });
        const std::string text = document.canonicalText();
        QVERIFY(text.find("\"x_note\"") < text.find("\"graph\""));
        QVERIFY(text.find("\"items\": 5") < text.find("\"trace\""));
    }

    void keyOrderIsTheSchemas() {
        std::vector<std::pair<Pointer, std::vector<std::string>>> orders;
        collectOrders(jsonOf(readAll(QStringLiteral(WEIR_ROOT "/codegen/weir/schema/project.schema.json"))), Pointer(),
                      orders);
        QVERIFY(orders.size() > 8);
        for (const auto& [place, keys] : orders) {
            std::vector<std::string> found;
            for (const auto& item : schemaProperties(place).items()) found.push_back(item.key());
            QVERIFY2(found == keys, place.to_string().c_str());
        }
    }

    void refusedEditsChangeNothing() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("odd.weir.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\n  \"graph\": {\"blocks\": \"none\"}\n}\n");
        file.close();
        Document document;
        QCOMPARE(document.open(path), QString());
        const std::string before = document.canonicalText();
        const QString refusal =
            document.edit(QStringLiteral("Add"), [](Transaction& t) { addBlock(t, "a", "head", {}); });
        QVERIFY2(refusal.contains(QStringLiteral("/graph/blocks is not a list")), qPrintable(refusal));
        QCOMPARE(document.canonicalText(), before);
        QVERIFY(!document.isModified());
    }

    void failedOpenKeepsTheDocument() {
        Document document;
        QCOMPARE(document.open(kExamples + QStringLiteral("/quickstart.weir.json")), QString());
        const std::string before = document.canonicalText();
        QSignalSpy replaced(&document, &Document::replaced);
        QVERIFY(!document.open(QStringLiteral(WEIR_ROOT "/codegen/tests/bad/E_JSON_SYNTAX.weir.json")).isEmpty());
        QVERIFY(!document.open(QStringLiteral("/nowhere/at.weir.json")).isEmpty());
        QCOMPARE(replaced.size(), 0);
        QCOMPARE(document.canonicalText(), before);
    }

    void failedSaveKeepsTheOldFileAndTheChanges() {
        QTemporaryDir folder;
        Document document;
        QCOMPARE(document.open(kExamples + QStringLiteral("/quickstart.weir.json")), QString());
        document.edit(QStringLiteral("set"), [](Transaction& t) { t.set(Pointer("/run/items"), 5); });
        const QString failure = document.save(folder.filePath(QStringLiteral("missing/folder.weir.json")));
        QVERIFY(failure.contains(QStringLiteral("not saved")));
        QVERIFY(document.isModified());
    }

    void aPipeInThePlaceOfALockLocksNothing() {
        const QTemporaryDir folder;
        ProjectLock first;
        first.setFolder(folder.path());
        QVERIFY(first.take(QStringLiteral("/p.weir.json")) && first.isHeld());
        const QString name = folder.filePath(QDir(folder.path()).entryList(QDir::Files).constFirst());
        first.release();
        QFile::remove(name);
        QCOMPARE(::mkfifo(qPrintable(name), 0600), 0);
        // With another program at the other end, the editor would read from the FIFO forever.
        const int other = ::open(qPrintable(name), O_RDWR | O_CLOEXEC);
        QVERIFY(other >= 0 && ::flock(other, LOCK_EX) == 0);
        ProjectLock second;
        second.setFolder(folder.path());
        QVERIFY(second.take(QStringLiteral("/p.weir.json")) && !second.isHeld());
        ::close(other);
    }

    void aProjectThatNobodyNamedIsCalledAsItsFirstFile() {
        QTemporaryDir folder;
        const auto nameIn = [](const QString& file) {
            return std::get<ProjectFile>(readProject(file)).json.at("name").get<std::string>();
        };
        const auto add = [](Transaction& t) {
            t.append(Pointer("/graph/blocks"), {{"id", "a"}, {"type", "null_source"}});
        };
        const QString first = folder.filePath(QStringLiteral("My Chain-2.weir.json"));
        Document document;
        document.edit(QStringLiteral("add"), add);
        QVERIFY(!document.save(folder.filePath(QStringLiteral("missing/file.weir.json"))).isEmpty());
        QCOMPARE(document.json().at("name").get<std::string>(), "untitled");
        QSignalSpy changed(&document, &Document::changed);
        QCOMPARE(document.save(first), QString());
        QCOMPARE(nameIn(first), "my_chain-2");
        QCOMPARE(readAll(first).toStdString(), document.canonicalText());
        QCOMPARE(changed.size(), 1);
        // Taking the file's name as project name is no undo step, so undo keeps it.
        QVERIFY(!document.isModified() && document.undoStack().count() == 1);
        document.undo();
        QVERIFY(document.isModified() && document.json().at("graph").at("blocks").empty());
        QCOMPARE(document.json().at("name").get<std::string>(), "my_chain-2");
        document.redo();
        QVERIFY(!document.isModified());
        QCOMPARE(readAll(first).toStdString(), document.canonicalText());
        const QString second = folder.filePath(QStringLiteral("second.weir.json"));
        QCOMPARE(document.save(second), QString());
        QCOMPARE(nameIn(second), "my_chain-2");

        // A user who once named the project has decided, even if the naming was undone.
        Document named;
        named.edit(QStringLiteral("name"), [](Transaction& t) { t.set(Pointer("/name"), "mine"); });
        QCOMPARE(named.save(first), QString());
        QCOMPARE(nameIn(first), "mine");
        Document undone;
        undone.edit(QStringLiteral("name"), [](Transaction& t) { t.set(Pointer("/name"), "mine"); });
        undone.undo();
        QCOMPARE(undone.save(first), QString());
        QCOMPARE(nameIn(first), "untitled");
        Document strange;
        const QString file = folder.filePath(QStringLiteral("\u043f\u0440.weir.json"));
        QCOMPARE(strange.save(file), QString());
        QCOMPARE(nameIn(file), "untitled");
    }

    void manyMembersAndManyNudgesTakeNoSquareOfTime() {
        constexpr int kMany = 100000;
        QElapsedTimer timer;
        timer.start();
        std::string text = "{";
        for (int index = 0; index < kMany; ++index)
            text += (index == 0 ? "\"" : ",\"") + std::to_string(index) + "\":0";
        const auto read = readJson(text + "}");
        QCOMPARE(std::get<Json>(read).size(), std::size_t{kMany});
        QVERIFY(std::holds_alternative<ReadError>(readJson(text + ",\"7\":1}")));

        std::vector<Patch> all, next;
        for (int index = 0; index < kMany / 10; ++index) {
            const Pointer at = Pointer("/ui/positions") / std::to_string(index);
            all.push_back({at, 0, Json(0), Json(1)});
            next.push_back({at, 0, Json(1), Json(2)});
        }
        const std::vector<Patch> joined = merged(all, next);
        QCOMPARE(joined.size(), all.size());
        QVERIFY(joined.back().before == Json(0) && joined.back().after == Json(2));
        // If each patch searched for its partner, this would take minutes.
        QVERIFY2(timer.elapsed() < 20000, qPrintable(QString::number(timer.elapsed())));
    }

    void nudgesInARowAreOneStep() {
        Document document;
        QCOMPARE(document.open(kExamples + QStringLiteral("/quickstart.weir.json")), QString());
        const std::string before = document.canonicalText();
        const std::string id = blockIds(document).first().toStdString();
        for (int step = 0; step < 5; ++step)
            document.edit(
                QStringLiteral("Move"), [&](Transaction& t) { placeBlocks(t, {{id, QPointF(step * 20 + 1, 3)}}); },
                QStringLiteral("move"));
        QCOMPARE(document.undoStack().count(), 1);
        document.undoStack().undo();
        QCOMPARE(document.canonicalText(), before);
    }

    void manyBlocksArePlacedInOneChange() {
        Document document;
        QCOMPARE(document.open(kExamples + QStringLiteral("/quickstart.weir.json")), QString());
        const std::string before = document.canonicalText();
        const Json places = *find(document.json(), kPositions);
        std::vector<std::pair<std::string, QPointF>> wanted{{"a_new_one", QPointF(7, 8)}};
        for (const QString& id : blockIds(document))
            wanted.emplace_back(id.toStdString(), QPointF(static_cast<double>(wanted.size()), 3.4));
        document.edit(QStringLiteral("Move"), [&](Transaction& t) { placeBlocks(t, wanted); });
        const Json& placed = *find(document.json(), kPositions);
        QCOMPARE(placed.size(), places.size() + 1);
        QCOMPARE(std::prev(placed.end()).key(), std::string("a_new_one"));
        for (const auto& [id, position] : wanted)
            QVERIFY2(placed.at(id) == Json::array({std::lround(position.x()), std::lround(position.y())}), id.c_str());
        document.undoStack().undo();
        QCOMPARE(document.canonicalText(), before);
    }
};

QTEST_GUILESS_MAIN(TestDocument)
#include "tst_document.moc"
