#include "core/facts/english/english.h"
#include "kernels/run/control/time_limit.h"

#include "kernels/run/executor.h"
#include "tests/kernels/run/run_support.h"
#include "tests/support/graph_text.h"

#include <QElapsedTimer>
#include <QTest>

#include <cmath>

using namespace plimsoll;
using namespace plimsoll::kernels;

namespace {

RunRequest within(double seconds)
{
    RunRequest request;
    request.time = {seconds, "max-seconds"};
    request.time.begin += std::chrono::hours(1); // so that a busy machine takes nothing of it
    return request;
}

QString textOf(const Error& error)
{
    return QString::fromStdString(describe(error));
}

/// What is said of one operation that takes that long, of a run that has just begun and may take a minute.
QString saidOf(double seconds)
{
    const Status refused = checkTime({60.5, "max-seconds"}, {seconds * 1e3, 1e3});
    return refused.ok() ? QString() : QString::fromStdString(english(refused.error().message));
}

/// Two bodies: the one that is not taken would run for hours.
constexpr const char* LongBranch = R"(
input c bool[]
input x float32[1,1,2000,2000]
input w float32[1,1,1001,1001]
i: y = If(c)
body then_branch
  s: a = ReduceSum(x)
  output a
end
body else_branch
  slow: b = Conv(x, w)
  t: d = ReduceSum(b)
  output d
end
output y
)";

constexpr const char* LongInLoop = R"(
input x float32[1,1,2000,2000]
input w float32[1,1,1001,1001]
input s float32[1]
const three int64[] = 3
l: y = Loop(three, _, s)
body body
  input i int64[]
  input c bool[]
  input a float32[1]
  slow: b = Conv(x, w)
  t: d = ReduceSum(b) keepdims=0
  u: e = Add(a, d)
  k: c2 = Identity(c)
  output c2 e
end
output y
)";

} // namespace

/// What cannot end in the time that a run has is refused before it begins.
class tst_TimeLimit : public QObject
{
    Q_OBJECT

private slots:
    void theTextSaysHowLong()
    {
        QCOMPARE(saidOf(60), QString());
        QCOMPARE(saidOf(7000), QStringLiteral("It takes about 7.0e6 operations, 7,000 seconds at the least, with 60 "
                                              "seconds left of the 60 seconds that the run may take (--max-seconds)."));
        QVERIFY(saidOf(7201).contains(QLatin1String(" 2 hours at the least")));
        QVERIFY(saidOf(3.5 * 86400).contains(QLatin1String(" 3 days at the least")));
        QVERIFY(saidOf(1e9).contains(QLatin1String(" 31 years at the least")));
        QVERIFY(saidOf(INFINITY).contains(QLatin1String(" 1,000,000,000,000,000 years at the least")));
        QCOMPARE(saidOf(NAN), QString()); // nothing is known
        QVERIFY(checkTime({}, {1e300}).ok());
    }

    void timeThatIsSpentIsNotLeft()
    {
        TimeLimit limit {100, "time-limit"};
        QVERIFY(checkTime(limit, {90, 1}).ok());
        limit.begin -= std::chrono::seconds(20);
        const Status refused = checkTime(limit, {90, 1});
        limit.begin -= std::chrono::seconds(80);
        QVERIFY(checkTime(limit, {90, 1}).ok()); // it is over: this node is not the reason
        QVERIFY(!refused.ok());
        const std::string text = english(refused.error().message);
        QVERIFY2(text.ends_with("with 79 seconds left of the 100 seconds that the run may take (--time-limit)."),
                 text.c_str());
    }

    void whatWouldTakeHoursIsRefused_data()
    {
        QTest::addColumn<QString>("graph");
        const auto row = [](const char* name, const char* tensors, const char* node, const char* results = "output y") {
            QTest::newRow(name) << QStringLiteral("%1\nslow: %2\n%3\n").arg(tensors, node, results);
        };
        row("Conv", "input x float32[1,1,2000,2000]\ninput w float32[1,1,1001,1001]", "y = Conv(x, w)");
        row("ConvTranspose", "input x float32[1,1,1000,1000]\ninput w float32[1,1,1000,1000]",
            "y = ConvTranspose(x, w)");
        row("ConvInteger", "input x uint8[1,1,2000,2000]\ninput w uint8[1,1,1001,1001]", "y = ConvInteger(x, w)");
        row("DeformConv", "input x float32[1,512,64,64]\ninput w float32[512,512,3,3]\ninput o float32[1,18,62,62]",
            "y = DeformConv(x, w, o)");
        row("MatMul", "input a float32[4000,4000]\ninput b float32[4000,4000]", "y = MatMul(a, b)");
        row("MatMulInteger", "input a uint8[4000,4000]\ninput b uint8[4000,4000]", "y = MatMulInteger(a, b)");
        row("Gemm", "input a float32[4000,4000]\ninput b float32[4000,4000]", "y = Gemm(a, b)");
        row("Einsum", "input a float32[1000]\ninput b float32[1000]", "y = Einsum(a, b, a, b) equation=\"i,j,k,l->\"");
        row("MaxPool", "input x float32[1,1,2000,2000]", "y = MaxPool(x) kernel_shape=[1000,1000]");
        row("AveragePool", "input x float32[1,1,2000,2000]", "y = AveragePool(x) kernel_shape=[1000,1000]");
        row("LRN", "input x float32[1,20000,10,10]", "y = LRN(x) size=20000");
        row("RNN", "input x float32[200000,1,1]\ninput w float32[1,1024,1]\ninput r float32[1,1024,1024]",
            "_, y = RNN(x, w, r) hidden_size=1024");
        row("GRU", "input x float32[200000,1,1]\ninput w float32[1,1536,1]\ninput r float32[1,1536,512]",
            "_, y = GRU(x, w, r) hidden_size=512");
        row("LSTM", "input x float32[200000,1,1]\ninput w float32[1,2048,1]\ninput r float32[1,2048,512]",
            "_, y = LSTM(x, w, r) hidden_size=512");
        row("Attention", "opset 23\ninput q float32[1,1,20000,64]", "y = Attention(q, q, q)");
        row("DFT", "input x float32[1,200000,1]", "y = DFT(x)");
        row("STFT", "input x float32[1,20000]\nconst step int64[] = 100\nconst length int64[] = 10000",
            "y = STFT(x, step, _, length)");
        row("GridSample",
            "input x float32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]\n"
            "input g float32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,18]",
            "y = GridSample(x, g) mode=\"cubic\" padding_mode=\"border\"");
        row("RoiAlign", "input x float32[1,1,4,4]\ninput r float32[100000,4]\ninput b int64[100000]",
            "y = RoiAlign(x, r, b) sampling_ratio=1000");
        row("MaxRoiPool", "input x float32[1,64,200,200]\ninput r float32[40000,5]",
            "y = MaxRoiPool(x, r) pooled_shape=[1,1] spatial_scale=1000000.0");
        row("TfIdfVectorizer", "input x int64[1,20000]",
            "y = TfIdfVectorizer(x) max_gram_length=20000 min_gram_length=1 max_skip_count=0 mode=\"TF\" "
            "ngram_counts=[0] ngram_indexes=[0] pool_int64s=[1]");
        row("counterpart", "input x float32[4000,4000]\ninput w float32[4000,4000]",
            "y = mxnet::FullyConnected(x, w) num_hidden=4000 no_bias=1");
        QTest::newRow("in a loop") << QString::fromUtf8(LongInLoop);
    }

    void whatWouldTakeHoursIsRefused()
    {
        QFETCH(QString, graph);
        const Report report = test::plannedForReference(graph.toStdString());

        QElapsedTimer timer;
        timer.start();
        const auto outcome = test::executed(report, {}, within(1));

        QVERIFY(!outcome.ok());
        QCOMPARE(outcome.error().code, ErrorCode::Stopped);
        const QString text = textOf(outcome.error());
        QVERIFY2(text.startsWith(QLatin1String("node '")), qPrintable(text));
        QVERIFY2(text.contains(QLatin1String("slow' (")), qPrintable(text));
        QVERIFY2(text.contains(QLatin1String(" at the least, with ")), qPrintable(text));
        QVERIFY2(text.endsWith(QLatin1String(" 1 second left of the 1 second that the run may take (--max-seconds).")),
                 qPrintable(text));
        QVERIFY2(timer.elapsed() < 20'000, qPrintable(QString::number(timer.elapsed())));
    }

    void theLibraryAnnouncesToo()
    {
        const Report report = test::planned(test::graphFromText(
            "input x float32[1,1,3000,3000]\ninput w float32[1,1,1501,1501]\nslow: y = Conv(x, w)\noutput y\n"));
        const auto outcome = test::executed(report, {}, within(0.01)); // many cores may make 1e14 operations a second
        QVERIFY(!outcome.ok());
        QVERIFY2(textOf(outcome.error()).startsWith(QLatin1String("node 'slow' (Conv): It takes about ")),
                 qPrintable(textOf(outcome.error())));
    }

    void whatEndsInTimeRuns_data()
    {
        QTest::addColumn<QString>("graph");
        QTest::newRow("convolutions") << QString::fromUtf8(test::samples::Residual.data());
        QTest::newRow("a loop") << QString::fromUtf8(test::samples::CarriedLoop.data());
        QTest::newRow("products") << "input a float32[256,256]\ny = MatMul(a, a)\noutput y\n";
        QTest::newRow("lengths of an RNN") << R"(
input x float32[200000,1,1]
input w float32[1,64,1]
input r float32[1,64,64]
const n int32[1] = 3
_, y = RNN(x, w, r, _, n) hidden_size=64
output y
)";
        QTest::newRow("windows that lie in padding") << R"(
input x float32[1,1,10,10]
y = AveragePool(x) kernel_shape=[2,2] dilations=[900,900] pads=[899,899,899,899]
output y
)";
    }

    void whatEndsInTimeRuns()
    {
        QFETCH(QString, graph);
        const auto outcome = test::executed(test::planned(test::graphFromText(graph.toStdString())), {}, within(30));
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : qPrintable(textOf(outcome.error())));
        QVERIFY(outcome.value().result.mismatches.empty());
    }

    /// What the inputs lead to was run, and is told.
    void aBranchThatIsForcedMayBeTooLong()
    {
        RunRequest request = within(1);
        request.cover = RunRequest::Cover::Always;
        const Report report = test::plannedForReference(LongBranch);
        request.inputs[findValue(*report.program.graph, "c")] = [] {
            HostTensor yes(DType::Bool, {});
            *yes.view().as<bool>() = true;
            return tensorValue(std::move(yes));
        }();
        const auto outcome = test::executed(report, {}, request);
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : qPrintable(textOf(outcome.error())));
        QVERIFY(outcome.value().result.forced.has_value());
        const std::string why = english(outcome.value().result.forced->why);
        QVERIFY2(why.find("slow' (Conv): It takes about ") != std::string::npos, why.c_str());
    }
};

QTEST_APPLESS_MAIN(tst_TimeLimit)
#include "tst_time_limit.moc"
