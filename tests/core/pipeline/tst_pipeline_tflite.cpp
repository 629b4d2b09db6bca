#include "core/facts/english/english.h"
#include "core/facts/file_nodes.h"
#include "core/formats/read_graph.h"
#include "core/formats/terms.h"
#include "core/pipeline/pipeline.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tflite_bytes.h"

#include <QFile>
#include <QtTest>

using namespace plimsoll;

namespace {

/// As the command line does it: what the format says of alignment, and the plan that the file brings where \p given.
Result<Report> analyseFile(const std::filesystem::path& path, bool given, PlanRequest request = {})
{
    PLIMSOLL_ASSIGN(graph, readGraph(path, {}));
    request.policies.alignment = *termsOf(graph).alignment;
    if (given) {
        PLIMSOLL_ASSIGN(plan, readPlan(path));
        request.givenPlan = sharedPlan(std::move(plan));
    }
    return analyse(graph, request, {});
}

Report reportOn(std::string_view text, bool given = false, PlanRequest request = {})
{
    const test::TemporaryFolder folder;
    auto report = analyseFile(folder.write("model.tflite", test::tfliteBytes(text)), given, std::move(request));
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

/// "clobbered-read: x y", one a line.
QString findingsText(const Report& report)
{
    std::string text;
    for (const Finding& finding : report.verdict.findings) {
        if (finding.severity != Severity::Error) continue;
        text += std::string(ruleId(finding.rule)) + ":";
        for (const ValueId value : finding.values)
            text += " " + (*report.program.graph)[value].name;
        text += "\n";
    }
    return QString::fromStdString(text);
}

std::int64_t offsetOf(const Report& report, const char* name)
{
    return report.program.values[findValue(*report.program.graph, name).index()].offset;
}

QString velaFile()
{
    return QStringLiteral(PLIMSOLL_SHARED_DIR "/corpora/tflite/person_detect_vela.tflite");
}

/// a [0, 2), b [1, 3), c [2, 4): a and b are alive together, and b and c.
constexpr std::string_view Chain = "tensor a float32[16]\ntensor b float32[16]\ntensor c float32[16]\n"
                                   "input a\ncustom One a -> b\ncustom Two b -> c\noutput c\n";

/// The same of operators that are known.
constexpr std::string_view KnownChain = "tensor a float32[16]\ntensor b float32[16]\ntensor c float32[16]\n"
                                        "input a\nop ABS a -> b\nop NEG b -> c\noutput c\n";

/// The NPU's scratch is the arena, in which kept is alive meanwhile.
constexpr std::string_view Npu = "tensor x int8[64]\ntensor kept int8[64]\ntensor y int8[32]\ntensor z int8[64]\n"
                                 "tensor commands uint8[16] data=16\ntensor scratch uint8[256]\n"
                                 "tensor fast uint8[256]\ninput x\ncustom Before x -> kept\n"
                                 "custom ethos-u commands scratch fast x -> y\ncustom After kept y -> z\noutput z\n"
                                 "vela\n";

} // namespace

/// TensorFlow Lite models from the file to the report.
class PipelineTflite : public QObject
{
    Q_OBJECT

private slots:
    /// Inputs are in the arena until they are read for the last time.
    void inputsLieInTheArena()
    {
        const Report report = reportOn(Chain);
        QCOMPARE(findingsText(report), QString());
        QCOMPARE(report.memory.peakBytes, std::int64_t {128});
        QCOMPARE(report.memory.lowerBoundBytes, std::int64_t {128});
        QCOMPARE(report.memory.externalBytes, std::int64_t {0});
        QCOMPARE(offsetOf(report, "a"), offsetOf(report, "c"));
    }

    /// Whatever a graph without steps is handed is there together.
    void inputsOfAGraphWithoutStepsLieApart()
    {
        const Report report = reportOn("tensor a float32[16]\ntensor b float32[16]\ninput a b\noutput b a\n");
        QCOMPARE(findingsText(report), QString());
        QCOMPARE(report.memory.peakBytes, std::int64_t {128});
        QCOMPARE(report.memory.lowerBoundBytes, std::int64_t {128});
        QVERIFY(offsetOf(report, "a") != offsetOf(report, "b"));
    }

    /// The condition of a WHILE is asked in two places of the graph and stands in the file once.
    void theNodesOfTheFileAreCounted()
    {
        const Report report =
            reportOn("tensor i int32[1]\ntensor o int32[1]\ninput i\nop WHILE i -> o runs=1,2\noutput o\n"
                     "subgraph cond\ntensor c int32[1]\ntensor b bool[1]\ninput c\ncustom Less c -> b\noutput b\n"
                     "subgraph body\ntensor s int32[1]\ntensor t int32[1]\ninput s\ncustom Next s -> t\noutput t\n");
        QCOMPARE(fileNodes(report), std::size_t {3});
        QCOMPARE(report.program.graph->nodes.size(), std::size_t {4});
        QCOMPARE(english(nodesText(report)), std::string("3 nodes and 1 more that was added"));
    }

    /// State lies there from the first step to the last, and nothing writes over it.
    void stateStaysInTheArena()
    {
        const Report report = reportOn("tensor x float32[16]\ntensor s float32[16] variable\ntensor y float32[16]\n"
                                       "tensor z float32[16]\ninput x\ncustom Lstm x s -> y\nop ABS y -> z\noutput z");
        QCOMPARE(findingsText(report), QString());
        QCOMPARE(report.memory.peakBytes, std::int64_t {192});
        QCOMPARE(report.program.values[findValue(*report.program.graph, "s").index()].live.hull(), (Interval {0, 2}));
        QVERIFY(offsetOf(report, "s") != offsetOf(report, "z"));
    }

    /// Not even by the last step, which could: the next run needs it.
    void stateIsNotWrittenOver()
    {
        const Report report = reportOn("tensor x float32[16]\ntensor s float32[16] variable\ntensor r float32[4,4]\n"
                                       "tensor y float32[4,4]\ninput x\ncustom Look x s -> @2\n"
                                       "tensor t float32[4,4]\nop RESHAPE s -> t\nop ABS t -> y\noutput y");
        QCOMPARE(findingsText(report), QString());
        QCOMPARE(offsetOf(report, "t"), offsetOf(report, "s"));
        QVERIFY(offsetOf(report, "y") != offsetOf(report, "s"));
    }

    void aPlanInTheFileIsJudged_data()
    {
        QTest::addColumn<QByteArray>("plan");
        QTest::addColumn<QByteArray>("findings");
        QTest::newRow("legal") << QByteArray("plan 0 0 0 64 0") << QByteArray();
        QTest::newRow("number of subgraphs") << QByteArray("plan 0 1 0 64 0") << QByteArray();
        QTest::newRow("in the end of another") << QByteArray("plan 0 0 0 48 128") << QByteArray("overlap: a b\n");
        QTest::newRow("output over what it is made of")
            << QByteArray("plan 0 0 0 64 80") << QByteArray("overlap: b c\n");
        QTest::newRow("before the arena") << QByteArray("plan 0 0 0 -64 64") << QByteArray("beyond-capacity: b\n");
    }
    void aPlanInTheFileIsJudged()
    {
        QFETCH(QByteArray, plan);
        QFETCH(QByteArray, findings);
        const Report report = reportOn(std::string(KnownChain) + plan.toStdString(), true);
        QCOMPARE(findingsText(report), QString::fromUtf8(findings));
        QVERIFY(!report.program.ownPlan);
    }

    /// The compiler that placed them knows what its operators do with their own operands, and with those alone.
    void customOperatorsMayKnowHowToWriteOverTheirOperands_data()
    {
        QTest::addColumn<QByteArray>("plan");
        QTest::addColumn<QByteArray>("errors");
        QTest::addColumn<QByteArray>("warning"); ///< The end of the one there is.
        QTest::newRow("apart") << QByteArray("plan 0 0 0 64 0 128") << QByteArray() << QByteArray();
        QTest::newRow("one") << QByteArray("plan 0 0 0 48 128 192") << QByteArray() << QByteArray("is not judged.");
        QTest::newRow("two") << QByteArray("plan 0 0 0 48 96 192") << QByteArray()
                             << QByteArray("So it is of 1 more pair.");
        QTest::newRow("over what is read later")
            << QByteArray("plan 0 0 0 128 48 192") << QByteArray("clobbered-read: a c\n") << QByteArray();
    }
    void customOperatorsMayKnowHowToWriteOverTheirOperands()
    {
        QFETCH(QByteArray, plan);
        QFETCH(QByteArray, errors);
        QFETCH(QByteArray, warning);
        const bool later = !errors.isEmpty();
        const std::string text = "tensor a float32[16]\ntensor b float32[16]\ntensor c float32[16]\n"
                                 "tensor d float32[16]\ninput a\ncustom One a -> b\ncustom Two b -> c\n";
        const Report report = reportOn(text + (later ? "custom Three a c -> d\n" : "custom Three c -> d\n") +
                                           "output d\n" + plan.toStdString(),
                                       true);
        QVERIFY2(later || findingsText(report).isEmpty(), qPrintable(findingsText(report)));
        QVERIFY2(findingsText(report).contains(QString::fromUtf8(errors)), qPrintable(findingsText(report)));
        const auto isOne = [](const Finding& finding) {
            return finding.rule == Rule::Overlap && finding.severity == Severity::Warning;
        };
        QCOMPARE(std::ranges::count_if(report.verdict.findings, isOne), warning.isEmpty() ? 0 : 1);
        const auto found = std::ranges::find_if(report.verdict.findings, isOne);
        QVERIFY(warning.isEmpty() || QByteArray::fromStdString(english(found->message)).endsWith(warning));
    }

    /// The offsets are those of the sizes with which the file was written.
    void aPlanOfAModelWithAnOpenBatchIsWhole()
    {
        const Report report = reportOn("tensor a float32[1,16] open=-1,16\ntensor b float32[1,16] open=-1,16\n"
                                       "tensor c float32[1,16] open=-1,16\ninput a\ncustom One a -> b\n"
                                       "custom Two b -> c\noutput c\nplan 0 0 0 64 0",
                                       true);
        QCOMPARE(findingsText(report), QString());
        QCOMPARE(report.memory.peakBytes, std::int64_t {128});
        QCOMPARE(offsetOf(report, "b"), std::int64_t {64});
    }

    /// What no operator makes, one custom operator reads and the file places is in use while that operator runs.
    void scratchOfACustomOperatorIsRoomToWorkIn_data()
    {
        QTest::addColumn<QByteArray>("plan");
        QTest::addColumn<QByteArray>("findings");
        // x s y z
        QTest::newRow("written over afterwards") << QByteArray("plan 0 0 0 64 128 64") << QByteArray();
        QTest::newRow("over what is read, as the operator may know how")
            << QByteArray("plan 0 0 0 0 64 128") << QByteArray();
        QTest::newRow("over what is made") << QByteArray("plan 0 0 0 64 64 128") << QByteArray("overlap: y s\n");
    }
    void scratchOfACustomOperatorIsRoomToWorkIn()
    {
        QFETCH(QByteArray, plan);
        QFETCH(QByteArray, findings);
        const std::string text = "tensor x int8[64]\ntensor s int8[64]\ntensor y int8[64]\ntensor z int8[64]\ninput x\n"
                                 "custom Conv x s -> y\ncustom After y -> z\noutput z\n" +
                                 plan.toStdString();
        QCOMPARE(findingsText(reportOn(text, true)), QString::fromUtf8(findings));
        const Report own = reportOn(text);
        QCOMPARE(findingsText(own), QString());
        QCOMPARE(own.memory.peakBytes, std::int64_t {192});
    }

    /// What is left open is placed around what is not.
    void aPlanThatLeavesPlacesOpenPinsTheOthers()
    {
        const std::string text = std::string(Chain) + "plan 0 0 -1 192 -1";
        const Report report = reportOn(text);
        QCOMPARE(findingsText(report), QString());
        QCOMPARE(offsetOf(report, "b"), std::int64_t {192});
        QCOMPARE(report.memory.peakBytes, std::int64_t {256});
        const test::TemporaryFolder folder;
        QVERIFY(!readPlan(folder.write("model.tflite", test::tfliteBytes(text))).ok());
    }

    void anNpuArrangesItsArenaItself_data()
    {
        QTest::addColumn<QByteArray>("plan");
        QTest::addColumn<QByteArray>("findings");
        // x kept y z commands scratch fast
        QTest::newRow("all in its scratch") << QByteArray("plan 0 1 0 64 0 128 -1 0 0") << QByteArray();
        QTest::newRow("over what is kept meanwhile")
            << QByteArray("plan 0 1 0 64 80 128 -1 0 0") << QByteArray("clobbered-read: kept y\n");
        QTest::newRow("a constant over the input")
            << QByteArray("plan 0 1 0 64 0 128 32 0 0") << QByteArray("clobbered-read: x commands\n");
    }
    void anNpuArrangesItsArenaItself()
    {
        QFETCH(QByteArray, plan);
        QFETCH(QByteArray, findings);
        const Report report = reportOn(std::string(Npu) + plan.toStdString(), true);
        QCOMPARE(findingsText(report), QString::fromUtf8(findings));
        QCOMPARE(report.memory.peakBytes, std::int64_t {256});
        QVERIFY(report.memory.lowerBoundBytes <= report.memory.peakBytes);
    }

    void thePlanOfVelaIsLegal()
    {
        if (!QFile::exists(velaFile())) QSKIP("the corpus of TensorFlow Lite models is not here");
        const auto report = analyseFile(velaFile().toStdString(), true);
        QVERIFY2(report.ok(), report.ok() ? "" : describe(report.error()).c_str());
        QCOMPARE(findingsText(report.value()), QString());
        QCOMPARE(report.value().memory.peakBytes, std::int64_t {74464});
        QCOMPARE(offsetOf(report.value(), "input"), std::int64_t {0});
        const GivenPlanBounds bounds = report.value().verdict.given.value();
        QVERIFY(!bounds.ownPeakBytes); // none of ours gives the NPU its room
        QCOMPARE(bounds.anySharingBoundBytes, std::int64_t {74464});
        for (const ArenaPeak& peak : report.value().memory.peaks)
            QVERIFY(peak.liveBytes <= peak.bytes); // some lie inside of others
        const std::string why = english(report.value().notes.back());
        QVERIFY2(why.starts_with("The plan gives 1 node room to work in that no implementation states, 72.7 KiB"),
                 why.c_str());
    }

    /// The offset of the command stream, which Vela leaves open, is that of the input.
    void aDamagedPlanOfVelaIsFound()
    {
        QFile file(velaFile());
        if (!file.open(QIODevice::ReadOnly)) QSKIP("the corpus of TensorFlow Lite models is not here");
        QByteArray bytes = file.readAll();
        const std::int32_t words[] = {0, 1, 6, 0, -1, -1, 0, 0, 0};
        const qsizetype at = bytes.indexOf(QByteArray(reinterpret_cast<const char*>(words), sizeof words));
        QVERIFY(at > 0);
        bytes.replace(at + 4 * static_cast<qsizetype>(sizeof(std::int32_t)), sizeof(std::int32_t), QByteArray(4, '\0'));
        const test::TemporaryFolder folder;
        const auto report = analyseFile(folder.write("damaged.tflite", bytes.toStdString()), true);
        QVERIFY2(report.ok(), report.ok() ? "" : describe(report.error()).c_str());
        QCOMPARE(findingsText(report.value()),
                 QStringLiteral("clobbered-read: input _split_1_command_stream\n"
                                "output-aliases-input: MobilenetV1/Predictions/Reshape_1 _split_1_command_stream\n"
                                "input-overwritten: _split_1_command_stream MobilenetV1/Predictions/Reshape_1\n"));
    }
};

QTEST_APPLESS_MAIN(PipelineTflite)
#include "tst_pipeline_tflite.moc"
