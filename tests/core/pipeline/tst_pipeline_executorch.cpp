#include "core/facts/english/english.h"
#include "core/formats/read_graph.h"
#include "core/formats/terms.h"
#include "core/pipeline/pipeline.h"
#include "tests/support/executorch_bytes.h"
#include "tests/support/temporary_folder.h"

#include <QFile>
#include <QtTest>

using namespace plimsoll;

namespace {

/// As the command line does it: what the format says of alignment, and the plan that the file brings where \p given.
Report analyseFile(const std::filesystem::path& path, bool given)
{
    const auto graph = readGraph(path, {});
    if (!graph.ok()) qFatal("%s", describe(graph.error()).c_str());
    PlanRequest request;
    request.policies.alignment = *termsOf(graph.value()).alignment;
    if (given) {
        auto plan = readPlan(path);
        if (!plan.ok()) qFatal("%s", describe(plan.error()).c_str());
        request.givenPlan = sharedPlan(std::move(plan).value());
    }
    auto report = analyse(graph.value(), request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

Report reportOn(std::string_view text, bool given)
{
    const test::TemporaryFolder folder;
    return analyseFile(folder.write("model.pte", test::executorchBytes(text)), given);
}

/// "clobbered-read: x y", one a line; advice as well.
QString findingsText(const Report& report)
{
    std::string text;
    for (const Finding& finding : report.verdict.findings) {
        text += std::string(ruleId(finding.rule)) + ":";
        for (const ValueId value : finding.values)
            text += " " + (*report.program.graph)[value].name;
        text += "\n";
    }
    return QString::fromStdString(text);
}

QString corpusFile(const char* name)
{
    return QStringLiteral(PLIMSOLL_SHARED_DIR "/corpora/executorch/") + QString::fromUtf8(name);
}

/// a is read by the first kernel, b by the second, and c is the result.
std::string chain(const char* b, const char* c, const char* memory = "192")
{
    return std::string("method forward\nmemory ") + memory + "\ntensor a float32[16] @1+0\ntensor b float32[16] " + b +
           "\ntensor c float32[16] " + c + "\ninput a\nkernel my::one.out a b b\nkernel my::two.out b c c\noutput c\n";
}

} // namespace

/// ExecuTorch programs from the file to the report.
class PipelineExecutorch : public QObject
{
    Q_OBJECT

private slots:
    void thePlanOfTheFileIsJudged_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("findings");
        const auto row = [](const char* name, const std::string& text, const char* findings) {
            QTest::newRow(name) << QString::fromStdString(text) << QString::fromUtf8(findings);
        };
        row("legal", chain("@1+64", "@1+0"), "");
        row("in the end of another", chain("@1+48", "@1+128"), "overlap: v0 v1\n");
        row("a result over what it is made of", chain("@1+64", "@1+80"), "overlap: v1 v2\n");
        row("beyond the memory", chain("@1+64", "@1+160"), "beyond-capacity: v2\n");
        row("the caller's result", chain("@1+64", ""), "");
        row("a kernel that may write over what it reads",
            "method f\nmemory 64\ntensor x float32[16] @1+0\ntensor y float32[16] @1+0\ninput x\n"
            "kernel aten::relu.out x y y\noutput y\n",
            "");
        row("one that may not",
            "method f\nmemory 64\ntensor x float32[16] @1+0\ntensor y float32[16] @1+0\ninput x\n"
            "kernel aten::softmax.out x y y\noutput y\n",
            "overlap: v0 v1\n");
        row("room to work in beside everything",
            "method f\nmemory 192\ntensor x float32[16] @1+0\ntensor s uint8[64] @1+128\ntensor y float32[16] @1+64\n"
            "input x\nkernel my::conv.out x s y y\noutput y\n",
            "");
        row("room to work in over the input",
            "method f\nmemory 192\ntensor x float32[16] @1+0\ntensor s uint8[64] @1+32\ntensor y float32[16] @1+128\n"
            "input x\nkernel my::conv.out x s y y\noutput y\n",
            "overlap: v0 v1\n");
        row("a result over a weight that stays",
            "method f\nmemory 192\ntensor w float32[16] @1+0 weight=w\ntensor x float32[16] @1+64\n"
            "tensor h float32[16] @1+128\ntensor y float32[16] @1+0\ninput x\n"
            "kernel my::mm.out x w h h\nkernel my::abs.out h y y\noutput y\n",
            "output-aliases-input: v3 w\ninput-overwritten: w v3\n");
    }
    void thePlanOfTheFileIsJudged()
    {
        QFETCH(QString, text);
        QFETCH(QString, findings);
        const Report report = reportOn(text.toStdString(), true);
        QCOMPARE(findingsText(report), findings);
        QVERIFY(!report.program.ownPlan);
    }

    /// As the program reserves them, used or not; a result without a place is in none.
    void memoriesAreThoseOfTheFile()
    {
        const Report unused = reportOn(chain("@1+64", "@1+0", "512"), true);
        QCOMPARE(unused.program.map.arenas.size(), std::size_t {1});
        QCOMPARE(unused.program.map.arenas[0].bytes, std::int64_t {512});
        QCOMPARE(unused.memory.peakBytes, std::int64_t {512});
        QCOMPARE(unused.memory.lowerBoundBytes, std::int64_t {128});

        const Report callers = reportOn(chain("@1+64", "", "128"), true);
        QCOMPARE(callers.program.map.arenas.size(), std::size_t {1});
        QCOMPARE(callers.memory.peakBytes, std::int64_t {128});
    }

    /// What the file's planner does not try: relu writes over its input.
    void ourOwnPlanMayBeLower()
    {
        const Report report = reportOn("method f\nmemory 128\ntensor x float32[16] @1+0\ntensor y float32[16] @1+64\n"
                                       "input x\nkernel aten::relu.out x y y\noutput y\n",
                                       false);
        QCOMPARE(findingsText(report), QString());
        QCOMPARE(report.memory.peakBytes, std::int64_t {64});
        QCOMPARE(report.memory.externalBytes, std::int64_t {0});
    }

    /// What has no place is brought by the caller, and counted with him.
    void inputsWithoutAPlaceAreTheCallers()
    {
        const Report report = reportOn("method f\nmemory 64\ntensor x float32[16]\ntensor y float32[16] @1+0\ninput x\n"
                                       "kernel my::one.out x y y\noutput y\n",
                                       true);
        QCOMPARE(findingsText(report), QString());
        QCOMPARE(report.memory.externalBytes, std::int64_t {64});
    }

    /// In another dialect the same attribute means something else.
    void onlyAProgramHasRoomToWorkIn()
    {
        const test::TemporaryFolder folder;
        const auto path = folder.write(
            "model.pte",
            test::executorchBytes(
                "method f\nmemory 192\ntensor x float32[16]\ntensor s uint8[64] @1+128\ntensor y float32[16] @1+64\n"
                "input x\nkernel my::conv.out x s y y\noutput y\n"));
        auto graph = readGraph(path, {});
        QVERIFY(graph.ok());
        graph.value().opsets.clear();
        for (Node& node : graph.value().nodes)
            node.from.edit().origin = {}; // ONNX may leave outputs out; kernels always make all of them
        const auto report = analyse(graph.value(), {}, {});
        QVERIFY(report.ok());
        QCOMPARE(findingsText(report.value()), QString("dead-output: v1\n"));
    }

    /// Each memory of the hierarchy is an arena.
    void memoriesAreArenas()
    {
        const Report report =
            reportOn("method f\nmemory 64 128\ntensor x float32[16] @1+0\ntensor h float32[16] @2+64\n"
                     "tensor y float32[16] @2+0\ninput x\n"
                     "kernel my::one.out x h h\nkernel my::two.out h y y\noutput y\n",
                     true);
        QCOMPARE(findingsText(report), QString());
        QCOMPARE(report.memory.peakBytes, std::int64_t {192});
    }

    void thePlansOfTheCorpusAreLegal_data()
    {
        QTest::addColumn<qint64>("peak");
        QTest::addColumn<qint64>("own");
        QTest::newRow("KeywordSpotting.pte") << qint64 {16000} << qint64 {16000};
        QTest::newRow("xor.pte") << qint64 {624} << qint64 {576};
        QTest::newRow("add.pte") << qint64 {48} << qint64 {32};
        QTest::newRow("ModuleLinear-no-constant-segment.pte") << qint64 {32} << qint64 {16};
    }
    void thePlansOfTheCorpusAreLegal()
    {
        QFETCH(qint64, peak);
        QFETCH(qint64, own);
        const QString path = corpusFile(QTest::currentDataTag());
        if (!QFile::exists(path)) QSKIP("the corpus of ExecuTorch programs is not here");
        const Report given = analyseFile(path.toStdString(), true);
        QCOMPARE(findingsText(given), QString());
        QVERIFY2(given.memory.peakBytes <= peak, qPrintable(QString::number(given.memory.peakBytes)));
        const Report ours = analyseFile(path.toStdString(), false);
        QCOMPARE(findingsText(ours), QString());
        QVERIFY2(ours.memory.peakBytes <= own, qPrintable(QString::number(ours.memory.peakBytes)));
    }

    /// Every tensor of the real plan, one after the other, 16 bytes further down: findings, or free bytes beneath it.
    void aMovedTensorIsFound()
    {
        QFile file(corpusFile("KeywordSpotting.pte"));
        if (!file.open(QIODevice::ReadOnly)) QSKIP("the corpus of ExecuTorch programs is not here");
        QByteArray bytes = file.readAll();
        const auto path = corpusFile("KeywordSpotting.pte").toStdString();
        const auto graph = readGraph(path, {});
        const auto plan = readPlan(path);
        QVERIFY(graph.ok() && plan.ok());
        int found = 0;
        for (std::size_t moved = 0; moved < plan.value().entries.size(); ++moved) {
            PlanRequest request;
            request.policies.alignment = 16;
            PlanFile other = plan.value();
            std::int64_t& offset = other.entries[moved].offset;
            offset = offset >= 16 ? offset - 16 : offset + 16;
            request.givenPlan = sharedPlan(std::move(other));
            const auto report = analyse(graph.value(), request, {});
            QVERIFY2(report.ok(), report.ok() ? "" : describe(report.error()).c_str());
            found += report.value().verdict.findings.empty() ? 0 : 1;
        }
        QVERIFY2(found >= 15, qPrintable(QString::number(found)));
    }
};

QTEST_APPLESS_MAIN(PipelineExecutorch)
#include "tst_pipeline_executorch.moc"
