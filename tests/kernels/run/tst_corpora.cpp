#include "tests/kernels/run/run_support.h"

#include "core/facts/english/english.h"
#include "core/formats/read_graph.h"
#include "kernels/run/catalogue.h"
#include "kernels/run/replay.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <algorithm>

using namespace plimsoll;
using namespace plimsoll::kernels;
namespace fs = std::filesystem;

namespace {

const fs::path Corpus = fs::path(PLIMSOLL_SHARED_DIR) / "corpora" / "onnx";

Result<ReplaySettings::Plan> planFor(const Graph& graph, const std::map<std::string, Shape>& shapes,
                                     const Context& context)
{
    PlanRequest request;
    request.shapes.shapes = shapes;
    PLIMSOLL_ASSIGN(catalogue, describeBackends(graph, request.shapes, context));
    request.catalogue = std::make_shared<const Catalogue>(std::move(catalogue));
    PLIMSOLL_ASSIGN(report, analyse(graph, request, context));
    const auto fault = std::ranges::find(report.verdict.findings, Severity::Error, &Finding::severity);
    const bool legal = fault == report.verdict.findings.end();
    return ReplaySettings::Plan {std::move(report.program), legal ? Message() : fault->message};
}

/// Reads graphs of any format.
ReplaySettings withAllBackends()
{
    ReplaySettings settings;
    settings.load = [](const fs::path& path) { return readGraph(path, {}); };
    settings.plan = planFor;
    return settings;
}

} // namespace

/// Real captured graphs: each runs under its plan, equal to the oracle.
class TestCorpora : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!fs::exists(Corpus)) QSKIP("shared/corpora is absent");
    }
    void modelsRunAsTheOracleDoes_data();
    void modelsRunAsTheOracleDoes();
    void backendTestsPass_data();
    void backendTestsPass();
    void aDataSetThatLacksAFileFails_data();
    void aDataSetThatLacksAFileFails();
};

void TestCorpora::modelsRunAsTheOracleDoes_data()
{
    QTest::addColumn<QString>("mode");
    for (const char* name : {"mnist-8", "light_squeezenet", "bert_toy_optimized", "silero_vad_16k_op15", "scan_1",
                             "three_layer_nested_subgraph", "crop_and_resize", "ort_github_issue_4031"}) {
        QTest::newRow(name) << QStringLiteral("numeric");
    }
    QTest::newRow("gpt2_past") << QString();
    QTest::newRow("tiny_gpt2_beamsearch") << QStringLiteral("fingerprint");
}

void TestCorpora::modelsRunAsTheOracleDoes()
{
    QFETCH(QString, mode);
    const fs::path file = Corpus / (std::string(QTest::currentDataTag()) + ".onnx");
    const auto graph = readGraph(file, {});
    QVERIFY2(graph.ok(), graph.ok() ? "" : describe(graph.error()).c_str());

    const Report report = test::planned(graph.value());
    const auto outcome = test::executed(report);

    QVERIFY2(outcome.ok(), outcome.ok() ? "" : describe(outcome.error()).c_str());
    const RunResult& run = outcome.value().result;
    QVERIFY2(run.mismatches.empty(), run.mismatches.empty() ? "" : english(run.mismatches.front().note).c_str());
    QVERIFY(run.comparedValues > 0);
    if (!mode.isEmpty()) QCOMPARE(QString::fromStdString(run.mode), mode);
    QVERIFY(run.measuredPeakBytes <= report.memory.peakBytes);
}

void TestCorpora::backendTestsPass_data()
{
    QTest::addColumn<QString>("folder");
    const auto cases = findCases(Corpus / "node");
    QVERIFY(cases.ok());
    for (const ReplayCase& test : cases.value()) {
        QTest::newRow(test.folder.filename().c_str()) << QString::fromStdString(test.folder.string());
    }
}

void TestCorpora::backendTestsPass()
{
    QFETCH(QString, folder);
    const auto cases = findCases(folder.toStdString());
    QVERIFY(cases.ok());

    const ReplayResult result = replayCase(cases.value().front(), withAllBackends(), {});

    if (result.verdict == Verdict::Skipped) QSKIP(english(result.reason).c_str());
    QVERIFY2(result.verdict == Verdict::Passed, english(result.reason).c_str());
}

void TestCorpora::aDataSetThatLacksAFileFails_data()
{
    QTest::addColumn<QStringList>("removed");
    QTest::addColumn<QString>("said");
    QTest::newRow("all") << QStringList {"input_0.pb", "output_0.pb", "output_1.pb", "output_2.pb"}
                         << "no expected outputs";
    QTest::newRow("outputs") << QStringList {"output_0.pb", "output_1.pb", "output_2.pb"} << "no expected outputs";
    QTest::newRow("one output") << QStringList {"output_1.pb"} << "output_1 is missing";
    QTest::newRow("an input") << QStringList {"input_0.pb"} << "input_0 is missing";
}

void TestCorpora::aDataSetThatLacksAFileFails()
{
    QFETCH(QStringList, removed);
    QFETCH(QString, said);
    const test::TemporaryFolder folder;
    const fs::path copy = folder.path() / "case";
    fs::copy(Corpus / "node" / "test_split_equal_parts_1d_opset18", copy, fs::copy_options::recursive);
    for (const QString& file : removed)
        QVERIFY(fs::remove(copy / "test_data_set_0" / file.toStdString()));
    const auto cases = findCases(copy);
    QVERIFY(cases.ok());

    const ReplayResult result = replayCase(cases.value().front(), withAllBackends(), {});

    QVERIFY(result.verdict == Verdict::Failed);
    QVERIFY2(english(result.reason).find(said.toStdString()) != std::string::npos, english(result.reason).c_str());
}

QTEST_GUILESS_MAIN(TestCorpora)
#include "tst_corpora.moc"
