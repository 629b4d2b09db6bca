#include "backend_suite.h"

#include "core/facts/english/english.h"
#include "core/formats/read_graph.h"

#include <QTest>

using namespace plimsoll;

/// Inference over graphs and expected outputs that nobody here wrote.
class TransformCorpora : public QObject
{
    Q_OBJECT

private slots:
    void inferredOutputsAgreeWithTheShippedOnes_data();
    void inferredOutputsAgreeWithTheShippedOnes();
    void everyModelOfTheCorporaIsInferred_data();
    void everyModelOfTheCorporaIsInferred();
};

namespace {

QString text(const std::string& from)
{
    return QString::fromStdString(from);
}

void print(const std::vector<std::string>& lines, const char* what)
{
    for (const std::string& line : lines)
        qInfo("%s %s", what, line.c_str());
}

} // namespace

void TransformCorpora::inferredOutputsAgreeWithTheShippedOnes_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<test::Given>("given");
    QTest::addColumn<int>("leastAgreeing"); ///< Outputs; what was measured when this was written.
    const auto corpora = QStringLiteral(PLIMSOLL_SHARED_DIR "/corpora/onnx/node");
    const auto debian = QStringLiteral("/usr/share/libonnx-testdata/data");
    QTest::newRow("corpora, with the file's types") << corpora << test::Given::DeclaredTypes << 28;
    QTest::newRow("corpora, from the operators alone") << corpora << test::Given::Nothing << 22;
    QTest::newRow("corpora, with known inputs") << corpora << test::Given::InputBytes << 26;
    QTest::newRow("Debian's, with the file's types") << debian << test::Given::DeclaredTypes << 1239;
    QTest::newRow("Debian's, from the operators alone") << debian << test::Given::Nothing << 1081;
    QTest::newRow("Debian's, with known inputs") << debian << test::Given::InputBytes << 1199;
}

void TransformCorpora::inferredOutputsAgreeWithTheShippedOnes()
{
    QFETCH(QString, folder);
    QFETCH(test::Given, given);
    QFETCH(int, leastAgreeing);
    if (!std::filesystem::exists(folder.toStdString())) QSKIP("The folder with the models is not there.");

    const auto result = test::compareWithShippedOutputs(folder.toStdString(), given);

    qInfo("%d models: %d outputs agree (%d with their elements), %d are open, %zu disagree, %zu models not inferred",
          result.models, result.agree, result.contents, result.unknown, result.disagree.size(),
          result.notInferred.size());
    if (given == test::Given::InputBytes) print(result.open, "open:");
    print(result.disagree, "disagrees:");
    print(result.notInferred, "not inferred:");
    QVERIFY(result.disagree.empty());
    QVERIFY(result.notInferred.empty());
    QVERIFY(result.agree >= leastAgreeing);
}

void TransformCorpora::everyModelOfTheCorporaIsInferred_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("mostOpen"); ///< Intermediates without a known size.
    QTest::newRow("mnist") << "mnist-8.onnx" << 0;
    QTest::newRow("squeezenet") << "light_squeezenet.onnx" << 0;
    QTest::newRow("densenet") << "light_densenet121.onnx" << 0;
    QTest::newRow("bert") << "bert_toy_optimized.onnx" << 0;
    QTest::newRow("gpt2") << "gpt2_past.onnx" << 0;
    QTest::newRow("scan") << "scan_1.onnx" << 0;
    QTest::newRow("nested") << "three_layer_nested_subgraph.onnx" << 0;
    QTest::newRow("crop") << "crop_and_resize.onnx" << 7; // A slice at a place that is data.
    QTest::newRow("issue 4031") << "ort_github_issue_4031.onnx" << 0;
    QTest::newRow("silero") << "silero_vad_16k_op15.onnx" << 0;
    QTest::newRow("beam search") << "tiny_gpt2_beamsearch.onnx" << 1; // The length of its result is an input.
    QTest::newRow("bloom") << "3layer_bloom_optimized_training.onnx" << 0;
}

void TransformCorpora::everyModelOfTheCorporaIsInferred()
{
    QFETCH(QString, model);
    QFETCH(int, mostOpen);
    const std::filesystem::path path =
        std::filesystem::path(PLIMSOLL_SHARED_DIR) / "corpora/onnx" / model.toStdString();
    if (!std::filesystem::exists(path)) QSKIP("The corpora are not there.");
    const auto graph = readGraph(path, {});
    QVERIFY2(graph.ok(), graph.ok() ? "" : describe(graph.error()).c_str());

    const auto inferred = inferTypes(graph.value(), {}, {});

    QVERIFY2(inferred.ok(), inferred.ok() ? "" : describe(inferred.error()).c_str());
    int open = 0;
    int known = 0;
    const Graph& result = inferred.value().graph;
    for (std::size_t v = 0; v < result.values.size(); ++v) {
        if (result.values[v].role != ValueRole::Intermediate) continue;
        const bool isOpen = !result.values[v].type.bytes();
        (isOpen ? open : known) += 1;
        QCOMPARE(isOpen, !inferred.value().unknownBecause[v].empty());
        if (!isOpen) continue;
        qInfo().noquote() << "open:" << text(result.values[v].name) << text(describe(result.values[v].type))
                          << text(english(inferred.value().unknownBecause[v]));
    }
    qInfo("%d values known, %d open", known, open);
    QVERIFY(open <= mostOpen);
}

QTEST_APPLESS_MAIN(TransformCorpora)
#include "tst_transform_corpora.moc"
