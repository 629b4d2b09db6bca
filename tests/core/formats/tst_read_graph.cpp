#include "core/facts/english/english.h"
#include "core/formats/read_graph.h"

#include "core/formats/plimsoll/graph_json.h"
#include "tests/support/graph_text.h"
#include "tests/support/temporary_folder.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace plimsoll;
using test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

QString errorOf(const Result<Graph>& graph)
{
    return graph.ok() ? QStringLiteral("(no error)") : QString::fromStdString(describe(graph.error()));
}

const fs::path Examples = fs::path(PLIMSOLL_SOURCE_DIR) / "resources/examples";

QJsonArray exampleIndex()
{
    QFile file(QString::fromStdString((Examples / "index.json").string()));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QJsonDocument::fromJson(file.readAll()).array();
}

} // namespace

class ReadGraphTest : public QObject
{
    Q_OBJECT

private slots:
    void theContentDecidesNotTheName()
    {
        const TemporaryFolder folder;
        const auto text = graphJsonText(test::graphFromText(test::samples::Chain));
        const auto path = folder.write("chain.onnx", text.value());

        const auto graph = readGraph(path, {});

        QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
        QCOMPARE(graph.value().file.format, std::string("plimsoll.graph/1"));
    }

    void otherFilesAreNamedForWhatTheyAre_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("reason");
        QTest::newRow("empty") << QByteArray() << "empty";
        QTest::newRow("white space") << QByteArray(" \n") << "white space";
        QTest::newRow("picture") << QByteArray("\x89PNG\r\n\x1a\n") << "PNG picture";
        QTest::newRow("archive") << QByteArray("PK\x03\x04zip") << "PyTorch";
        QTest::newRow("text") << QByteArray("this is not a valid onnx model") << "a text, but not JSON";
        QTest::newRow("null") << QByteArray("null\n")
                              << "top level: This is JSON, but not an object ({…}): it is null.";
        QTest::newRow("number") << QByteArray(" 42 ") << "not an object ({…}): it is a number.";
        QTest::newRow("negative fraction") << QByteArray("-1.5e3") << "it is a number.";
        QTest::newRow("truth") << QByteArray("true") << "it is true or false.";
        QTest::newRow("list") << QByteArray("[1, 2]")
                              << "top level: This is JSON, but not an object ({…}): it is a list";
        QTest::newRow("JSON text") << QByteArray("\"graph\"") << "it is a text.";
        QTest::newRow("list behind a byte order mark") << QByteArray("\xEF\xBB\xBF[]") << "it is a list";
        QTest::newRow("words after a number") << QByteArray("42 things") << "a text, but not JSON";
        QTest::newRow("other JSON") << QByteArray("{\"nodes\": []}") << "schema";
        QTest::newRow("tflite") << QByteArray("\x1c\0\0\0TFL3\0\0\0\0", 12) << "TensorFlow Lite";
        QTest::newRow("pte") << QByteArray("\x1c\0\0\0ET12\0\0\0\0", 12) << "The ExecuTorch program is damaged";
        QTest::newRow("weights of ExecuTorch")
            << QByteArray("\x44\0\0\0FT01\0\0\0\0", 12) << "the program itself (.pte)";
        QTest::newRow("ort") << QByteArray("\x44\0\0\0ORTM\0\0\0\0", 12) << "open the .onnx file that it was made from";
        QTest::newRow("other protobuf") << QByteArray("\x0A\x02\x08\x01", 4) << "but not as an ONNX model";
        QTest::newRow("StableHLO") << QByteArray("module @jit_f attributes {mhlo.num_partitions = 1 : i32} {\n")
                                   << "lowered.compile().as_text()";
        QTest::newRow("LFS") << QByteArray("version https://git-lfs.github.com/spec/v1\n") << "git lfs pull";
        const QString instead = QStringLiteral(" a log of TORCH_TRACE or TORCH_LOGS=aot_graphs, an exported program");
        QTest::newRow("gzip") << QByteArray("\x1F\x8B\x08\0\0\0\0\0\0\x03xyz", 13)
                              << "compressed with gzip; nothing is read out of it. Unpack it, and open it if";
        QTest::newRow("gzip with a name") << QByteArray("\x1F\x8B\x08\x08\0\0\0\0\0\x03m.onnx\0x", 18)
                                          << "compressed with gzip and holds 'm.onnx'; nothing";
        QTest::newRow("gzip of a trace") << QByteArray("\x1F\x8B\x08\x08\0\0\0\0\0\x03r.pt.trace.json\0x", 27)
                                         << "by its name a trace of PyTorch's profiler, which cannot be read unpacked";
        QTest::newRow("gzip of a timeline") << QByteArray("\x1F\x8B\x08\x08\0\0\0\0\0\x03memory_timeline.html\0x", 32)
                                            << "by its name a memory timeline of PyTorch's profiler, which";
        QTest::newRow("gzip of no text") << QByteArray("\x1F\x8B\x08\x08\0\0\0\0\0\x03\xff.onnx\0x", 18)
                                         << "compressed with gzip; nothing";
        QTest::newRow("gzip that ends") << QByteArray("\x1F\x8B\x08\x08\0", 5) << "compressed with gzip; nothing";
        QTest::newRow("timeline") << QByteArray("[[-1, 1, 37888, 7], [-1, 1, 512, 7]]")
                                  << "memory timeline of PyTorch's profiler: bytes over time, but no tensors. Of the";
        QTest::newRow("texts in rows of four") << QByteArray("[[\"a\", 1, 2, 3]]") << "it is a list";
        QTest::newRow("matrix") << QByteArray("[[1, 2], [3, 4]]") << "it is a list";
        QTest::newRow("trace") << QByteArray("{\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0}], \"x\": 1")
                               << "trace of a profiler";
        QTest::newRow("events") << QByteArray("{\"traceEvents\": []}") << instead;
        QTest::newRow("execution trace") << QByteArray("{\"schema\": \"1.0.1\", \"pid\": 5, \"nodes\": []}")
                                         << "execution trace of PyTorch";
        QTest::newRow("snapshot of nothing") << QByteArray("{\"segments\": [], \"device_traces\": [[]]}")
                                             << "The snapshot is empty: no device has segments or events.";
        QTest::newRow("words of a snapshot, deeper")
            << QByteArray("{\"a\": {\"segments\": [], \"device_traces\": [[]]}}") << "\"schema\" is missing";
        QTest::newRow("pickle of a snapshot") << QByteArray("\x80\x04}(\x8c\x08segments]\x8c\x0d"
                                                            "device_tracesNu.")
                                              << "The snapshot is empty: no device has segments or events.";
        QTest::newRow("pickle that calls") << QByteArray("\x80\x04}(\x8c\x08segments]cos\nsystem\n.")
                                           << "byte 15: The pickle holds more than plain data: GLOBAL is refused";
        QTest::newRow("pickle") << QByteArray("\x80\x05K\x01.")
                                << "a Python pickle (a PyTorch checkpoint, say), which is never executed here";
        QTest::newRow("ours, with words of a trace")
            << QByteArray("{\"schema\": \"plimsoll.graph/9\", \"traceEvents\": []}") << "A newer Plimsoll may read it";
        QTest::newRow("noise") << QByteArray("\xff\xfe\x01\x02") << "no protobuf field";
    }
    void otherFilesAreNamedForWhatTheyAre()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, reason);
        const TemporaryFolder folder;
        const auto path = folder.write("f.onnx", content.toStdString());

        const auto graph = readGraph(path, {});

        QVERIFY2(errorOf(graph).contains(reason), qPrintable(errorOf(graph)));
        QCOMPARE(graph.error().file, path.string());
        QCOMPARE(graph.error().code, ErrorCode::BadInput);
    }

    void aByteOrderMarkIsPassedOver()
    {
        const TemporaryFolder folder;
        const std::string text = "\xEF\xBB\xBF" + graphJsonText(test::graphFromText(test::samples::Chain)).value();

        const auto fromFile = readGraph(folder.write("chain.json", text), {});
        const auto fromMemory = readGraph(std::as_bytes(std::span(text)), {});

        QVERIFY2(fromFile.ok(), qPrintable(errorOf(fromFile)));
        QVERIFY2(fromMemory.ok(), qPrintable(errorOf(fromMemory)));
    }

    void missingFilesAndFoldersAreErrors()
    {
        const TemporaryFolder folder;
        QVERIFY(errorOf(readGraph(folder.path() / "gone.onnx", {})).contains("No such file"));
        QVERIFY(errorOf(readGraph(folder.path(), {})).contains("folder"));
        QVERIFY(errorOf(readGraph("/dev/null", {})).contains("not a regular file"));
    }

    void theDigestSeesStructureOnly()
    {
        const std::string base = "input x float32[4]\na: y = Relu(x) k=1\nb: z = Neg(y)\noutput z";
        const auto digest = [](const std::string& text) { return graphDigest(test::graphFromText(text)); };
        const auto changed = [&](const char* from, const char* to) {
            return digest(QString::fromStdString(base).replace(from, to).toStdString());
        };

        QCOMPARE(digest(base), digest(base + "\n# a comment"));
        QCOMPARE(digest(base).size(), std::size_t(32));
        QVERIFY(changed("Relu", "Gelu") != digest(base));
        QVERIFY(changed("k=1", "k=2") != digest(base));
        QVERIFY(changed("k=1", "k=1.0") != digest(base));
        QVERIFY(changed("[4]", "[5]") != digest(base));
        QVERIFY(changed("Neg(y)", "Neg(x)") != digest(base));
        QVERIFY(changed("output z", "output z z") != digest(base));
    }

    void everyExampleReadsAsItsStorySays_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("error");
        for (const QJsonValue& entry : exampleIndex())
            QTest::newRow(qPrintable(entry["file"].toString()))
                << entry["file"].toString() << entry["error"].toString();
        QVERIFY(exampleIndex().size() >= 7);
    }
    void everyExampleReadsAsItsStorySays()
    {
        QFETCH(QString, file);
        QFETCH(QString, error);

        const auto graph = readGraph(Examples / file.toStdString(), {});

        if (error.isEmpty())
            QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
        else
            QVERIFY2(errorOf(graph).contains(error), qPrintable(errorOf(graph)));
    }

    void everyCorpusModelSurvivesConversion()
    {
        const fs::path corpus = fs::path(PLIMSOLL_SHARED_DIR) / "corpora/onnx";
        if (!fs::exists(corpus)) QSKIP("The corpora are not beside the sources.");
        const TemporaryFolder folder;
        int converted = 0;
        for (const auto& entry : fs::recursive_directory_iterator(corpus)) {
            if (entry.path().extension() != ".onnx") continue;
            const auto graph = readGraph(entry.path(), {});
            if (!graph.ok()) continue;
            const Status written = writeGraphJson(graph.value(), folder.path() / "g.json");
            QVERIFY2(written.ok(), entry.path().c_str());
            const auto back = readGraph(folder.path() / "g.json", {});
            QVERIFY2(back.ok(), qPrintable(QString(entry.path().c_str()) + ": " + errorOf(back)));
            QCOMPARE(graphDigest(back.value()), graphDigest(graph.value()));
            ++converted;
        }
        QCOMPARE(converted, 32);
    }
};

QTEST_APPLESS_MAIN(ReadGraphTest)
#include "tst_read_graph.moc"
