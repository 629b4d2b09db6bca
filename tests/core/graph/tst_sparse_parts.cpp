#include "core/graph/sparse_parts.h"

#include <QTest>

#include <limits>

using namespace plimsoll;

namespace {

constexpr std::int64_t Huge = std::numeric_limits<std::int64_t>::max();

TensorType sparse(StorageType storage, DType dtype, const Shape& shape, std::int64_t maxStored)
{
    TensorType type = TensorType::dense(dtype, shape);
    type.storage = storage;
    type.maxStored = maxStored;
    return type;
}

} // namespace

/// Where the parts of a sparse tensor lie, and what cannot be one.
class tst_SparseParts : public QObject
{
    Q_OBJECT

private slots:
    void noBoundIsAboveWhatThereIs()
    {
        const auto capped = [](StorageType storage, std::int64_t most) {
            TensorType type = sparse(storage, DType::Float32, {16, 100}, most);
            capStored(type);
            return type.maxStored;
        };
        QCOMPARE(capped(StorageType::Csr, 99999), 1600);
        QCOMPARE(capped(StorageType::Csr, 160), 160);
        QCOMPARE(capped(StorageType::Csr, -1), -1);
        QCOMPARE(capped(StorageType::RowSparse, 99999), 16);
        QCOMPARE(capped(StorageType::Dense, -1), -1);
    }

    void partsFollowOneAnother_data()
    {
        QTest::addColumn<int>("storage");
        QTest::addColumn<int>("dtype");
        QTest::addColumn<QList<qint64>>("dims");
        QTest::addColumn<qint64>("maxStored");
        QTest::addColumn<QList<qint64>>("parts"); // slots, index, values, bytes, elements
        const auto row = [](const char* name, StorageType storage, DType dtype, QList<qint64> dims, qint64 most,
                            QList<qint64> parts) {
            QTest::newRow(name) << static_cast<int>(storage) << static_cast<int>(dtype) << dims << most << parts;
        };
        using enum StorageType;
        using enum DType;
        row("csr", Csr, Float32, {3, 4}, 5, {5, 32, 72, 92, 23});
        row("csr of nothing", Csr, Float32, {3, 4}, 0, {0, 32, 32, 32, 8});
        row("csr without rows", Csr, Float64, {0, 4}, 7, {0, 8, 8, 8, 1});
        row("csr without columns", Csr, Float32, {2, 0}, 7, {0, 24, 24, 24, 6});
        row("no more slots than elements", Csr, Float32, {2, 2}, 99, {4, 24, 56, 72, 18});
        row("row_sparse", RowSparse, Float32, {5, 2}, 3, {3, 8, 32, 56, 14});
        row("rows of a vector are elements", RowSparse, Float32, {5}, 3, {3, 8, 32, 44, 11});
        row("rows of images", RowSparse, Float16, {4, 3, 2, 2}, 2, {2, 8, 24, 72, 36});
        row("no more slots than rows", RowSparse, UInt8, {2, 3}, 99, {2, 8, 24, 30, 30});
        row("elements of sixteen bytes end the block", Csr, Complex128, {2, 2}, 1, {1, 24, 32, 48, 3});
    }
    void partsFollowOneAnother()
    {
        QFETCH(int, storage);
        QFETCH(int, dtype);
        QFETCH(QList<qint64>, dims);
        QFETCH(qint64, maxStored);
        QFETCH(QList<qint64>, parts);
        const Shape shape(dims.begin(), dims.end());
        const auto kind = static_cast<StorageType>(storage);
        const auto type = static_cast<DType>(dtype);

        const auto found = sparseParts(kind, type, shape, maxStored);
        QVERIFY(found.has_value());
        QCOMPARE((QList<qint64> {found->room, found->index, found->values, found->bytes, found->elements}), parts);
        QCOMPARE(sparse(kind, type, shape, maxStored).bytes().value_or(-1), found->bytes);

        const auto back = sparsePartsIn(found->elements, kind, type, shape);
        QVERIFY(back.has_value());
        QCOMPARE(back->values, found->values);
        QVERIFY(!sparsePartsIn(sparseParts(kind, type, shape, 0)->elements - 1, kind, type, shape));
    }

    void whatCannotBeSparseSaysWhy_data()
    {
        QTest::addColumn<int>("storage");
        QTest::addColumn<int>("dtype");
        QTest::addColumn<QList<qint64>>("dims");
        QTest::addColumn<QString>("why");
        const auto row = [](const char* name, StorageType storage, DType dtype, QList<qint64> dims, const char* why) {
            QTest::newRow(name) << static_cast<int>(storage) << static_cast<int>(dtype) << dims << QString(why);
        };
        using enum StorageType;
        using enum DType;
        row("a csr vector", Csr, Float32, {4}, "sparse.no-matrix");
        row("a csr image", Csr, Float32, {1, 2, 3}, "sparse.no-matrix");
        row("a scalar", RowSparse, Float32, {}, "sparse.no-rows");
        row("halves of bytes", RowSparse, Int4, {4, 4}, "sparse.part-bytes");
        row("texts", RowSparse, String, {4}, "sparse.part-bytes");
        row("a matrix", Csr, Bool, {4, 4}, "");
    }
    void whatCannotBeSparseSaysWhy()
    {
        QFETCH(int, storage);
        QFETCH(int, dtype);
        QFETCH(QList<qint64>, dims);
        QFETCH(QString, why);
        const TensorType type =
            sparse(static_cast<StorageType>(storage), static_cast<DType>(dtype), Shape(dims.begin(), dims.end()), 2);
        QCOMPARE(QString::fromUtf8(whyNotSparse(type).id), why);
        QCOMPARE(type.bytes().has_value(), why.isEmpty());
    }

    void sizesAreChecked()
    {
        QVERIFY(!sparseParts(StorageType::Csr, DType::Float32, {Huge, 2}, 1));
        QVERIFY(!sparseParts(StorageType::Csr, DType::UInt8, {Huge, 1}, 1));
        QVERIFY(!sparseParts(StorageType::Csr, DType::UInt8, {Huge / 4, 1}, 1)); // what says where its rows begin
        QVERIFY(!sparseParts(StorageType::Csr, DType::Float32, {Huge, 0}, 1));
        QVERIFY(!sparseParts(StorageType::RowSparse, DType::Float64, {4, Huge / 4}, 4));
        QVERIFY(sparse(StorageType::RowSparse, DType::Float64, {2, Huge / 4}, 2).overflows());
        QVERIFY(!sparse(StorageType::Csr, DType::Float32, {3, 4}, -1).overflows());
    }

    void anUnknownBoundHasNoBytes()
    {
        const TensorType open = sparse(StorageType::Csr, DType::Float32, {4, 1000}, -1);
        QVERIFY(!open.bytes());
        QCOMPARE(describe(open), std::string("csr(float32[4,1000])"));
        QCOMPARE(describe(sparse(StorageType::Csr, DType::Float32, {4, 1000}, 128)),
                 std::string("csr(float32[4,1000], at most 128)"));
        QCOMPARE(describe(open.asDense()), std::string("float32[4,1000]"));
        QVERIFY(open != open.asDense());
    }

    void namesGoBothWays()
    {
        for (const auto type : {StorageType::Dense, StorageType::RowSparse, StorageType::Csr})
            QCOMPARE(storageTypeFromName(storageTypeName(type)), std::optional(type));
        QVERIFY(!storageTypeFromName("default"));
    }
};

QTEST_APPLESS_MAIN(tst_SparseParts)
#include "tst_sparse_parts.moc"
