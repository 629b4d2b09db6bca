#include "core/formats/files/wire_reader.h"

#include "core/facts/english/english.h"

#include <QTest>

using namespace plimsoll;

namespace {

QString errorOf(const auto& result)
{
    return result.ok() ? QStringLiteral("(no error)") : QString::fromStdString(describe(result.error()));
}

WireBytes bytesOf(const QByteArray& message)
{
    return {std::as_bytes(std::span<const char>(message.constData(), static_cast<std::size_t>(message.size()))), 100};
}

/// "1 varint 300; 2 bytes 3 at 105", and the error that ended it.
QString fieldsOf(const QByteArray& message)
{
    constexpr const char* Types[] = {"varint", "fixed64", "bytes", "", "", "fixed32"};
    QStringList fields;
    const Status status = forEachField(bytesOf(message), [&](const WireField& field) -> Status {
        QString text = QStringLiteral("%1 %2 ").arg(field.number).arg(QLatin1String(Types[int(field.type)]));
        if (field.type == WireType::Bytes)
            text += QStringLiteral("%1 at %2").arg(field.payload.bytes.size()).arg(field.payload.offset);
        else
            text += QString::number(field.scalar);
        fields << text;
        return {};
    });
    if (!status.ok()) fields << errorOf(status);
    return fields.join(QStringLiteral("; "));
}

/// The first field of a message, which must outlive it.
WireField fieldOf(const QByteArray& message)
{
    WireBytes rest = bytesOf(message);
    WireField field;
    if (const auto more = nextField(rest, field); !more.ok() || !more.value()) qFatal("no field");
    return field;
}

const char* const Cut = ": The file ends, or a length points beyond its end, in the middle of a field.";
const char* const None = ": There is no protobuf field here. The file is damaged or not of this format.";

} // namespace

/// Protobuf's wire format.
class WireReaderTest : public QObject
{
    Q_OBJECT

private slots:
    void fieldsAreTakenApart_data();
    void fieldsAreTakenApart();
    void numbersArePackedOrNot();
    void rawNumbersAreCutToTheirWidth();
    void otherTypesAreRefusedByName();
};

void WireReaderTest::fieldsAreTakenApart_data()
{
    QTest::addColumn<QByteArray>("hex");
    QTest::addColumn<QString>("fields");
    const auto row = [](const char* name, const char* hex, const QString& fields) {
        QTest::newRow(name) << QByteArray(hex) << fields;
    };
    row("nothing", "", QString());
    row("a number of two bytes", "08ac02", QStringLiteral("1 varint 300"));
    row("a number with a byte of nothing", "088001", QStringLiteral("1 varint 128"));
    row("a number of all bits", "08ffffffffffffffffff01", QStringLiteral("1 varint 18446744073709551615"));
    row("a number that does not end", "08ffffffffffffffffffff01", QStringLiteral("byte 100") + Cut);
    row("bytes and then a number",
        "1203616263"
        "1801",
        QStringLiteral("2 bytes 3 at 102; 3 varint 1"));
    row("bytes beyond the end",
        "1801"
        "12046162",
        QStringLiteral("3 varint 1; byte 102") + Cut);
    row("fixed numbers",
        "0d01000000"
        "110200000000000000",
        QStringLiteral("1 fixed32 1; 2 fixed64 2"));
    row("half a fixed number", "0d0100", QStringLiteral("byte 100") + Cut);
    row("a group", "0b", QStringLiteral("byte 100") + None);
    row("the end of a group", "0c01020304", QStringLiteral("byte 100") + None);
    row("field number 0", "0001", QStringLiteral("byte 100") + None);
}

void WireReaderTest::fieldsAreTakenApart()
{
    QFETCH(QByteArray, hex);

    QTEST(fieldsOf(QByteArray::fromHex(hex)), "fields");
}

void WireReaderTest::numbersArePackedOrNot()
{
    std::vector<std::int64_t> numbers;
    std::vector<double> reals;

    QVERIFY(append(fieldOf(QByteArray::fromHex("0803")), numbers).ok());
    QVERIFY(append(fieldOf(QByteArray::fromHex("0a0301ac02")), numbers).ok());
    QVERIFY(append(fieldOf(QByteArray::fromHex("0d0000c03f")), reals).ok());
    QVERIFY(append(fieldOf(QByteArray::fromHex("0a080000003f000000c0")), reals).ok());

    QCOMPARE(numbers, (std::vector<std::int64_t> {3, 1, 300}));
    QCOMPARE(reals, (std::vector<double> {1.5, 0.5, -2}));
}

void WireReaderTest::rawNumbersAreCutToTheirWidth()
{
    std::vector<std::byte> raw;

    QVERIFY(appendRaw(fieldOf(QByteArray::fromHex("0a0301ac02")), 2, false, raw).ok());
    QVERIFY(appendRaw(fieldOf(QByteArray::fromHex("0d01020304")), 4, true, raw).ok());

    const QByteArray bytes(reinterpret_cast<const char*>(raw.data()), static_cast<qsizetype>(raw.size()));
    QCOMPARE(bytes.toHex(), QByteArray("01002c0101020304"));
}

void WireReaderTest::otherTypesAreRefusedByName()
{
    const QByteArray noText = QByteArray::fromHex("1203fffefd"); // fields point into it
    const WireField number = fieldOf(QByteArray::fromHex("0803"));
    const WireField bytes = fieldOf(noText);
    const auto should = [](const WireField& field, const char* what) {
        return QStringLiteral(
                   "byte %1: Field %2 should hold %3, but is laid out as something else. The file is damaged "
                   "or not of this format.")
            .arg(field.payload.offset)
            .arg(field.number)
            .arg(QLatin1String(what));
    };
    std::string text;
    std::int64_t whole = 0;
    float real = 0;
    std::vector<std::byte> raw;

    QCOMPARE(errorOf(readText(number, text)), should(number, "text"));
    QCOMPARE(errorOf(read(bytes, whole)), should(bytes, "a whole number"));
    QCOMPARE(errorOf(read(number, real)), should(number, "a float"));
    QCOMPARE(errorOf(messageIn(number)), should(number, "a message"));
    QCOMPARE(errorOf(appendRaw(bytes, 4, true, raw)), should(bytes, "numbers of a fixed width"));
    QCOMPARE(errorOf(readText(bytes, text)),
             QStringLiteral("byte 102: A name here is not valid UTF-8. The file is damaged."));
    QVERIFY(readBytes(bytes, text).ok());
}

QTEST_APPLESS_MAIN(WireReaderTest)
#include "tst_wire_reader.moc"
