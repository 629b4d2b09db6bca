#include "op_case.h"

#include <QTest>

using namespace plimsoll::test;

/// How results are kept, from how operands are: the storage rules of the rows.
class OpStorages : public QObject
{
    Q_OBJECT

private slots:
    void aNodeLeaves_data();
    void aNodeLeaves();
};

namespace {

constexpr const char* Sums = R"(
Add float32[4,3]@csr:5 float32[4,3]@csr:2 -> csr(float32[4,3], at most 7)
Add float32[4,3]@csr:5 float32[4,3]@csr -> csr(float32[4,3])
Add float32[4,3]@row_sparse:1 float32[4,3]@row_sparse:2 -> row_sparse(float32[4,3], at most 3)
Add float32[4,3]@csr:5 float32[4,3] -> float32[4,3]
Add float32[4,3] float32[4,3]@row_sparse:2 -> float32[4,3]
Add float32[4,3]@csr:5 float32[4,3]@row_sparse:2 -> float32[4,3]
Add float32[4,3]@csr:5 float32[1,3]@csr:2 -> float32[4,3]
Add int64[4,3]@csr:5 int64[4,3]@csr:2 -> int64[4,3]
Add float32[4,3] float32[4,3] -> float32[4,3]
Sub float32[4,3]@csr:5 float32[4,3]@csr:2 -> float32[4,3]
mxnet::elemwise_add float64[4,3]@csr:5 float64[4,3]@csr:2 -> csr(float64[4,3], at most 7)
mxnet::elemwise_sub float32[4,3]@csr:5 float32[4,3]@csr:2 -> csr(float32[4,3], at most 7)
mxnet::elemwise_sub float32[4,3]@row_sparse:2 float32[4,3]@row_sparse:1 -> row_sparse(float32[4,3], at most 3)
mxnet::elemwise_sub float32[4,3]@csr:5 float32[4,3] -> float32[4,3]
)";

constexpr const char* Products = R"(
Mul float32[4,3]@csr:5 float32[4,3]@csr:2 -> csr(float32[4,3], at most 2)
Mul float32[4,3]@csr:5 float32[4,3]@csr -> csr(float32[4,3], at most 5)
Mul float32[4,3]@csr:5 float32[4,3] -> csr(float32[4,3], at most 5)
Mul float32[4,3] float32[4,3]@csr:5 -> csr(float32[4,3], at most 5)
Mul float32[4,3]@row_sparse:2 float32[4,3] -> row_sparse(float32[4,3], at most 2)
Mul float32[4,3]@csr:5 float32[] -> csr(float32[4,3], at most 5)
Mul float32[1] float32[4,3]@row_sparse:2 -> row_sparse(float32[4,3], at most 2)
Mul float32[4,3]@csr:5 float32[3] -> float32[4,3]
Mul float32[4,3]@csr:5 float64[] -> float32[4,3]
mxnet::elemwise_mul float32[4,3]@csr:5 float32[4,3] -> float32[4,3]
mxnet::elemwise_mul float32[4,3]@row_sparse:2 float32[4,3] -> row_sparse(float32[4,3], at most 2)
mxnet::_mul_scalar float32[4,3]@csr:5 scalar=2.5 -> csr(float32[4,3], at most 5)
mxnet::_plus_scalar float32[4,3]@csr:5 scalar=2.5 -> float32[4,3]
MatMul float32[4,3]@csr:5 float32[3,2] -> float32[4,2]
MatMul float32[4,3] float32[3,2]@csr:2 -> float32[4,2]
mxnet::dot float32[4,3]@csr:5 float32[4,2] transpose_a=1 -> row_sparse(float32[3,2], at most 5)
mxnet::dot float32[4,3]@csr:5 float32[3,2] -> float32[4,2]
mxnet::dot float32[4,3]@csr:5 float32[2,3] transpose_b=1 -> float32[4,2]
)";

constexpr const char* Conversions = R"(
mxnet::_copy float32[4,3]@csr:5 -> csr(float32[4,3], at most 5)
mxnet::_copy float32[4,3]@row_sparse:2 -> row_sparse(float32[4,3], at most 2)
mxnet::_sparse_retain float32[4,3]@row_sparse:3 int64[2] -> row_sparse(float32[4,3], at most 2)
mxnet::_sparse_retain float32[4,3]@row_sparse:1 int64[2] -> row_sparse(float32[4,3], at most 1)
mxnet::_sparse_retain float32[4,3] int64[2] -> float32[4,3]
mxnet::cast_storage float32[4,3] stype='csr' -> csr(float32[4,3])
mxnet::cast_storage float32[4,3]@csr:5 stype='default' -> float32[4,3]
mxnet::cast_storage float32[4,3]@csr:5 stype='csr' -> csr(float32[4,3], at most 5)
plimsoll::CastStorage float32[4,3] storage='row_sparse' max_stored=2 -> row_sparse(float32[4,3], at most 2)
plimsoll::CastStorage float32[4,3]@row_sparse:2 storage='dense' -> float32[4,3]
plimsoll::CastStorage float32[4,3]@row_sparse:2 storage='csr' -> csr(float32[4,3])
plimsoll::Retain float32[4,3]@row_sparse:3 int64[?] -> row_sparse(float32[4,3], at most 3)
Cos float32[4,3]@csr:5 -> float32[4,3]
)";

constexpr const char* Mapped = R"(
Relu float32[4,3]@csr:5 -> csr(float32[4,3], at most 5)
Abs int8[4,3]@csr:5 -> csr(int8[4,3], at most 5)
Gelu float16[4,3]@row_sparse:2 -> row_sparse(float16[4,3], at most 2)
Round float64[4,3]@csr -> csr(float64[4,3])
Sigmoid float32[4,3]@csr:5 -> float32[4,3]
Shrink float32[4,3]@csr:5 lambd=-1.0 bias=1.0 -> float32[4,3]
mxnet::negative float32[4,3]@csr:5 -> csr(float32[4,3], at most 5)
mxnet::exp float32[4,3]@csr:5 -> float32[4,3]
)";

} // namespace

void OpStorages::aNodeLeaves_data()
{
    QTest::addColumn<QString>("result");
    for (const char* text : {Sums, Products, Conversions, Mapped})
        for (const auto& [node, result] : casesIn(text))
            QTest::newRow(node.data()) << QString::fromStdString(result);
}

void OpStorages::aNodeLeaves()
{
    QTEST(QString::fromStdString(stored(QTest::currentDataTag())), "result");
}

QTEST_APPLESS_MAIN(OpStorages)
#include "tst_op_storages.moc"
