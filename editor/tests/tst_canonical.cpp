#include "core/json/canonical_json.h"
#include "test_files.h"

#include <QTest>

using namespace weir::editor;

class TestCanonical : public QObject {
    Q_OBJECT

  private slots:
    void corpus_data() {
        QTest::addColumn<QString>("in");
        const QStringList files =
            filesIn(QStringLiteral(WEIR_ROOT "/codegen/tests/canonical"), QStringLiteral("*.json"));
        for (const QString& file : files)
            if (!file.endsWith(QStringLiteral(".out.json"))) QTest::newRow(qPrintable(file.section(u'/', -1))) << file;
    }

    void corpus() {
        QFETCH(QString, in);
        QString expected = in;
        expected.replace(QStringLiteral(".json"), QStringLiteral(".out.json"));
        QCOMPARE(QByteArray::fromStdString(canonicalText(jsonOf(readAll(in)))), readAll(expected));
    }

    void floats_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << 0.0 << "0.0";
        QTest::newRow("negative zero") << -0.0 << "-0.0";
        QTest::newRow("one") << 1.0 << "1.0";
        QTest::newRow("tenth") << 0.1 << "0.1";
        QTest::newRow("third") << 1.0 / 3 << "0.3333333333333333";
        QTest::newRow("small fixed") << 1e-4 << "0.0001";
        QTest::newRow("small exponent") << 1.5e-5 << "1.5e-05";
        QTest::newRow("large fixed") << 123456789012345680.0 / 100 << "1234567890123456.8";
        QTest::newRow("largest fixed") << 9999999999999998.0 << "9999999999999998.0";
        QTest::newRow("large exponent") << 1e16 << "1e+16";
        QTest::newRow("negative exponent") << -2.5e-7 << "-2.5e-07";
        QTest::newRow("three digits") << 1.7976931348623157e308 << "1.7976931348623157e+308";
        QTest::newRow("denormal") << 5e-324 << "5e-324";
    }

    void floats() {
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(floatText(value)), text);
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("empty") << QByteArray() << "input";
        QTest::newRow("duplicate key") << QByteArray(R"({"a": 1, "a": 2})") << "twice";
        QTest::newRow("nan") << QByteArray("[NaN]") << "invalid literal";
        QTest::newRow("infinity") << QByteArray("[1e999]") << "overflow";
        QTest::newRow("large integer") << QByteArray("[9223372036854775808]") << "64 bits";
        QTest::newRow("larger integer") << QByteArray("[123456789012345678901234567890]") << "64 bits";
        QTest::newRow("too deep") << QByteArray(65, '[') + QByteArray(65, ']') << "deeper than 64";
        QTest::newRow("trailing text") << QByteArray("{} x") << "end of input";
        QTest::newRow("half a surrogate") << QByteArray(R"(["\ud800"])") << "surrogate";
        QTest::newRow("not utf-8") << QByteArray("[\"\xff\"]") << "UTF-8";
        QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBF{}") << "byte order mark";
        QTest::newRow("comment") << QByteArray("{} // no") << "end of input";
    }

    void refuses() {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        const auto result = readJson(text.toStdString());
        const auto* error = std::get_if<ReadError>(&result);
        QVERIFY(error);
        QVERIFY2(QString::fromStdString(error->message).contains(message), error->message.c_str());
    }

    void deepestIsRead() {
        QVERIFY(std::holds_alternative<Json>(readJson(std::string(64, '[') + std::string(64, ']'))));
    }

    void errorsHaveAPlace() {
        const auto result = readJson("{\n  \"a\": 1,\n  \"b\" 2\n}");
        const auto& error = std::get<ReadError>(result);
        QCOMPARE(error.line, std::size_t{3});
        QCOMPARE(error.column, std::size_t{7});
    }
};

QTEST_APPLESS_MAIN(TestCanonical)
#include "tst_canonical.moc"
