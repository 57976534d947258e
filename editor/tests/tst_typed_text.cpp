#include "core/text/expression_text.h"
#include "core/text/value_text.h"
#include "test_files.h"

#include <QTest>

using namespace weir::editor;

/// Tests of typed text in fields: numbers, units, and names in expressions.
class TestTypedText : public QObject {
    Q_OBJECT

  private slots:
    void numbersAreRead_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<double>("number");
        QTest::newRow("plain") << "12" << 12.0;
        QTest::newRow("suffix") << "2.4M" << 2.4e6;
        QTest::newRow("a blank") << "10 k" << 1e4;
        QTest::newRow("micro") << "3u" << 3e-6;
        QTest::newRow("greek") << QString::fromUtf8("3 µ") << 3e-6;
        QTest::newRow("exact") << "0.3k" << 300.0;
        QTest::newRow("exponent") << "-1.5e3k" << -1.5e6;
        QTest::newRow("no zero") << ".5" << 0.5;
        QTest::newRow("words") << "2 x" << qQNaN();
        QTest::newRow("two suffixes") << "2kk" << qQNaN();
        QTest::newRow("expression") << "= 2" << qQNaN();
        QTest::newRow("groups") << "200 000 000" << 2e8;
        QTest::newRow("thin groups") << QString::fromUtf8("-1\u202F000.5 k") << -1000500.0;
        QTest::newRow("no groups") << "20 00" << qQNaN();
    }

    void numbersAreRead() {
        QFETCH(QString, typed);
        QFETCH(double, number);
        const auto read = literalNumber(typed);
        QCOMPARE(read.has_value(), !std::isnan(number));
        if (read) QCOMPARE(*read, number);
    }

    void textIsKeptAsTyped() {
        QCOMPARE(withoutUnit(QStringLiteral("100 kHz"), QStringLiteral("Hz")), QStringLiteral("100 k"));
        QCOMPARE(withoutUnit(QStringLiteral("2 ms"), QStringLiteral("s")), QStringLiteral("2 m"));
        QCOMPARE(withoutUnit(QStringLiteral("stages"), QStringLiteral("s")), QStringLiteral("stages"));
        QVERIFY(fieldValue(QStringLiteral("2.4M"), "f64") == jsonOf(R"({"expr": "2.4M"})"));
        QVERIFY(fieldValue(QStringLiteral("1, 2.5 3k"), "f32_list") == jsonOf(R"([1, 2.5, {"expr": "3k"}])"));
        QVERIFY(fieldValue(QStringLiteral("7"), "f32_list") == jsonOf("[7]"));
        QVERIFY(fieldValue(QStringLiteral("[1, 2]"), "f32_list") == jsonOf("[1, 2]"));
    }

    void groupsOfDigitsAreOneNumber() {
        QVERIFY(fieldValue(QStringLiteral("200 000 000"), "i64") == Json(200000000));
        QVERIFY(fieldValue(QStringLiteral("200 100"), "f32_list") == jsonOf("[200, 100]"));
        QVERIFY(fieldValue(QStringLiteral("200 000"), "string") == Json("200 000"));
        QCOMPARE(withoutUnit(QStringLiteral("200 000 Hz"), QStringLiteral("Hz")), QStringLiteral("200000"));
        for (const char* typed : {"100 kHZ", "100 KHz", "100khz", "100 K"})
            QCOMPARE(valueMeant(QString::fromLatin1(typed), QStringLiteral("Hz")), QStringLiteral("100 kHz"));
        QCOMPARE(valueMeant(QStringLiteral("7 hz"), QStringLiteral("Hz")), QStringLiteral("7 Hz"));
        for (const char* typed : {"100 kHz", "stages", "2 * rate", "1 mHz", "", "hz"})
            QCOMPARE(valueMeant(QString::fromLatin1(typed), QStringLiteral("Hz")), QString());
    }

    void numbersAreShownToBeRead_data() {
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("unit");
        QTest::addColumn<QString>("shown");
        const auto row = [](const char* value, const char* unit, const char* shown) {
            QTest::newRow(value) << QString::fromUtf8(value) << QString::fromUtf8(unit) << QString::fromUtf8(shown);
        };
        row("200000000", "", "200 M");
        row("2400000", "Hz", "2.4 MHz");
        row("2400000.0", "items", "2.4 Mitems");
        row("1500000", "items/s", "1.5 Mitems/s"); // rates use the same prefixes
        row("65536", "items", "65\u202F536 items");
        row("-44100", "", "-44.1 k");
        row("65536", "", "65\u202F536");
        row("1234567.5", "s", "1\u202F234\u202F567.5 s");
        row("9007199254740993", "", "9\u202F007\u202F199\u202F254\u202F740\u202F993");
        row("4800", "Hz", "4800 Hz");
        row("0", "Hz", "0 Hz");
        row("0.25", "", "0.25");
        row("0.0001", "s", "100 µs");
        row("1e300", "", "1e+300");
        row("0.06280000000000001", "Hz", "0.0628 Hz");  // 6.28 / 100, as evaluated
        row("3.141592653589793", "", "3.141592653589793");
        row(R"({"expr": "2.4M"})", "Hz", "2.4 MHz");
        row(R"({"expr": "2 * n"})", "Hz", "= 2 * n");
        row(R"("200000000")", "", "200000000");
        row("[200000000, 1]", "", "[200000000, 1]");
        row("true", "", "true");
    }

    void numbersAreShownToBeRead() {
        QFETCH(QString, value);
        QFETCH(QString, unit);
        QFETCH(QString, shown);
        QCOMPARE(shownText(jsonOf(value.toUtf8().constData()), unit), shown);
        if (!value.startsWith(u'"')) QCOMPARE(withUnit(shownText(jsonOf(value.toUtf8().constData())), unit), shown);
        // Shown text is valid as input.
        if (const auto number = literalNumber(fieldText(jsonOf(value.toUtf8().constData())));
            number && unit.isEmpty() && !value.startsWith(u'"'))
            QCOMPARE(literalNumber(shown), number);
    }

    void aLongFactorDoesNotHideTheNameBehindIt() {
        const Json value = jsonOf(R"({"expr": "1.7320508075688772 * ampl"})");
        QCOMPARE(shortText(value), QStringLiteral("= 1.732… * ampl"));
        QCOMPARE(fieldText(value), QStringLiteral("= 1.7320508075688772 * ampl"));
        QCOMPARE(shortText(jsonOf(R"({"expr": "0.12345 * x"})")), QStringLiteral("= 0.12345 * x"));
    }

    void namesInExpressions() {
        const auto renamed = [](const char* text) {
            return withNameReplaced(QString::fromUtf8(text), QStringLiteral("k"), QStringLiteral("count"));
        };
        QCOMPARE(renamed("k + 10 k + 2*k"), QStringLiteral("count + 10 k + 2*count"));
        QCOMPARE(renamed("k(1) + kk + 3k"), QStringLiteral("k(1) + kk + 3k"));
        QCOMPARE(renamed("10 k_2"), QStringLiteral("10 k_2"));
        QCOMPARE(renamed("-k"), QStringLiteral("-count"));
        QVERIFY(!usesName(QStringLiteral("10 M"), QStringLiteral("M")));
    }

    void namesAreCompleted() {
        const QStringList names{QStringLiteral("stages"), QStringLiteral("station")};
        const auto found = [&](const char* field, int cursor) {
            return completions(QString::fromLatin1(field), cursor, names);
        };
        QCOMPARE(found("= 2 * sta", 9), names);
        QCOMPARE(found("= s", 3),
                 (QStringList{QStringLiteral("stages"), QStringLiteral("station"), QStringLiteral("sqrt(")}));
        QVERIFY(found("sta", 3).isEmpty());   // not an expression
        QVERIFY(found("= sta", 4).isEmpty()); // the cursor is inside a word
        QVERIFY(found("= 2", 3).isEmpty());
        const Completed completed = complete(QStringLiteral("= 2 * sta + 1"), 9, QStringLiteral("stages"));
        QCOMPARE(completed.text, QStringLiteral("= 2 * stages + 1"));
        QCOMPARE(completed.cursor, 12);
    }
};

QTEST_GUILESS_MAIN(TestTypedText)
#include "tst_typed_text.moc"
