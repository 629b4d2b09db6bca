#include "core/graph/tensor_type.h"

#include <QtTest>

using namespace plimsoll;

class TensorTypeTest : public QObject
{
    Q_OBJECT

private slots:
    void bytesOfATensor_data()
    {
        QTest::addColumn<int>("dtype");
        QTest::addColumn<Shape>("shape");
        QTest::addColumn<qint64>("bytes"); // -1: none
        const auto row = [](const char* name, DType dtype, const Shape& shape, qint64 bytes) {
            QTest::newRow(name) << static_cast<int>(dtype) << shape << bytes;
        };
        row("scalar", DType::Float32, {}, 4);
        row("matrix", DType::Float64, {3, 5}, 120);
        row("nothing", DType::Float32, {0, 7}, 0);
        row("nothing beside what would overflow", DType::Float32, {std::int64_t {1} << 40, std::int64_t {1} << 40, 0},
            0);
        row("int4, last byte padded", DType::Int4, {3}, 2);
        row("int2", DType::Int2, {5}, 2);
        row("complex128", DType::Complex128, {2}, 32);
        row("text has no size", DType::String, {2}, -1);
        row("unknown has no size", DType::Unknown, {2}, -1);
        row("overflow", DType::Float32, {std::int64_t {1} << 62}, -1);
        row("overflow of the count", DType::Int2, {std::int64_t {1} << 40, std::int64_t {1} << 40}, -1);
        row("negative", DType::Float32, {-1}, -1);
    }
    void bytesOfATensor()
    {
        QFETCH(int, dtype);
        QFETCH(Shape, shape);
        QFETCH(qint64, bytes);

        QCOMPARE(denseBytes(static_cast<DType>(dtype), shape).value_or(-1), bytes);
    }

    void namesAndTypesGoBothWays()
    {
        for (int i = 1; i <= static_cast<int>(DType::String); ++i) {
            const auto dtype = static_cast<DType>(i);
            QCOMPARE(dtypeFromName(dtypeName(dtype)), std::optional(dtype));
        }
        QVERIFY(!dtypeFromName("unknown"));
        QVERIFY(!dtypeFromName("float"));
    }

    void whatIsNotKnownHasNoBytes()
    {
        TensorType type {.dtype = DType::Float32};
        QVERIFY(!type.bytes());
        QCOMPARE(describe(type), std::string("float32[?…]"));
        type.dims = {Dim {2, {}}, Dim {-1, std::string("batch")}, Dim {}};
        QVERIFY(!type.bytes());
        QCOMPARE(describe(type), std::string("float32[2,batch,?]"));
        TensorType sequence = TensorType::dense(DType::Int64, {2});
        sequence.kind = TypeKind::Sequence;
        QVERIFY(!sequence.bytes());
        QCOMPARE(describe(sequence), std::string("sequence(int64[2])"));
    }
};

QTEST_APPLESS_MAIN(TensorTypeTest)
#include "tst_tensor_type.moc"
