#include "core/facts/english/english.h"
#include "core/formats/files/element_text.h"
#include "core/formats/files/utf8.h"

#include <QTest>

#include <nlohmann/json.hpp>

using namespace plimsoll;

namespace {

/// The bytes of one element, in hexadecimal, lowest first; or what is wrong.
QString bytesOf(const QByteArray& json, const QByteArray& dtype)
{
    const auto document = parseJson(json.constData());
    if (!document.ok()) return QString::fromStdString(describe(document.error()));
    std::vector<std::byte> bytes;
    const Status status = appendElement({document.value(), "data"}, dtypeFromName(dtype.constData()).value(), bytes);
    if (!status.ok()) return QString::fromStdString(describe(status.error()));
    return QString::fromLatin1(
        QByteArray(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())).toHex(' '));
}

std::vector<std::byte> bytesOf(const QByteArray& hex)
{
    const QByteArray bytes = QByteArray::fromHex(hex);
    const auto all = std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    return {all.begin(), all.end()};
}

} // namespace

/// Numbers of a JSON file as elements of tensors, and back.
class ElementTextTest : public QObject
{
    Q_OBJECT

private slots:
    void elements_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("dtype");
        QTest::addColumn<QString>("bytes");
        const auto row = [](const char* json, const char* dtype, const char* bytes) {
            QTest::addRow("%s as %s", json, dtype) << QByteArray(json) << QByteArray(dtype) << QString::fromUtf8(bytes);
        };
        row("1", "int64", "01 00 00 00 00 00 00 00");
        row("-2", "int32", "fe ff ff ff");
        row("258", "uint16", "02 01");
        row("18446744073709551615", "uint64", "ff ff ff ff ff ff ff ff");
        row("-128", "int8", "80");
        row("-8", "int4", "08");
        row("15", "uint4", "0f");
        row("-2", "int2", "02");
        row("true", "bool", "01");
        row("0", "bool", "00");
        row("1.5", "float64", "00 00 00 00 00 00 f8 3f");
        row("0.1", "float32", "cd cc cc 3d");
        row("\"-inf\"", "float32", "00 00 80 ff");
        row("1", "float16", "00 3c");
        row("-0.0", "float16", "00 80");
        row("65504", "float16", "ff 7b");
        row("65519.9", "float16", "ff 7b");                // the largest that is rounded down
        row("65520", "float16", "00 7c");                  // infinity
        row("5.9604644775390625e-8", "float16", "01 00");  // the least subnormal
        row("2.98023223876953125e-8", "float16", "00 00"); // half of it: to even
        row("1.00048828125", "float16", "00 3c");          // a tie, to even
        row("1.00146484375", "float16", "02 3c");          // a tie, to even
        row("\"nan\"", "float16", "00 7e");
        row("1", "bfloat16", "80 3f");
        row("\"inf\"", "bfloat16", "80 7f");
        row("3.3895313892515355e38", "bfloat16", "7f 7f");
        row("128", "int8", "data: 128 does not fit in int8.");
        row("-1", "uint8", "data: -1 does not fit in uint8.");
        row("8", "int4", "data: 8 does not fit in int4.");
        row("-1", "uint64", "data: -1 does not fit in uint64.");
    }
    void elements()
    {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, dtype);
        QTEST(bytesOf(json, dtype), "bytes");
    }

    void whatIsNoElement_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("dtype");
        QTest::newRow("a fraction") << QByteArray("1.5") << QByteArray("int32");
        QTest::newRow("a text") << QByteArray("\"1\"") << QByteArray("int32");
        QTest::newRow("beyond 64 bits") << QByteArray("18446744073709551616") << QByteArray("uint64");
        QTest::newRow("a word") << QByteArray("\"infinite\"") << QByteArray("float32");
        QTest::newRow("null") << QByteArray("null") << QByteArray("float64");
        QTest::newRow("neither") << QByteArray("2") << QByteArray("bool");
    }
    void whatIsNoElement()
    {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, dtype);
        QVERIFY2(bytesOf(json, dtype).startsWith(QStringLiteral("data: ")), qPrintable(bytesOf(json, dtype)));
    }

    void elementsAreWritten_data()
    {
        QTest::addColumn<QByteArray>("dtype");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("count");
        QTest::addColumn<QString>("json");
        const auto row = [](const char* dtype, const char* bytes, int count, const char* json) {
            QTest::newRow(dtype) << QByteArray(dtype) << QByteArray(bytes) << count << QString::fromUtf8(json);
        };
        row("int4", "f81f", 4, "[-8,-1,-1,1]");
        row("uint4", "f81f", 3, "[8,15,15]");
        row("int2", "e4", 4, "[0,1,-2,-1]");
        row("uint2", "e4", 4, "[0,1,2,3]");
        row("int8", "80ff", 2, "[-128,-1]");
        row("uint16", "ffff0100", 2, "[65535,1]");
        row("int64", "ffffffffffffff7f", 1, "[9223372036854775807]");
        row("uint64", "ffffffffffffffff", 1, "[18446744073709551615]");
        row("bool", "0100", 2, "[1,0]");
        row("float16", "003c01fc00800100", 4, "[1.0,\"nan\",-0.0,5.960464477539063e-08]");
        row("bfloat16", "803f80ff", 2, "[1.0,\"-inf\"]");
        row("float32", "0000c03f", 1, "[1.5]");
        row("float64", "000000000000f83f", 1, "[1.5]");
    }
    void elementsAreWritten()
    {
        QFETCH(QByteArray, dtype);
        QFETCH(QByteArray, bytes);
        QFETCH(int, count);
        const DType type = dtypeFromName(dtype.constData()).value();
        QVERIFY(hasNumbers(type));
        QTEST(QString::fromStdString(elementsToJson(type, bytesOf(bytes), count).dump()), "json");
    }

    void elementsBelowAByteAreJoined()
    {
        QCOMPARE(packElements(DType::Int4, bytesOf("080f0f01")), bytesOf("f81f"));
        QCOMPARE(packElements(DType::UInt4, bytesOf("010203")), bytesOf("2103"));
        QCOMPARE(packElements(DType::UInt2, bytesOf("0001020303")), bytesOf("e403"));
        QVERIFY(packElements(DType::Int2, {}).empty());
        for (const DType none : {DType::String, DType::Complex64, DType::Float8E4M3FN, DType::Unknown})
            QVERIFY(!hasNumbers(none));
    }

    void texts_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("wellFormed");
        QTest::newRow("plain") << QByteArray("abc") << true;
        QTest::newRow("nothing") << QByteArray() << true;
        QTest::newRow("two, three and four bytes") << QByteArray("µ€\xF0\x9F\x9A\xA2") << true;
        QTest::newRow("the last of all") << QByteArray("\xF4\x8F\xBF\xBF") << true;
        QTest::newRow("beyond the last") << QByteArray("\xF4\x90\x80\x80") << false;
        QTest::newRow("an overlong slash") << QByteArray("\xC0\xAF") << false;
        QTest::newRow("an overlong form of three") << QByteArray("\xE0\x9F\xBF") << false;
        QTest::newRow("an overlong form of four") << QByteArray("\xF0\x8F\xBF\xBF") << false;
        QTest::newRow("half of a pair") << QByteArray("\xED\xA0\x80") << false;
        QTest::newRow("before the pairs") << QByteArray("\xED\x9F\xBF") << true;
        QTest::newRow("a second byte alone") << QByteArray("a\x80") << false;
        QTest::newRow("cut") << QByteArray("\xE2\x82") << false;
        QTest::newRow("a letter in between") << QByteArray("\xE2\x82z") << false;
        QTest::newRow("no first byte") << QByteArray("\xFF") << false;
    }
    void texts()
    {
        QFETCH(QByteArray, text);
        QTEST(isUtf8({text.constData(), static_cast<std::size_t>(text.size())}), "wellFormed");
    }
};

QTEST_APPLESS_MAIN(ElementTextTest)
#include "tst_element_text.moc"
