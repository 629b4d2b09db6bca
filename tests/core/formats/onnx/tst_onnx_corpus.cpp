#include "core/facts/english/english.h"
#include "core/formats/onnx/onnx_reader.h"
#include "core/formats/read_graph.h"

#include <QRegularExpression>
#include <QtTest>

#include <algorithm>
#include <fstream>
#include <random>

using namespace plimsoll;
namespace fs = std::filesystem;

namespace {

const fs::path Corpus = fs::path(PLIMSOLL_SHARED_DIR) / "corpora" / "onnx";

/// The facts that corpora/README.md states for one file, counted by a scanner that is not ours.
struct Facts
{
    QString file;
    std::size_t nodes = 0;
    std::size_t topNodes = 0;
    std::size_t subgraphs = 0;
    std::size_t inputs = 0; ///< As the file lists them: before IR 4 with the weights.
    std::size_t outputs = 0;
    std::size_t initializers = 0;
};

QList<Facts> readFacts()
{
    QFile file(QString::fromStdString((Corpus.parent_path() / "README.md").string()));
    if (!file.open(QIODevice::ReadOnly)) return {};
    static const QRegularExpression Row("^\\| `([^`]+)` \\|.*nodes (\\d+) incl\\. subgraphs \\((\\d+) top-level\\), "
                                        "subgraphs (\\d+) .*inputs (\\d+) outputs (\\d+), "
                                        "initializers (\\d+)");
    QList<Facts> all;
    for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
        const auto match = Row.match(line);
        if (!match.hasMatch()) continue;
        const auto number = [&](int group) { return static_cast<std::size_t>(match.captured(group).toULongLong()); };
        const QString name = match.captured(1);
        const QString path = name.endsWith(".onnx") ? name : "node/" + name + "/model.onnx";
        all.push_back({path, number(2), number(3), number(4), number(5), number(6), number(7)});
    }
    return all;
}

std::vector<std::byte> slurp(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

QList<fs::path> modelFiles()
{
    QList<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(Corpus, none)) {
        if (entry.path().extension() == ".onnx") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::size_t countRole(const Graph& graph, ValueRole role)
{
    const auto is = [&](const Value& value) { return value.role == role; };
    return static_cast<std::size_t>(std::count_if(graph.values.begin(), graph.values.end(), is));
}

} // namespace

class OnnxCorpusTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (!fs::exists(Corpus)) QSKIP("The corpora are not beside the sources.");
    }

    void everyModelHasTheCountsOfTheReadme_data()
    {
        QTest::addColumn<qsizetype>("row");
        const auto facts = readFacts();
        for (qsizetype i = 0; i < facts.size(); ++i)
            QTest::newRow(qPrintable(facts[i].file)) << i;
        QVERIFY(facts.size() >= 32);
    }
    void everyModelHasTheCountsOfTheReadme()
    {
        QFETCH(qsizetype, row);
        const Facts facts = readFacts()[row];

        const auto graph = readGraph(Corpus / facts.file.toStdString(), {});

        QVERIFY2(graph.ok(), graph.ok() ? "" : qPrintable(QString::fromStdString(describe(graph.error()))));
        const Graph& g = graph.value();
        QCOMPARE(g.nodes.size(), facts.nodes);
        QCOMPARE(g.top().nodes.size(), facts.topNodes);
        QCOMPARE(g.bodies.size() - 1, facts.subgraphs);
        QCOMPARE(g.top().outputs.size(), facts.outputs);
        QCOMPARE(countRole(g, ValueRole::Parameter), facts.initializers);
        const std::size_t inputs = countRole(g, ValueRole::Input);
        QVERIFY(inputs == facts.inputs || inputs + facts.initializers == facts.inputs);
    }

    void whatIsNotAModelIsRefusedWithAReason_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("reason");
        QTest::newRow("text") << "corrupt-model.onnx"
                              << "This is a text, but not JSON.";
        QTest::newRow("bare GraphProto") << "super_resolution.onnx"
                                         << "bare GraphProto";
    }
    void whatIsNotAModelIsRefusedWithAReason()
    {
        QFETCH(QString, file);
        QFETCH(QString, reason);

        const auto graph = readGraph(Corpus / file.toStdString(), {});

        QVERIFY(!graph.ok());
        QCOMPARE(graph.error().code, ErrorCode::BadInput);
        QVERIFY(QString::fromStdString(describe(graph.error())).contains(reason));
        QVERIFY(QString::fromStdString(graph.error().file).endsWith(file));
    }

    void largeWeightsStayInTheFile()
    {
        const auto graph = readGraph(Corpus / "silero_vad_16k_op15.onnx", {});

        QVERIFY(graph.ok());
        std::int64_t inFile = 0;
        std::int64_t inMemory = 0;
        for (const Value& value : graph.value().values) {
            inFile += value.data->fileBytes;
            if (value.data->bytes) inMemory += static_cast<std::int64_t>(value.data->bytes->size());
        }
        QVERIFY(inFile > 1'000'000);
        QVERIFY(inMemory < 64 * 1024);
    }

    void memoryAndFileGiveTheSameGraph()
    {
        const fs::path path = Corpus / "bert_toy_optimized.onnx";
        const auto fromFile = readGraph(path, {});
        const auto bytes = slurp(path);

        const auto fromMemory = readOnnx(std::span<const std::byte>(bytes), {});

        QVERIFY(fromFile.ok() && fromMemory.ok());
        QCOMPARE(fromMemory.value().values.size(), fromFile.value().values.size());
        for (std::size_t i = 0; i < fromFile.value().values.size(); ++i) {
            const TensorData& file = *fromFile.value().values[i].data;
            const TensorData& memory = *fromMemory.value().values[i].data;
            QCOMPARE(memory.present(), file.present());
            if (file.file.empty()) continue;
            QVERIFY(std::equal(memory.bytes->begin(), memory.bytes->end(), bytes.begin() + file.fileOffset));
        }
    }

    void truncatedFilesAreErrorsOrSmallerGraphs_data()
    {
        QTest::addColumn<QString>("file");
        for (const fs::path& path : modelFiles()) {
            const QString name = QString::fromStdString(fs::relative(path, Corpus).string());
            QTest::newRow(qPrintable(name)) << name;
        }
    }
    void truncatedFilesAreErrorsOrSmallerGraphs()
    {
        QFETCH(QString, file);
        const auto bytes = slurp(Corpus / file.toStdString());
        for (std::size_t k = 0; k < 16; ++k) {
            const auto graph = readOnnx(std::span(bytes).first(bytes.size() * k / 16), {});
            if (graph.ok())
                QVERIFY(!graph.value().nodes.empty());
            else
                QVERIFY(!graph.error().message.empty());
        }
    }

    void flippedBitsNeverCrash_data() { truncatedFilesAreErrorsOrSmallerGraphs_data(); }
    void flippedBitsNeverCrash()
    {
        QFETCH(QString, file);
        auto bytes = slurp(Corpus / file.toStdString());
        const int rounds = bytes.size() < 40'000 ? 300 : 12;
        const unsigned seed = 20261121;
        std::mt19937 random(seed);
        int errors = 0;
        for (int i = 0; i < rounds; ++i) {
            auto& byte = bytes[random() % bytes.size()];
            const auto flip = static_cast<std::byte>(1u << random() % 8);
            byte ^= flip;
            const auto graph = readOnnx(std::span<const std::byte>(bytes), {});
            errors += graph.ok() ? 0 : 1;
            if (!graph.ok())
                QVERIFY2(!graph.error().message.empty(), qPrintable(QString("seed %1, round %2").arg(seed).arg(i)));
            byte ^= flip;
        }
        if (rounds > 100) QVERIFY2(errors > 0, "no flip was noticed");
    }
};

QTEST_APPLESS_MAIN(OnnxCorpusTest)
#include "tst_onnx_corpus.moc"
