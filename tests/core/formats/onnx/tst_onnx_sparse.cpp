#include "core/facts/english/english.h"
#include "core/formats/onnx/onnx_reader.h"

#include "core/formats/files/tensor_data.h"
#include "tests/support/onnx_bytes.h"

#include <QtTest>

#include <cstring>

using namespace plimsoll;
using test::ProtoMessage;
namespace make = test::onnx;

namespace {

template <typename T>
std::string raw(const std::vector<T>& numbers)
{
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

using Numbers = std::vector<std::int64_t>;

/// SparseTensorProto of float32 numbers 1, 2, 3 …: so many values, their positions, the shapes of both lists.
struct Sparse
{
    std::int64_t values = 0;
    Numbers indices;
    Numbers dims;
    std::int64_t columns = 0; ///< Of the indices; 0: they are positions in row-major order.

    [[nodiscard]] ProtoMessage message() const
    {
        std::vector<float> numbers;
        for (std::int64_t i = 1; i <= values; ++i)
            numbers.push_back(static_cast<float>(i));
        ProtoMessage list = columns == 0 ? make::tensor("", make::Int64, {static_cast<std::int64_t>(indices.size())})
                                         : make::tensor("", make::Int64,
                                                        {static_cast<std::int64_t>(indices.size()) / columns, columns});
        ProtoMessage made = ProtoMessage()
                                .message(1, make::tensor("w", make::Float, {values}).text(9, raw(numbers)))
                                .message(2, list.text(9, raw(indices)));
        for (const std::int64_t dim : dims)
            made.integer(3, dim);
        return made;
    }
};

ProtoMessage graphWith(const ProtoMessage& sparse)
{
    return make::graphOf({make::node("Relu", {"x"}, {"y"})}).message(15, sparse);
}

Result<Graph> read(const ProtoMessage& graph)
{
    const ProtoMessage model = make::model(graph);
    return readOnnx(model.span(), {});
}

QString errorOf(const Result<Graph>& graph)
{
    return graph.ok() ? QStringLiteral("(no error)") : QString::fromStdString(describe(graph.error()));
}

/// "csr(float32[2,3], at most 2) = 0 1 0 0 0 2"
QString shown(const Result<Graph>& graph, std::string_view name = "w")
{
    if (!graph.ok()) return errorOf(graph);
    const Value& value = graph.value()[findValue(graph.value(), name)];
    QString text = QString::fromStdString(describe(value.type)) + QStringLiteral(" =");
    if (!value.data->present()) return text + QStringLiteral(" ?");
    const auto bytes = loadBytes(value).value();
    for (std::size_t i = 0; i < bytes.size(); i += sizeof(float)) {
        float number = 0;
        std::memcpy(&number, bytes.data() + i, sizeof number);
        text += u' ' + QString::number(static_cast<double>(number));
    }
    return text;
}

} // namespace

/// Sparse tensors of ONNX: positions and numbers, which anybody may have damaged.
class OnnxSparseTest : public QObject
{
    Q_OBJECT

private slots:
    void initialisersAreKeptAsTheyFit_data()
    {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("note");
        const auto row = [](const char* name, const Sparse& sparse, const char* value, const char* note) {
            QTest::newRow(name) << QByteArray::fromStdString(make::model(graphWith(sparse.message())).bytes())
                                << QString(value) << QString(note);
        };
        row("positions", {2, {1, 5}, {2, 3}}, "csr(float32[2,3], at most 2) = 0 1 0 0 0 2", "kept as csr.");
        row("rows and columns", {2, {0, 1, 1, 2}, {2, 3}, 2}, "csr(float32[2,3], at most 2) = 0 1 0 0 0 2",
            "kept as csr.");
        row("nothing listed", {0, {}, {2, 2}}, "csr(float32[2,2], at most 0) = 0 0 0 0", "kept as csr.");
        row("everything listed", {2, {0, 1}, {1, 2}}, "csr(float32[1,2], at most 2) = 1 2", "kept as csr.");
        row("a vector", {2, {0, 3}, {4}}, "float32[4] = 1 0 0 2", "kept dense: csr needs two dimensions.");
        row("three axes", {2, {0, 0, 1, 1, 1, 0}, {2, 2, 2}, 3}, "float32[2,2,2] = 0 1 0 0 0 0 2 0", "kept dense");
        row("no elements at all", {0, {}, {0, 7}}, "csr(float32[0,7], at most 0) =", "kept as csr.");
    }
    void initialisersAreKeptAsTheyFit()
    {
        QFETCH(QByteArray, model);
        QFETCH(QString, value);
        QFETCH(QString, note);
        const auto bytes = std::as_bytes(std::span(model.constData(), static_cast<std::size_t>(model.size())));
        const auto read = readOnnx(bytes, {});
        QCOMPARE(shown(read), value);
        QCOMPARE(read.value()[findValue(read.value(), "w")].role, ValueRole::Parameter);
        QCOMPARE(read.value().notes.size(), std::size_t(1));
        QVERIFY2(english(read.value().notes).front().find(note.toStdString()) != std::string::npos,
                 english(read.value().notes).front().c_str());
    }

    void damagedOnesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<QString>("reason");
        const auto add = [](const char* name, const ProtoMessage& sparse, const char* reason) {
            QTest::newRow(name) << QByteArray::fromStdString(make::model(graphWith(sparse)).bytes()) << QString(reason);
        };
        const auto row = [&](const char* name, const Sparse& sparse, const char* reason) {
            add(name, sparse.message(), reason);
        };
        constexpr std::int64_t Huge = std::int64_t {1} << 40;
        row("beyond the end", {2, {1, 6}, {2, 3}}, "Index 6 lies outside of its shape [2,3]");
        row("negative", {1, {-1}, {2, 3}}, "Index -1 lies outside");
        row("a column that does not exist", {1, {0, 3}, {2, 3}, 2}, "Index 3 lies outside of dimension 1");
        row("a negative row", {1, {-1, 0}, {2, 3}, 2}, "Index -1 lies outside of dimension 0");
        row("unsorted", {2, {5, 1}, {2, 3}}, "entry 1 stands too late");
        row("twice", {2, {4, 4}, {2, 3}}, "entry 1 repeats");
        row("unsorted rows", {2, {1, 0, 0, 2}, {2, 3}, 2}, "entry 1 stands too late");
        row("fewer indices than values", {3, {1, 2}, {2, 3}}, "indices have the shape [2] where [3] or [3,2]");
        row("more indices than values", {1, {1, 2}, {2, 3}}, "where [1] or [1,2]");
        row("coordinates of another rank", {1, {0, 0, 0}, {2, 3}, 3}, "where [1] or [1,2]");
        row("a negative dimension", {1, {0}, {-2, 3}}, "has no size");
        row("overflow of the shape", {1, {0}, {Huge, Huge}}, "has no size");
        row("overflow of the bytes", {1, {0}, {Huge << 20, 2}}, "more than 63 bits");
        row("a few bytes that claim a terabyte", {1, {0}, {1 << 20, 1 << 18}}, "are left for what is made of the file");
        add("values that lie about their length",
            ProtoMessage().message(1, make::tensor("w", make::Float, {2}).text(9, "abcd")).integer(3, 4),
            "takes 8 bytes, but the tensor carries 4");
        add("indices that lie about their length",
            ProtoMessage()
                .message(1, make::tensor("w", make::Float, {1}).text(9, "abcd"))
                .message(2, make::tensor("", make::Int64, {1}).text(9, "abcd"))
                .integer(3, 4),
            "takes 8 bytes, but the tensor carries 4");
        add("values in a matrix", ProtoMessage().message(1, make::tensor("w", make::Float, {1, 1}).text(9, "abcd")),
            "values are no list");
        add("no values", ProtoMessage().integer(3, 4), "values are no list");
        add("no indices", ProtoMessage().message(1, make::tensor("w", make::Float, {1}).text(9, "abcd")).integer(3, 4),
            "values and no indices");
        add("indices of another type",
            ProtoMessage()
                .message(1, make::tensor("w", make::Float, {1}).text(9, "abcd"))
                .message(2, make::tensor("", make::Float, {1}).text(9, "abcd"))
                .integer(3, 4),
            "float32 and not int64");
        add("of strings", ProtoMessage().message(1, make::tensor("w", 8, {1}).text(6, "a")), "of string are not read");
        add("of half bytes", ProtoMessage().message(1, make::tensor("w", 22, {2}).integer(5, 3)),
            "of int4 are not read");
    }
    void damagedOnesAreRefused()
    {
        QFETCH(QByteArray, model);
        QFETCH(QString, reason);
        const auto bytes = std::as_bytes(std::span(model.constData(), static_cast<std::size_t>(model.size())));
        const QString error = errorOf(readOnnx(bytes, {}));
        QVERIFY2(error.contains(reason), qPrintable(error));
        QVERIFY2(error.contains(QStringLiteral("sparse_initializer[0]")), qPrintable(error));
    }

    void allOfAFileShareTheRoom()
    {
        ProtoMessage graph = make::graphOf({make::node("Relu", {"x"}, {"y"})});
        for (int i = 0; i < 5; ++i) {
            const std::string number(1, static_cast<char>('a' + i));
            graph.message(15, ProtoMessage()
                                  .message(1, make::tensor(number, make::Float, {0}))
                                  .integer(3, 1 << 12)
                                  .integer(3, 1 << 10)); // 16 MiB each, of 64
        }
        const QString error = errorOf(read(graph));
        QVERIFY2(error.contains(QStringLiteral("sparse_initializer[4]")), qPrintable(error));
    }

    void strippedOnesCanStillBePlanned()
    {
        const ProtoMessage sparse = ProtoMessage()
                                        .message(1, make::tensor("w", make::Float, {2}))
                                        .message(2, make::tensor("", make::Int64, {2}))
                                        .integer(3, 2)
                                        .integer(3, 3);
        QCOMPARE(shown(read(graphWith(sparse))), QStringLiteral("csr(float32[2,3], at most 2) = ?"));
    }

    void constantsOfNodesAreReadToo()
    {
        const ProtoMessage attribute =
            ProtoMessage().text(1, "sparse_value").message(22, Sparse {2, {1, 5}, {2, 3}}.message()).integer(20, 11);
        ProtoMessage constant = make::node("Constant", {}, {"k"});
        const auto graph =
            read(make::graphOf({constant.message(5, attribute), make::node("MatMul", {"k", "x"}, {"y"})}));
        QCOMPARE(shown(graph, "k"), QStringLiteral("csr(float32[2,3], at most 2) = 0 1 0 0 0 2"));
        QCOMPARE(graph.value()[findValue(graph.value(), "k")].role, ValueRole::Constant);
        QCOMPARE(graph.value().nodes.size(), std::size_t(1));
    }

    void attributesOfOtherNodesAreDense()
    {
        const ProtoMessage attribute =
            ProtoMessage().text(1, "table").message(22, Sparse {1, {1}, {2}}.message()).integer(20, 11);
        ProtoMessage node = make::node("Foo", {"x"}, {"y"});
        const auto graph = read(make::graphOf({node.message(5, attribute)}));
        QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
        const auto* literal = findAttribute<TensorLiteral>(graph.value().nodes.front(), "table");
        QVERIFY(literal);
        QCOMPARE(loadBytes(*literal).value().size(), std::size_t(8));
        QCOMPARE(graph.value().notes.size(), std::size_t(1));
    }
};

QTEST_APPLESS_MAIN(OnnxSparseTest)
#include "tst_onnx_sparse.moc"
