#include "core/facts/english/english.h"
#include "kernel_case.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/reorder.h"
#include "kernels/reference/special/sparse_kernels.h"
#include "kernels/reference/special/sparse_tensor.h"

#include <QTest>

#include <numeric>

using namespace plimsoll;
using namespace plimsoll::kernels;
using namespace plimsoll::kernels::test;

namespace {

TensorType sparseType(StorageType storage, const Shape& shape, std::int64_t most)
{
    TensorType type = TensorType::dense(DType::Float32, shape);
    type.storage = storage;
    type.maxStored = most;
    return type;
}

QString text(const std::vector<std::int64_t>& numbers)
{
    return QString::fromStdString(plimsoll::describe(Shape(numbers)));
}

/// "ends [0,1] index [2] values 5"
QString text(const SparseContent& content)
{
    QString line = QStringLiteral("ends ") + text(content.ends) + QStringLiteral(" index ") + text(content.index) +
                   QStringLiteral(" values");
    for (std::size_t at = 0; at < content.values.size(); at += sizeof(float)) {
        float number = 0;
        std::memcpy(&number, content.values.data() + at, sizeof number);
        line += QStringLiteral(" %1").arg(static_cast<double>(number));
    }
    return line;
}

/// The content in a block of its own, as it lies at run time.
RuntimeValue blockOf(const SparseContent& content, const TensorType& type)
{
    const auto parts = partsFor(type, content.kept());
    if (!parts.ok()) qFatal("%s", english(parts.error().message).c_str());
    const std::int64_t room = parts.value().elements;
    RuntimeValue block = numbers(content.dtype, {room}, std::vector<double>(static_cast<std::size_t>(room)));
    writeSparse(content, parts.value(), block.tensor);
    return block;
}

/// An operand, or an outcome: dense numbers and how they are kept.
struct Kept
{
    StorageType storage = StorageType::Dense;
    Shape shape;
    std::vector<double> values {};
    std::int64_t most = 9;

    [[nodiscard]] TensorType type() const { return sparseType(storage, shape, most); }
    [[nodiscard]] RuntimeValue value() const
    {
        const RuntimeValue dense = floats(shape, values);
        return storage == StorageType::Dense ? dense : blockOf(compress(dense.tensor, storage), type());
    }
};

/// What a kernel of sparse tensors makes, as numbers.
std::string computed(const char* op, const char* domain, const std::vector<Kept>& operands, const Kept& outcome,
                     const Attributes& attributes = {})
{
    Graph graph;
    Node node;
    node.name = "node";
    node.op = op;
    node.domain = domain;
    node.attributes = attributes;
    std::vector<RuntimeValue> inputs;
    for (std::size_t i = 0; i <= operands.size(); ++i) {
        graph.values.push_back({});
        graph.values.back().type = i < operands.size() ? operands[i].type() : outcome.type();
        (i < operands.size() ? node.inputs : node.outputs).emplace_back(i);
        if (i < operands.size()) inputs.push_back(operands[i].value());
    }
    graph.nodes.push_back(node);
    const KernelFunction kernel = findSparseKernel(domain, op);
    if (!kernel) return "no kernel";
    FakeCall call(graph, NodeId {std::size_t {0}}, inputs);
    if (const Status status = kernel(call); !status.ok()) return "error: " + english(status.error().message);
    if (outcome.storage == StorageType::Dense) return textOf(call.result(0));
    const auto content = readSparse(call.result(0).tensor, outcome.type());
    if (!content) return "no such tensor";
    const RuntimeValue dense =
        floats(outcome.shape, std::vector<double>(static_cast<std::size_t>(*elementCount(outcome.shape))));
    expand(*content, dense.tensor);
    return textOf(dense) + " keeping " + std::to_string(content->kept());
}

} // namespace

/// Tensors that are not plain rows of numbers: sparse ones, and those in the layouts of libraries.
class StoredTensors : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsZeroIsNotKept();
    void aBlockThatIsNoTensorIsRefused_data();
    void aBlockThatIsNoTensorIsRefused();
    void aBoundIsABound();
    void kernels_data();
    void kernels();
    void elementsGoWhereTheLayoutSays();
    void aLayoutKeepsEveryElement_data();
    void aLayoutKeepsEveryElement();
};

void StoredTensors::whatIsZeroIsNotKept()
{
    const auto matrix = floats({3, 3}, {0, 0, 5, -0.0, 0, 0, 7, 8, 0});
    const SparseContent csr = compress(matrix.tensor, StorageType::Csr);
    QCOMPARE(text(csr), QStringLiteral("ends [0,1,1,3] index [2,0,1] values 5 7 8"));
    QCOMPARE(text(placesOf(csr)), QStringLiteral("[2,6,7]"));
    const SparseContent rows = compress(matrix.tensor, StorageType::RowSparse);
    QCOMPARE(text(rows), QStringLiteral("ends [] index [0,2] values 0 0 5 7 8 0"));
    QCOMPARE(rows.slotBytes(), std::size_t {12});

    for (const SparseContent* content : {&csr, &rows}) {
        const auto dense = floats({3, 3}, std::vector<double>(9, 99));
        expand(*content, dense.tensor);
        QCOMPARE(textOf(dense), std::string("float32[3,3] 0 0 5 0 0 0 7 8 0"));
    }
    const SparseContent moved = withPlaces(csr, {0, 4, 8});
    QCOMPARE(text(moved), QStringLiteral("ends [0,1,2,3] index [0,1,2] values"));
}

void StoredTensors::aBlockThatIsNoTensorIsRefused_data()
{
    QTest::addColumn<QString>("storage");
    QTest::addColumn<int>("word"); // of the counts and indices in front
    QTest::addColumn<int>("number");
    QTest::addColumn<bool>("isOne");
    QTest::newRow("as it was written") << QStringLiteral("csr") << 0 << 0 << true;
    QTest::newRow("rows that begin behind the first") << QStringLiteral("csr") << 0 << 1 << false;
    QTest::newRow("a row that ends before it begins") << QStringLiteral("csr") << 1 << 3 << false;
    QTest::newRow("more than there is room for") << QStringLiteral("csr") << 3 << 5 << false;
    QTest::newRow("a column behind the last") << QStringLiteral("csr") << 4 << 3 << false;
    QTest::newRow("columns that fall") << QStringLiteral("csr") << 5 << 2 << false;
    QTest::newRow("as rows were written") << QStringLiteral("row_sparse") << 0 << 2 << true;
    QTest::newRow("fewer than none") << QStringLiteral("row_sparse") << 0 << -1 << false;
    QTest::newRow("a row twice") << QStringLiteral("row_sparse") << 1 << 2 << false;
    QTest::newRow("a row before the first") << QStringLiteral("row_sparse") << 1 << -1 << false;
}

void StoredTensors::aBlockThatIsNoTensorIsRefused()
{
    QFETCH(const QString, storage);
    QFETCH(const int, word);
    QFETCH(const int, number);
    QFETCH(const bool, isOne);
    const TensorType type = sparseType(*storageTypeFromName(storage.toStdString()), {3, 3}, 4);
    const SparseContent content = compress(floats({3, 3}, {0, 0, 5, 0, 0, 0, 7, 8, 0}).tensor, type.storage);
    const RuntimeValue block = blockOf(content, type);
    block.tensor.as<std::int64_t>()[word] = number;
    const auto read = readSparse(block.tensor, type);
    QCOMPARE(read.has_value(), isOne);
    if (isOne) QCOMPARE(text(*read), text(content));
    QVERIFY(!readSparse({DType::Float64, block.tensor.shape, block.tensor.data}, type));
}

void StoredTensors::aBoundIsABound()
{
    QCOMPARE(partsFor(sparseType(StorageType::Csr, {3, 3}, 4), 4).value().room, std::int64_t {4});
    QCOMPARE(partsFor(sparseType(StorageType::Csr, {3, 3}, -1), 2).value().room, std::int64_t {2});
    const auto refused = partsFor(sparseType(StorageType::RowSparse, {3, 3}, 1), 2);
    QVERIFY(!refused.ok());
    QVERIFY(QString::fromStdString(english(refused.error().message))
                .startsWith(QStringLiteral("There are 2 rows to keep, and ")));
}

void StoredTensors::kernels_data()
{
    using enum StorageType;
    QTest::addColumn<QString>("got");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const std::string& got, const char* expected) {
        QTest::newRow(name) << QString::fromStdString(got) << QString::fromLatin1(expected);
    };
    const Kept a {Csr, {2, 3}, {1, 0, 2, 0, 3, 0}};
    const Kept b {Csr, {2, 3}, {0, 4, -2, 5, 0, 0}};
    const Kept dense {Dense, {2, 3}, {1, 2, 3, 4, 5, 6}};
    const Kept matrix {Csr, {2, 3}};
    row("a sum keeps what either keeps", computed("Add", "", {a, b}, matrix), "float32[2,3] 1 4 0 5 3 0 keeping 5");
    row("a sum with a dense one", computed("Add", "", {dense, a}, {Dense, {2, 3}}), "float32[2,3] 2 2 5 4 8 6");
    row("a product keeps what both keep", computed("Mul", "", {a, b}, matrix), "float32[2,3] 0 0 -4 0 0 0 keeping 1");
    row("a product with a dense one", computed("Mul", "", {a, dense}, matrix), "float32[2,3] 1 0 6 0 15 0 keeping 3");
    row("a product with one number", computed("Mul", "", {{Dense, {}, {2}}, a}, matrix),
        "float32[2,3] 2 0 4 0 6 0 keeping 3");
    row("with a number of the node", computed("_mul_scalar", "mxnet", {a}, matrix, {{"scalar", 0.5}}),
        "float32[2,3] 0.5 0 1 0 1.5 0 keeping 3");
    row("a matrix product", computed("MatMul", "", {a, {Dense, {3, 2}, {1, 2, 3, 4, 5, 6}}}, {Dense, {2, 2}}),
        "float32[2,2] 11 14 9 12");
    row("of the matrix transposed", computed("dot", "mxnet", {a, {Dense, {2, 1}, {1, 2}}}, {RowSparse, {3, 1}}),
        "float32[3,1] 1 6 2 keeping 3");
    row("a product that cannot be", computed("MatMul", "", {a, {Dense, {2, 1}, {1, 2}}}, {Dense, {2, 1}}),
        "error: MatMul: a matrix of 3 columns cannot be multiplied with float32[2,1].");
    const Kept rows {RowSparse, {3, 2}, {1, 2, 0, 0, 5, 6}};
    row("kept to rows", computed("cast_storage", "mxnet", {dense}, {RowSparse, {2, 3}}),
        "float32[2,3] 1 2 3 4 5 6 keeping 2");
    row("kept to elements", computed("cast_storage", "mxnet", {{Dense, {2, 2}, {0, 1, 0, 0}}}, {Csr, {2, 2}}),
        "float32[2,2] 0 1 0 0 keeping 1");
    row("kept no more", computed("cast_storage", "mxnet", {rows}, {Dense, {3, 2}}), "float32[3,2] 1 2 0 0 5 6");
    row("listed rows", computed("_sparse_retain", "mxnet", {rows, {Dense, {2}, {2, 1}}}, {RowSparse, {3, 2}}),
        "float32[3,2] 0 0 0 0 5 6 keeping 1");
    row("more than the bound", computed("Add", "", {a, b}, {Csr, {2, 3}, {}, 4}),
        "error: Add: There are 5 elements to keep, and csr(float32[2,3], at most 4) has room for no more than 4; raise "
        "\"maxStored\" in the file, or say --max-stored.");
    row("what is kept, one by one", computed("Neg", "", {a}, {Csr, {2, 3}}), "float32[2,3] -1 0 -2 0 -3 0 keeping 3");
    row("rows, one by one", computed("abs", "mxnet", {{RowSparse, {3, 2}, {1, -2, 0, 0, -5, 6}}}, {RowSparse, {3, 2}}),
        "float32[3,2] 1 2 0 0 5 6 keeping 2");
    row("an operator without a kernel", computed("Exp", "", {a}, matrix), "no kernel");
}

void StoredTensors::kernels()
{
    QFETCH(const QString, got);
    QFETCH(const QString, expected);
    QCOMPARE(got, expected);
}

/// core/plan/layout.h draws it: nChw4c of 1 x 6 x 1 x 2.
void StoredTensors::elementsGoWhereTheLayoutSays()
{
    const Shape shape {1, 6, 1, 2};
    std::vector<float> from(12);
    std::iota(from.begin(), from.end(), 1.0F); // c0: 1 2, c1: 3 4, …
    std::vector<float> to(16, 99);
    reorderElements({reinterpret_cast<std::byte*>(from.data()), *layoutFromName(PlainLayout, 4)},
                    {reinterpret_cast<std::byte*>(to.data()), *layoutFromName("nChw4c", 4)}, shape, sizeof(float));
    QCOMPARE(to, (std::vector<float> {1, 3, 5, 7, 2, 4, 6, 8, 9, 11, 0, 0, 10, 12, 0, 0}));
    std::vector<float> nothing(1, 99);
    reorderElements({nullptr, *layoutFromName(PlainLayout, 2)},
                    {reinterpret_cast<std::byte*>(nothing.data()), *layoutFromName(PlainLayout, 2)}, {0, 3}, 4);
    QCOMPARE(nothing.front(), 99.0F);
}

void StoredTensors::aLayoutKeepsEveryElement_data()
{
    QTest::addColumn<QString>("layout");
    QTest::addColumn<QList<int>>("sizes");
    QTest::newRow("channels last") << QStringLiteral("nhwc") << QList<int> {2, 3, 2, 2};
    QTest::newRow("blocks of channels") << QStringLiteral("nChw8c") << QList<int> {1, 9, 2, 1};
    QTest::newRow("blocks of two axes") << QStringLiteral("ABcd4b4a") << QList<int> {5, 6, 1, 2};
    QTest::newRow("a matrix the other way round") << QStringLiteral("ba") << QList<int> {3, 4};
}

void StoredTensors::aLayoutKeepsEveryElement()
{
    QFETCH(const QString, layout);
    QFETCH(const QList<int>, sizes);
    const Shape shape(sizes.begin(), sizes.end());
    const auto plain = *layoutFromName(PlainLayout, shape.size());
    const auto other = layoutFromName(layout.toStdString(), shape.size());
    QVERIFY(other);
    std::vector<std::int16_t> from(static_cast<std::size_t>(*elementCount(shape)));
    std::iota(from.begin(), from.end(), std::int16_t {1});
    std::vector<std::byte> there(static_cast<std::size_t>(*layoutBytes(*other, DType::Int16, shape)));
    std::vector<std::int16_t> back(from.size());
    reorderElements({reinterpret_cast<std::byte*>(from.data()), plain}, {there.data(), *other}, shape, 2);
    reorderElements({there.data(), *other}, {reinterpret_cast<std::byte*>(back.data()), plain}, shape, 2);
    QCOMPARE(back, from);
    QVERIFY(std::memcmp(there.data(), from.data(), 2 * from.size()) != 0);
}

QTEST_APPLESS_MAIN(StoredTensors)
#include "tst_stored_tensors.moc"
