#include "core/ops/dims.h"
#include "core/ops/literal_elements.h"
#include "core/ops/onnx_dtype.h"
#include "core/ops/safe_int.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace plimsoll;

/// The arithmetic that rules of types are made of: sizes that may be unknown, sums that may overflow, small literals.
class OpNumbers : public QObject
{
    Q_OBJECT

private slots:
    void shapesMeetByNumpysRule_data();
    void shapesMeetByNumpysRule();
    void sizesMeet_data();
    void sizesMeet();
    void axesCountFromEitherEnd();
    void countsKnowWhatTheyDoNotKnow();
    void typesOnTwoWaysKeepWhatIsCommon_data();
    void typesOnTwoWaysKeepWhatIsCommon();
    void offsetsWalkRowByRow();
    void overflowIsRemembered();
    void quotientsAreRounded_data();
    void quotientsAreRounded();
    void literalsKeepTheirElements_data();
    void literalsKeepTheirElements();
    void numbersAreAsTheTypeHoldsThem_data();
    void numbersAreAsTheTypeHoldsThem();
    void whatCannotBeReadIsUntracked();
    void elementTypesHaveNumbersAndNames_data();
    void elementTypesHaveNumbersAndNames();
};

namespace {

/// "2,?,3"; "-" is an empty optional, "" a scalar.
std::optional<Dims> dimsIn(const QString& text)
{
    if (text == QStringLiteral("-")) return std::nullopt;
    Dims dims;
    for (const QString& size : text.split(u',', Qt::SkipEmptyParts))
        dims.push_back(size == QStringLiteral("?") ? UnknownSize : size.toLongLong());
    return dims;
}

QString textOf(const std::optional<std::int64_t>& size)
{
    return !size ? QStringLiteral("-") : *size == UnknownSize ? QStringLiteral("?") : QString::number(*size);
}

QString textOf(const std::optional<Dims>& dims)
{
    if (!dims) return QStringLiteral("-");
    QStringList sizes;
    for (const std::int64_t size : *dims)
        sizes += textOf(std::optional(size));
    return sizes.join(u',');
}

} // namespace

void OpNumbers::shapesMeetByNumpysRule_data()
{
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    QTest::addColumn<QString>("common");
    const auto row = [](const char* a, const char* b, const char* common) {
        QTest::addRow("%s and %s", a, b) << QString::fromLatin1(a) << QString::fromLatin1(b)
                                         << QString::fromLatin1(common);
    };
    row("2,3", "2,3", "2,3");
    row("2,1", "3", "2,3");
    row("", "4,5", "4,5");
    row("1", "0", "0");
    row("2,3", "2", "-");
    row("?,3", "2,1", "2,3");
    row("?,3", "1,3", "?,3");
    row("?", "?", "?");
    row("5,1,7", "6,1", "5,6,7");
}

void OpNumbers::shapesMeetByNumpysRule()
{
    QFETCH(const QString, a);
    QFETCH(const QString, b);
    QFETCH(const QString, common);
    QCOMPARE(textOf(broadcast(*dimsIn(a), *dimsIn(b))), common);
    QCOMPARE(textOf(broadcast(*dimsIn(b), *dimsIn(a))), common);
}

void OpNumbers::sizesMeet_data()
{
    QTest::addColumn<qint64>("a");
    QTest::addColumn<qint64>("b");
    QTest::addColumn<QString>("same");
    QTest::addColumn<QString>("stretched");
    const auto row = [](const char* name, qint64 a, qint64 b, const char* same, const char* stretched) {
        QTest::newRow(name) << a << b << QString::fromLatin1(same) << QString::fromLatin1(stretched);
    };
    row("equal", 4, 4, "4", "4");
    row("one is unknown", UnknownSize, 4, "4", "4");
    row("both are unknown", UnknownSize, UnknownSize, "?", "?");
    row("one is 1", 1, 4, "-", "4");
    row("1 and unknown", 1, UnknownSize, "1", "?");
    row("no size", 0, 1, "-", "0");
    row("different", 3, 4, "-", "-");
}

void OpNumbers::sizesMeet()
{
    QFETCH(const qint64, a);
    QFETCH(const qint64, b);
    QTEST(textOf(sameSize(a, b)), "same");
    QTEST(textOf(broadcastSize(a, b)), "stretched");
    QCOMPARE(textOf(sameSize(b, a)), textOf(sameSize(a, b)));
    QCOMPARE(textOf(broadcastSize(b, a)), textOf(broadcastSize(a, b)));
}

void OpNumbers::axesCountFromEitherEnd()
{
    QCOMPARE(normalAxis(0, 3), std::optional<std::size_t>(0));
    QCOMPARE(normalAxis(2, 3), std::optional<std::size_t>(2));
    QCOMPARE(normalAxis(-1, 3), std::optional<std::size_t>(2));
    QCOMPARE(normalAxis(-3, 3), std::optional<std::size_t>(0));
    QVERIFY(!normalAxis(3, 3));
    QVERIFY(!normalAxis(-4, 3));
    QVERIFY(!normalAxis(0, 0));
    QVERIFY(!normalAxis(INT64_MIN, 3));

    QCOMPARE(sizeAt(Dims {4, UnknownSize}, 0), 4);
    QCOMPARE(sizeAt(Dims {4, UnknownSize}, 1), UnknownSize);
    QCOMPARE(sizeAt(Dims {4}, 1), UnknownSize);
    QCOMPARE(sizeAt(std::nullopt, 0), UnknownSize);
}

void OpNumbers::countsKnowWhatTheyDoNotKnow()
{
    QCOMPARE(textOf(countOf({})), QStringLiteral("1"));
    QCOMPARE(textOf(countOf({2, 3, 4})), QStringLiteral("24"));
    QCOMPARE(textOf(countOf({2, UnknownSize})), QStringLiteral("?"));
    QCOMPARE(textOf(countOf({UnknownSize, 0})), QStringLiteral("0"));
    QCOMPARE(textOf(countOf({INT64_MAX, 2})), QStringLiteral("-"));
    QVERIFY(allKnown({1, 0}) && allKnown({}) && !allKnown({1, UnknownSize}));
}

void OpNumbers::typesOnTwoWaysKeepWhatIsCommon_data()
{
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    QTest::addColumn<QString>("common");
    const auto row = [](const char* a, const char* b, const char* common) {
        QTest::addRow("%s and %s", a, b) << QString::fromLatin1(a) << QString::fromLatin1(b)
                                         << QString::fromLatin1(common);
    };
    row("2,3", "2,3", "2,3");
    row("2,3", "2,4", "2,?");
    row("2,?", "2,4", "2,?");
    row("2", "2,4", "-");
    row("-", "2,4", "-");
}

void OpNumbers::typesOnTwoWaysKeepWhatIsCommon()
{
    QFETCH(const QString, a);
    QFETCH(const QString, b);
    const TensorType merged = mergedType(tensorOf(DType::Int8, dimsIn(a)), tensorOf(DType::Int8, dimsIn(b)));
    QTEST(textOf(dimsOf(merged)), "common");
    QCOMPARE(merged.dtype, DType::Int8);
    const TensorType other = mergedType(tensorOf(DType::Int8, dimsIn(a)), tensorOf(DType::Int16, dimsIn(a)));
    QCOMPARE(other.dtype, DType::Unknown);
}

/// Of [2,3]: the elements 0 1 2 / 3 4 5.
void OpNumbers::offsetsWalkRowByRow()
{
    QCOMPARE(denseStrides({2, 3}), (std::vector<std::int64_t> {3, 1}));
    QCOMPARE(denseStrides({}), std::vector<std::int64_t> {});
    QCOMPARE(denseStrides({4, 0, 2}), (std::vector<std::int64_t> {0, 0, 0}));
    QCOMPARE(stridedOffsets({3, 2}, {1, 3}), (std::vector<std::int64_t> {0, 3, 1, 4, 2, 5})); // transposed
    QCOMPARE(stridedOffsets({2, 2}, {3, -1}, 2), (std::vector<std::int64_t> {2, 1, 5, 4}));   // from behind
    QCOMPARE(stridedOffsets({}, {}), std::vector<std::int64_t> {0});
    QCOMPARE(broadcastOffsets({2, 1}, {2, 3}), (std::vector<std::int64_t> {0, 0, 0, 1, 1, 1}));
    QCOMPARE(broadcastOffsets({3}, {2, 3}), (std::vector<std::int64_t> {0, 1, 2, 0, 1, 2}));
    QCOMPARE(broadcastOffsets({}, {2}), (std::vector<std::int64_t> {0, 0}));
}

void OpNumbers::overflowIsRemembered()
{
    const SafeInt most = INT64_MAX;
    QVERIFY(!(most + 1).get());
    QVERIFY(!(SafeInt(INT64_MIN) - 1).get());
    QVERIFY(!(most * 2).get());
    QVERIFY(!((most + 1) - most).get());
    QVERIFY(!(SafeInt(1) * (most + 1)).get());
    QCOMPARE((SafeInt(6) * 7 - 2 + 1).get(), std::optional<std::int64_t>(41));
}

void OpNumbers::quotientsAreRounded_data()
{
    QTest::addColumn<qint64>("number");
    QTest::addColumn<qint64>("divisor");
    QTest::addColumn<QString>("down");
    QTest::addColumn<QString>("up");
    const auto row = [](qint64 number, qint64 divisor, const char* down, const char* up) {
        QTest::addRow("%lld by %lld", static_cast<long long>(number), static_cast<long long>(divisor))
            << number << divisor << QString::fromLatin1(down) << QString::fromLatin1(up);
    };
    row(7, 2, "3", "4");
    row(-7, 2, "-4", "-3");
    row(7, -2, "-4", "-3");
    row(-7, -2, "3", "4");
    row(6, 3, "2", "2");
    row(0, 5, "0", "0");
    row(5, 0, "-", "-");
    row(INT64_MIN, -1, "-", "-");
}

void OpNumbers::quotientsAreRounded()
{
    QFETCH(const qint64, number);
    QFETCH(const qint64, divisor);
    const auto text = [](SafeInt quotient) {
        return quotient.get() ? QString::number(*quotient.get()) : QStringLiteral("-");
    };
    QTEST(text(SafeInt(number).floorDiv(divisor)), "down");
    QTEST(text(SafeInt(number).ceilDiv(divisor)), "up");
}

void OpNumbers::literalsKeepTheirElements_data()
{
    QTest::addColumn<int>("dtype");
    QTest::addColumn<QList<double>>("numbers");
    const auto row = [](const char* name, DType dtype, const QList<double>& numbers) {
        QTest::newRow(name) << static_cast<int>(dtype) << numbers;
    };
    const double infinity = std::numeric_limits<double>::infinity();
    row("float64", DType::Float64, {0.1, -1e300, infinity});
    row("float32", DType::Float32, {0.5, -3.25, -infinity});
    row("float16", DType::Float16, {65504, -0.5, 5.9604644775390625e-08, 6.103515625e-05, infinity});
    row("bfloat16", DType::BFloat16, {1, -0.00390625, 3.3895313892515355e38, infinity});
    row("int64", DType::Int64, {-9007199254740992.0, 7});
    row("int32", DType::Int32, {-2147483648.0, 2147483647});
    row("int16", DType::Int16, {-32768, 32767});
    row("int8", DType::Int8, {-128, 127});
    row("uint64", DType::UInt64, {0, 9007199254740992.0});
    row("uint32", DType::UInt32, {0, 4294967295.0});
    row("uint16", DType::UInt16, {0, 65535});
    row("uint8", DType::UInt8, {0, 255});
    row("bool", DType::Bool, {0, 1});
}

void OpNumbers::literalsKeepTheirElements()
{
    QFETCH(const int, dtype);
    QFETCH(const QList<double>, numbers);
    const auto type = static_cast<DType>(dtype);
    PartialTensor tensor {type, {numbers.size()}, {}, true};
    for (const double number : numbers)
        tensor.elements.emplace_back(isFloatingPoint(type) ? Scalar::ofReal(number)
                                                           : Scalar::ofInteger(static_cast<std::int64_t>(number)));

    const TensorData data = writeElements(tensor);

    QCOMPARE(data.bytes->size(), static_cast<std::size_t>(numbers.size() * dtypeBits(type) / 8));
    QVERIFY(isReadable(type, tensor.shape, data));
    QVERIFY(readElements(type, tensor.shape, data) == tensor);
}

void OpNumbers::numbersAreAsTheTypeHoldsThem_data()
{
    QTest::addColumn<int>("dtype");
    QTest::addColumn<double>("number");
    QTest::addColumn<QString>("held");
    const auto row = [](const char* name, DType dtype, double number, const char* held) {
        QTest::newRow(name) << static_cast<int>(dtype) << number << QString::fromLatin1(held);
    };
    row("float32 rounds", DType::Float32, 0.1, "0.10000000149");
    row("float16 rounds to even", DType::Float16, 2049, "2048");
    row("float16 rounds up", DType::Float16, 2051, "2052");
    row("float16 overflows", DType::Float16, 65520, "inf");
    row("float16 underflows", DType::Float16, 1e-9, "0");
    row("bfloat16 keeps eight bits", DType::BFloat16, 257, "256");
    row("uint8 holds 255", DType::UInt8, 255, "255");
    row("uint8 does not hold 256", DType::UInt8, 256, "-");
    row("uint8 does not hold -1", DType::UInt8, -1, "-");
    row("int8 is cut off", DType::Int8, -1.9, "-1");
    row("int64 does not hold 1e19", DType::Int64, 1e19, "-");
    row("bool of anything", DType::Bool, 0.5, "1");
    row("int4 is not tracked", DType::Int4, 1, "-");
    row("strings are not tracked", DType::String, 1, "-");
}

void OpNumbers::numbersAreAsTheTypeHoldsThem()
{
    QFETCH(const int, dtype);
    QFETCH(const double, number);
    const auto held = asType(static_cast<DType>(dtype), Scalar::ofReal(number));
    QTEST(held ? QString::number(held->asReal(), 'g', 11) : QStringLiteral("-"), "held");
}

void OpNumbers::whatCannotBeReadIsUntracked()
{
    TensorData none;
    QVERIFY(!isReadable(DType::Float32, {2}, none));
    QVERIFY(!readElements(DType::Float32, {2}, none).tracked);
    TensorData shorter;
    shorter.bytes = std::make_shared<std::vector<std::byte>>(7);
    QVERIFY(!readElements(DType::Float32, {2}, shorter).tracked);
    QVERIFY(readElements(DType::Float32, {1}, shorter).tracked);
    QVERIFY(!isReadable(DType::UInt8, {PartialTensor::Limit + 1}, shorter));
    QVERIFY(!isReadable(DType::Int4, {2}, shorter));
    TensorData missing;
    missing.file = "/nowhere/weights.bin";
    missing.fileBytes = 8;
    QVERIFY(isReadable(DType::Float32, {2}, missing));
    QVERIFY(!readElements(DType::Float32, {2}, missing).tracked);
    missing.fileBytes = 4;
    QVERIFY(!readElements(DType::Float32, {2}, missing).tracked);
}

void OpNumbers::elementTypesHaveNumbersAndNames_data()
{
    QTest::addColumn<QString>("given");
    QTest::addColumn<QString>("type");
    const auto row = [](const char* given, const char* type) {
        QTest::newRow(given) << QString::fromLatin1(given) << QString::fromLatin1(type);
    };
    row("1", "float32");
    row("7", "int64");
    row("9", "bool");
    row("10", "float16");
    row("16", "bfloat16");
    row("0", "unknown");
    row("99", "unknown");
    row("-1", "unknown");
    row("FLOAT", "float32");
    row("float16", "float16");
    row("INT64", "int64");
    row("floot", "unknown");
}

void OpNumbers::elementTypesHaveNumbersAndNames()
{
    QFETCH(const QString, given);
    bool isNumber = false;
    const qlonglong number = given.toLongLong(&isNumber);
    Node node;
    node.attributes["to"] = isNumber ? Attribute(static_cast<std::int64_t>(number)) : Attribute(given.toStdString());
    QTEST(QString::fromStdString(std::string(dtypeName(dtypeAttribute(node, "to", DType::Bool)))), "type");
    QCOMPARE(dtypeAttribute(node, "dtype", DType::Bool), DType::Bool);
}

QTEST_APPLESS_MAIN(OpNumbers)
#include "tst_op_numbers.moc"
