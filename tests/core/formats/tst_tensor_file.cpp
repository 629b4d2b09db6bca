#include "core/facts/english/english.h"
#include "core/formats/files/tensor_file.h"

#include "core/formats/files/npy.h"
#include "core/formats/files/tensor_data.h"
#include "tests/support/onnx_bytes.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <cstring>
#include <random>

using namespace plimsoll;
using test::ProtoMessage;
using test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

QString errorOf(const Result<TensorFile>& file)
{
    return file.ok() ? QStringLiteral("(no error)") : QString::fromStdString(describe(file.error()));
}

QByteArray hexOf(const TensorLiteral& literal)
{
    const auto bytes = loadBytes(literal);
    if (!bytes.ok()) return "unreadable";
    return QByteArray(reinterpret_cast<const char*>(bytes.value().data()), static_cast<int>(bytes.value().size()))
        .toHex();
}

/// A version 1 file with that dictionary and data.
std::string npy(const std::string& dictionary, const std::string& data)
{
    std::string file = "\x93NUMPY";
    file += {'\1', '\0', static_cast<char>(dictionary.size()), '\0'};
    return file + dictionary + data;
}

} // namespace

class TensorFileTest : public QObject
{
    Q_OBJECT

private slots:
    void npyIsReadRowByRow_data()
    {
        QTest::addColumn<QString>("dictionary");
        QTest::addColumn<QByteArray>("hex");
        QTest::newRow("row-major") << "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }"
                                   << QByteArray("000102030405");
        QTest::newRow("column-major") << "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }"
                                      << QByteArray("000204010305");
        QTest::newRow("other order of keys")
            << "{'shape': (6,), 'fortran_order': False, 'descr': '|i1'}" << QByteArray("000102030405");
        QTest::newRow("two bytes") << "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }"
                                   << QByteArray("000102030405");
    }
    void npyIsReadRowByRow()
    {
        QFETCH(QString, dictionary);
        QFETCH(QByteArray, hex);
        const TemporaryFolder folder;
        const auto path = folder.write("a.npy", npy(dictionary.toStdString(), std::string("\0\1\2\3\4\5", 6)));

        const auto file = readTensorFile(path);

        QVERIFY2(file.ok(), qPrintable(errorOf(file)));
        QCOMPARE(hexOf(file.value().tensors[0]), hex);
    }

    void brokenNpyIsRefused_data()
    {
        QTest::addColumn<QString>("dictionary");
        QTest::addColumn<QString>("reason");
        QTest::newRow("big-endian") << "{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }"
                                    << "big-endian";
        QTest::newRow("text") << "{'descr': '<U4', 'fortran_order': False, 'shape': (1,), }"
                              << "not a tensor's";
        QTest::newRow("fields") << "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }"
                                << "plain";
        QTest::newRow("no shape") << "{'descr': '<f4', 'fortran_order': False}"
                                  << "lacks";
        QTest::newRow("negative") << "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"
                                  << "shape";
        QTest::newRow("too long for its data") << "{'descr': '<f4', 'fortran_order': False, 'shape': (9,)}"
                                               << "6 bytes follow";
        QTest::newRow("overflow") << "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}"
                                  << "bytes follow";
    }
    void brokenNpyIsRefused()
    {
        QFETCH(QString, dictionary);
        QFETCH(QString, reason);
        const TemporaryFolder folder;
        const auto path = folder.write("a.npy", npy(dictionary.toStdString(), "123456"));

        const auto file = readTensorFile(path);

        QVERIFY2(errorOf(file).contains(reason), qPrintable(errorOf(file)));
    }

    void everyTruncationOfNpyIsRefused()
    {
        const std::string whole = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "12345678");
        for (std::size_t k = 0; k < whole.size(); ++k) {
            const std::string part = whole.substr(0, k);
            QVERIFY(!readNpy(std::as_bytes(std::span(part))).ok());
        }
    }

    void shapesOfNpyAreRead_data()
    {
        QTest::addColumn<QString>("said");
        QTest::addColumn<Shape>("shape");
        QTest::newRow("scalar") << "()" << Shape {};
        QTest::newRow("vector") << "(5,)" << Shape {5};
        QTest::newRow("empty") << "(0, 3)" << Shape {0, 3};
        QTest::newRow("matrix") << "(2, 3)" << Shape {2, 3};
    }
    void shapesOfNpyAreRead()
    {
        QFETCH(QString, said);
        QFETCH(Shape, shape);
        const TemporaryFolder folder;
        const std::string data(static_cast<std::size_t>(*denseBytes(DType::Float32, shape)), '\7');
        const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': " + said.toStdString() + ", }";

        const auto file = readTensorFile(folder.write("a.npy", npy(header, data)));

        QVERIFY2(file.ok(), qPrintable(errorOf(file)));
        QCOMPARE(file.value().tensors[0].dtype, DType::Float32);
        QCOMPARE(file.value().tensors[0].shape, shape);
        QCOMPARE(hexOf(file.value().tensors[0]), QByteArray::fromStdString(data).toHex());
    }

    void protobufIsReadAsTheKindThatIsAskedFor()
    {
        const TemporaryFolder folder;
        const ProtoMessage tensor = test::onnx::tensor("t", test::onnx::Int64, {1}).integer(7, 9);
        const auto plain = folder.write("t.pb", tensor.bytes());
        const auto list = folder.write(
            "s.pb", ProtoMessage().text(1, "s").integer(2, 1).message(3, tensor).message(3, tensor).bytes());
        const auto some = folder.write("o.pb", ProtoMessage().text(1, "o").integer(2, 1).message(3, tensor).bytes());
        const auto none = folder.write("n.pb", ProtoMessage().text(1, "n").integer(2, 3).bytes());

        const auto asTensor = readTensorFile(plain);
        const auto asSequence = readTensorFile(list, TypeKind::Sequence);
        const auto asSome = readTensorFile(some, TypeKind::Optional);
        const auto asNone = readTensorFile(none, TypeKind::Optional);

        QVERIFY2(asTensor.ok() && asSequence.ok() && asSome.ok() && asNone.ok(),
                 qPrintable(errorOf(asTensor) + errorOf(asSequence) + errorOf(asSome) + errorOf(asNone)));
        QCOMPARE(hexOf(asTensor.value().tensors.at(0)), QByteArray("0900000000000000"));
        QCOMPARE(asSequence.value().tensors.size(), std::size_t(2));
        QVERIFY(asSome.value().present && asSome.value().kind == TypeKind::Tensor);
        QVERIFY(!asNone.value().present && asNone.value().kind == TypeKind::Sequence);
        QVERIFY(!readTensorFile(plain, TypeKind::Sequence).ok() || !readTensorFile(folder.path() / "gone.pb").ok());
    }

    void theCorpusIsRead()
    {
        const fs::path node = fs::path(PLIMSOLL_SHARED_DIR) / "corpora/onnx/node";
        if (!fs::exists(node)) QSKIP("The corpora are not beside the sources.");
        int tensors = 0;
        int sequences = 0;
        for (const auto& entry : fs::recursive_directory_iterator(node)) {
            if (entry.path().extension() != ".pb") continue;
            const auto tensor = readTensorFile(entry.path());
            const auto sequence = readTensorFile(entry.path(), TypeKind::Sequence);
            QVERIFY2(tensor.ok() || sequence.ok(), entry.path().c_str());
            tensors += tensor.ok() ? 1 : 0;
            sequences += sequence.ok() ? 1 : 0;
        }
        QVERIFY2(tensors > 60 && sequences >= 3, qPrintable(QString("%1 %2").arg(tensors).arg(sequences)));
    }

    void loadingChecksTheSizeBeforeItTakesMemory()
    {
        const TensorLiteral huge {DType::Float32, {std::int64_t {1} << 50}, {.file = "/dev/zero", .fileBytes = 16}};
        QVERIFY(!loadBytes(huge).ok());
        QVERIFY(!loadBytes(TensorLiteral {DType::Float32, {1}, {}}).ok());
        const TensorLiteral gone {DType::Float32, {1}, {.file = "/nonexistent/w", .fileBytes = 4}};
        QVERIFY(QString::fromStdString(describe(loadBytes(gone).error())).contains("/nonexistent/w"));
    }
};

QTEST_APPLESS_MAIN(TensorFileTest)
#include "tst_tensor_file.moc"
