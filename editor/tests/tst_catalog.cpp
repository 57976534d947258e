#include "app/editor.h"
#include "core/catalog/block_search.h"
#include "drawn.h"
#include "features/palette/block_palette.h"
#include "features/palette/likely_blocks.h"

#include <QAbstractItemModelTester>
#include <QLineF>
#include <QRegularExpression>
#include <QTest>

using namespace weir::editor;
using namespace Qt::StringLiterals;

/// Tests of the search over the real catalog: the found blocks and their order.
class TestCatalog : public QObject {
    Q_OBJECT

    Catalog m_catalog;

    /// Return the blocks that a search finds, the best first.
    QStringList found(const QString& typed) const {
        QStringList ids;
        for (const FoundBlock& block : findBlocks(typed, m_catalog.blocksInOrder()))
            ids.append(QString::fromStdString(block.type->id));
        return ids;
    }

  private slots:
    void initTestCase() {
        m_catalog = testCatalog();
        QVERIFY(!m_catalog.blocks().empty());
    }

    void blocksAreFoundByWhatTheyAreFor_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QStringList>("first"); // in this order
        const auto row = [](const char* typed, const QStringList& first) {
            QTest::newRow(typed) << QString::fromLatin1(typed) << first;
        };
        row("low pass", {u"fir_filter"_s});
        row("noise", {u"noise_source"_s, u"random_source"_s});
        row("resample", {u"resample"_s, u"fir_filter"_s, u"interpolate"_s});
        row("spectrum", {u"fft"_s});
        row("demodulate", {u"quadrature_demod"_s});
        row("gain", {u"agc"_s, u"multiply_const"_s});
        row("mixer", {u"add"_s, u"multiply"_s, u"rotator"_s});
        row("record", {u"file_sink"_s, u"wav_sink"_s});
        row("tone", {u"signal_source"_s});
        row("decimate", {u"fir_filter"_s, u"keep_one_in_n"_s});
        row("usrp", {u"paced_source"_s});
        // Exact names come before names with that prefix, names before keywords, keywords before the documentation.
        row("add", {u"add"_s, u"add_const"_s});
        row("fft", {u"fft"_s, u"fft_filter"_s});
        row("Fourier transform", {u"fft"_s});
        row("low", {u"fir_filter"_s, u"interpolate"_s, u"fm_deemphasis"_s});
        // Words match in any order by their beginnings. Scattered letters match only if no block has the words.
        row("sour fil", {u"file_source"_s});
        // A word's beginning ranks before its middle.
        row("fir", {u"fir_filter"_s, u"interpolate"_s});
        row("mulcon", {u"multiply_const"_s});
        row("float_to_short", {u"float_to_integer"_s});
        row("fir decimating nonsense", {u"fir_filter"_s});
    }

    void blocksAreFoundByWhatTheyAreFor() {
        QFETCH(QString, typed);
        QFETCH(QStringList, first);
        QCOMPARE(found(typed).mid(0, first.size()), first);
    }

    void whatIsFoundByAGuessIsNotBesideWhatWasMeant() {
        // The letters of "tone" are in "Complex to interleaved", in that order.
        QVERIFY(!found(u"tone"_s).contains(u"complex_to_interleaved"_s));
        QCOMPARE(found(u"qqqq"_s), QStringList());
        QCOMPARE(found(u" "_s).size(), static_cast<qsizetype>(m_catalog.blocks().size()));
        QCOMPARE(found(u"--"_s).size(), static_cast<qsizetype>(m_catalog.blocks().size()));
        const auto because = [this](const char* typed) {
            return findBlocks(QLatin1String(typed), m_catalog.blocksInOrder()).front().because;
        };
        QCOMPARE(because("low pass"), u"low pass"_s);
        QCOMPARE(because("analog_sig_source_x"), u"analog_sig_source_x"_s);
        QCOMPARE(because("fir"), QString());
        // The last results match by their documentation, and the result names the matching word.
        for (const auto& [typed, type, word] :
             {std::tuple(u"head"_s, "wav_sink", "header"), {u"null sink"_s, "busy_work", "null"}}) {
            const FoundBlock last = findBlocks(typed, m_catalog.blocksInOrder()).back();
            QCOMPARE(last.type->id, type);
            QCOMPARE(last.because, QLatin1String(word));
        }
    }

    /// Tries every block name of GNU Radio 3.10 in the import table, and every label that GNU Radio shows for it.
    void everyNameOfGnuRadioFindsItsBlock() {
        const Json table = jsonOf(readAll(QStringLiteral(WEIR_ROOT "/codegen/weir/interop/grc/blocks.json")));
        const Json labels = jsonOf(readAll(QStringLiteral(WEIR_TEST_DATA "/gnuradio_labels.json")));
        int tried = 0;
        const auto isAmongTheFirst = [&](const QString& typed, const QStringList& wanted) {
            ++tried;
            const QStringList first = found(typed).mid(0, 3);
            if (std::none_of(wanted.begin(), wanted.end(), [&](const QString& type) { return first.contains(type); }))
                QFAIL(qPrintable(u"%1 finds %2, not %3"_s.arg(typed, first.join(u' '), wanted.join(u' '))));
        };
        const auto typeOf = [&](const Json& part) {
            const Json* it = &part;  // an entry inherits missing keys from the entry named by `like`
            while (!it->contains("type") && it->contains("like")) {
                const Json& like = it->at("like");
                it = &table.at("forms").at(text(like.is_array() ? &like.front() : &like));
            }
            return string(*it, "type");
        };
        for (const auto& [name, entry] : member(table, "blocks")->items()) {
            const Json& same = entry.is_string() ? table.at("blocks").at(text(&entry)) : entry;
            const Json& rule = same.is_array() ? same.front() : same;
            QStringList wanted;
            for (const Json& part : list(member(rule, "parts"))) wanted.append(typeOf(part));
            if (const QString type = typeOf(rule); !type.isEmpty()) wanted.append(type);
            if (wanted.isEmpty()) continue;  // a wire
            const QString pattern = QString::fromStdString(name);
            // Types of GNU Radio 4, which nobody types.
            if (pattern.contains(u"::"_s) || pattern.startsWith(u"builtin_"_s)) continue;
            if (!pattern.contains(u'*')) isAmongTheFirst(pattern, wanted);
            const QRegularExpression matching(QRegularExpression::wildcardToRegularExpression(pattern));
            for (const auto& [id, label] : labels.items())
                if (matching.match(QString::fromStdString(id)).hasMatch()) {
                    isAmongTheFirst(QString::fromStdString(id), wanted);
                    isAmongTheFirst(QString::fromStdString(text(&label)), wanted);
                }
            if (QTest::currentTestFailed()) return;
        }
        QVERIFY(tried > 300);
    }

    void likelyBlocksComeFirst() {
        const auto first = [this](const InsertPlace& place, const QStringList& favourites, const QStringList& recent) {
            QStringList rows;
            for (const auto& [type, reason] :
                 likelyBlocks(m_catalog.blocksInOrder(), m_catalog, place, favourites, recent))
                rows.append(QString::fromStdString(type->id) + u": "_s + reason);
            return rows;
        };
        const QStringList favourites{u"log10"_s, u"fft"_s};
        const QStringList recent{u"null_sink"_s, u"fft"_s};
        const QStringList anywhere = first({}, favourites, recent);
        QCOMPARE(anywhere.mid(0, 4),
                 (QStringList{u"fft: recent"_s, u"log10: favourite"_s, u"null_sink: recent"_s, u"counter_source: "_s}));
        QCOMPARE(anywhere.size(), static_cast<qsizetype>(m_catalog.blocks().size()));
        // The block inserted last counts as recently used, but is not suggested as its own successor.
        const QStringList itself = first({.after = "fft", .fitting = {"fft", "abs"}}, {}, recent);
        QVERIFY2(itself.contains(u"fft: "_s) && itself.contains(u"null_sink: recent"_s), qPrintable(itself.join(u' ')));
        // Successors from the examples come first, then favourites and recent blocks, then fitting blocks, then all
        // others.
        const InsertPlace place{
            .after = "quadrature_demod", .fitting = {"fm_deemphasis", "log10", "null_sink", "abs"}, .wanted = {"f32"}};
        QCOMPARE(first(place, favourites, recent).mid(0, 5),
                 (QStringList{u"fm_deemphasis: often after Quadrature demodulator"_s, u"log10: favourite"_s,
                              u"null_sink: recent"_s, u"abs: fits f32"_s, u"fft: recent"_s}));
        InsertPlace only{.before = "fm_deemphasis", .fitting = {"quadrature_demod", "abs"}, .onlyFitting = true};
        QCOMPARE(first(only, {}, {}), (QStringList{u"quadrature_demod: often before FM de-emphasis"_s, u"abs: "_s}));
    }

    void whatNoExampleHasIsFollowedByWhatFollowsOthers() {
        const BlockType* type = m_catalog.block("signal_source");
        QVERIFY(type && type->followers.empty());
        const InsertPlace place{.after = "signal_source", .fitting = {"complex_to_imag", "head"}};
        QCOMPARE(likelyBlocks(m_catalog.blocksInOrder(), m_catalog, place, {}, {}).front().type->id,
                 std::string("head"));
    }

    void thePaletteHasGroupsThatClose() {
        Editor editor{CliCommand()};
        BlockPalette& palette = *editor.palette();
        QAbstractItemModelTester tester(palette.model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        editor.setCatalog(m_catalog);
        const auto groups = [&palette] {
            QStringList all;
            for (const BlockEntry& row : palette.rows())
                if (!row.group.isEmpty()) all.append(u"%1 %2"_s.arg(row.title).arg(row.count));
            return all;
        };
        const auto rows = [&palette] { return palette.rows().size(); };
        QVERIFY(groups().first().startsWith(u"Sources "_s) && groups().last().startsWith(u"Sinks "_s));
        const auto all = rows();
        QCOMPARE(all, m_catalog.blocks().size() + static_cast<std::size_t>(groups().size()));
        const int sources = palette.rows().front().count;
        palette.toggleGroup(u"sources"_s);
        QCOMPARE(rows(), all - static_cast<std::size_t>(sources));
        QVERIFY(!palette.rows().front().open);
        palette.toggleGroup(u"sources"_s);
        QCOMPARE(rows(), all);

        palette.habits().noteUse(u"head"_s);
        palette.habits().noteUse(u"not_in_this_catalog"_s);
        QVERIFY2(rows() == all, "what the user drags from moved");
        palette.toggleFavourite(u"fft"_s);
        palette.toggleFavourite(u"abs"_s);
        QCOMPARE(groups().mid(0, 2), (QStringList{u"Favourites 2"_s, u"Recent 1"_s}));
        QCOMPARE(palette.rows()[1].type, u"fft"_s);
        palette.setFilter(u"abs"_s);
        QVERIFY(groups().isEmpty() && palette.rows().front().favourite && palette.rows().front().type == u"abs"_s);
        palette.setFilter({});
        palette.toggleFavourite(u"fft"_s);
        palette.toggleFavourite(u"abs"_s);
        QCOMPARE(groups().first(), u"Recent 1"_s);
        for (const BlockType& type : m_catalog.blocks()) palette.habits().noteUse(QString::fromStdString(type.id));
        palette.setFilter(u"fft"_s);
        palette.setFilter({});
        QCOMPARE(groups().first(), u"Recent 6"_s);
        QCOMPARE(palette.rows()[1].type, QString::fromStdString(m_catalog.blocks().back().id));
    }

    void newBlocksFindTheNearestFreePlace() {
        const Drawn drawn(QStringLiteral(WEIR_ROOT "/examples/diamond.weir.json"), m_catalog);
        const GraphScene& scene = drawn.scene;
        const QSizeF size(160, 100);
        const QPointF far(5000, 5000);
        QCOMPARE(scene.freePosition(far, size), far);
        for (const BlockView& block : scene.blocks()) {
            const QPointF corner = scene.freePosition(block.rect.topLeft(), size);
            for (const BlockView& other : scene.blocks()) QVERIFY(!other.rect.intersects(QRectF(corner, size)));
            QVERIFY(QLineF(corner, block.rect.topLeft()).length() < 300);
        }
    }
};

QTEST_MAIN(TestCatalog)
#include "tst_catalog.moc"
