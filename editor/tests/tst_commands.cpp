#include "core/graph/graph_scene.h"
#include "random_commands.h"
#include "test_files.h"

#include <QCryptographicHash>
#include <QTest>

using namespace weir::editor;

/// Test that ten thousand random commands, with undo and redo in between and at the end, give byte-equal documents.
class TestCommands : public QObject {
    Q_OBJECT

    static constexpr std::size_t kStride =
        5; ///< keep and compare every fifth state, since writing the text takes most of the time

    static QByteArray digest(const Document& document, std::size_t index) {
        return index % kStride != 0 ? QByteArray()
                                    : QCryptographicHash::hash(QByteArray::fromStdString(document.canonicalText()),
                                                               QCryptographicHash::Sha1);
    }

    /// Return the drawn blocks. The session places blocks without a position in the file, so those places are cleared.
    static std::vector<BlockView> drawn(const GraphScene& scene, const Document& document) {
        std::vector<BlockView> blocks = scene.blocks();
        const Json& places = object(find(document.json(), Pointer("/ui/positions")));
        for (BlockView& block : blocks)
            if (!places.contains(block.id.toStdString())) block.rect.moveTopLeft({});
        return blocks;
    }

    /// Check that an incrementally updated scene draws the same as a fresh one.
    static void compareScenes(const GraphScene& scene, Document& document) {
        GraphScene fresh(document);
        fresh.setCatalog(scene.catalog());
        QVERIFY(drawn(scene, document) == drawn(fresh, document));
        QCOMPARE(scene.wires().size(), fresh.wires().size());
        for (std::size_t index = 0; index < scene.wires().size(); ++index) {
            const WireView &mine = scene.wires()[index], &other = fresh.wires()[index];
            QVERIFY(mine.connection == other.connection && mine.via == other.via && mine.itemType == other.itemType &&
                    mine.dead == other.dead && mine.shared == other.shared);
        }
        QCOMPARE(scene.frames().size(), fresh.frames().size());
        QCOMPARE(scene.notes().size(), fresh.notes().size());
        QCOMPARE(scene.groups().size(), fresh.groups().size());
    }

  private slots:
    void undoAndRedoGiveTheSameBytes_data() {
        QTest::addColumn<QString>("example");
        for (const char* example : {"null_rand_latency", "fm_receiver"})
            QTest::newRow(example) << QStringLiteral(WEIR_ROOT "/examples/%1.weir.json").arg(QLatin1String(example));
    }

    void undoAndRedoGiveTheSameBytes() {
        QFETCH(QString, example);
        const bool all = qEnvironmentVariableIsSet("WEIR_EDITOR_SLOW");
        const int commands = all ? 10000 : 1000;
        const quint32 seed = qEnvironmentVariableIntValue("WEIR_SEED") != 0
                                 ? static_cast<quint32>(qEnvironmentVariableIntValue("WEIR_SEED"))
                                 : QRandomGenerator::global()->generate() & 0x7fffffff;
        qInfo("WEIR_SEED=%u, %d commands", seed, commands);
        QRandomGenerator random(seed);
        const Catalog catalog = testCatalog();

        Document document;
        QCOMPARE(document.open(example), QString());
        GraphScene scene(document);
        scene.setCatalog(catalog);
        const std::string original = document.canonicalText();
        QUndoStack& stack = document.undoStack();
        std::vector<QByteArray> states{digest(document, 0)};  // one for each index of the stack
        QStringList unseen = randomCommandKinds();  // kinds that have not yet changed the document

        const auto at = [&] { return static_cast<std::size_t>(stack.index()); };
        // Continue beyond the limit for rare kinds.
        for (int command = 0; command < commands || (unseen.size() > 1 && command < 10 * commands); ++command) {
            if (random.bounded(4) == 0) {
                document.endMerge();
                for (int step = random.bounded(12); step > 0; --step) {
                    random.bounded(2) ? stack.undo() : stack.redo();
                    QVERIFY2(digest(document, at()) == states[at()],
                             qPrintable(QStringLiteral("command %1").arg(command)));
                }
            }
            const int revision = document.revision();
            const QString kind = randomCommand(document, random, catalog);
            compareScenes(scene, document);
            if (QTest::currentTestFailed()) return;
            if (document.revision() != revision) unseen.removeOne(kind);
            if (stack.canRedo()) {  // the command changed nothing, so the undone steps can still be redone
                QCOMPARE(digest(document, at()), states[at()]);
                continue;
            }
            states.resize(at());
            states.push_back(digest(document, at()));
        }
        const std::string last = document.canonicalText();
        const std::size_t end = at();
        QVERIFY(end > static_cast<std::size_t>(commands) / 8);

        while (stack.canUndo()) {
            stack.undo();
            QVERIFY2(digest(document, at()) == states[at()], qPrintable(QStringLiteral("undo to %1").arg(at())));
        }
        QCOMPARE(document.canonicalText(), original);
        while (at() < end) {
            stack.redo();
            QVERIFY2(digest(document, at()) == states[at()], qPrintable(QStringLiteral("redo to %1").arg(at())));
        }
        QCOMPARE(document.canonicalText(), last);
        QCOMPARE(unseen, QStringList{QStringLiteral("refused")});
    }
};

QTEST_MAIN(TestCommands)
#include "tst_commands.moc"
